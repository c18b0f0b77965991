"""What sqlglot does not see of a statement: window clauses, and relations that it does not know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from winsql.syntax.joins.clause import window_joins
from winsql.syntax.selects.relations import NO_ALIAS, WrittenRelation, is_of_query, read_relation
from winsql.syntax.text.brackets import TOP
from winsql.syntax.text.parts import Part, Select, brackets_around, is_query_start
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import SET_OPERATORS
from winsql.syntax.tree.bridge import NAME, NAME_AFTER_AS

Masks = dict[int, int]
"""By the first token of a range the index after it: sqlglot sees a name in its place. For a token that is left out its
own index; NAME or NAME_AFTER_AS for a word that is a name here."""


def masks_of(source: Source, calls: Iterable[Extent], selects: Iterable[Select]) -> Masks:
    """The masks of a statement.

    calls     the calls of winsql's table functions
    selects   the SELECTs with window clauses
    """
    masks = {index: source.closing(index + 1) + 1 for index in _calls(source, "IDENTIFIER")}
    masks |= {index: index + 1 for index in _calls(source, "ARRAY")}  # `array(a, b)[0]` is an array of 0 to sqlglot
    masks |= dict(_view_words(source))
    for relation in _relations(source):
        if not _is_known(source, relation.body):
            masks[relation.body.first] = relation.body.stop
        if relation.name is not None and _is_alias(source, relation.name):
            masks[relation.name] = NAME
    for index in source.places("MAX"):
        if source.words(index, "MAX", "RECURSION", "LEVEL"):  # of a CTE, before a number
            masks |= {place: place for place in range(index, index + 4)}
    for select in selects:
        cut = [section.extent for section in select.sections.values() if section.part.is_window_clause]
        masks |= {index: index for extent in cut for index in extent.indexes}
        body = select.sections[Part.FROM].body
        masks |= {index: index for index in window_joins(source, source.unwrapped(body))}
    for call in calls:
        masks[call.first] = call.stop
    return masks


def inner_queries(source: Source, mask: Extent) -> Iterator[Extent]:
    """The outermost queries in a masked range."""
    after = mask.first
    for index in source.places("("):
        is_table = source.at(index + 1).is_word("TABLE")  # an argument; as a query it holds no SELECT
        if after <= index < mask.stop and not is_table and is_query_start(source, index + 1):
            after = source.closing(index)
            yield Extent(index + 1, after)


def root_of(source: Source, index: int) -> Extent:
    """The outermost query around a token: that of the statement, or of the outermost bracket that is one."""
    brackets = list(brackets_around(source, index))
    outermost = brackets[-1] if brackets else index
    for start in range(outermost + 1):
        if source.group[start] == TOP and _begins_query(source, start):
            stop = _end_of(source, start)
            if outermost < stop:
                return Extent(start, stop)
    outer = next((b for b in reversed(brackets) if is_query_start(source, b + 1)), None)
    return Extent(index, index) if outer is None else Extent(outer + 1, source.closing(outer))


def query_around(source: Source, index: int) -> Extent:
    """What is in the bracket around a token, or the query of the statement around it."""
    group = source.group[index]
    return root_of(source, index) if group < 0 else Extent(group + 1, source.closing(group))


def _end_of(source: Source, start: int) -> int:
    """The end of the query that begins here."""
    ends = (index for index in source.places(";") if index > start and source.group[index] == TOP)
    end = next(ends, len(source))
    if not source.at(start).is_symbol("("):
        return end
    closing = source.closing(start)
    after = source.at(closing + 1, end)
    goes_on = after.is_word(*SET_OPERATORS, *_AFTER_BRACKETS) or after.is_symbol("|>")
    return end if goes_on else closing + 1


_AFTER_BRACKETS = ("ORDER", "SORT", "CLUSTER", "DISTRIBUTE", "LIMIT", "OFFSET", "WINDOW")


def _begins_query(source: Source, index: int) -> bool:
    if source.at(index).is_symbol("("):
        return is_query_start(source, index + 1)
    before, after = source.at(index - 1), source.at(index + 2)
    if source.words(index, "WITH"):
        return after.is_word("AS") or after.is_symbol("(") or source.words(index + 1, "RECURSIVE")
    if source.words(index, "FROM"):  # what is before it has no SELECT
        return not before.is_word("DELETE") and is_of_query(source, index)
    if source.words(index, "TABLE"):
        return source.at(source.path_end(index + 1, len(source))).is_symbol("|>")
    return source.words(index, "SELECT") and not before.is_symbol(".")


def _relations(source: Source) -> Iterator[WrittenRelation]:
    """The relations of FROM bodies, those in brackets among them."""
    starts = [index + 1 for index in source.places("FROM", "JOIN") if is_of_query(source, index)]
    for place in starts:  # more are found on the way
        relation = read_relation(source, place, len(source))
        if not relation.body.is_empty:
            yield relation
        if source.at(place).is_symbol("(") and not is_query_start(source, place + 1):
            starts.append(place + 1)
        if not relation.extent.is_empty and source.at(relation.extent.stop).is_symbol(","):
            starts.append(relation.extent.stop + 1)


def _is_alias(source: Source, name: int) -> bool:
    """Whether a word that begins a clause is the alias of a relation: nothing that it would need follows."""
    after = source.at(name + 1)
    is_end = not after.upper or after.is_symbol(",", ")", ";") or after.is_word(*_AFTER_ALIAS)
    return source.at(name).is_word("LIMIT", "OFFSET") and is_end


def _calls(source: Source, name: str) -> Iterator[int]:
    """The names of calls of a function."""
    return (index for index in source.places(name) if source.at(index + 1).is_symbol("("))


def _view_words(source: Source) -> Iterator[tuple[int, int]]:
    """The first columns of views as in `LATERAL VIEW explode(a) e x`; in `explode(a) AS x` AS is the view's name."""
    for index in source.places("VIEW"):
        bracket = next((i for i in range(index, len(source)) if source.at(i).is_symbol("(")), None)
        column = -1 if bracket is None else source.closing(bracket) + 2
        is_name = source.at(column).is_name and not source.at(column).is_word("AS", "SELECT", *NO_ALIAS, *_AFTER_ALIAS)
        if source.at(index - 1).is_word("LATERAL") and source.at(column - 1).is_name and is_name:
            yield column - 1, NAME
            yield column, NAME_AFTER_AS


_AFTER_ALIAS = ("WHERE", "GROUP", "HAVING", "QUALIFY", "WINDOW", "JOIN", "ORDER", "LIMIT", "OFFSET", "UNION", "ON")


def _is_known(source: Source, body: Extent) -> bool:
    """Whether sqlglot knows it: a name or a bracket; what it knows of VALUES ends where a join follows."""
    first = source.at(body.first)
    if first.is_symbol("("):
        return source.closing(body.first) + 1 == body.stop
    if first.is_word(*NO_ALIAS):
        return True
    return source.is_path(body)
