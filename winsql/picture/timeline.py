"""winsql.timeline: a windowed query over a small sample, as a picture of its rows, windows, firings and watermark."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from winsql.errors import WindowSpecError
from winsql.picture.drawing import Names, draw
from winsql.picture.layout import axis_of, lanes_of
from winsql.picture.page import page
from winsql.picture.sample import Sample, take_sample
from winsql.picture.trace import Trace, record
from winsql.spark.planned_statement import Arguments
from winsql.spark.workers.columns import array_of
from winsql.syntax.clauses.policy_text import render_duration

MAX_ROWS, MAX_KEYS = 200, 8
"""How much a picture shows unless it is told otherwise."""
_MICRO = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Timeline:
    """A picture; a notebook shows it by itself.

    svg    the picture alone
    html   a page of its own: the statement, the picture, what the marks mean, and a table of all firings
    """

    svg: str
    html: str

    def save(self, path: str | Path) -> None:
        """Write the picture, for a name that ends in .svg, or the page."""
        Path(path).write_text(self.svg if str(path).lower().endswith(".svg") else self.html, encoding="utf-8")

    def __repr__(self) -> str:
        return "a picture of windows, which notebooks show; save('timeline.html') writes it"

    def _repr_html_(self) -> str:
        return self.html


def timeline(
    spark: SparkSession,
    text: str,
    args: Arguments = None,
    *,
    delay: timedelta = timedelta(0),
    rows: int = MAX_ROWS,
    keys: int = MAX_KEYS,
) -> Timeline:
    """Draw what a windowed query does with the first rows of its table, as if they came in one by one.

    The operator that runs streams runs the rows here, on the driver, in the order in which Spark reads them. After each
    row the watermark is `delay` behind the newest event time; after the last one the input ends. So the picture
    may show late rows and early firings that a run over the whole table does not have.

    text    a statement with a windowed query over a table: of several, the outermost one is drawn
    args    parameters, as for `spark.sql`
    rows    how many rows are read at most
    keys    how many keys are drawn at most, those that come first

    Raises what `winsql.sql` raises, and WindowPlanError for a stream, for windows of PROCTIME(), and for a statement
    without a windowed query.
    """
    if delay < timedelta(0) or rows < 1 or keys < 1:
        raise WindowSpecError("timeline: rows and keys must be at least 1, and the delay not negative")
    sample = take_sample(spark, text, args, rows)
    spec = sample.query.spec
    trace = record(spec, sample.aggregates, sample.triggers, sample.rows, delay // _MICRO)
    axis = axis_of(trace, sample.has_time, sample.zone)
    order = list(dict.fromkeys(row.key for row in trace.rows))
    lanes = lanes_of(trace, order[:keys])
    names = _names(sample, trace)
    svg = draw(trace, lanes, axis, names)
    return Timeline(svg, page(text, svg, trace, axis, names, _notes(sample, delay, len(order) - keys)))


def _names(sample: Sample, trace: Trace) -> Names:
    keys = {row.key: ", ".join(map(_shown, row.key)) or "all rows" for row in trace.rows}
    values = [_values(sample, firing.results) for firing in trace.firings]
    results = [", ".join(map(" = ".join, zip(sample.names, texts, strict=True))) for texts in values]
    return Names(
        ", ".join(key.text for key in sample.query.keys), keys, results, [", ".join(texts) for texts in values]
    )


def _values(sample: Sample, results: tuple[Any, ...]) -> list[str]:
    """The results as SQL has them and not as the operator keeps them."""
    return [_shown(_typed(value, kind)) for value, kind in zip(results, sample.result_types, strict=True)]


def _typed(value: Any, kind: pa.DataType) -> Any:
    return array_of([value], kind)[0].as_py()


def _shown(value: Any) -> str:
    return "NULL" if value is None else str(value)


def _notes(sample: Sample, delay: timedelta, keys_left_out: int) -> list[str]:
    """What a reader must know to take the picture for what it is."""
    order = "Rows come in the order in which Spark reads them, one by one"
    lag = render_duration(delay // _MICRO)
    notes = [f"{order}; the watermark stays {lag} behind the newest time, and the input ends after the last row."]
    if sample.is_cut:
        notes.append(f"The first {len(sample.rows)} rows of the table; it has more.")
    if keys_left_out > 0:
        notes.append(f"{keys_left_out} more keys are not drawn.")
    return notes
