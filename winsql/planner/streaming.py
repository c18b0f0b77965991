"""What a windowed query needs on a stream, and how Spark wakes it there.

A stream is never planned natively. Spark's aggregation judges a late row by the watermark of the micro-batch before
(`spark.sql.streaming.statefulOperator.allowMultiple`), so that a row joins a window which the watermark has passed;
and `session_window` judges it before sessions merge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum

from winsql.errors import Span, WindowPlanError
from winsql.model.base import TimeDomain
from winsql.model.key_groups import key_groups_of
from winsql.model.nested_triggers import PurgingTrigger
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.model.triggers import ContinuousEventTimeTrigger, EventTimeTrigger, Trigger
from winsql.planner.collated import rule_and_hint
from winsql.planner.facts import Facts, StreamFacts, Upstream
from winsql.planner.plan import Plan, Strategy
from winsql.runtime.aggregates import SUPPORTED
from winsql.syntax.selects.endless import GROUPED_BY_END
from winsql.syntax.text.source import Extent, Source


class TimeMode(Enum):
    """The clock of Spark's that wakes the operator; the values are Spark's names."""

    EVENT = "EventTime"
    PROCESSING = "ProcessingTime"
    NONE = "None"


@dataclass(frozen=True, slots=True)
class StreamPlan:
    """The operator's part in a streaming query.

    key_groups   how many, fixed for the life of a checkpoint; each shuffle partition gets as many of them
    rows_first   whether the rows of a micro-batch are older than its watermark: another window has given them when
                 that watermark passed
    is_together  whether all rows of a window come in one micro-batch, so that nothing is kept for the next one
    """

    mode: TimeMode
    key_groups: int
    rows_first: bool = False
    is_together: bool = False


def plan_stream(query: WindowQuery, facts: StreamFacts) -> StreamPlan:
    """Time mode and number of key groups. In processing-time mode Spark reports the watermark too."""
    is_cascade = facts.upstream is not None and facts.upstream.is_on_time
    if query.spec.follows_clock:
        mode = TimeMode.PROCESSING
    else:
        mode = TimeMode.EVENT if facts.has_watermark or is_cascade else TimeMode.NONE
    return StreamPlan(mode, key_groups_of(facts.shuffle_partitions), is_cascade, _is_together(query, facts))


def _is_together(query: WindowQuery, facts: StreamFacts) -> bool:
    """Whether each window holds one moment, of results that come once this moment has passed."""
    is_moment = query.spec.is_of_moments and given_when(query) is Upstream.AT_END
    return is_moment and facts.upstream is Upstream.AT_END and query.late_into is None


def given_when(query: WindowQuery) -> Upstream:
    """When the result of a query on a stream comes, as seen by a query that reads it by its window_time."""
    spec = query.spec
    trigger: Trigger = spec.trigger
    while isinstance(trigger, PurgingTrigger):
        trigger = trigger.trigger
    if spec.changes is not None or not spec.assigner.is_event_time or spec.allowed_lateness:
        return Upstream.ANY_TIME
    return _GIVEN.get(type(trigger), Upstream.ANY_TIME)


_GIVEN: dict[type[Trigger], Upstream] = {
    EventTimeTrigger: Upstream.AT_END,
    ContinuousEventTimeTrigger: Upstream.ON_TIME,
}


def earliest(given: Iterable[Upstream]) -> Upstream:
    """When the results of several queries come: as early as those of the query that waits least."""
    found = set(given)
    return next((upstream for upstream in (Upstream.ANY_TIME, Upstream.ON_TIME) if upstream in found), Upstream.AT_END)


def needs_time(query: WindowQuery) -> bool:
    """Whether a stream leaves out rows without a time: no window takes them, or they would have a trigger fire for all
    the past."""
    return query.spec.assigner.is_event_time or query.spec.trigger.needs_time


def check_stream(query: WindowQuery, facts: Facts, plan: Plan) -> Plan:
    """Refuse what a stream cannot run, before the query starts; returns the plan with the stream's own reasons.

    Raises WindowPlanError.
    """
    assert facts.stream is not None
    _check_upstream(query, facts.stream)
    if facts.stream.is_marked_twice:
        raise _refused(query, _watermark_in(query), *MARKED_TWICE)
    upstream = facts.stream.upstream
    has_watermark = facts.stream.has_watermark or (upstream is not None and upstream.is_on_time)
    if _watermark_is_needed(query) and not has_watermark:
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
    _check_distinct(query)
    _check_time(query, facts)
    _check_session(query, facts.stream)
    _check_keys(query, facts)
    if plan.strategy is Strategy.SPARK_AGGREGATES:
        _refuse_aggregates(query, facts)
    if plan_stream(query, facts.stream).is_together:
        return replace(plan, not_native=_NO_STATE_BY_SPARK, state="none: its rows come in one micro-batch")
    return replace(plan, not_native=plan.not_native or _LATE_BY_AN_OLD_WATERMARK)


def check_watermarks(query: WindowQuery, streams: Iterable[StreamFacts], policy: Callable[[], str | None]) -> None:
    """Refuse a query on a stream where the session follows another watermark than the smallest of several.

    `streams` is what all queries of the statement read, and `policy` asks the session. Raises WindowPlanError.
    """
    if sum(stream.watermarks for stream in streams) < 2 or (followed := policy() or "").lower() == "min":
        return
    raise _refused(
        query,
        query.time_span,
        f"the session follows the {followed} of several watermarks",
        "the watermark of windows over several streams is the smallest one, or rows of the slower ones would be late",
        "run first: SET spark.sql.streaming.multipleWatermarkPolicy=min",
    )


def _check_distinct(query: WindowQuery) -> None:
    if not query.is_distinct:
        return
    raise _refused(
        query,
        None,
        "SELECT DISTINCT over the results of windows cannot run on a stream",
        GROUPED_BY_END,
        "leave out DISTINCT where the rows differ by their keys; or select window_end too, without DISTINCT, and write "
        "SELECT DISTINCT ..., window_end FROM (...) around it",
    )


def _check_session(query: WindowQuery, stream: StreamFacts) -> None:
    if stream.stateful_since is not None:
        raise _refused(
            query,
            None,
            "this session of Spark Connect keeps no state for operators in Python",
            f"Spark's transformWithState, which keeps the windows of a stream, is in its Connect client since "
            f"{stream.stateful_since}",
            f"use PySpark {stream.stateful_since} or newer on both sides, or a classic session",
        )
    if not stream.state_store.endswith(_ROCKSDB):
        raise _refused(
            query,
            None,
            f"the session keeps state with {stream.state_store.rpartition('.')[2]}",
            "Spark's transformWithState, which keeps the windows, needs the RocksDB state store",
            f"run first: SET spark.sql.streaming.stateStore.providerClass={_PACKAGE}.{_ROCKSDB}",
        )


_PACKAGE = "org.apache.spark.sql.execution.streaming.state"
_ROCKSDB = "RocksDBStateStoreProvider"
_LATE_BY_AN_OLD_WATERMARK = "on a stream Spark's windows judge late rows by the watermark of the micro-batch before"
_NO_STATE_BY_SPARK = "on a stream Spark's aggregations and joins would keep what comes in one micro-batch as state"
_KEPT = f"{', '.join(sorted(SUPPORTED))} or a registered aggregate"


def _check_upstream(query: WindowQuery, stream: StreamFacts) -> None:
    """Refuse a query whose rows would be late: those that have waited for the watermark are older than it.

    A second watermark above a windowed query does not help. Spark follows the lower of the two, and that one never
    moves, because it waits for the first result.
    """
    upstream = stream.upstream
    if upstream is None:
        return
    is_by_window_time = upstream.is_on_time or upstream in (Upstream.ANY_TIME, Upstream.MIXED)
    has_second = stream.has_watermark and upstream is not Upstream.AGGREGATION
    if upstream.is_on_time and not has_second:
        return
    if _watermark_is_needed(query) or has_second:
        what = "a windowed query" if is_by_window_time else upstream.value
        is_end = bool(query.ends) and upstream is Upstream.WINDOWED
        rule, hint = _SECOND_WATERMARK
        if not has_second:
            rule, hint = _ALTERED_END if is_end else _REFUSED_UPSTREAM[upstream]
        raise _refused(
            query,
            query.time_span,
            f"this query reads the result of {what} in the same stream, and both wait for a watermark",
            rule,
            f"{hint}; or write the first result into a table, and read that as a stream of its own, with a watermark",
        )


def _watermark_in(query: WindowQuery) -> Span | None:
    """The word of the SELECT by which its rows get a watermark; None where several may be meant, or a view has it."""
    source = Source(query.text, settings=query.settings)
    spans = [source.span(Extent(place, place + 1)) for place in source.places("WATERMARK")]
    inside = [span for span in spans if query.span.start <= span.start < query.span.end]
    return inside[0] if len(inside) == 1 else None


def second_watermark(query: WindowQuery, place: Span) -> WindowPlanError:
    """The error for a watermark over the result of windows; `place` is the relation that has it."""
    return _refused(query, place, "a watermark over the result of windows cannot run", *_SECOND_WATERMARK)


MARKED_TWICE = (
    "these rows have a watermark already",
    "on a stream a row has one watermark, by which its windows close: Spark does not put another one above it",
    "leave out WATERMARK ... DELAY OF here, or read the stream where it has none yet",
)
"""Problem, rule and hint."""
_SECOND_WATERMARK = (
    "a streaming query has one watermark, which the first window has moved by: a second one would never move",
    "leave out the second watermark, and take the window_time of the first query as time",
)
_ALTERED_END = (
    "rows of windows are grouped and joined again by their window_end: by another column groups may be incomplete",
    "select window_end of the windowed query itself, renamed at most",
)
_REFUSED_UPSTREAM = {
    Upstream.WINDOWED: (
        "a window over the result of a window takes its window_time: by another time its rows may be late",
        "write WINDOW ASSIGN ...(window_time, ...), with nothing computed from window_time before",
    ),
    Upstream.ANY_TIME: (
        "a window can be read by another one where it fires by the watermark alone, once that has passed its end",
        "give the first query windows of event time, without TRIGGER and ALLOWED LATENESS",
    ),
    Upstream.MIXED: (
        "the rows of a window come before the watermark that has ended it, all other rows after it",
        "read the result of one windowed query, without UNION or JOIN with another stream; or join two on equal "
        "window_end",
    ),
    Upstream.AGGREGATION: (
        "a streaming query has one watermark: what Spark's aggregation gives out when it passes is late in the window",
        "write the first query with WINDOW ASSIGN too",
    ),
}


def _check_time(query: WindowQuery, facts: Facts) -> None:
    if needs_time(query) and facts.time is None:
        raise _refused(
            query,
            None,
            "CONTINUOUS_EVENT_TIME has no event time to begin at",
            "it fires at every interval from the event time of a window's first row on",
            "name the time in WINDOW ASSIGN, as in GLOBAL(ts), or use CONTINUOUS_PROCESSING_TIME",
        )


def _watermark_is_needed(query: WindowQuery) -> bool:
    return query.spec.assigner.is_event_time or TimeDomain.EVENT in query.spec.trigger.clocks - _default_clocks(query)


def _default_clocks(query: WindowQuery) -> frozenset[TimeDomain]:
    """The clocks that do not show which timers are set: a user's trigger may answer timers that it never sets."""
    own = type(query.spec.trigger).__module__.startswith("winsql.")
    return frozenset() if own else frozenset(TimeDomain)


def _check_keys(query: WindowQuery, facts: Facts) -> None:
    for key, fact in zip(query.keys, facts.keys, strict=True):
        if fact.is_collated:
            is_written = INTERNAL_PREFIX not in key.text + key.sql
            written = key.text if is_written or key.span is None else key.span.text(query.text)
            is_named = is_written and fact.type_name.startswith("string")
            raise _refused(
                query,
                key.span,
                f"{written} is of type {fact.type_name.upper()} and cannot be a key on a stream",
                "keys in state are compared by their bytes",
                f"use a key that compares so, for instance LOWER({key.sql}) COLLATE UTF8_BINARY"
                if is_named
                else "let its strings compare so, for instance LOWER(name) COLLATE UTF8_BINARY",
            )


def _refuse_aggregates(query: WindowQuery, facts: Facts) -> None:
    calls = zip(query.aggregates, facts.aggregates, strict=True)
    call, refused = next((call, fact) for call, fact in calls if not fact.has_accumulator)
    instead = kept_instead(call.name.upper(), is_plain=call.is_keepable)
    rule, hint = rule_and_hint(
        refused,
        "on a stream an aggregate lives in winsql's state, which keeps calls of those it knows",
        f"{instead}; or use COLLECT_LIST and a function over its array",
    )
    raise _refused(query, call.span, f"{call.sql} cannot be computed on a stream", rule, hint)


def kept_instead(name: str, *, is_plain: bool) -> str:
    """What to write in the place of a call that winsql does not compute; `name` is upper case."""
    if name not in SUPPORTED:
        return f"use {_KEPT}"
    if not is_plain and name == "COUNT":
        return "write COUNT(*), or name what is counted, as in COUNT(DISTINCT a, b)"
    if not is_plain:
        return f"write {name} without WITHIN GROUP, ORDER BY and IGNORE NULLS"
    return f"give {name} what it takes on a stream: {SUPPORTED[name]}"


def _refused(query: WindowQuery, span: Span | None, problem: str, rule: str, hint: str) -> WindowPlanError:
    return WindowPlanError(problem, rule=rule, hint=hint).located(
        query.text, span or Span(query.span.start, query.span.start + len("SELECT"))
    )
