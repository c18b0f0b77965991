"""Which plan a windowed query gets: the first rule that offers one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from winsql.model.query import Form, WindowQuery
from winsql.model.registry import AGGREGATES
from winsql.planner.checks import check, check_operator_keys
from winsql.planner.facts import ColumnFact, Facts
from winsql.planner.plan import Plan, Strategy
from winsql.planner.row_order import DEPENDING, depends_on_order, why_kept_once, why_unordered
from winsql.planner.window_sql import native_strategy

Rule = Callable[[WindowQuery, Facts], "Plan | None"]


def choose_plan(query: WindowQuery, facts: Facts, *, native: bool = True) -> Plan:
    """The plan for the query on this relation; raises what `check` raises. Without `native`, one of the operator's."""
    check(query, facts)
    rules = RULES if native else OPERATOR_RULES
    plan = next(plan for rule in rules if (plan := rule(query, facts)) is not None)
    if plan.strategy.is_native:
        return plan
    check_operator_keys(query, facts)
    return replace(plan, not_native=plan.not_native or why_not_by_keys(query, facts.keys))


def why_not_native(query: WindowQuery) -> str | None:
    """The first reason why Spark's own operators do not give these rows; None when they do.

    Lateness and LATE INTO are no reasons: on a bounded table nothing is late, and with the default trigger a window
    fires once whatever the lateness.
    """
    return next((reason for test in _TESTS if (reason := test(query)) is not None), None)


def why_not_by_keys(query: WindowQuery, keys: Sequence[ColumnFact]) -> str | None:
    """Why Spark's own operators do not give the rows of keys of these types, where they would of others."""
    if not query.spec.assigner.is_merging or not any(key.is_collated for key in keys):
        return None
    return "session_window() takes strings that are equal by their collation for several keys"


MANY_WINDOWS = 8
"""Windows per row from which on winsql's slices beat Spark, which adds a row to each of its windows."""


def why_columns(query: WindowQuery) -> str | None:
    """Why winsql's operator should run a query although Spark's own could, if it can do so on columns."""
    if query.form is not Form.AGGREGATE or not query.keys or why_not_native(query):
        return None
    if query.spec.assigner.is_merging:
        return (
            "winsql finds the sessions of many keys at once, in packs of sorted rows; Spark sorts and merges row by row"
        )
    form = query.spec.assigner.columnar()
    count = 1 if form is None else form.fanout
    if count < MANY_WINDOWS:
        return None
    return f"a row is in up to {count} windows, and winsql adds it to one slice of them; Spark would to each window"


def why_distinct_once(query: WindowQuery) -> str | None:
    """Why winsql's operator should run a query although Spark's own could, if it has accumulators for all of it."""
    return None if query.form is not Form.AGGREGATE or why_not_native(query) else why_kept_once(query)


def _form(query: WindowQuery) -> str | None:
    return None if query.form in (Form.AGGREGATE, Form.JOIN) else f"it returns {query.form.value}"


def _assigner(query: WindowQuery) -> str | None:
    assigner = query.spec.assigner
    if query.form is Form.JOIN and assigner.is_merging:
        return "Spark has no sessions over two inputs"
    return None if native_strategy(assigner) is not None else f"Spark has no {assigner.NAME} windows"


def _event_time(query: WindowQuery) -> str | None:
    return None if query.spec.assigner.is_event_time else "Spark's windows do not follow the processing-time clock"


def _zone(query: WindowQuery) -> str | None:
    time = query.spec.assigner.time
    return None if time is None or time.zone is None else "Spark's windows do not follow what clocks of a zone show"


def _trigger(query: WindowQuery) -> str | None:
    return None if query.spec.has_default_trigger else f"Spark has no {query.spec.trigger.NAME} trigger"


def _changes(query: WindowQuery) -> str | None:
    return None if query.spec.changes is None else "Spark gives the result of a window once"


def _evictor(query: WindowQuery) -> str | None:
    return None if query.spec.evictor is None else "Spark has no evictors"


def _registered(query: WindowQuery) -> str | None:
    own = next((call.name for call in query.aggregates if call.name in AGGREGATES), None)
    return None if own is None else f"{own} is a registered aggregate, which Spark does not know"


def _distinct_sessions(query: WindowQuery) -> str | None:
    """With several DISTINCT arguments, or FILTER beside DISTINCT, Spark 4.3 groups by value before it merges sessions:
    a value that comes again after more than the gap counts twice, though other rows bridge the time between."""
    if not query.spec.assigner.is_merging or not any(call.distinct for call in query.aggregates):
        return None
    return "DISTINCT over session_window() can count a value of one session twice"


def _texts_beside_distinct(query: WindowQuery) -> str | None:
    """Spark 4.3 ends in a ClassCastException where it rewrites DISTINCT, of several arguments or with FILTER, beside a
    LISTAGG with an order. The rows of a window in order give it one."""
    kept = [call for call in query.aggregates if not call.distinct or call.sorted_by]  # others get forms without both
    joined = next((call for call in kept if call.name in _TEXTS), None)
    distinct = [call for call in query.aggregates if call.distinct and (call in kept or call.name not in DEPENDING)]
    is_rewritten = len({call.arguments for call in distinct}) > 1 or any(call.filter for call in distinct)
    return f"Spark fails where {joined.sql} is beside {distinct[0].sql}" if joined and is_rewritten else None


_TEXTS = frozenset({"LISTAGG", "STRING_AGG"})


_TESTS: tuple[Callable[[WindowQuery], str | None], ...] = (
    _form,
    _assigner,
    _event_time,
    _zone,
    _trigger,
    _changes,
    _evictor,
    _registered,
    _distinct_sessions,
    _texts_beside_distinct,
    why_unordered,
)

_ONE_PER_GROUP = "one aggregation buffer per key and window, kept by Spark"
_SAME = "default trigger, no evictor, and on a bounded table nothing is late: Spark's aggregation gives the same rows"


def _by_spark(strategy: Strategy, query: WindowQuery) -> Plan:
    calls = [call.sql for call in query.aggregates if depends_on_order(call)]
    return Plan(strategy, _SAME, None, _ONE_PER_GROUP, _ordered(calls) if calls else None)


def _ordered(calls: list[str]) -> str:
    """What it costs to keep the order of rows."""
    depend = "depends" if len(calls) == 1 else "depend"
    return (
        f"{', '.join(calls)} {depend} on the order of rows: "
        "Spark keeps event time and arrival beside each value, and compares or sorts the rows of a window by them"
    )


def joined_windows(query: WindowQuery, facts: Facts) -> Plan | None:
    """A join in windows that do not merge."""
    if query.form is not Form.JOIN or why_not_native(query):
        return None
    reason = (
        "default trigger, no evictor, and on a bounded table nothing is late: a join of Spark's on keys and windows "
        "gives the same rows"
    )
    return Plan(Strategy.JOIN, reason, None, "what Spark's join keeps")


def grouped_windows(query: WindowQuery, facts: Facts) -> Plan | None:
    """Groups of keys and windows."""
    strategy = native_strategy(query.spec.assigner)
    return None if strategy is None or why_not_native(query) else _by_spark(strategy, query)


def co_group(query: WindowQuery, facts: Facts) -> Plan | None:
    """A join, or a co-group that returns both sides."""
    if query.form not in (Form.JOIN, Form.CO_GROUP) or query.apply is not None:
        return None
    reason = "each firing hands out the rows of both sides"
    if query.form is Form.JOIN:
        reason += ", and Spark pairs them"
    return Plan(Strategy.CO_GROUP, reason, why_not_native(query), _ROWS_KEPT)


def handed_out_rows(query: WindowQuery, facts: Facts) -> Plan | None:
    """The rows form."""
    if query.form is not Form.ROWS:
        return None
    return Plan(Strategy.ROWS, "each firing returns rows", why_not_native(query), _ROWS_KEPT)


def applied_function(query: WindowQuery, facts: Facts) -> Plan | None:
    """APPLY."""
    if query.apply is None:
        return None
    return Plan(Strategy.APPLY, f"each firing goes to {query.apply}", why_not_native(query), _ROWS_KEPT)


def accumulators(query: WindowQuery, facts: Facts) -> Plan | None:
    """Aggregates that winsql keeps itself, and nothing that needs rows."""
    if query.spec.evictor is not None or not all(fact.has_accumulator for fact in facts.aggregates):
        return None
    calls = ", ".join(call.sql for call in query.aggregates)
    state = f"accumulators of {calls}" if calls else "that it holds rows"
    better = (why_columns(query) or why_distinct_once(query)) if facts.stream is None else None
    return Plan(Strategy.ACCUMULATORS, better or "winsql has every accumulator", why_not_native(query), state)


def kept_rows(query: WindowQuery, facts: Facts) -> Plan | None:
    """An evictor, under aggregates that winsql can compute."""
    if not all(fact.has_accumulator for fact in facts.aggregates):
        return None
    reason = "the evictor needs the rows; winsql computes the aggregates from those that stay"
    return Plan(Strategy.KEPT_ROWS, reason, why_not_native(query), "rows: event time and what the query reads")


def spark_aggregates(query: WindowQuery, facts: Facts) -> Plan:
    """Everything else: the rows of each firing are handed to Spark's own aggregates."""
    calls = zip(query.aggregates, facts.aggregates, strict=True)
    missing = ", ".join(call.sql for call, fact in calls if not fact.has_accumulator)
    reason = f"winsql has no accumulator for {missing}, so Spark computes it over the rows of each firing"
    return Plan(Strategy.SPARK_AGGREGATES, reason, why_not_native(query), _ROWS_KEPT)


_ROWS_KEPT = "rows: event time and operands in the operator, the other columns as Arrow batches beside it"

NATIVE_RULES: tuple[Rule, ...] = (joined_windows, grouped_windows)
OPERATOR_RULES: tuple[Rule, ...] = (
    co_group,
    handed_out_rows,
    applied_function,
    accumulators,
    kept_rows,
    spark_aggregates,
)
RULES = NATIVE_RULES + OPERATOR_RULES
