"""A windowed SELECT over a window join becomes a WindowQuery over the tagged union of both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from winsql.errors import WinsqlError
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.query import (
    INTERNAL_PREFIX,
    JOIN_KEY,
    JOIN_LEFT,
    JOIN_RIGHT,
    JOIN_SIDE,
    JOIN_TIME,
    Form,
    JoinSide,
    KeyColumn,
    PayloadColumn,
    WindowJoin,
    WindowQuery,
    WindowSpec,
)
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.apply import APPLY
from winsql.syntax.clauses.assign import ASSIGN, read_assign
from winsql.syntax.clauses.clause import Assignment
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.window_spec import clause_parser, read_clauses
from winsql.syntax.expressions.items import column_path
from winsql.syntax.joins.clause import LEFT, RIGHT, JoinClause, SideNames
from winsql.syntax.joins.projection import project_join
from winsql.syntax.selects.relations import WrittenRelation
from winsql.syntax.text.parts import Select
from winsql.syntax.text.source import Extent, Source


def bind_join(source: Source, select: Select, clause: JoinClause) -> WindowQuery:
    """The query of a windowed SELECT whose FROM is the window join `clause`."""
    _refuse_apply(source, select)
    times = JoinTimes(clause.sides)
    parser = clause_parser(source, times)
    assign = read_assign(parser, select.sections[ASSIGN])
    _refuse_partition_by(source, assign)
    spec, values = read_clauses(source, select, parser, assign)
    check_operands(select, clause.sides, assign)
    join = _record(source, clause, times)
    head, tail, unnamed = project_join(source, select, clause.sides, clause.how)
    return query_of_join(
        source,
        select.extent,
        join,
        spec,
        join_keys(source, ((key.extent, source.verbatim(key.extent)) for key in clause.keys)),
        time_span=assign.time_span,
        operands=tuple(parser.operands),
        trigger_aggregates=tuple(parser.aggregates),
        head=head,
        tail=tail,
        unnamed=unnamed,
        **values,
    )


@dataclass(slots=True)
class JoinTimes:
    """Reads `(x.ts, y.ts)`, a time for each side, in either order; `found` is (left, right) once it has been read."""

    sides: SideNames
    found: tuple[Extent, Extent] | None = None

    def read(self, parser: ClauseParser, extent: Extent, what: str) -> TimeAttribute:
        """The time of the union of both sides; its text is the pair."""
        source = self.sides.source
        inner = source.unwrapped(extent, rows=True)
        parts = source.split(inner)
        if inner == extent or len(parts) != 2 or any(part.is_empty for part in parts):
            count = len(parts) if inner != extent else 1
            problem = f"{what} is not a pair" if count == 1 else f"{what} must be a pair, not {count} expressions"
            raise self._refused(problem, extent)
        for part in parts:
            parser.check_time(part, what)
        self.found = self._ordered(parts[0], parts[1], what)
        text = f"({', '.join(source.verbatim(part) for part in self.found)})"
        return TimeAttribute(TimeDomain.EVENT, (JOIN_TIME,), text)

    def _ordered(self, first: Extent, second: Extent, what: str) -> tuple[Extent, Extent]:
        read = [self.sides.read_by(part, what) for part in (first, second)]
        for part, sides in zip((first, second), read, strict=True):
            if len(sides) > 1:
                raise self._refused(f"{what} reads both sides of the join", part)
        if read[0] and read[0] == read[1]:
            name = self.sides.names[next(iter(read[0]))]
            raise self._refused(f"{what}: both times are of {name}", Extent(first.first, second.stop))
        is_swapped = RIGHT in read[0] or LEFT in read[1]
        return (second, first) if is_swapped else (first, second)

    def _refused(self, problem: str, extent: Extent) -> WinsqlError:
        left, right = self.sides.names
        rule = "a window join has one time per side, over that side's columns alone"
        hint = f"write ({left}.ts, {right}.ts), or PROCTIME()"
        return self.sides.source.spec_error(problem, extent, rule=rule, hint=hint)


def query_of_join(
    source: Source, place: Extent, join: WindowJoin, spec: WindowSpec, keys: tuple[KeyColumn, ...], **others: Any
) -> WindowQuery:
    """The query over the tagged union of the sides of a join; `others` are values of a `WindowQuery`."""
    return WindowQuery(
        text=source.text,
        span=source.span(place),
        source=tagged_union(join),
        spec=spec,
        form=Form.CO_GROUP if join.how is None else Form.JOIN,
        keys=keys,
        payload=_payload_of(join),
        join=join,
        settings=source.settings,
        **others,
    )


def join_keys(source: Source, equalities: Iterable[tuple[Extent, str]]) -> tuple[KeyColumn, ...]:
    """The keys of the union, one for each equality of ON, given by its place and its text."""
    return tuple(
        KeyColumn(f"{JOIN_KEY}{n}", f"{INTERNAL_PREFIX}key_{n}", source.span(extent), text)
        for n, (extent, text) in enumerate(equalities)
    )


def check_operands(select: Select, sides: SideNames, assign: Assignment) -> None:
    """Raises for a column in a policy without the name of its side.

    Policies read rows of the union, where the columns of one side are NULL in rows of the other.
    """
    source = sides.source

    def policy_name(index: int, stop: int) -> tuple[int, int] | None:
        """The name of a policy, so that the session is not asked for a function of that name."""
        is_call = source.at(index + 1, stop).is_symbol("(")
        is_known = is_call and any(source.at(index).upper in known for known in (ASSIGNERS, TRIGGERS, EVICTORS))
        return (0, index + 1) if is_known else None

    sides.read_by(assign.policy, ASSIGN.words, policy_name)
    for clause in CLAUSES:
        body = select.body(clause)
        if body is not None and clause.slots is not None:
            sides.read_by(body, clause.words, policy_name)


def tagged_union(join: WindowJoin) -> str:
    """Both sides as one relation, a query in brackets; `WindowQuery.join` says which columns it has."""
    left, right = join.left, join.right
    keys = list(enumerate(join.keys))
    first = [f"0 AS {JOIN_SIDE}", *([] if left.time is None else [f"{left.time} AS {JOIN_TIME}"])]
    first += [f"{key} AS {JOIN_KEY}{n}" for n, (key, _) in keys]
    first += [f"struct({left.name}.*) AS {left.name}", f"NULL AS {right.name}"]
    second = ["1", *([] if right.time is None else [right.time]), *(key for _, (_, key) in keys)]
    second += ["NULL", f"struct({right.name}.*)"]
    return (
        f"(SELECT {', '.join(first)} FROM {left.sql} AS {left.name}"
        f" UNION ALL SELECT {', '.join(second)} FROM {right.sql} AS {right.name})"
    )


def _payload_of(join: WindowJoin) -> tuple[PayloadColumn, ...]:
    """What the window keeps of a row of the union: its side, and the row of that side."""
    return (
        PayloadColumn(JOIN_SIDE, JOIN_SIDE),
        PayloadColumn(join.left.name, JOIN_LEFT),
        PayloadColumn(join.right.name, JOIN_RIGHT),
    )


def _record(source: Source, clause: JoinClause, times: JoinTimes) -> WindowJoin:
    left_time, right_time = times.found or (None, None)
    return WindowJoin(
        left=_side(source, clause.left, left_time),
        right=_side(source, clause.right, right_time),
        how=clause.how,
        keys=tuple((source.verbatim(key.left), source.verbatim(key.right)) for key in clause.keys),
        condition=source.verbatim(clause.condition),
        span=source.span(clause.extent),
        condition_span=source.span(clause.condition),
        keys_alone=clause.keys_alone,
    )


def _side(source: Source, relation: WrittenRelation, time: Extent | None) -> JoinSide:
    sql = None if time is None else source.verbatim(time)
    is_column = time is not None and column_path(source, time) is not None
    column = source.verbatim(Extent(time.stop - 1, time.stop)) if time is not None and is_column else None
    return JoinSide(relation.sql(source), relation.name_sql(source), sql, source.span(relation.extent), column)


def _refuse_apply(source: Source, select: Select) -> None:
    apply = select.get(APPLY)
    if apply is not None:
        rule = "a window join returns pairs of rows; a function over both sides of a window belongs to a co-group"
        hint = "write FROM co_group(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, ..., apply => 'f')"
        raise source.spec_error("APPLY cannot be used with WINDOW JOIN", apply.extent, rule=rule, hint=hint)


def _refuse_partition_by(source: Source, assign: Assignment) -> None:
    if assign.partition_by:
        keys = Extent(assign.partition_by[0].first - 2, assign.partition_by[-1].stop)
        rule = "the keys of a window join are the equalities of ON"
        hint = "write the keys into ON, and leave out PARTITION BY"
        raise source.spec_error("PARTITION BY cannot be used with WINDOW JOIN", keys, rule=rule, hint=hint)
