"""Joins of every type over the recorded firings of real Flink, with the FROM body of operator plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from case import read_cases

from winsql.errors import Span
from winsql.model.joins import JoinType
from winsql.model.query import JoinSide, WindowJoin
from winsql.planner.join_sql import operator_join_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).resolve().parent

Rows = list[tuple[Any, Any]]
Match = Callable[[Any, Any], bool]
ROW = "ARRAY<STRUCT<key: STRING, v: DOUBLE>>"
CONDITIONS: dict[str, Match] = {
    "x.key = y.key": lambda left, right: True,
    "x.key = y.key AND x.v < y.v": lambda left, right: left < right,
    "x.key = y.key AND nullif(x.v, 2) + y.v > 5": lambda left, right: left != 2 and left + right > 5,
}


@pytest.fixture(scope="module")
def firings(spark: SparkSession) -> list[tuple[str, str, list[float], list[float], Any]]:
    """Every firing of a case over two inputs: its name, the type of the join, both lists, and Flink's pairs if any."""
    found = []
    for folder in ("cases", "batch_cases"):
        for case in read_cases(HERE / folder):
            main = case.json["expected"]["main"] if case.join is not None else []
            found += [(f"{folder}/{case.name}#{n}", case.join, row) for n, row in enumerate(main)]
    table = [
        (name, *([(row["key"], value) for value in row[side]] for side in ("left", "right"))) for name, _, row in found
    ]
    schema = f"name STRING, windowed__left {ROW}, windowed__right {ROW}"
    spark.createDataFrame(table, schema).createOrReplaceTempView("recorded_firings")
    return [(name, join, row["left"], row["right"], row.get("pairs")) for name, join, row in found]


def joined(left: list[float], right: list[float], how: JoinType, match: Match) -> Rows:
    """The joined rows of one firing, said as plainly as possible."""
    pairs: Rows = [(x, y) for x in left for y in right if match(x, y)]
    left_only = [(x, None) for x in left if not any(match(x, y) for y in right)]
    right_only = [(None, y) for y in right if not any(match(x, y) for x in left)]
    if how is JoinType.SEMI:
        return [(x, None) for x in left if any(match(x, y) for y in right)]
    outer = {
        JoinType.INNER: [],
        JoinType.LEFT: left_only,
        JoinType.RIGHT: right_only,
        JoinType.FULL: left_only + right_only,
    }
    return left_only if how is JoinType.ANTI else pairs + outer[how]


@pytest.mark.parametrize("how", JoinType, ids=lambda how: how.name.lower())
def test_pairs_of_recorded_firings(spark: SparkSession, firings: list[Any], how: JoinType) -> None:
    queries = []
    right_value = "NULL" if how in (JoinType.SEMI, JoinType.ANTI) else "y.v"
    for number, condition in enumerate(CONDITIONS):
        sides = (JoinSide("-", name, None, Span(0, 1)) for name in ("x", "y"))
        join = WindowJoin(*sides, how, (), condition, Span(0, 1))
        body = operator_join_sql(join, "recorded_firings")
        queries.append(f"SELECT {number} AS n, name, x.v AS l, {right_value} AS r FROM {body}")
    found = Counter(tuple(row) for row in spark.sql(" UNION ALL ".join(queries)).collect())
    wanted: Counter[Any] = Counter()
    for name, _, left, right, _ in firings:
        for number, match in enumerate(CONDITIONS.values()):
            wanted.update((number, name, *pair) for pair in joined(left, right, how, match))
    assert found == wanted
    assert len(wanted) > 50


def test_flinks_pairs_are_joins_of_its_lists(firings: list[Any]) -> None:
    """The plain joins above agree with what Flink emitted."""
    checked = 0
    for name, join, left, right, pairs in firings:
        if pairs is not None:
            own = joined(left, right, JoinType[join.upper()], CONDITIONS["x.key = y.key"])
            assert Counter(map(tuple, pairs)) == Counter(own), name
            checked += 1
    assert checked > 50
