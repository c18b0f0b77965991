"""Finds the SELECTs of a statement that do more with windows than hand them on; one rule after the other is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from winsql.errors import WindowSpecError, WindowSyntaxError
from winsql.model.query import WindowQuery
from winsql.syntax.parts import Part, Select
from winsql.syntax.rules.gather import bind_side, rows_beside_results
from winsql.syntax.rules.group import bind_group, find_group
from winsql.syntax.rules.grouping_sets import grouping_id_edits
from winsql.syntax.rules.join import (
    Join,
    Meeting,
    after_join,
    bind_from,
    bind_join,
    does_more,
    find_join,
    meeting_of,
    with_shared,
)
from winsql.syntax.rules.kept_rows import kept_rows
from winsql.syntax.rules.rank import bind_rank, find_rank
from winsql.syntax.rules.semi_join import (
    SemiJoin,
    after_semi_join,
    bind_left,
    bind_semi_join,
    find_semi_join,
    semi_meeting_of,
    without_question,
)
from winsql.syntax.scanner import select_at
from winsql.syntax.source import Edit, Extent, Source
from winsql.syntax.tree.reading import read_selects
from winsql.syntax.tree.records import Reading

__all__ = ["Found", "find_stages"]


class _Stage(Protocol):
    @property
    def replaces(self) -> frozenset[Extent]: ...


S = TypeVar("S", bound=_Stage)
Rule = tuple[Callable[..., Any], Callable[..., Any]]
RULES: tuple[Rule, ...] = (
    (find_semi_join, bind_semi_join),
    (find_join, bind_join),
    (find_group, bind_group),
    (find_rank, bind_rank),
)
"""What finds a SELECT, and what binds it."""
RULES_OVER_ROWS = ((find_group, bind_group), (find_rank, bind_rank))
"""Those that a join of the same SELECT may come before."""


class Found(NamedTuple, Generic[S]):
    """What the SELECTs of a statement need.

    stages   those that a stream plans as windows of their own
    edits    what reads differently on a table, by the call whose rows are read
    filtered   binds a call over the rows alone that the WHERE of the SELECT that groups by its windows keeps
    """

    stages: list[S]
    edits: dict[Extent, tuple[Edit, ...]]
    filtered: dict[Extent, Callable[[Source, Any], WindowQuery]]


def find_stages(
    make: Callable[..., S], source: Source, calls: Iterable[Extent], others: Iterable[Extent], selects: Iterable[Select]
) -> Found[S]:
    """What the SELECTs of a statement need; `make` is the class `Site`.

    calls    calls of Flink's window table functions; `others` those of winsql's other table functions
    selects  the SELECTs with window clauses
    """
    windowed, functions = list(selects), set(calls)
    own = {select.extent.first for select in windowed}
    stages: list[S] = []
    edits: dict[Extent, tuple[Edit, ...]] = {}
    filtered: dict[Extent, Callable[[Source, Any], WindowQuery]] = {}
    readings: dict[int, Reading] = {}
    for reading in read_selects(source, functions, others, windowed):
        readings[reading.first] = reading
        select = None if reading.first in own or not reading.origins else _select_of(source, reading)
        if select is None:
            continue
        stages += _stages(make, source, reading, select)
        kept = kept_rows(source, readings, reading, select) if functions.issuperset(_needs(reading)) else None
        filtered |= {} if kept is None else {kept.call.extent: kept.bind}
        rows = sorted(_needs(reading))
        if functions.issuperset(rows):
            edits[rows[0]] = (*edits.get(rows[0], ()), *grouping_id_edits(source, select))
    return Found(stages, edits, filtered)


def _select_of(source: Source, reading: Reading) -> Select | None:
    try:
        select = select_at(source, reading.first)
    except WindowSyntaxError:
        return None
    return select if Part.FROM in select.sections else None


def _stages(make: Callable[..., S], source: Source, reading: Reading, select: Select) -> Iterator[S]:
    join, semi = find_join(source, reading, select), find_semi_join(source, reading, select)
    yield from _gathered(make, source, reading, select, join, semi)
    if semi is not None and does_more(source, select):
        found = _first_of(RULES_OVER_ROWS, source, after_semi_join(semi), select)
        if found is not None:
            body, asked = select.sections[Part.FROM].body, semi
            yield make(body, semi.reads, lambda source, _: bind_left(source, asked), needs=_needs(reading))
            yield _stage(make, reading, select, *found, partial(without_question, found=semi))
            return
    after = None if join is None or not does_more(source, select) else after_join(join)
    found = None if after is None else _first_of(RULES_OVER_ROWS, source, after, select)
    if join is not None and found is not None:
        body = select.sections[Part.FROM].body
        yield make(body, body, lambda source, _: bind_from(source, join), needs=_needs(reading))
        yield _stage(make, reading, select, *found, partial(with_shared, found=join))
        return
    found = _first_of(RULES, source, reading, select)
    if found is not None:
        yield _stage(make, reading, select, *found)


def _first_of(rules: Sequence[Rule], source: Source, reading: Reading, select: Select) -> tuple[Any, Any] | None:
    """What the first rule that knows the SELECT has found, and what binds it."""
    for find, bind in rules:
        try:
            found = find(source, reading, select)
        except WindowSpecError as error:  # it is one on streams alone
            found, bind = error, _refuse
        if found is not None:
            return found, bind
    return None


def _stage(
    make: Callable[..., S],
    reading: Reading,
    select: Select,
    found: Any,
    bind: Callable[..., Any],
    prepare: Callable[[Source], Source] = lambda source: source,
) -> S:
    def binder(columns: frozenset[str] | None) -> Callable[..., Any]:
        return lambda source, is_aggregate: bind(prepare(source), found, is_aggregate, columns)

    replaces: frozenset[Extent] = getattr(found, "replaces", frozenset())
    body = select.sections[Part.FROM].body
    return make(select.extent, body, binder(None), needs=_needs(reading), knowing=binder, replaces=replaces)


def _gathered(
    make: Callable[..., S],
    source: Source,
    reading: Reading,
    select: Select,
    join: Join | None,
    semi: SemiJoin | None,
) -> Iterator[S]:
    """The side of a join whose rows come as they are read, where those of the other come when windows have ended."""
    meet: Callable[[Source], Meeting]
    if semi is not None:
        pair = (*reading.relations, *semi.inner.relations)
        selects = (select, select_at(source, semi.inner.first))
        meet = partial(semi_meeting_of, found=semi)
    elif join is not None:
        pair, selects, meet = reading.relations, (select, select), partial(meeting_of, found=join)
    else:
        return
    side = rows_beside_results(source, pair, selects)
    if side is not None:
        number, extent = side
        yield make(extent, extent, lambda s, _: bind_side(s, selects[number], meet(s), number), needs=_needs(reading))


def _needs(reading: Reading) -> frozenset[Extent]:
    return frozenset(origin.extent for origin in reading.origins)


def _refuse(source: Source, error: WindowSpecError, is_aggregate: Any, columns: Any) -> None:
    raise error
