"""Batch cases (`batch_cases/README.md`) through Spark: all in one query, each on the worker code of operator plans.

The rows of all cases are one table with the case as its first key. Spark brings the keys together and sorts them as
it does for any operator plan; in the Python worker each case's rows go to the operator of its own spec.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from bounded import NOW
from case import Case, Json
from executors import CountSumMinMax
from outcome import Outcome

from winsql.errors import Span, WindowDataError, WinsqlError
from winsql.model.query import INTERNAL_PREFIX, JOIN_LEFT, JOIN_RIGHT, WINDOW_END, WINDOW_START
from winsql.spark.workers.firings import FIRING, HAS_ROWS
from winsql.spark.workers.partition import run_partition
from winsql.spark.workers.task import Handout, Place, Task

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INPUT = "case STRING, key STRING, ts BIGINT, value DOUBLE, gap BIGINT, side INT, source STRING, arrival INT"
OUTPUT = (
    "case STRING, key STRING, start BIGINT, end BIGINT, firing BIGINT, has_rows BOOLEAN, value DOUBLE, "
    "left ARRAY<DOUBLE>, right ARRAY<DOUBLE>, out ARRAY<DOUBLE>, error STRING"
)


@dataclasses.dataclass(frozen=True)
class ListResult(CountSumMinMax):
    """The case function `sum` with an Arrow type."""

    result_type: pa.DataType = dataclasses.field(default_factory=lambda: pa.list_(pa.float64()))


def run_cases(spark: SparkSession, cases: list[Case]) -> dict[str, Outcome]:
    """All cases in one query; the outcomes by name. Firings carry no timer: compare with `spark_difference`."""
    from pyspark.cloudpickle import register_pickle_by_value
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    from winsql.spark.shipping import ship_code

    ship_code(spark)
    for module in (__name__, "executors", "case"):  # a worker cannot import the tests
        register_pickle_by_value(sys.modules[module])
    outcomes, tasks = {case.name: Outcome() for case in cases}, {}
    for case in cases:
        try:
            tasks[case.name] = task_of(case)
        except WinsqlError as error:
            outcomes[case.name].error_step, outcomes[case.name].error = -1, error.problem
    rows = [row for case in cases if case.name in tasks for row in _rows(case)]
    order = Window.partitionBy("case", "key").orderBy(F.col("ts").asc_nulls_first(), "arrival")
    slots = ["value", "gap", F.col("side").alias("side_slot"), F.col("source")]
    table = spark.createDataFrame(rows, INPUT).select(
        "case", (F.row_number().over(order) == 1).alias("first"), "ts", *slots, "key", *_payload()
    )
    fired = table.mapInArrow(partial(_dispatch, tasks), OUTPUT).collect()
    by_case = {case.name: case for case in cases}
    for (name, _, _), group in groupby(fired, key=lambda row: (row["case"], row["key"], row["firing"])):
        _note(by_case[name], outcomes[name], list(group))
    return outcomes


def task_of(case: Case) -> Task:
    """The case as a query of Spark's; raises WindowSpecError where the job is refused."""
    spec = case.spec()
    is_sum = case.json["function"] == "sum" and case.join is None
    handout = Handout.RESULTS if is_sum else Handout.FIRING
    return Task(
        spec=spec,
        handout=handout if case.join is None else Handout.SIDES,
        aggregates=(ListResult(),) if is_sum else (),
        trigger_aggregates=(),
        slots=4,
        keys=1,
        window_type=pa.int64(),
        now=NOW,
        place=Place(case.name, Span(0, len(case.name)), ("key",)),
    )


def partition_of(case: Case) -> pa.RecordBatch:
    """The rows of a case as a worker gets them: sorted by key, time and arrival."""
    rows = sorted(_rows(case), key=lambda row: (row[1], row[2] is not None, row[2] or 0, row[7]))
    records = []
    for place, (_, key, ts, value, gap, side, source, _) in enumerate(rows):
        first = place == 0 or rows[place - 1][1] != key
        sides = (None, value) if side == 1 else (value, None)
        records.append((first, ts, value, gap, side, source, key, side, *sides))
    columns = zip(*records, strict=True) if records else [()] * len(_PARTITION)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, _PARTITION, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=_PARTITION)


_PARTITION = pa.schema(
    [
        ("first", pa.bool_()),
        ("ts", pa.int64()),
        ("value", pa.float64()),
        ("gap", pa.int64()),
        ("side_slot", pa.int32()),
        ("source", pa.string()),
        ("key", pa.string()),
        ("side", pa.int32()),
        ("v", pa.float64()),
        ("w", pa.float64()),
    ]
)


def spark_difference(case: Case, outcome: Outcome, expected: Json) -> str | None:
    """As `bounded_difference`, where a firing does not tell its timer: rows of one event timer are a set of firings."""
    if (expected.get("error") is None) != (outcome.error is None):
        return f"error {outcome.error}, expected {expected.get('error')}"
    if outcome.error is not None:
        return None  # what other keys had emitted before is lost with the query
    for key in sorted({row["key"] for row in outcome.main + expected["main"]}):
        got = [_comparable(case, row) for row in outcome.main if row["key"] == key]
        want = [row for row in expected["main"] if row["key"] == key]
        position = 0
        for (fired_by, _), group in groupby(want, key=lambda row: (row["fired_by"], row["timer"])):
            rows = [_comparable(case, row) for row in group]
            own = got[position : position + len(rows)]
            position += len(rows)
            if (sorted(own) if fired_by == "event" else own) != (sorted(rows) if fired_by == "event" else rows):
                return f"firings of {key}: {own}, expected {rows}"
        if position != len(got):
            return f"firings of {key} too many: {got[position:]}"
    return None


def _rows(case: Case) -> list[tuple[Any, ...]]:
    is_all = case.json.get("via") == "windowAll"
    return [
        (case.name, "all" if is_all else key, ts, float(value), step.get("g"), step.get("side"), key, number)
        for number, step in enumerate(case.steps)
        for key, ts, value in [step["e"]]
    ]


def _payload() -> list[Any]:
    """The side of a row and its value in the column of its side; without a join on the left."""
    from pyspark.sql import functions as F

    is_right, value = F.col("side") == 1, F.col("value")
    return ["side", F.when(~F.coalesce(is_right, F.lit(False)), value).alias("v"), F.when(is_right, value).alias("w")]


def _dispatch(tasks: dict[str, Task], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """In the worker: each case's rows to the operator of its own task."""
    for name, slices in groupby(_slices(batches), key=lambda pair: pair[0]):
        try:
            for fired in run_partition(tasks[name], (batch for _, batch in slices)):
                yield _output(name, fired)
        except WindowDataError as error:
            yield _failure(name, error)


def _slices(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, pa.RecordBatch]]:
    for batch in batches:
        names = batch.column(0).to_pylist()
        begin = 0
        for name, run in groupby(names):
            end = begin + len(list(run))
            yield name, batch.slice(begin, end - begin).select(range(1, batch.num_columns))
            begin = end


_COLUMNS = {
    "key": ("key", pa.string()),
    "start": (WINDOW_START, pa.int64()),
    "end": (WINDOW_END, pa.int64()),
    "firing": (FIRING, pa.int64()),
    "has_rows": (HAS_ROWS, pa.bool_()),
    "value": ("v", pa.float64()),
    "left": (JOIN_LEFT, pa.list_(pa.float64())),
    "right": (JOIN_RIGHT, pa.list_(pa.float64())),
    "out": (f"{INTERNAL_PREFIX}result0", pa.list_(pa.float64())),
}


def _output(name: str, fired: pa.RecordBatch) -> pa.RecordBatch:
    """The firings of a case as rows of OUTPUT; but for FIRING, each is a firing of its own."""
    names = [pa.array([name] * fired.num_rows)]
    columns = [
        fired.column(own) if own in fired.schema.names else pa.nulls(fired.num_rows, kind)
        for own, kind in _COLUMNS.values()
    ]
    errors = [pa.nulls(fired.num_rows, pa.string())]
    return pa.RecordBatch.from_arrays([*names, *columns, *errors], names=["case", *_COLUMNS, "error"])


def _failure(name: str, error: WindowDataError) -> pa.RecordBatch:
    columns = [pa.nulls(1, kind) for _, kind in _COLUMNS.values()]
    arrays = [pa.array([name]), *columns, pa.array([error.problem])]
    return pa.RecordBatch.from_arrays(arrays, names=["case", *_COLUMNS, "error"])


def _note(case: Case, outcome: Outcome, rows: list[Any]) -> None:
    """Add what one key and firing number gave: one firing, or one result per row."""
    for row in rows if rows[0]["firing"] is None else rows[:1]:
        if row["error"] is not None:
            outcome.error_step, outcome.error = 0, row["error"]
            continue
        firing: Json = {"key": row["key"], "start": row["start"], "end": row["end"]}
        outcome.main.append({**firing, **_contents(case, row, [r for r in rows if r["has_rows"]])})


def _contents(case: Case, row: Any, rows: list[Any]) -> Json:
    if case.join is not None:
        return {"left": list(row["left"]), "right": list(row["right"])}
    if row["firing"] is None:
        return {"out": list(row["out"])}
    return {"out": [r["value"] for r in rows]}


def _comparable(case: Case, row: Json) -> str:
    """A firing as text, without what the case leaves open."""
    kept = {name: row.get(name) for name in ("start", "end")}
    kept |= {name: _floats(row.get(name)) for name in ("out", "left", "right")}
    if case.json.get("clock_bounds"):
        kept["start"] = kept["end"] = None
    if "unstable_sort" in case.flags and case.json["function"] == "list":
        kept = {name: sorted(value) if isinstance(value, list) else value for name, value in kept.items()}
    return json.dumps(kept)


def _floats(values: list[Any] | None) -> list[float | None] | None:
    return None if values is None else [None if value is None else float(value) for value in values]
