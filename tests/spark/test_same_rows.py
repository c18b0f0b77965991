"""Rows with maps and variants are compared as those without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from winsql.spark.tables.same_rows import has_rows, rows_beside

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SAME = [
    ("1", "1"),
    ("map('a', 1, 'b', NULL)", "map('b', NULL, 'a', 1)"),
    ("map('a', map(1, 2, 3, 4))", "map('a', map(3, 4, 1, 2))"),
    (
        "map(struct(2, 'x'), array(0.0D), struct(1, NULL), NULL)",
        "map(struct(1, NULL), NULL, struct(2, 'x'), array(0.0D))",
    ),
    ("array(map('a', 1, 'b', 2), NULL)", "array(map('b', 2, 'a', 1), NULL)"),
    ("named_struct('a`b', map('a', 1, 'b', 2))", "named_struct('a`b', map('b', 2, 'a', 1))"),
    ("map('a', parse_json('{\"x\": 1, \"y\": null}'))", "map('a', parse_json('{\"y\": null, \"x\": 1}'))"),
    ("parse_json('null')", "parse_json('null')"),
]
OTHER = [
    ("map('a', 1, 'b', 2)", "map('a', 1, 'b', 3)"),
    ("map('a', 1, 'b', 2)", "map('a', 1)"),
    ("map('a', 1)", "CAST(NULL AS MAP<STRING, INT>)"),
    ("array(map('a', 1))", "array(map('b', 1))"),
    ("named_struct('a', map('a', 1))", "CAST(NULL AS STRUCT<a: MAP<STRING, INT>>)"),
    ("named_struct('a', CAST(NULL AS MAP<STRING, INT>))", "CAST(NULL AS STRUCT<a: MAP<STRING, INT>>)"),
    ("map('a', map(1, 2))", "map('a', map(1, 3))"),
    ("parse_json('{\"x\": 1}')", "parse_json('{\"x\": 2}')"),
    ("parse_json('null')", "CAST(NULL AS VARIANT)"),
]


@pytest.mark.parametrize(
    ("one", "other", "expected"), [(*pair, True) for pair in SAME] + [(*pair, False) for pair in OTHER]
)
def test_same_rows(spark: SparkSession, one: str, other: str, expected: bool) -> None:
    first, second = (spark.sql(f"SELECT {value} AS `the ``value`") for value in (one, other))
    assert has_rows(first, second, first.schema) is expected
    assert has_rows(first.union(first), first, first.schema) is True
    assert has_rows(first, first.union(first), first.schema) is False


def test_rows_beside_others(spark: SparkSession) -> None:
    many, some = spark.sql("SELECT explode(array(1, 1, 2, NULL)) AS v"), spark.sql("SELECT 1 AS v")
    beside = rows_beside(many, some, many.schema)
    assert beside is not None
    assert sorted(str(row.v) for row in beside.collect()) == ["1", "2", "None"]
    maps = spark.sql("SELECT array(map('a', 1)) AS v")
    assert rows_beside(maps, maps, maps.schema) is None
