"""Spark's errors about a SELECT over a window table function: their place in it, and no text of winsql's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import PySparkException
from streaming import Source

import winsql
from winsql import WinsqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

CALL = "TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"
OURS = ("windowed__", "unix_micros", "_pyspark_", "__auto_generated", "+- ")


@pytest.fixture(scope="module", autouse=True)
def _views(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    source = Source(Path(tmp_path_factory.mktemp("places")) / "in")
    source.put([("a", 1.0, 2.0, 0)])
    source.stream(spark, "places_stream")
    source.table(spark, "places_table")
    yield
    spark.catalog.dropTempView("places_stream")
    spark.catalog.dropTempView("places_table")


@pytest.mark.parametrize("relation", ["places_table", "places_stream"])
@pytest.mark.parametrize(
    ("text", "problem", "place"),
    [
        (f"SELECT k,\n  n, count(*) AS c FROM {CALL} GROUP BY k, window_end", "n is neither a key nor", (2, 3, "n")),
        (f"SELECT k, x.n + 1 AS m FROM {CALL} x GROUP BY k, window_end", "x.n is neither a key nor", (1, 11, "x.n")),
        (f"SELECT k FROM {CALL} WHERE sum(n) > 1", r"invalid expressions: sum\(n\)", (1, 1, "SELECT k FROM")),
        (f"SELECT lag(n) FROM {CALL}", "requires an OVER clause", (1, 1, "SELECT lag(n) FROM")),
        (f"SELECT k FROM {CALL} UNION ALL SELECT k, n FROM {CALL}", "same number of columns", None),
    ],
)
def test_errors_have_their_place(
    spark: SparkSession, relation: str, text: str, problem: str, place: tuple[int, int, str] | None
) -> None:
    statement = text.format(t=relation)
    with pytest.raises((PySparkException, WinsqlError), match=problem) as caught:
        _ = winsql.sql(spark, statement).schema
    told = str(caught.value)
    assert not [name for name in OURS if name in told]
    if place is not None:
        line, column, written = place
        assert f"line {line}, column {column}:" in told or f"(line {line}, position {column})" in told
        lines = told.split("\n")
        carets = next(n for n, one in enumerate(lines) if one.strip().startswith("^"))
        assert lines[carets - 1][lines[carets].index("^") :].startswith(written)
        assert lines[carets].count("^") == len(written)


def test_a_function_that_no_lambda_takes_has_its_place_in_on(spark: SparkSession) -> None:
    spark.sql("CREATE OR REPLACE TEMPORARY FUNCTION goes_before(a INT, b INT) RETURNS BOOLEAN RETURN a < b")
    condition = "a.k = b.k AND goes_before(a.n, b.n)"
    windows = "WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 1 MINUTE)"
    statement = f"SELECT a.n FROM places_stream a WINDOW JOIN places_stream b ON {condition} {windows}"
    try:
        with pytest.raises(WinsqlError, match="ON cannot be computed per window") as caught:
            _ = winsql.sql(spark, statement).schema
    finally:
        spark.sql("DROP TEMPORARY FUNCTION goes_before")
    assert caught.value.span is not None
    assert caught.value.span.text(statement) == condition
