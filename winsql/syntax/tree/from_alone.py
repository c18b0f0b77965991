"""Queries that are FROM alone, with joins and a WHERE after pipes. They are read as `SELECT *` of the same is.

FROM a JOIN b ON a.k = b.k
FROM a |> JOIN b USING (k) |> WHERE a.v > 1
FROM a |> WHERE EXISTS (SELECT ...)
FROM a |> WHERE a.v > 1 |> JOIN b ON ... |> SELECT ...
FROM a |> EXTEND ... |> AS c |> JOIN b ON ... |> SELECT ...
"""

from __future__ import annotations

from winsql.syntax.text.parts import TAIL, Part, Section, Select, is_query_start, words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import JOIN_WORDS, SET_OPERATORS


def from_alone(source: Source, first: int, inside: Extent) -> Select | None:
    """The query that begins with a FROM, as a SELECT; None where it is more than FROM, or reads one relation alone.

    inside   the statement, or what is in the bracket around it
    """
    query = Extent(first, inside.stop)
    if first != inside.first and not source.at(first - 1).is_symbol(")"):  # by far most
        return None
    if begin_of_query(source, inside) != first or any(words_in(source, query, "SELECT", *SET_OPERATORS)):
        return None
    sections = {section.part: section for section in from_and_where(source, query)}
    if not sections or not _reads_several(source, query):
        return None
    nothing = Extent(query.stop, query.stop)
    sections[Part.SELECT] = Section(Part.SELECT, Extent(first, first + 1), nothing)
    return Select(query, sections, is_branch=False, has_all=True)


_OTHERS = ("MAP", "REDUCE", *(part.words.split()[0] for part in TAIL))
"""Words of clauses that FROM has with a SELECT alone, or with Hive's words for it."""


def from_and_where(source: Source, query: Extent, *, may_begin: bool = False) -> list[Section]:
    """The FROM or TABLE and the WHERE of a query of these, `FROM a |> JOIN b ON ... |> WHERE ...`; [] for any other.

    With `may_begin` FROM may have what `before_joins` finds.
    """
    pipes = [*words_in(source, query, "|>")]
    begin = before_joins(source, query) if may_begin else None
    own = range(0) if begin is None else begin.indexes
    others = [pipe for pipe in pipes if pipe not in own and not is_join(source, pipe + 1)]
    stop = others[0] if others else query.stop
    is_one = not others or (others == pipes[-1:] and source.words(stop + 1, "WHERE"))
    body = Extent(query.first + 1, stop)
    words = (n for n in words_in(source, body, *_OTHERS) if n not in own)
    has_others = any(not source.at(n - 1).is_symbol(".") for n in words)
    if not is_one or not source.at(query.first).is_word("FROM", "TABLE") or has_others:
        return []
    where = Section(Part.WHERE, Extent(stop + 1, stop + 2), Extent(stop + 2, query.stop))
    return [Section(Part.FROM, Extent(query.first, body.first), body), *([where] if others else [])]


def before_joins(source: Source, body: Extent) -> Extent | None:
    """The operators before the first `|> JOIN`; None where it is the first one, or there is none."""
    pipes = [*words_in(source, body, "|>")]
    first = next((pipe for pipe in pipes if is_join(source, pipe + 1)), None)
    return None if first is None or first == pipes[0] else Extent(pipes[0], first)


def is_join(source: Source, first: int) -> bool:
    """Whether an operator joins a relation."""
    index = first
    while source.at(index).is_word(*JOIN_WORDS, "OUTER") and not source.words(index, "JOIN"):
        index += 1
    return source.words(index, "JOIN")


def _reads_several(source: Source, query: Extent) -> bool:
    """Whether a query joins relations, or asks another one in its WHERE or is in the WHERE of one."""
    if any(words_in(source, query, "JOIN", ",")) or source.at(query.first - 2).is_word("EXISTS", "IN"):
        return True
    where = next(words_in(source, query, "WHERE"), query.stop)
    return any(where < index < query.stop and is_query_start(source, index + 1) for index in source.places("("))


def begin_of_query(source: Source, inside: Extent) -> int:
    """Where a query begins after its WITH list, if it has one."""
    if not source.words(inside.first, "WITH"):
        return inside.first
    begins = words_in(source, inside, "(", "SELECT", "FROM", "TABLE", "VALUES")
    return next((place for place in begins if source.at(place - 1).is_symbol(")")), inside.first)
