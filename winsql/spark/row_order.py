"""A windowed query over a subquery that computes what it reads, for Spark's own aggregation: to keep the order of rows,
or to compute its time, gaps and keys once."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pyspark.errors import AnalysisException

from winsql.model.assigners import SessionWindows
from winsql.model.base import Operand
from winsql.model.query import INTERNAL_PREFIX, KeyColumn, WindowQuery
from winsql.planner.facts import ColumnFact, Facts
from winsql.planner.row_order import Order, in_order
from winsql.planner.time_sql import epoch_sql, instant_sql
from winsql.spark.aggregates import result_types
from winsql.spark.call_columns import call_columns
from winsql.spark.relation import TIME, column_fact, select_sql
from winsql.spark.runner import Runner
from winsql.spark.variables import variables_in
from winsql.syntax.text.compose import column
from winsql.syntax.text.openers import holds_any

_ORDER = INTERNAL_PREFIX + "order"
_TIME, _ARRIVAL = "event_time", "arrival"
_OF_ROWS = Order(_ORDER, f"struct(-{_ORDER}.{_TIME}, -{_ORDER}.{_ARRIVAL})")


def with_order(query: WindowQuery, facts: Facts, runner: Runner) -> WindowQuery:
    """The query over a subquery with one more column, the order of rows by event time and arrival; its calls use it.

    The arrival is taken after WHERE, so that Spark can still push WHERE into its scans. Raises Spark's
    AnalysisException for calls that it cannot resolve as they are written.
    """
    assert facts.time is not None
    types = result_types(query, query.aggregates, runner)
    micros = epoch_sql(instant_sql(_time_sql(query), facts.time), facts.time)
    order = f"named_struct('{_TIME}', {micros}, '{_ARRIVAL}', monotonically_increasing_id())"
    found = _over_columns(query, runner, ((order, _ORDER),))
    kinds = {call.column: column_fact(types[call.column]).type_name for call in found.aggregates}
    calls = (replace(call, text=(in_order(call, kinds[call.column], _OF_ROWS),)) for call in found.aggregates)
    return replace(found, aggregates=tuple(calls))


def with_values_once(query: WindowQuery, fact: ColumnFact, runner: Runner) -> WindowQuery:
    """The query over a subquery that computes what it reads, where Spark would not take two copies of it for the same.

    It does not for a time, or the gap of each row, with a subquery, a random function, a function in Python or a
    variable, and not for a key with a subquery that reads columns of the query around it. Where it merges sessions, it
    loses the result of an aggregate over a subquery. Any other query stays as it is.
    """
    if query.spec.assigner.is_merging and any(holds_any(call.sql, ("SELECT",)) for call in query.aggregates):
        return _over_columns(query, runner)
    times = [_time_sql(query)]
    keys = [key.sql for key in query.keys if holds_any(key.sql, ("SELECT",))]
    if not keys and not query.operands and _NAME.fullmatch(times[0]):
        return query
    if query.operands:  # the message about a gap that is not positive names the keys
        times += [*(operand.sql for operand in query.operands), *(key.sql for key in query.keys)]
    read = ", ".join(f"({sql})" for sql in times)
    window = f"window(nvl2(struct({read}), {instant_sql(times[0], fact)}, NULL), '1 second')"  # of whatever size
    copied = ", ".join([window, *keys])
    try:
        _ = runner.sql(f"SELECT {copied}\nFROM {query.source}\nGROUP BY {copied}").schema
    except AnalysisException as error:
        if error.getCondition() in _TAKEN_FOR_TWO:
            return _over_columns(query, runner)
    return query


_NAME = re.compile(r"[\w.`]+")
_TAKEN_FOR_TWO = frozenset(
    {
        "_LEGACY_ERROR_TEMP_1039",
        "MISSING_AGGREGATION",
        "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.MUST_AGGREGATE_CORRELATED_SCALAR_SUBQUERY",
    }
)


def _over_columns(query: WindowQuery, runner: Runner, more: tuple[tuple[str, str], ...] = ()) -> WindowQuery:
    """The query over a subquery that has all that it reads, and `more`, as columns; its calls read these columns."""
    columns = call_columns(query.aggregates, variables_in(query, query.aggregates, runner))
    operands = [f"{INTERNAL_PREFIX}operand{n}" for n in range(len(query.operands))]
    read = [
        *((key.sql, key.column) for key in query.keys),
        *((operand.sql, name) for operand, name in zip(query.operands, operands, strict=True)),
        *((sql, name) for name, sql in columns.payload.items()),
        (_time_sql(query), TIME),
        *more,
    ]
    source = select_sql(query, [column(sql, name) for sql, name in read])
    assigner: Any = query.spec.assigner
    assigner = replace(assigner, time=replace(assigner.time, expressions=(TIME,)))
    if isinstance(assigner, SessionWindows) and isinstance(assigner.gap, Operand):
        assigner = replace(assigner, gap=replace(assigner.gap, sql=operands[0]))
    return replace(
        query,
        source=f"(\n{source}\n)",
        where=None,
        spec=replace(query.spec, assigner=assigner),
        operands=tuple(replace(o, sql=name) for o, name in zip(query.operands, operands, strict=True)),
        keys=tuple(KeyColumn(key.column, key.column, key.span, key.text) for key in query.keys),
        aggregates=tuple(columns.calls[call.column] for call in query.aggregates),
    )


def _time_sql(query: WindowQuery) -> str:
    time = query.spec.assigner.time
    assert time is not None
    return time.expressions[0]
