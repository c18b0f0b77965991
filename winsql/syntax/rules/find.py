"""Finds the SELECTs that group, rank or join windows: the rules are asked in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations
from math import comb

from winsql.errors import WindowSpecError, WindowSyntaxError, WinsqlError
from winsql.model.query import WindowQuery
from winsql.syntax.bind.grouping_sets import grouping_id_edits
from winsql.syntax.rules.block import QueryBlock, select_of
from winsql.syntax.rules.buffered_side import buffered_side
from winsql.syntax.rules.comparison import Comparison, find_comparisons
from winsql.syntax.rules.filtered_sessions import filtered_sessions
from winsql.syntax.rules.fragment import Bind, Findings, Found, Fragment, Refusal
from winsql.syntax.rules.group import find_group
from winsql.syntax.rules.grouped_rows import GroupedRows, find_grouped_rows
from winsql.syntax.rules.join import Join, find_join
from winsql.syntax.rules.looked_up import find_existence, find_looked_up
from winsql.syntax.rules.pipes import (
    JoinsByWindows,
    piped_select,
    refused_pipes,
    refused_subqueries_of_pipes,
    without_pipes,
)
from winsql.syntax.rules.rank import find_rank
from winsql.syntax.rules.same_names import mistaken_name, names_of_two_cases
from winsql.syntax.rules.semi_join import MOST_ASKED, SemiJoin, find_semi_joins, inner_blocks, refused_subqueries
from winsql.syntax.rules.starred_rows import find_starred_rows
from winsql.syntax.rules.unbounded_groups import find_unbounded_group
from winsql.syntax.rules.window_join import JoinedRows, find_joined_rows
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.from_alone import before_joins
from winsql.syntax.tree.lineage import joins_windows
from winsql.syntax.tree.records import Origin, Scope
from winsql.syntax.tree.scopes import read_scopes

Rule = Callable[[Source, QueryBlock], Found | None]
RULES_OVER_JOINS: tuple[Rule, ...] = (find_starred_rows, find_group, find_rank)
RULES: tuple[Rule, ...] = (*RULES_OVER_JOINS, find_unbounded_group)
MakeStage = Callable[..., Fragment]
"""Makes a stage as `Fragment.stage` does, whose `needs` and `unless` are known."""


def find_stages(source: Source, fragments: Sequence[Fragment]) -> Findings:
    """Ask the rules about all SELECTs of a statement; the fragments make its windows."""
    selects = [fragment.select for fragment in fragments if fragment.select is not None]
    windowed = {select.first: select for select in selects}
    found = Findings()
    scopes: dict[int, Scope] = {}
    known, joined = set[int](), JoinsByWindows()
    two_cases = names_of_two_cases(source)
    for scope in read_scopes(source, windowed.values()):
        scopes[scope.first] = scope = replace(scope, most={}) if two_cases else scope
        found.mistaken = found.mistaken or mistaken_name(source, scope, two_cases)
        found.tables |= _extents(origin for origin in scope.origins if origin.is_table)
        if scope.first in windowed:
            found.stages += _over_window_join(source, QueryBlock(scope, windowed[scope.first], scopes))
            continue
        is_piped = source.at(scope.first - 1).is_symbol("|>")
        block = (_block_after_pipe if is_piped else _block_of)(source, scope, scopes) if scope.origins else None
        if block is None:
            joined.add(scope, None)
            continue
        groups = find_grouped_rows(source, block)
        steps = _steps(source, block if groups is None else groups.block)
        found.stages = [s for s in found.stages if not any(step.ignores(source, s.extent) for step in steps)]
        stages = list(_over_windows(source, block, steps, groups))
        joined.add(scope, block.select.extent if stages else None)
        for stage in (*(step.stage for step in steps if isinstance(step, Comparison)), *stages):
            found.stages.append(without_pipes(source, block, stage))
        if is_piped:
            known |= {scope.first} if stages else set()
        elif all(origin.call is not None for origin in scope.origins):
            sessions = filtered_sessions(source, block)
            found.filtered |= {} if sessions is None else {sessions.rows.call.extent: sessions.bind}
            first = min(_extents(scope.origins))
            found.edits[first] = (*found.edits.get(first, ()), *grouping_id_edits(source, block.select))
    rows = [fragment.extent for fragment in fragments if fragment.is_function]
    results = [fragment.extent for fragment in fragments if not fragment.is_function]
    found.stages += refused_pipes(source, [*rows, *found.tables], results, known, joined)
    found.stages += refused_subqueries_of_pipes(source, scopes.values(), found.stages)
    return found


def _steps(source: Source, block: QueryBlock) -> list[SemiJoin]:
    """What asks other windows about the rows of a SELECT: parts of its WHERE first, then what looks values up."""
    asked = inner_blocks(source, block)
    if not asked:
        return []
    semis = [*find_semi_joins(source, block, asked), *find_comparisons(source, block, asked)]
    semis.sort(key=lambda semi: semi.part.first)
    others = [semi.part for semi in semis]
    looked_up = find_looked_up(source, block, asked, others)
    return [*semis, *looked_up, *find_existence(source, block, asked, others)]


def _block_of(source: Source, scope: Scope, scopes: Mapping[int, Scope]) -> QueryBlock | None:
    try:
        select = select_of(source, scope)
    except WindowSyntaxError:
        return None
    return QueryBlock(scope, select, scopes) if Part.FROM in select.sections else None


def _block_after_pipe(source: Source, scope: Scope, scopes: Mapping[int, Scope]) -> QueryBlock | None:
    """The operator after a pipe as a SELECT; None where it is none."""
    names = [relation.name for relation in scope.relations]
    asks = any(inner.origins for inner in scope.inner)
    joins = len(names) == 2 and not asks and joins_windows(scope.node, scope.relations, scope.meanings)
    select = piped_select(source, scope.first, names, asks=asks, joins=joins) if names else None
    if select is None:
        return None
    block = QueryBlock(scope, select, scopes)
    if joins and before_joins(source, block.body) is not None and not _can_join(source, block):
        return None
    return block if select.before_pipe is None else block.over_plan()


def _can_join(source: Source, block: QueryBlock) -> bool:
    """Whether a SELECT joins windows in a way that streams can have."""
    try:
        join = find_join(source, block)
        return join is not None and join.resolve(source) is not None
    except WindowSpecError:
        return False


def _over_windows(
    source: Source, block: QueryBlock, steps: Sequence[SemiJoin], groups: GroupedRows | None
) -> Iterator[Fragment]:
    """The stages of a SELECT; EXISTS and IN over what turns out to be a table are conditions like others."""
    for chosen in _choices(steps):
        yield from _in_turn(source, chosen, _asked(*(step for step in steps if step not in chosen)), groups)
    for place, origins, error in refused_subqueries(source, block, steps):
        yield Fragment.stage(place, place, Refusal(error).bind, _extents(origins))
    asked = _asked(*steps)
    stage, block = _stages(_extents(block.scope.origins), asked), block.over_plan() if asked else block
    join = find_join(source, block)
    found = _first_of(RULES, source, block) if join is None else None
    if join is not None:
        yield from _over_join(source, join, stage)
    elif found is not None:
        yield stage(block.select.extent, block.body, found.bind, replaces=found.replaces)


def _over_join(source: Source, join: Join, stage: MakeStage) -> Iterator[Fragment]:
    """The stages of a SELECT over a join."""
    yield from _buffered(source, join, join.reads, stage)
    over = join.over_pairs()
    found = None if over is None else _first_of(RULES_OVER_JOINS, source, over)
    if found is None:
        yield stage(join.block.select.extent, join.block.body, join.bind)
    else:
        yield from _over_pairs(join, found, stage)


def _choices(steps: Sequence[SemiJoin]) -> Iterator[tuple[SemiJoin, ...]]:
    """Those of several that may ask streams while the others ask tables; steps over the same windows ask the same."""
    windows = list(dict.fromkeys(step.origins for step in steps))
    for count in range(1, min(len(windows), MOST_ASKED) + 1):
        if comb(len(windows), count) > _MOST_CHOICES:
            break
        for asked in combinations(windows, count):
            chosen = tuple(step for step in steps if step.origins in asked)
            if len(chosen) <= MOST_ASKED:
                yield chosen


_MOST_CHOICES = 200
"""Beyond these, which of many subqueries over windows of their own are over streams is not looked for."""


def _in_turn(
    source: Source, chosen: Sequence[SemiJoin], unless: frozenset[Extent], groups: GroupedRows | None
) -> Iterator[Fragment]:
    """The stages of a SELECT that asks windows about its rows: each reads the rows of the one before it; `groups` are
    those that it asks about in the place of rows."""
    steps = [chosen[0] if groups is None else replace(chosen[0], is_second=True)]
    for step in chosen[1:]:
        steps.append(step.after(steps[-1]))
    needs = frozenset[Extent]().union(*(_extents(step.origins) for step in steps))
    stage = _stages(needs, unless)
    last, found = steps[-1], None
    if groups is None and all(step.is_in_where for step in steps):
        found = _first_of(RULES_OVER_JOINS, source, last.over_pairs())
    before = steps if found is not None else steps[:-1]

    def prepared(source: Source, count: int) -> Source:
        rows = source if groups is None else groups.prepared(source)
        return reduce(lambda source, step: step.prepared(source), before[:count], rows)

    def bind(source: Source, columns: frozenset[str] | None) -> WindowQuery:
        rows = prepared(source, len(before))
        return (found or last).bind(rows, columns) if groups is None else groups.bind(rows, last)

    def bind_pairs(number: int) -> Bind:
        return lambda source, columns: before[number].bind_pairs(prepared(source, number), columns)

    # after all that they ask, as that decides whether they apply
    reads = Extent(min(step.reads.first for step in steps), max(step.reads.stop for step in steps))
    for step in steps:
        yield from _buffered(source, step, reads, stage)
    if groups is not None:
        yield stage(last.pairs, reads, groups.bind_rows, layer=2)
    for number, step in enumerate(before):
        yield stage(step.pairs, reads, bind_pairs(number), layer=3 + number)
    yield stage(last.block.select.extent, last.block.body, bind, replaces=(found or groups or last).replaces)


def _buffered(source: Source, join: Join | SemiJoin, reads: Extent, stage: MakeStage) -> Iterator[Fragment]:
    """The stage of the side of a join that is buffered, if one is."""
    side = buffered_side(source, join)
    if side is not None:
        yield stage(side.extent, Extent(side.extent.first, reads.stop), side.bind, layer=1)


def _asked(*semis: SemiJoin) -> frozenset[Extent]:
    """The fragments that make the windows in predicates."""
    return _extents(origin for semi in semis for origin in semi.inner.scope.origins)


def _over_window_join(source: Source, block: QueryBlock) -> Iterator[Fragment]:
    """The stages of a SELECT that groups or ranks the rows of a WINDOW JOIN."""
    try:
        rows = find_joined_rows(source, block)
    except WinsqlError:  # its own query tells
        return
    found = None if rows is None else _first_of(RULES, source, rows.block)
    if rows is not None and found is not None:
        yield from _over_pairs(rows, found, _stages(rows.replaces))


def _over_pairs(rows: Join | JoinedRows, found: Found, stage: MakeStage) -> Iterator[Fragment]:
    """The stage of the joined rows, which take the place of the FROM body, and that of the SELECT over them."""

    def bind(source: Source, columns: frozenset[str] | None) -> WindowQuery:
        return found.bind(rows.prepared(source), columns)

    yield stage(rows.pairs, rows.reads, rows.bind_pairs, layer=2)
    yield stage(rows.block.select.extent, rows.block.body, bind, replaces=rows.replaces | found.replaces)


def _stages(needs: frozenset[Extent], unless: frozenset[Extent] = frozenset()) -> MakeStage:
    """Makes stages with these conditions."""
    return partial(Fragment.stage, needs=needs, unless=unless)


def _first_of(rules: Sequence[Rule], source: Source, block: QueryBlock) -> Found | None:
    """What the first rule finds that applies."""
    for find in rules:
        try:
            found = find(source, block)
        except WindowSpecError as error:  # it is one on streams alone
            return Refusal(error)
        if found is not None:
            return found
    return None


def _extents(origins: Iterable[Origin]) -> frozenset[Extent]:
    return frozenset(origin.extent for origin in origins)
