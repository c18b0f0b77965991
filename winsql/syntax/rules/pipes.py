"""Pipes that take rows of windows together, as SELECTs over the query before them.

FROM TABLE(TUMBLE(...)) AS t |> WHERE v > 1 |> AGGREGATE sum(v) AS s GROUP BY window_start, window_end AS e
SELECT window_start, window_end AS e, sum(v) AS s FROM (FROM TABLE(TUMBLE(...)) AS t |> WHERE v > 1) GROUP BY ALL

FROM ... |> SELECT DISTINCT k, window_end
FROM ... |> SELECT k, row_number() OVER (PARTITION BY window_end ORDER BY v) AS n
FROM ... |> EXTEND row_number() OVER (PARTITION BY window_end ORDER BY v) AS n
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce

from winsql.errors import WinsqlError
from winsql.syntax.bind.grouping_sets import sets_in
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.fragment import Binder, Fragment, Refusal
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.text.parts import Part, Section, Select, beside, words_in
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.tree.from_alone import first_filter, from_and_where, query_before
from winsql.syntax.tree.masks import query_around
from winsql.syntax.tree.pipes import gathers, named_windows_of

__all__ = ["piped_select", "refused_pipes", "without_pipes"]


def piped_select(
    source: Source, first: int, relations: Sequence[str], *, asks: bool = False, joins: bool = False
) -> Select | None:
    """The SELECT that the operator after a pipe is, by its first word; None for one that is read in no SELECT.

    relations   the names of what it reads, as the tree has them
    asks        whether the WHERE before it has subqueries over windows
    joins       whether it reads a join of two with windows

    A join, and such a WHERE, must be all that is between FROM and it, but for a filter of the first relation.
    """
    operator, is_whole = _operator(source, first - 1), asks or len(relations) > 1
    if not is_whole and not gathers(source, operator):
        return None
    before = query_before(source, first - 1, query_around(source, first))
    read = from_and_where(source, before, may_filter=not asks) if is_whole else [_from(source, before)]
    if is_whole and (not read or source.words(first, "EXTEND")):
        return None
    sections = {part.part: part for part in (*_sections(source, operator), *read)}
    if Part.GROUP_BY in sections and sets_in(source, sections[Part.GROUP_BY].body) is not None:
        return None
    has_one_from = is_whole or (source.words(before.first, "FROM") and not any(words_in(source, before, "|>")))
    extent, before_pipe = Extent(before.first, operator.stop), None if has_one_from else before
    filtered = first_filter(source, sections[Part.FROM].body) if is_whole and not joins else None
    if filtered is not None:
        before_pipe = Extent(before.first, filtered.stop)
    is_written = any(source.at(n).is_name and source.name(n).lower() == relations[0] for n in before.indexes)
    groups, extends = source.words(first, "AGGREGATE"), source.words(first, "EXTEND")
    return Select(extent, sections, False, groups, extends, before_pipe, relations[0] if is_written else "")


def _from(source: Source, before: Extent) -> Section:
    """The query before an operator as the FROM of a SELECT."""
    first = before.first + source.words(before.first, "FROM")
    return Section(Part.FROM, Extent(before.first, first), Extent(first, before.stop))


def without_pipes(source: Source, block: QueryBlock, stage: Fragment) -> Fragment:
    """A stage over the FROM of an operator, which is read as one without the pipes before its joins."""
    before = block.select.before_pipe
    pipes = [pipe for pipe in words_in(source, block.body, "|>") if before is None or pipe >= before.stop]
    edits = [Edit(*source.span(Extent(pipe, pipe + 1)), " ") for pipe in pipes]

    def edited(bind: Binder) -> Binder:
        return lambda source: bind(reduce(Source.edited, edits, source))

    knowing = stage.knowing
    assert knowing is not None
    return replace(stage, bind=edited(stage.bind), knowing=lambda columns: edited(knowing(columns)))


def _sections(source: Source, operator: Extent) -> Iterator[Section]:
    """The items of an operator, and the GROUP BY of an AGGREGATE or the WINDOW of a SELECT after them."""
    first, part, length, place = operator.first, Part.WINDOWS, 1, named_windows_of(source, operator)
    if source.words(first, "AGGREGATE"):
        groups = (p for p in words_in(source, operator, "GROUP") if source.words(p + 1, "BY"))
        part, length, place = Part.GROUP_BY, 2, next(groups, operator.stop)
    yield Section(Part.SELECT, Extent(first, first + 1), Extent(first + 1, place))
    if place < operator.stop:
        yield Section(part, Extent(place, place + length), Extent(place + length, operator.stop))


def refused_pipes(
    source: Source, rows: Iterable[Extent], results: Iterable[Extent], known: Container[int]
) -> Iterator[Fragment]:
    """The refusals of operators over windows that a stream cannot run.

    rows, results   what makes windows: functions that give rows with their windows, and what gives results of windows
    known           the first words of the operators that it can run

    Rows Spark can aggregate itself, in the output modes that hand on unfinished groups.
    """
    own, others = list(rows), list(results)
    for pipe in source.places("|>"):
        operator = _operator(source, pipe)
        if pipe + 1 in known or not gathers(source, operator):
            continue
        place = _place(source, operator)
        windows = [*own, *others] if source.words(place.first, "OVER") else others
        before = query_before(source, pipe, query_around(source, pipe))
        needs = frozenset(extent for extent in windows if _reads(source, before, extent))
        if needs:
            yield Fragment.stage(place, place, Refusal(_refused(source, place)).bind, needs)


def _operator(source: Source, pipe: int) -> Extent:
    """The operator after a pipe, up to the next one or the end of the query."""
    end = query_around(source, pipe).stop
    nexts = (place for place in beside(source, pipe, "|>", ";") if place > pipe)
    return Extent(pipe + 1, min(next(nexts, end), end))


def _place(source: Source, operator: Extent) -> Extent:
    """The words of an operator that take rows together."""
    if source.words(operator.first, "AGGREGATE"):
        return Extent(operator.first, operator.first + 1)
    if source.words(operator.first, "SELECT", "DISTINCT"):
        return Extent(operator.first, operator.first + 2)
    over = next(words_in(source, operator, "OVER"))
    return Extent(over, over + 1)


def _reads(source: Source, query: Extent, windows: Extent) -> bool:
    """Whether a query holds what makes windows, or names a CTE that does."""
    if query.first <= windows.first and windows.stop <= query.stop:
        return True
    definitions = [d for found in Context(source).lists for d in found.definitions]
    around = [d for d in definitions if d.extent.first <= windows.first and windows.stop <= d.extent.stop]
    return any(d.name == source.folded(i) for d in around for i in query.indexes if source.at(i).is_name)


def _refused(source: Source, place: Extent) -> WinsqlError:
    is_over = source.words(place.first, "OVER")
    words = "OVER" if is_over else " ".join(source.at(n).upper for n in place.indexes)
    example = "SELECT ..., row_number() OVER (...) AS r" if is_over else "SELECT ..."
    return source.spec_error(
        f"{words} after |> cannot be used over windows of a stream",
        place,
        rule="on a stream windows are grouped and ranked by their end; what else comes after |> takes rows one by one",
        hint=f"put what is before it into a subquery: {example} FROM (FROM t |> ...)",
    )
