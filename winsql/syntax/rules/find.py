"""Finds the SELECTs of a statement that do more with windows than hand them on; one rule after the other is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from winsql.errors import WindowSpecError, WindowSyntaxError, WinsqlError
from winsql.syntax.rules.gather import bind_side, rows_beside_results
from winsql.syntax.rules.group import bind_group, find_group
from winsql.syntax.rules.grouping_sets import grouping_id_edits
from winsql.syntax.rules.join import (
    Meeting,
    after_join,
    bind_from,
    bind_join,
    does_more,
    find_join,
    meeting_of,
    with_shared,
)
from winsql.syntax.rules.kept_rows import KeptRows, kept_rows
from winsql.syntax.rules.rank import bind_rank, find_rank
from winsql.syntax.rules.semi_join import (
    SemiJoin,
    beside_nothing,
    bind_left,
    bind_semi_join,
    find_semi_joins,
    find_unasked,
    gathers_alone,
    one_beside,
    pair_of,
    semi_meeting_of,
    without_question,
)
from winsql.syntax.rules.unended import find_unended
from winsql.syntax.rules.window_join import bind_joined, find_joined, with_joined_columns
from winsql.syntax.selects.scanner import select_at
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.tree.records import Origin, Relation, Scope
from winsql.syntax.tree.scopes import read_scopes

__all__ = ["Found", "find_stages"]


class _Stage(Protocol):
    @property
    def extent(self) -> Extent: ...

    @property
    def replaces(self) -> frozenset[Extent]: ...


S = TypeVar("S", bound=_Stage)
Rule = tuple[Callable[..., Any], Callable[..., Any]]
UNENDED: Rule = (find_unended, lambda source, error, is_aggregate, columns: _refuse(error))
"""Refuses what no stream can run."""
RULES: tuple[Rule, ...] = (
    (find_join, bind_join),
    (find_group, bind_group),
    (find_rank, bind_rank),
    UNENDED,
)
"""What finds a SELECT, and what binds it."""
RULES_OVER_ROWS: tuple[Rule, ...] = ((find_group, bind_group), (find_rank, bind_rank))
"""Those that a join of the same SELECT may come before."""


class Found(NamedTuple, Generic[S]):
    """What the SELECTs of a statement need.

    stages   those that a stream plans as windows of their own
    edits    what reads differently on a table, by the call whose rows are read
    filtered   the calls over the rows alone that the WHERE of the SELECT that groups by their windows keeps
    tables     the tables of the session that are streams with windows
    """

    stages: list[S]
    edits: dict[Extent, tuple[Edit, ...]]
    filtered: dict[Extent, KeptRows]
    tables: frozenset[Extent]


def find_stages(
    make: Callable[..., S], source: Source, calls: Iterable[Extent], others: Iterable[Extent], selects: Iterable[Select]
) -> Found[S]:
    """What the SELECTs of a statement need; `make` is the class `Fragment`.

    calls    calls of Flink's window table functions; `others` those of winsql's other table functions
    selects  the SELECTs with window clauses
    """
    windowed, functions = list(selects), set(calls)
    own = {select.first: select for select in windowed}
    tables: set[Extent] = set()
    stages: list[S] = []
    edits: dict[Extent, tuple[Edit, ...]] = {}
    filtered: dict[Extent, KeptRows] = {}
    scopes: dict[int, Scope] = {}
    for scope in read_scopes(source, functions, others, windowed):
        scopes[scope.first] = scope
        tables |= _extents(origin for origin in scope.origins if origin.is_table)
        if scope.first in own:
            stages += _over_window_join(make, source, scope, own[scope.first])
        select = None if scope.first in own or not scope.origins else _select_of(source, scope)
        if select is None:
            continue
        semis = find_semi_joins(source, scope, select)
        stages = [stage for stage in stages if not any(gathers_alone(source, semi, stage.extent) for semi in semis)]
        stages += _stages(make, source, scope, select, semis)
        kept = kept_rows(source, scopes, scope, select) if functions.issuperset(_extents(scope.origins)) else None
        filtered |= {} if kept is None else {kept.call.extent: kept}
        rows = sorted(_extents(scope.origins))
        if functions.issuperset(rows):
            edits[rows[0]] = (*edits.get(rows[0], ()), *grouping_id_edits(source, select))
    return Found(stages, edits, filtered, frozenset(tables))


def _select_of(source: Source, scope: Scope) -> Select | None:
    try:
        select = select_at(source, scope.first)
    except WindowSyntaxError:
        return None
    return select if Part.FROM in select.sections else None


def _stages(
    make: Callable[..., S], source: Source, scope: Scope, select: Select, semis: Sequence[SemiJoin]
) -> Iterator[S]:
    for number, semi in enumerate(semis):
        yield from _of_semi_join(make, source, semi)
        for other in semis[number + 1 :]:
            error = one_beside(source, other)
            refusal = partial(_refuse, error)
            yield make(other.part, other.part, refusal, needs=_extents(semi.origins | other.origins))
    for inner, error in find_unasked(source, scope, semis):
        place = Extent(inner.first, inner.first + 1)
        yield make(place, place, partial(_refuse, error), needs=_extents(scope.origins | inner.origins))
    asked = _extents(frozenset().union(*(semi.inner.origins for semi in semis)))
    yield from _of_from(make, source, beside_nothing(scope) if semis else scope, select, asked)


def _of_semi_join(make: Callable[..., S], source: Source, semi: SemiJoin) -> Iterator[S]:
    """What a SELECT needs where EXISTS or IN asks a stream."""
    scope, select, needs = semi.scope, semi.select, _extents(semi.origins)
    pair = pair_of(source, semi)
    selects = (select, select_at(source, semi.inner.first))
    meet = partial(semi_meeting_of, found=semi)
    yield from _gathered(make, source, pair, selects, meet, needs, semi.part.stop)
    more = does_more(source, select)
    found = _first_of(RULES_OVER_ROWS, source, beside_nothing(scope), select) if more else None
    if found is not None:
        body = select.sections[Part.FROM].body
        yield make(body, semi.reads, lambda source, _: bind_left(source, semi), needs=needs, layer=2)
        yield _stage(make, select, *found, needs, prepare=partial(without_question, found=semi))
    else:
        yield _stage(make, select, semi, bind_semi_join, needs)


def _of_from(
    make: Callable[..., S], source: Source, scope: Scope, select: Select, asked: frozenset[Extent]
) -> Iterator[S]:
    """What a SELECT needs for what it reads; `asked` are the fragments that EXISTS or IN asks, which are no streams."""
    needs = _extents(scope.origins)
    join = find_join(source, scope, select)
    if join is not None:
        meet, selects, pair = partial(meeting_of, found=join), (join.pair, join.pair), scope.relations[:2]
        yield from _gathered(make, source, pair, selects, meet, needs, select.sections[Part.FROM].body.stop)
    after = None if join is None or not does_more(source, select) else after_join(join)
    found = None if after is None else _first_of(RULES_OVER_ROWS, source, after, select)
    if join is not None and found is not None:
        body = join.pair.sections[Part.FROM].body
        yield make(body, body, lambda source, _: bind_from(source, join), needs=needs, unless=asked, layer=2)
        yield _stage(make, select, *found, needs, asked, partial(with_shared, found=join))
        return
    found = _first_of(RULES, source, scope, select)
    if found is not None:
        yield _stage(make, select, *found, needs, asked)


def _over_window_join(make: Callable[..., S], source: Source, scope: Scope, windowed: Select) -> Iterator[S]:
    """What a SELECT with WINDOW JOIN needs that does more with the joined rows."""
    try:
        joined = find_joined(source, scope, windowed)
    except WinsqlError:  # its own query tells
        return
    if joined is None or not does_more(source, joined.select):
        return
    found = _first_of((*RULES_OVER_ROWS, UNENDED), source, joined.scope, joined.select)
    if found is None:
        return
    needs = frozenset({windowed.extent})
    body = joined.select.sections[Part.FROM].body
    yield make(body, joined.reads, lambda source, rule: bind_joined(source, joined, rule), needs=needs)
    yield _stage(make, joined.select, *found, needs, prepare=partial(with_joined_columns, found=joined), replaces=needs)


def _first_of(rules: Sequence[Rule], source: Source, scope: Scope, select: Select) -> tuple[Any, Any] | None:
    """What the first rule that knows the SELECT has found, and what binds it."""
    for find, bind in rules:
        try:
            found = find(source, scope, select)
        except WindowSpecError as error:  # it is one on streams alone
            found, bind = error, UNENDED[1]
        if found is not None:
            return found, bind
    return None


def _stage(
    make: Callable[..., S],
    select: Select,
    found: Any,
    bind: Callable[..., Any],
    needs: frozenset[Extent],
    unless: frozenset[Extent] = frozenset(),
    prepare: Callable[[Source], Source] = lambda source: source,
    replaces: frozenset[Extent] = frozenset(),
) -> S:
    def binder(columns: frozenset[str] | None) -> Callable[..., Any]:
        return lambda source, is_aggregate: bind(prepare(source), found, is_aggregate, columns)

    replaces |= getattr(found, "replaces", frozenset())
    body = select.sections[Part.FROM].body
    return make(select.extent, body, binder(None), needs=needs, unless=unless, knowing=binder, replaces=replaces)


def _gathered(
    make: Callable[..., S],
    source: Source,
    pair: tuple[Relation, ...],
    selects: tuple[Select, Select],
    meet: Callable[[Source], Meeting],
    needs: frozenset[Extent],
    stop: int,
) -> Iterator[S]:
    """The side of a join whose rows come as they are read, where those of the other come when windows have ended.

    stop   where all is known that says which rows these are
    """
    side = rows_beside_results(source, pair, selects)
    if side is not None:
        number, extent = side
        reads = Extent(extent.first, stop)
        yield make(extent, reads, lambda s, _: bind_side(s, selects[number], meet(s), number), needs=needs, layer=1)


def _extents(origins: Iterable[Origin]) -> frozenset[Extent]:
    return frozenset(origin.extent for origin in origins)


def _refuse(error: Exception, *_: Any) -> None:
    raise error
