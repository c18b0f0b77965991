"""Flink SQL's window Top-N and deduplication on a stream: a SELECT that ranks the rows of each window.

    SELECT items, ROW_NUMBER() OVER (PARTITION BY window_start, window_end [, keys] ORDER BY ...) AS n FROM relation

where `relation` is one window function, or a window aggregation in brackets over one. All rows of a window leave the
operator in one micro-batch, the one whose watermark passes its end, so ranking them there is ranking them for good.
RANK and DENSE_RANK work the same. On a table nobody needs this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from winsql.errors import WindowSyntaxError
from winsql.model.query import INTERNAL_PREFIX, RANK, KeyColumn, WindowQuery
from winsql.model.ranking import Ranking, RankingFunction, SortKey, Ties
from winsql.syntax.calls import IsAggregate
from winsql.syntax.functions.aggregation import aggregation_over, bind_aggregation
from winsql.syntax.functions.calls import FunctionCall
from winsql.syntax.functions.deduplication import keeps_last_row
from winsql.syntax.functions.readings import alias_of, bind_reading, handed_on
from winsql.syntax.items import column_path
from winsql.syntax.parts import Part, Select
from winsql.syntax.scanner import select_around
from winsql.syntax.source import Edit, Extent, Source

__all__ = ["RankedSelect", "bind_ranking", "ranking_over"]


@dataclass(frozen=True, slots=True)
class RankedSelect:
    """A SELECT that ranks.

    aggregation  the window aggregation that it reads; None when it reads the window function itself
    alias        the name of what it reads, '' for none
    call         the call with OVER, and `over` the inside of its brackets
    """

    select: Select
    aggregation: Select | None
    alias: str
    function: RankingFunction
    call: Extent
    over: Extent


def ranking_over(source: Source, found: FunctionCall) -> RankedSelect | None:
    """The SELECT that ranks the rows of a call, or of the aggregation around it; None where there is none."""
    aggregation = aggregation_over(source, found)
    relation = found.extent
    if aggregation is not None:
        opening = aggregation.extent.first - 1
        if not source.at(opening).is_symbol("(") or source.partner[opening] != aggregation.extent.stop:
            return None
        relation = Extent(opening, aggregation.extent.stop + 1)
    try:
        select = select_around(source, relation.first)
    except WindowSyntaxError:
        return None
    if select is None or not _PARTS.issuperset(select.sections):
        return None
    alias = alias_of(source, select, relation)
    ranked = _ranked_call(source, select.sections[Part.SELECT].body)
    if aggregation is None and handed_on(source, found) is not None:
        return None  # the star of this SELECT would mean other columns
    if alias is None or ranked is None or not _names_window(source, ranked[2]):
        return None
    return RankedSelect(select, aggregation, alias, *ranked)


def bind_ranking(
    source: Source, ranked: RankedSelect, found: FunctionCall, is_aggregate: IsAggregate | None
) -> WindowQuery:
    """The query of such a SELECT over a stream: that of what it reads, ranked.

    Raises WindowSpecError and WindowSyntaxError with their place.
    """
    ranking = _ranking(source, ranked)
    if ranked.aggregation is not None:
        inner = bind_aggregation(source, ranked.aggregation, found, is_aggregate)
        before, behind = f"({inner.head} FROM ", f" {inner.tail}) {_as(ranked.alias)}"
        ranking = replace(ranking, before=before, behind=behind, ties=Ties.COLUMNS)
    else:
        inner = _with_keys(bind_reading(source, found), source, ranked)
        ranking = replace(ranking, behind=f" {_as(ranked.alias)}", ties=_ties(source, ranked, ranking, inner))
    return replace(
        inner,
        span=source.span(ranked.select.extent),
        head=_head(source, ranked),
        tail=_as(ranked.alias),
        ranking=ranking,
    )


_PARTS = frozenset({Part.SELECT, Part.FROM, Part.WHERE})
_WINDOW = ("WINDOW_START", "WINDOW_END")


def _as(alias: str) -> str:
    return f"AS {alias}" if alias else ""


def _ranked_call(source: Source, body: Extent) -> tuple[RankingFunction, Extent, Extent] | None:
    """The one call with OVER among the items, when it ranks and has an order."""
    found = []
    for index in body.indexes:
        if not source.at(index).is_word("OVER") or not source.at(index - 1).is_symbol(")"):
            continue
        name, bracket = source.at(index - 3), source.at(index + 1)
        if name.upper not in RankingFunction.__members__ or not source.at(index - 2).is_symbol("("):
            return None
        if not bracket.is_symbol("("):
            return None
        over = Extent(index + 2, source.closing(index + 1))
        found.append((RankingFunction[name.upper], Extent(index - 3, over.stop + 1), over))
    return found[0] if len(found) == 1 else None


def _parts(source: Source, over: Extent) -> tuple[Extent, Extent] | None:
    """What stands behind PARTITION BY and behind ORDER BY."""
    if not source.words(over.first, "PARTITION", "BY"):
        return None
    group = source.group[over.first]
    for index in over.indexes:
        if source.words(index, "ORDER", "BY") and source.group[index] == group:
            return Extent(over.first + 2, index), Extent(index + 2, over.stop)
    return None


def _names_window(source: Source, over: Extent) -> bool:
    parts = _parts(source, over)
    if parts is None:
        return False
    named = {path[-1] for part in source.split(parts[0]) if (path := column_path(source, part))}
    return named.issuperset(_WINDOW)


def _ranking(source: Source, ranked: RankedSelect) -> Ranking:
    parts = _parts(source, ranked.over)
    assert parts is not None
    where = ranked.select.body(Part.WHERE)
    for index in parts[1].indexes:
        if source.at(index).is_word("ROWS", "RANGE") and source.at(index + 1).is_word(
            "BETWEEN", "UNBOUNDED", "CURRENT"
        ):
            raise source.spec_error("a ranking has no frame", index, rule="it numbers all rows of its partition")
    return Ranking(
        ranked.function,
        tuple(source.verbatim(part) for part in source.split(parts[0])),
        tuple(_sort_key(source, part) for part in source.split(parts[1])),
        "",
        "",
        source.verbatim(where) if where else None,
        source.span(ranked.call),
    )


def _ties(source: Source, ranked: RankedSelect, ranking: Ranking, inner: WindowQuery) -> Ties:
    time = inner.spec.assigner.time
    assert time is not None
    times = {"WINDOW_TIME"}
    if time.is_event:
        column = Source(time.written or time.expressions[0])
        times.add(column.at(len(column) - 1).upper)
    is_last = keeps_last_row(source, ranked.select, ranked.call, ranking.order, times)
    return Ties.LAST_ARRIVED if is_last else Ties.FIRST_ARRIVED


def _sort_key(source: Source, part: Extent) -> SortKey:
    end = part.stop
    nulls = None
    if source.at(end - 2).is_word("NULLS") and source.at(end - 1).is_word("FIRST", "LAST"):
        nulls = source.at(end - 1).is_word("FIRST")
        end -= 2
    is_descending = source.at(end - 1).is_word("DESC")
    end -= source.at(end - 1).is_word("ASC", "DESC")
    if end <= part.first:
        raise source.syntax_error("ORDER BY needs an expression", part)
    return SortKey(
        source.verbatim(Extent(part.first, end)), is_descending, not is_descending if nulls is None else nulls
    )


def _with_keys(function: WindowQuery, source: Source, ranked: RankedSelect) -> WindowQuery:
    """The rows of a window are gathered by what they are ranked apart by; those of a session have its keys."""
    relation = f"{function.source} {_as(ranked.alias)}".rstrip()
    if function.spec.assigner.is_merging:
        return replace(function, source=relation)
    parts = _parts(source, ranked.over)
    assert parts is not None
    apart = [p for p in source.split(parts[0]) if not _is_window(source, p)]
    keys = (
        KeyColumn(source.verbatim(part), f"{INTERNAL_PREFIX}key_{n}", source.span(part)) for n, part in enumerate(apart)
    )
    return replace(function, source=relation, keys=tuple(keys))


def _is_window(source: Source, part: Extent) -> bool:
    path = column_path(source, part)
    return path is not None and path[-1] in (*_WINDOW, "WINDOW_TIME")


def _head(source: Source, ranked: RankedSelect) -> str:
    """The select list over the ranked relation, which has the column RANK."""
    call = source.span(ranked.call)
    edits = [Edit(call.start, call.end, RANK)]
    section = ranked.select.sections[Part.SELECT]
    for item in source.split(section.body):
        if source.at(item.stop - 1).is_symbol("*") and (item.stop - item.first == 1 or _is_star(source, item)):
            end = source.span(item).end
            edits.append(Edit(end, end, f" EXCEPT ({RANK})"))
    return source.verbatim(section.extent, edits)


def _is_star(source: Source, item: Extent) -> bool:
    return source.at(item.stop - 2).is_symbol(".")
