"""Random queries over windows, on a table and on a stream, beside Spark alone on tables."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from drawn_queries import draw_query
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from streaming import Source, rows_of, run
from test_spellings import DELAY, FAR, events, rows_titled, together

from winsql.errors import WinsqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_AT_ONCE = 8
_CLOSING = [
    (key, FAR, float(value), number)
    for number, (key, value) in enumerate(itertools.product(["a", "b", "c", None], range(6)), -10)
]
"""Later than all windows; some of them pass any WHERE, so that the watermark moves."""


class Checked(NamedTuple):
    """What is wrong, the queries that streams refuse, and those that Spark alone cannot run, each by its seed."""

    wrong: dict[int, str]
    refused: dict[int, WinsqlError]
    left_out: dict[int, Exception]


def check_drawn(spark: SparkSession, folder: Path, seeds: Sequence[int]) -> Checked:
    """Compare the queries of these seeds; the session is registered."""
    spark.sql("CREATE OR REPLACE TEMP VIEW names AS SELECT * FROM VALUES ('a', 'A'), ('b', 'B') AS t(id, label)")
    first, second = events()
    table, stream = Source(folder / "table"), Source(folder / "stream")
    table.put(first, second[:-1])
    table.table(spark, "drawn_table")
    stream.put(first, [*second[:-1], *_CLOSING])
    stream.stream(spark, "drawn_stream", f"{DELAY} seconds")
    found = Checked({}, {}, {})
    for start in range(0, len(seeds), _AT_ONCE):
        _check(spark, folder / f"checkpoint_{start}", seeds[start : start + _AT_ONCE], found)
    return found


def _check(spark: SparkSession, checkpoint: Path, seeds: Sequence[int], found: Checked) -> None:
    expected: Counter[tuple[str, ...]] = Counter()
    texts = {}
    for seed in seeds:
        try:
            expected += rows_of(together(spark, {str(seed): draw_query(seed, "drawn_table", is_spark=True)}, ""))
        except (PySparkException, Py4JJavaError) as error:  # some of its plans fail
            found.left_out[seed] = error
        else:
            texts[seed] = draw_query(seed, "drawn_table")
    for seed, text in texts.items():
        _compare(rows_of(together(spark, {str(seed): text}, "")), expected, "a table", {seed: text}, found)
    frames = {}
    for seed in texts:
        try:
            frames[seed] = together(spark, {str(seed): draw_query(seed, "drawn_stream")}, "")
        except WinsqlError as error:
            found.refused[seed] = error
    got = Counter(row for rows in _run(list(frames.values()), checkpoint) for row in rows)
    _compare(got, expected, "a stream", {seed: texts[seed] for seed in frames}, found)


def _run(frames: list[DataFrame], checkpoint: Path) -> list[list[tuple[str, ...]]]:
    """All in one streaming query."""
    return run([reduce(DataFrame.unionAll, frames)], checkpoint) if frames else []


def _compare(
    got: Counter[tuple[str, ...]], expected: Counter[tuple[str, ...]], where: str, texts: dict[int, str], found: Checked
) -> None:
    for seed, text in texts.items():
        has, wants = rows_titled(got, str(seed)), rows_titled(expected, str(seed))
        if has != wants:
            missing, more = [*(wants - has).items()][:3], [*(has - wants).items()][:3]
            found.wrong[seed] = f"{where} leaves out {missing} and has {more}:\n{text}"
