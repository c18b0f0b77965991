"""What Spark's analysis says of the two inputs of a window join."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DataType, StructField, StructType

from winsql.model.query import INTERNAL_PREFIX, JOIN_LEFT, JOIN_RIGHT, EndColumn, JoinSide, WindowJoin, WindowQuery
from winsql.planner.char_keys import char_in_on
from winsql.planner.facts import SideFacts, Sides
from winsql.planner.join_checks import check_names, check_sides, check_streaming_sides, dotted_name, no_lambda
from winsql.planner.join_sql import analysis_sql, operator_join_sql
from winsql.spark.relation import column_fact, declared_type
from winsql.spark.runner import FIRED_ROWS, Runner
from winsql.spark.streaming.upstream import carries_watermark, operators_of, reads_watermark, upstream_of
from winsql.syntax.text.compose import column


def join_sides(query: WindowQuery, runner: Runner) -> Sides | None:
    """Both inputs and ON, checked; None when the query has no join.

    Raises WindowSpecError and WindowPlanError, and Spark's AnalysisException for what it cannot resolve.
    """
    join = query.join
    if join is None:
        return None
    if join.how is not None:
        _ = runner.run(analysis_sql(query, runner.context)).schema
    left, right = zip(*join.keys, strict=True) if join.keys else ((), ())
    ends = query.ends or (None, None)
    sides = (_read(join.left, left, ends[0], runner), _read(join.right, right, ends[1], runner))
    check_sides(query, sides)
    if any(side.is_streaming for side in sides):
        check_streaming_sides(query, sides, str(runner.spark.conf.get("spark.sql.streaming.multipleWatermarkPolicy")))
    return sides


def check_pairs(query: WindowQuery, runner: Runner, frame: DataFrame) -> None:
    """Have Spark analyse ON over the firings in `frame`, after `join_sides` has done so over the two inputs.

    Raises WindowPlanError for what Spark refuses, or does differently, inside lambda functions only.
    """
    join = query.join
    if join is None or join.how is None:
        return
    check_names(query)
    if not join.keys_alone and any(_has_char(frame.schema[rows].dataType) for rows in (JOIN_LEFT, JOIN_RIGHT)):
        _require_unpadded(query, join, runner)
    try:
        _ = runner.sql(f"SELECT 1 FROM {operator_join_sql(join, FIRED_ROWS)}", **{FIRED_ROWS: frame}).schema
    except AnalysisException as error:
        raise dotted_name(query) or no_lambda(query, str(error.getMessage() or error).partition("\n")[0]) from None


def _has_char(rows: DataType) -> bool:
    """Whether the rows of a side have a column of type CHAR."""
    row = rows.elementType if isinstance(rows, ArrayType) else rows
    return isinstance(row, StructType) and any(_CHAR.search(declared_type(field)) for field in row)


def _require_unpadded(query: WindowQuery, join: WindowJoin, runner: Runner) -> None:
    """Refuse an ON in which Spark pads CHAR columns: its plan has the calls of rpad() that are not the user's."""
    left, right = (f"{side.sql} AS {side.name}" for side in (join.left, join.right))
    text = f"{runner.context}SELECT {column(join.condition or '', _ON)} FROM {left} CROSS JOIN {right}"
    plan = str(runner.run(f"EXPLAIN EXTENDED {text}").collect()[0][0])
    found = _PROJECTED.findall(plan)
    # a plan that the session's settings have cut off tells nothing
    if len(found) < 2 or found[1].count("rpad(") > found[0].lower().count("rpad("):
        raise char_in_on(query)


_CHAR = re.compile(r"\bchar\(")
_ON = INTERNAL_PREFIX + "on"
_PROJECTED = re.compile(rf"Project \[((?:(?!Project \[).)*?) AS {_ON}#", re.DOTALL)
"""ON in the plans of EXPLAIN EXTENDED: first as it is read, then as it is analyzed."""


def _read(side: JoinSide, keys: Sequence[str], end: EndColumn | None, runner: Runner) -> SideFacts:
    times = [] if side.time is None else [side.time]
    columns = [column(sql, f"{INTERNAL_PREFIX}{n}") for n, sql in enumerate([*keys, *times])]
    text = f"SELECT {', '.join([*columns, f'{side.name}.*'])} FROM {side.sql} AS {side.name}"
    frame = runner.sql(text)
    facts = [column_fact(field) for field in frame.schema.fields[: len(columns)]]
    row = StructType(frame.schema.fields[len(columns) :])
    is_streaming = frame.isStreaming
    time = frame.schema.fields[len(columns) - 1] if times else None
    nodes = operators_of(frame) if is_streaming else []
    upstream = upstream_of(nodes, runner.given_when, time, _end(side, end, runner)) if is_streaming else None
    is_moment = is_streaming and upstream is None and end is not None
    return SideFacts(
        tuple(facts[: len(keys)]),
        facts[-1] if times else None,
        row.simpleString(),
        tuple(row.names),
        is_streaming,
        carries_watermark(frame.schema) or (is_moment and reads_watermark(nodes)),
        upstream,
    )


def _end(side: JoinSide, end: EndColumn | None, runner: Runner) -> StructField | None:
    """The column of the window's end that the time is computed from."""
    return None if end is None else runner.sql(f"SELECT {end.sql} FROM {side.sql} AS {side.name}").schema[0]
