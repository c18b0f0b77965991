"""What a windowed query needs on a stream, and how Spark wakes it there.

A stream is never planned natively. Spark's aggregation judges a late row by the watermark of the micro-batch before
(`spark.sql.streaming.statefulOperator.allowMultiple`), so that a row joins a window which the watermark has passed;
and `session_window` judges it before sessions merge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from winsql.errors import Span, WindowPlanError
from winsql.model.base import TimeDomain
from winsql.model.query import WindowQuery
from winsql.planner.facts import Facts, StreamFacts, Upstream
from winsql.planner.plan import Plan, Strategy

__all__ = ["StreamPlan", "TimeMode", "check_stream", "plan_stream"]


class TimeMode(Enum):
    """The clock of Spark's that wakes the operator; the values are Spark's names."""

    EVENT = "EventTime"
    PROCESSING = "ProcessingTime"
    NONE = "None"


@dataclass(frozen=True, slots=True)
class StreamPlan:
    """How the operator stands in a streaming query; `key_groups` is fixed for the life of a checkpoint."""

    mode: TimeMode
    key_groups: int


def plan_stream(query: WindowQuery, facts: StreamFacts) -> StreamPlan:
    """Time mode and number of key groups. In processing-time mode Spark reports the watermark too."""
    if _clock_is_needed(query):
        mode = TimeMode.PROCESSING
    else:
        mode = TimeMode.EVENT if facts.has_watermark else TimeMode.NONE
    return StreamPlan(mode, max(16, 2 * facts.shuffle_partitions))


def check_stream(query: WindowQuery, facts: Facts, plan: Plan) -> Plan:
    """Refuse what a stream cannot run, before the query starts; returns the plan with the reason of its own.

    Raises WindowPlanError.
    """
    assert facts.stream is not None
    _check_upstream(query, facts.stream)
    if _watermark_is_needed(query) and not facts.stream.has_watermark:
        time = query.spec.assigner.time
        column = time.expressions[0] if time is not None and time.expressions else "ts"
        raise _refused(
            query,
            query.time_span,
            "the stream has no watermark",
            "windows of event time on a stream close when the watermark passes them",
            f"write FROM STREAM name WATERMARK {column} DELAY OF INTERVAL 10 SECONDS, or call "
            f'.withWatermark("{column}", "10 seconds") on the DataFrame',
        )
    if not facts.stream.state_store.endswith(_ROCKSDB):
        raise _refused(
            query,
            None,
            f"the session keeps state with {facts.stream.state_store.rpartition('.')[2]}",
            "Spark's transformWithState, which keeps the windows, needs the RocksDB state store",
            f"run first: SET spark.sql.streaming.stateStore.providerClass={_PACKAGE}.{_ROCKSDB}",
        )
    _check_keys(query, facts)
    if plan.strategy is Strategy.SPARK_AGGREGATES:
        _refuse_aggregates(query, facts)
    return replace(plan, not_native=plan.not_native or _LATE_BY_AN_OLD_WATERMARK)


_PACKAGE = "org.apache.spark.sql.execution.streaming.state"
_ROCKSDB = "RocksDBStateStoreProvider"
_LATE_BY_AN_OLD_WATERMARK = "on a stream Spark's windows judge late rows by the watermark of the micro-batch before"
_KEPT = (
    "SUM, COUNT, AVG, MIN, MAX, COUNT_IF, BOOL_AND, BOOL_OR, ANY_VALUE, FIRST, LAST, MIN_BY, MAX_BY, STDDEV, VARIANCE, "
    "COLLECT_LIST, COLLECT_SET, COUNT(DISTINCT), APPROX_COUNT_DISTINCT, MEDIAN, PERCENTILE, MODE or a registered "
    "aggregate"
)


def _check_upstream(query: WindowQuery, stream: StreamFacts) -> None:
    """What waits for the watermark gives rows that this watermark has passed: here they would be late.

    A second watermark above a windowed query does not help: Spark holds both back to the lower one, which never moves,
    because it waits for the first result.
    """
    if stream.upstream is None:
        return
    if _watermark_is_needed(query) or (stream.has_watermark and stream.upstream is Upstream.WINDOWED):
        raise _refused(
            query,
            query.time_span,
            f"this query reads the result of {stream.upstream.value} in the same stream, and both wait for a watermark",
            "a streaming query has one watermark: what the first gives out when it passes is late in the second",
            "write the first result into a table, and read that table as a stream of its own, with a watermark",
        )


def _watermark_is_needed(query: WindowQuery) -> bool:
    return query.spec.assigner.is_event_time or TimeDomain.EVENT in query.spec.trigger.clocks - _default_clocks(query)


def _default_clocks(query: WindowQuery) -> frozenset[TimeDomain]:
    """A user's trigger may answer timers of both clocks and set none: only windows of event time insist then."""
    own = type(query.spec.trigger).__module__.startswith("winsql.")
    return frozenset() if own else frozenset(TimeDomain)


def _clock_is_needed(query: WindowQuery) -> bool:
    assigner = query.spec.assigner
    by_clock = not assigner.is_global and not assigner.is_event_time
    return by_clock or query.state_ttl is not None or TimeDomain.PROCESSING in query.spec.trigger.clocks


def _check_keys(query: WindowQuery, facts: Facts) -> None:
    for key, fact in zip(query.keys, facts.keys, strict=True):
        if fact.is_collated:
            raise _refused(
                query,
                key.span,
                f"{key.text} is of type {fact.type_name.upper()} and cannot be a key on a stream",
                "keys in state are compared by their bytes",
                f"use a key that compares so, for instance LOWER({key.sql}) COLLATE UTF8_BINARY",
            )


def _refuse_aggregates(query: WindowQuery, facts: Facts) -> None:
    calls = zip(query.aggregates, facts.aggregates, strict=True)
    call = next(call for call, fact in calls if not fact.has_accumulator)
    raise _refused(
        query,
        call.span,
        f"{call.sql} cannot be computed on a stream",
        "on a stream an aggregate lives in winsql's state, which keeps plain calls of those it knows",
        f"use {_KEPT}; or COLLECT_LIST and a function over its array",
    )


def _refused(query: WindowQuery, span: Span | None, problem: str, rule: str, hint: str) -> WindowPlanError:
    error = WindowPlanError(problem, rule=rule, hint=hint)
    error.located(query.text, span or Span(query.span.start, query.span.start + len("SELECT")))
    return error
