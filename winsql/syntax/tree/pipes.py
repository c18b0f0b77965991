"""Pipes as sqlglot takes them.

    SELECT k, v FROM t |> SET v = v + 1 |> DROP k |> UNION ALL SELECT 1
    FROM (SELECT k, v FROM t) |> SELECT * REPLACE (v + 1 AS v) |> SELECT * EXCEPT (k) |> UNION ALL (SELECT 1)

sqlglot makes one SELECT of the query before the first pipe and of the operators after it, whose WHERE would come before
the GROUP BY of that query. It knows neither SET nor DROP, and no query without brackets after UNION. Named windows it
drops. After `|> JOIN LATERAL (SELECT ...)` it takes the next operators for parts of that subquery.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from winsql.syntax.expressions.over import window_definitions
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.parts import words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import SET_OPERATORS
from winsql.syntax.tree.from_alone import begin_of_query, from_alone, is_join

SELECT_OF_FROM = "SELECT of FROM"
"""The word SELECT with the place of the FROM after it."""


class Name(NamedTuple):
    """The name of a relation, with the place of its first token."""

    text: str
    first: int


@dataclass(slots=True)
class Pipes:
    """How the tokens of a query with pipes differ for sqlglot.

    places    the pipes
    selects   operators that make a SELECT of their own in the tree, from their words on, in the order of the text
    before    words that come before a token, by its index; names by their tokens, other tokens of the text by ranges
    left_out  tokens that sqlglot does not get
    """

    places: list[int]
    before: dict[int, list[str | int | Extent | Name]] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)
    selects: list[Extent] = field(default_factory=list)

    def cuts(self, source: Source) -> bool:
        """Whether an operator takes some rows by their number, which in sqlglot's tree come after those filtered."""
        return any(source.at(place + 1).is_word("LIMIT", "OFFSET") for place in self.places)

    def add(self, index: int, *words: str | int | Extent | Name) -> None:
        self.before.setdefault(index, []).extend(words)


def pipes_in(source: Source, extent: Extent) -> Pipes:
    """The changes for the pipes in a range that is a query."""
    found = Pipes([index for index in source.places("|>") if index in extent.indexes])
    _add_selects(found, source, extent)
    for group in dict.fromkeys(source.group[index] for index in found.places):
        own = [index for index in found.places if source.group[index] == group]
        if found.left_out.issuperset(own):
            continue
        inside = Extent(group + 1, source.closing(group)) if group >= extent.first else extent
        head = Extent(begin_of_query(source, inside), own[0])
        _add_head(found, source, head)
        name = _alias(source, head)
        for operator, stop in zip(own, [*own[1:], inside.stop], strict=True):
            _add_operator(found, source, Extent(operator + 1, stop))
            name = name if source.at(operator + 1).is_word(*_KEEP_NAMES) else None
            if name is not None and source.at(operator + 1).is_word(*_COMPUTE):
                found.add(stop, "|>", "AS", name)
            if source.words(operator + 1, "SELECT") or gathering_words(source, Extent(operator + 1, stop)):
                found.selects.append(Extent(operator + 1, stop))
    return found


def _add_selects(found: Pipes, source: Source, extent: Extent) -> None:
    """FROM alone becomes `SELECT * FROM`, which has its place."""
    for first in source.places("FROM"):
        group = source.group[first]
        inside = Extent(group + 1, source.closing(group)) if group >= extent.first else extent
        query = from_alone(source, first, inside) if first in extent.indexes else None
        if query is not None:
            found.add(first, SELECT_OF_FROM, "*")
            found.left_out.update(words_in(source, query.extent, "|>"))


def gathering_words(source: Source, operator: Extent) -> Extent | None:
    """The words of an operator that take several rows together: AGGREGATE, SELECT DISTINCT, the OVER of a call."""
    first = operator.first
    for words in (("AGGREGATE",), ("SELECT", "DISTINCT")):
        if source.words(first, *words):
            return Extent(first, first + len(words))
    overs = words_in(source, operator, "OVER") if source.at(first).is_word("SELECT", "EXTEND") else ()
    over = next((place for place in overs if source.at(place - 1).is_symbol(")")), None)
    return None if over is None else Extent(over, over + 1)


def named_windows_of(source: Source, operator: Extent) -> int:
    """Where WINDOW begins in an operator; its end where it has none."""
    places = words_in(source, operator, "WINDOW")
    return next((place for place in places if source.words(place + 2, "AS")), operator.stop)


def _add_head(found: Pipes, source: Source, head: Extent) -> None:
    """The query before the first pipe becomes a relation, where it is more than one."""
    has_select = any(True for _ in words_in(source, head, "SELECT"))
    if source.words(head.first, "TABLE") and source.is_path(Extent(head.first + 1, head.stop)):
        found.left_out.add(head.first)
        found.add(head.first, "FROM")
    elif has_select or not source.words(head.first, "FROM"):
        found.add(head.first, "FROM", "(")
        found.add(head.stop, ")")


def _alias(source: Source, head: Extent) -> Name | None:
    """The alias of the only relation that a query reads, `FROM t AS x`, where no other relation may be meant by it."""
    if not source.words(head.first, "FROM"):
        return None
    relation = read_relation(source, head.first + 1, head.stop)
    if relation.name is None or relation.extent.stop != head.stop or relation.name < relation.body.stop:
        return None
    alias = source.name(relation.name)
    begins = (n + 1 for n in source.places("FROM", "JOIN", ","))
    others = (n for n in begins if source.at(n).upper == source.at(relation.name).upper)
    is_only = all(source.at(n + 1).is_symbol(".") for n in others)
    return Name(alias, relation.extent.first) if is_only and not relation.has_columns else None


_COMPUTE = ("EXTEND", "SET", "DROP")
"""Operators after which sqlglot does not know the name of the relation."""
_KEEP_NAMES = (*_COMPUTE, "WHERE", "ORDER", "LIMIT", "OFFSET")


def _add_operator(found: Pipes, source: Source, operator: Extent) -> None:
    body = Extent(operator.first + 1, operator.stop)
    if is_join(source, operator.first):
        found.left_out.update(n for n in words_in(source, operator, "LATERAL") if source.at(n + 1).is_symbol("("))
    elif source.words(operator.first, "SELECT"):
        _write_out_windows(found, source, operator)
    elif source.words(operator.first, "SET"):
        _add_set(found, source, body)
    elif source.words(operator.first, "DROP"):
        found.left_out.add(operator.first)
        found.add(operator.first, "SELECT", "*", "EXCEPT", "(")
        found.add(operator.stop, ")")
    elif source.at(operator.first).is_word(*SET_OPERATORS):
        first = body.first + source.at(body.first).is_word("ALL", "DISTINCT")
        if not source.at(first).is_symbol("("):
            found.add(first, "(")
            found.add(operator.stop, ")")


def _add_set(found: Pipes, source: Source, body: Extent) -> None:
    found.left_out.add(body.first - 1)
    found.add(body.first - 1, "SELECT", "*", "REPLACE", "(")
    for item in source.split(body):
        if source.at(item.first).is_name and source.at(item.first + 1).is_symbol("="):
            found.left_out |= {item.first, item.first + 1}
            found.add(item.stop, "AS", item.first)
    found.add(body.stop, ")")


def _write_out_windows(found: Pipes, source: Source, operator: Extent) -> None:
    """Named windows are written where they are named."""
    clause = named_windows_of(source, operator)
    definitions = window_definitions(source, Extent(clause + 1, operator.stop)) if clause < operator.stop else []
    windows = {source.folded(name): spec for name, spec in definitions if source.is_bracketed(spec)}
    for over in source.places("OVER"):
        if operator.first < over < clause:
            is_whole = source.at(over + 1).is_name
            name = over + 1 if is_whole else over + 2
            spec = windows.get(source.folded(name)) if source.at(name).is_name else None
            if spec is not None:
                found.left_out.add(name)
                found.add(name, spec if is_whole else Extent(spec.first + 1, spec.stop - 1))
    found.left_out.update(range(clause, operator.stop))
