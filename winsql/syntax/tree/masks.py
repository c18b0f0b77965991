"""What sqlglot is not shown of a statement: window clauses are cut out, relations it does not know become names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from winsql.syntax.brackets import TOP
from winsql.syntax.joins.clause import window_joins
from winsql.syntax.parts import Part, Select, is_query_start
from winsql.syntax.relations import NO_ALIAS, read_relation
from winsql.syntax.source import Extent, Source

__all__ = ["Masks", "inner_queries", "masks_of", "root_of"]

Masks = dict[int, int]
"""First token of a range that stands for one name -> the index after it; the same index: it stands for nothing."""


def masks_of(source: Source, calls: Iterable[Extent], selects: Iterable[Select]) -> Masks:
    """The masks of a statement.

    calls     the calls of winsql's table functions
    selects   the SELECTs with window clauses
    """
    masks: Masks = {}
    for first, stop in _unknown_relations(source):
        masks[first] = stop
    for select in selects:
        cut = [section.extent for section in select.sections.values() if section.part.is_window_clause]
        masks |= {index: index for extent in cut for index in extent.indexes}
        body = select.sections[Part.FROM].body
        masks |= {index: index for index in window_joins(source, source.unwrapped(body))}
    for call in calls:
        masks[call.first] = call.stop
    return masks


def inner_queries(source: Source, mask: Extent) -> Iterator[Extent]:
    """The queries in a masked range, those inside others left out."""
    index = mask.first
    while index < mask.stop:
        is_table = source.at(index + 1).is_word("TABLE")  # an argument; as a query it holds no SELECT
        if source.at(index).is_symbol("(") and not is_table and is_query_start(source, index + 1):
            closing = source.closing(index)
            yield Extent(index + 1, closing)
            index = closing
        index += 1


def root_of(source: Source, index: int) -> Extent:
    """The outermost query around a token: that of the statement, or of the outermost bracket that is one."""
    brackets = []
    group = source.group[index]
    while group != TOP:
        brackets.append(group)
        group = source.group[group]
    start = next((i for i in range(len(source)) if source.group[i] == TOP and _begins_query(source, i)), len(source))
    if start <= (brackets[-1] if brackets else index):
        end = next((i for i in range(start, len(source)) if source.at(i).is_symbol(";")), len(source))
        return Extent(start, end)
    outer = next((b for b in reversed(brackets) if is_query_start(source, b + 1)), None)
    return Extent(index, index) if outer is None else Extent(outer + 1, source.closing(outer))


def _begins_query(source: Source, index: int) -> bool:
    if source.at(index).is_symbol("("):
        return is_query_start(source, index + 1)
    is_list = source.words(index, "WITH") and (
        source.at(index + 2).is_word("AS")
        or source.at(index + 2).is_symbol("(")
        or source.words(index + 1, "RECURSIVE")
    )
    return is_list or (source.words(index, "SELECT") and not source.at(index - 1).is_symbol("."))


def _unknown_relations(source: Source) -> Iterator[Extent]:
    """Relations of FROM bodies that are more than a name, a bracket or VALUES."""
    for index in range(len(source)):
        if source.at(index).is_word("FROM", "JOIN") and not _is_operator(source, index):
            place = index + 1
            while True:
                relation = read_relation(source, place, len(source))
                body = relation.body
                if not body.is_empty and not _is_known(source, body):
                    yield body
                place = relation.extent.stop + 1
                if relation.extent.is_empty or not source.at(place - 1).is_symbol(","):
                    break


def _is_operator(source: Source, index: int) -> bool:
    """Whether FROM belongs to `IS DISTINCT FROM` or to a call, `extract(YEAR FROM ts)`."""
    bracket = source.group[index]
    in_call = bracket != TOP and source.at(bracket - 1).is_word(*_CALLS_WITH_FROM)
    return source.at(index - 1).is_word("DISTINCT") or in_call or source.at(index - 1).is_symbol(".")


_CALLS_WITH_FROM = ("EXTRACT", "TRIM", "SUBSTRING", "SUBSTR", "OVERLAY")


def _is_known(source: Source, body: Extent) -> bool:
    first = source.at(body.first)
    if first.is_symbol("("):
        return source.closing(body.first) + 1 == body.stop
    if first.is_word("VALUES", *NO_ALIAS):
        return True
    parts = [source.at(index) for index in body.indexes]
    is_path = all(t.is_name if n % 2 == 0 else t.is_symbol(".") for n, t in enumerate(parts))
    return is_path and len(parts) % 2 == 1
