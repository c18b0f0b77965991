"""Parameters inside window clauses, as `spark.sql` takes them elsewhere: same rows as with their values written out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

import winsql
from winsql import WinsqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module", autouse=True)
def _view(spark: SparkSession) -> Iterator[None]:
    spark.sql(
        "SELECT * FROM VALUES ('a', TIMESTAMP'2024-01-01 00:01:00', 1), ('a', TIMESTAMP'2024-01-01 00:02:00', 2),"
        " ('b', TIMESTAMP'2024-01-01 00:03:00', 3), ('b', TIMESTAMP'2024-01-01 00:13:00', 4) AS x(k, ts, v)"
    ).createOrReplaceTempView("params")
    yield
    spark.catalog.dropTempView("params")


def rows(spark: SparkSession, text: str, args: Any = None) -> list[str]:
    return sorted(map(str, winsql.sql(spark, text, args).collect()))


CASES = [
    ("TUMBLING(ts, {size})", {"size": ("10 minutes", "'10 minutes'")}),
    ("TUMBLING(ts, {size}) TRIGGER COUNT({n})", {"size": (timedelta(minutes=10), "'10 minutes'"), "n": (1, "1")}),
    ("TUMBLING(ts, INTERVAL {n} MINUTES) EVICT COUNT({m})", {"n": (10, "10"), "m": (1, "1")}),
    ("SESSION(ts, {gap}) TRIGGER WHEN(sum(v) > {most})", {"gap": ("5 minutes", "'5 minutes'"), "most": (1, "1")}),
    ("SESSION(ts, {gap} * 2)", {"gap": (timedelta(minutes=5), "INTERVAL 5 MINUTES")}),
    ("GLOBAL(ts) TRIGGER DELTA(v * {by}, {most})", {"by": (2, "2"), "most": (1.5, "1.5")}),
]


@pytest.mark.parametrize(("clause", "values"), CASES)
@pytest.mark.parametrize("is_named", [True, False])
def test_the_rows_are_those_of_the_values(
    spark: SparkSession, clause: str, values: dict[str, tuple[Any, str]], is_named: bool
) -> None:
    text = "SELECT k, {x} AS x, count(*) AS n FROM params WHERE v < {below} WINDOW ASSIGN " + clause
    text += " GROUP BY k HAVING count(*) < {few}"
    values = {"x": ("X", "'X'"), "below": (9, "9"), **values, "few": (3, "3")}
    written = text.format(**{name: literal for name, (_, literal) in values.items()})
    marked = text.format(**{name: f":{name}" if is_named else "?" for name in values})
    given = {name: value for name, (value, _) in values.items()}
    assert rows(spark, marked, given if is_named else list(given.values())) == rows(spark, written)


def test_columns_that_are_literals(spark: SparkSession) -> None:
    from pyspark.sql import functions as F

    text = "SELECT k, count(*) FROM params WINDOW ASSIGN TUMBLING(ts, :size) TRIGGER COUNT(:n) GROUP BY k"
    given = {"size": F.expr("INTERVAL 10 MINUTES"), "n": F.lit(1)}
    assert rows(spark, text, given) == rows(spark, text, {"size": "10 minutes", "n": 1})
    with pytest.raises(WinsqlError, match="n must be an integer, and the parameter :n is 'x'"):
        winsql.sql(spark, text, given | {"n": F.lit("x")})


def test_columns_without_a_value_in_python(spark: SparkSession) -> None:
    from pyspark.sql import functions as F

    for clause in ("TUMBLING(ts, :size)", "COUNT(:size)"):
        with pytest.raises(WinsqlError, match="MONTH") as caught:
            winsql.sql(spark, f"SELECT 1 FROM params WINDOW ASSIGN {clause}", {"size": F.expr("INTERVAL 1 MONTH")})
        assert caught.value.span is not None


def test_a_registered_session(spark: SparkSession) -> None:
    text = "SELECT k, count(*) FROM params WINDOW ASSIGN TUMBLING(ts, {}) TRIGGER COUNT({}) GROUP BY k"
    expected = rows(spark, text.format("'10 minutes'", 1))
    winsql.register(spark)
    try:
        named = spark.sql(text.format(":size", ":n"), args={"size": timedelta(minutes=10), "n": 1})
        by_place = spark.sql(text.format("?", "?"), args=["10 minutes", 1])
        assert sorted(map(str, named.collect())) == sorted(map(str, by_place.collect())) == expected
        immediate = [
            spark.sql(f"EXECUTE IMMEDIATE '{text.format('?', '?')}' USING '10 minutes', 1"),
            spark.sql(f"EXECUTE IMMEDIATE '{text.format(':s', ':n')}' USING INTERVAL 10 MINUTES AS s, 1 AS n"),
        ]
        assert [sorted(map(str, frame.collect())) for frame in immediate] == [expected, expected]
        with pytest.raises(WinsqlError, match="the parameter :n has no value"):
            spark.sql(text.format(":size", ":n"), args={"size": "10 minutes"})
    finally:
        winsql.unregister(spark)


def test_plans_show_values_and_markers(spark: SparkSession) -> None:
    text = (
        "EXPLAIN WINDOW SELECT k, count(*) FROM params WINDOW ASSIGN TUMBLING(ts, ?) TRIGGER DELTA(v + ?, ?) GROUP BY k"
    )
    plan = winsql.sql(spark, text, ["10 minutes", 1, 2]).collect()[0][0]
    assert "TUMBLING(ts, INTERVAL 10 MINUTE)" in plan
    assert "DELTA(v + ?, 2)" in plan
    assert "windowed__p" not in plan
