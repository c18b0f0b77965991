"""From a windowed query to a plan on its relation: what Spark's analysis says, the rules' choice, and what to run."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pyspark.sql import DataFrame, Observation
from pyspark.sql.types import StructType

from winsql.model.functions import ApplyFunction, CoGroupFunction
from winsql.model.query import Form, WindowQuery
from winsql.model.registry import APPLY_FUNCTIONS, CO_GROUP_FUNCTIONS
from winsql.model.wall_clock import wall_clock
from winsql.planner.aggregation_sql import native_sql
from winsql.planner.char_keys import with_char_keys
from winsql.planner.checks import can_be_operator_keys
from winsql.planner.facts import AggregateFact, ColumnFact, Facts, Sides, StreamFacts
from winsql.planner.identity import identity
from winsql.planner.join_sql import native_join_sql, operator_join_sql
from winsql.planner.null_division import with_null_division
from winsql.planner.plan import Plan, Strategy
from winsql.planner.row_order import depends_on_order
from winsql.planner.rules import choose_plan, why_columns, why_distinct_once, why_not_by_keys, why_not_native
from winsql.planner.streaming import check_stream, plan_stream
from winsql.runtime.columnar import plan_of
from winsql.spark.aggregates import bind_calls, way_of_computing
from winsql.spark.batch import operator_frame
from winsql.spark.call_columns import CallColumns, call_columns
from winsql.spark.flags import is_on
from winsql.spark.join_sides import check_pairs, join_sides
from winsql.spark.operator_columns import OperatorPlan
from winsql.spark.output_batches import require_one_limit
from winsql.spark.registered import applied_schema, require_portable
from winsql.spark.relation import TIME, Projection, project, require_arrow, select_sql, source_columns
from winsql.spark.row_order import with_order, with_values_once
from winsql.spark.runner import Runner
from winsql.spark.shipping import ship_code
from winsql.spark.streaming.stateful import LATE_ROW, StatefulFrame, stateful_frame, stream_facts
from winsql.spark.variables import variables_in
from winsql.spark.versions.arrow_types import arrow_schema
from winsql.spark.workers.apply import AppliedFunction
from winsql.spark.workers.engines import engine_of


@dataclass(frozen=True, slots=True)
class Planned:
    """A windowed query with its plan. Of the rest, a native plan has `sql`, an operator plan has `frame`.

    reads            the query over the source that tells types and, in an operator plan, gives the rows
    null_times_sql   counts the rows without event time; None when there are none or an observation counts them
    observation      counts them while an operator plan runs
    engine           what runs winsql's operator
    stateful, identity   on a stream: the operator's messages, and the identity of its state
    rows             for a window table function over a stream: the result of `sql`, its columns with marks
    is_correlated    whether it names columns of a query around it
    """

    query: WindowQuery
    facts: Facts
    plan: Plan
    runner: Runner
    reads: str
    sql: str | None = None
    frame: DataFrame | None = None
    null_times_sql: str | None = None
    observation: Observation | None = None
    engine: str | None = None
    stateful: StatefulFrame | None = None
    identity: dict[str, str] = field(default_factory=dict)
    rows: DataFrame | None = None
    is_correlated: bool = False

    def relation(self, name: str) -> str:
        """What the query around it reads in the place of the FROM body; `name` is the name of `frame` in it."""
        join = self.query.join
        if self.sql is not None:
            return self.sql if join is not None else f"(\n{self.sql}\n)"
        return name if join is None or join.how is None else operator_join_sql(join, name)


def plan_query(query: WindowQuery, runner: Runner, now: int, *, native: bool = True, faster: bool = False) -> Planned:
    """Plan the query; nothing runs yet. `now` is the processing time of the run, in microseconds.

    Without `native` the operator runs even where Spark alone would give the same rows; with `faster` where it is much
    faster, or needs much less memory, too.

    Raises WindowSpecError and WindowPlanError as the planner does, and Spark's AnalysisException.
    """
    sides = join_sides(query, runner)
    query = with_char_keys(query, sides)
    can_join = query.join is None or is_on(runner.spark, _DECORRELATE, True)
    if native and can_join and why_not_native(query) is None:
        projection = project(query, runner, payload={}, with_aggregates=False)
        query = in_session_zone(query, projection, runner)
        if _is_native(query, projection):
            if faster and _is_better_by_operator(query, runner):
                return _operator(query, runner, now, sides)
            return _native(query, runner, projection, sides)
    return _operator(query, runner, now, sides)


_DECORRELATE = "spark.sql.optimizer.decorrelateInnerQuery.enabled"
"""Without it Spark cannot take apart all LATERAL subqueries that the plan of a join has."""


def plan_natively(query: WindowQuery, read: WindowQuery, runner: Runner) -> Planned | None:
    """Plan it on Spark's own operators; None where they do not run it. `read` is the query to take the types from."""
    if why_not_native(query) is not None:
        return None
    projection = project(read, runner, payload={}, with_aggregates=False)
    return _native(query, runner, projection, None) if _is_native(query, projection) else None


def _is_native(query: WindowQuery, projection: Projection) -> bool:
    """Whether Spark's own operators give the rows of the query over the relation that is read."""
    keys = [projection.fact(key) for key in projection.keys]
    reason = why_not_native(query) or why_not_by_keys(query, keys)
    return reason is None and not projection.frame.isStreaming


def in_session_zone(query: WindowQuery, projection: Projection, runner: Runner) -> WindowQuery:
    """The query with the session's zone where its windows follow what clocks show there: those of Flink SQL's window
    table functions over TIMESTAMP, and over PROCTIME(). Raises WindowSpecError for a zone that is not known."""
    assigner = query.spec.assigner
    time = assigner.time
    if time is None or not time.is_local or (time.is_event and not projection.fact(TIME).has_zone):
        return query
    zone = str(runner.spark.conf.get("spark.sql.session.timeZone"))
    if wall_clock(zone).fixed == 0:
        return query
    assigner = replace(assigner, time=replace(time, zone=zone))  # type: ignore[type-var]
    return replace(query, spec=replace(query.spec, assigner=assigner))


def _native(query: WindowQuery, runner: Runner, projection: Projection, sides: Sides | None) -> Planned:
    unknown = AggregateFact(ColumnFact("unknown", None), has_accumulator=False)
    facts = _facts(projection, tuple(unknown for _ in query.aggregates), (), None, sides)
    plan = choose_plan(query, facts)
    if any(map(depends_on_order, query.aggregates)):
        sql = native_sql(with_order(query, facts, runner), facts, plan.strategy)
    elif query.join is not None:
        sql = native_join_sql(query, facts)
    else:
        assert facts.time is not None
        sql = native_sql(with_values_once(query, facts.time, runner), facts, plan.strategy)
    counted = null_times_sql(query, projection)
    return Planned(query, facts, plan, runner, projection.sql, sql=sql, null_times_sql=counted)


def _is_better_by_operator(query: WindowQuery, runner: Runner) -> bool:
    """Whether winsql has the accumulators that make its operator the better plan."""
    if not why_columns(query) and not why_distinct_once(query):
        return False
    projection = project(query, runner, payload={}, with_aggregates=True)
    if not can_be_operator_keys(map(projection.key_fact, projection.keys)):
        return False
    if any(fact.arrow is None or fact.is_collated for fact in map(projection.fact, projection.frame.columns)):
        return False
    aggregates = [call.aggregate for call in bind_calls(query, query.aggregates, projection, runner)]
    known = [aggregate for aggregate in aggregates if aggregate is not None]
    if len(known) < len(aggregates):
        return False
    plan = plan_of(query.spec, known)
    if why_distinct_once(query):
        return True
    return not isinstance(plan, str) and (query.spec.assigner.is_merging or plan.slices() is not None)


def _operator(query: WindowQuery, runner: Runner, now: int, sides: Sides | None) -> Planned:
    columns = CallColumns({}, {}, {})
    projection = project(query, runner, payload=_payload(query), with_aggregates=True)
    query = in_session_zone(query, projection, runner)
    calls = bind_calls(query, query.aggregates, projection, runner)
    triggers = bind_calls(query, query.trigger_aggregates, projection, runner)
    stream = stream_facts(query, projection, runner, sides)
    facts = _facts(projection, tuple(call.fact for call in calls), tuple(call.fact for call in triggers), stream, sides)
    plan = choose_plan(query, facts, native=False)
    if facts.stream is not None:
        plan = check_stream(query, facts, plan)
    if plan.strategy is Strategy.SPARK_AGGREGATES:
        by_spark = [call.call for call in calls if call.aggregate is None]
        columns = call_columns(by_spark, variables_in(query, by_spark, runner))
        projection = project(query, runner, payload=columns.payload, with_aggregates=True)
    if not way_of_computing(runner)["ansi"]:
        query = with_null_division(query)
    apply, applied = _apply(query, runner)
    if apply is not None:
        require_arrow(projection)
    require_one_limit(runner.spark)
    ship_code(runner.spark)
    accumulators = tuple(call.aggregate for call in triggers if call.aggregate is not None)
    own = tuple(call.aggregate for call in calls if call.aggregate is not None)
    require_portable(query, own + accumulators, None if apply is None else apply.function)
    operator = OperatorPlan(query, plan.strategy, projection, calls, accumulators, apply, applied)
    if stream is not None:
        return _stateful(operator, facts, plan, stream, runner)
    result = operator_frame(operator, columns, runner, now)
    check_pairs(query, runner, result.frame)
    null_times = null_times_sql(query, projection) if result.observation is None else None
    return Planned(
        query,
        facts,
        plan,
        runner,
        projection.sql,
        frame=result.frame,
        engine=result.engine,
        null_times_sql=null_times,
        observation=result.observation,
    )


def null_times_sql(query: WindowQuery, projection: Projection) -> str | None:
    """Counts the rows of an event-time window without a time; None when there can be none."""
    time = query.spec.assigner.time
    if time is None or not query.spec.assigner.is_event_time or not projection.field(TIME).nullable:
        return None
    return select_sql(query, [f"count_if(({time.expressions[0]}) IS NULL)"])


def _stateful(operator: OperatorPlan, facts: Facts, plan: Plan, stream: StreamFacts, runner: Runner) -> Planned:
    query, reads = operator.query, operator.projection.sql
    if query.late_into is not None:
        payload = {**_payload(query), LATE_ROW: f"struct({', '.join(source_columns(query))})"}
        projection = project(query, runner, payload=payload, with_aggregates=True)
        operator = replace(operator, projection=replace(projection, payload=operator.projection.payload))
    stream_plan = plan_stream(query, stream)
    stateful = stateful_frame(operator, stream_plan, identity(query, facts, stream_plan))
    frame = stateful.frame
    check_pairs(query, runner, frame)
    planned = Planned(query, facts, plan, runner, reads, frame=frame, engine=engine_of(stateful.task))
    if stream_plan.is_together:
        return planned
    return replace(planned, stateful=stateful, identity=dict(stateful.task.identity))


def _payload(query: WindowQuery) -> dict[str, str]:
    return {column.column: column.sql for column in query.payload}


def _facts(
    projection: Projection,
    aggregates: tuple[AggregateFact, ...],
    triggers: tuple[AggregateFact, ...],
    stream: StreamFacts | None,
    sides: Sides | None,
) -> Facts:
    return Facts(
        stream=stream,
        time=projection.fact(TIME) if projection.has_time else None,
        keys=tuple(projection.key_fact(column) for column in projection.keys),
        operands=tuple(projection.fact(column) for column in projection.operand_slots),
        aggregates=aggregates,
        trigger_aggregates=triggers,
        sides=sides,
        read=tuple(map(projection.fact, projection.slots.values())),
        carried=tuple(map(projection.fact, projection.payload)),
    )


def _apply(query: WindowQuery, runner: Runner) -> tuple[AppliedFunction | None, StructType | None]:
    if query.apply is None:
        return None, None
    function: ApplyFunction | CoGroupFunction | None
    if query.form is Form.CO_GROUP:
        function = CO_GROUP_FUNCTIONS.find(query.apply)
    else:
        function = APPLY_FUNCTIONS.find(query.apply)
    assert function is not None
    schema = applied_schema(query, function, runner.spark)
    zone = runner.spark.conf.get("spark.sql.session.timeZone") or "UTC"
    arrow = arrow_schema(schema)
    return AppliedFunction(query.apply, function, arrow, zone), schema
