"""Helpers of the Spark tests: one windowed statement, planned one way or the other, and its rows in comparable form."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from typing import TYPE_CHECKING

from winsql.spark.planning import Planned, plan_query
from winsql.spark.runner import Runner, relation_name
from winsql.syntax import parse_statement

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NOW = 1_750_000_000_000_000


def plan(spark: SparkSession, text: str, *, native: bool = True, faster: bool = False) -> Planned:
    """The plan of a statement with one windowed SELECT; without `native` one of the operator's, with `faster` where it
    is much faster."""
    from winsql.spark.aggregate_functions import AggregateNames

    query = parse_statement(text, AggregateNames(spark)).queries[0]
    return plan_query(query, Runner(spark), NOW, native=native, faster=faster)


def frame_of(spark: SparkSession, text: str, *, native: bool) -> DataFrame:
    """The statement's DataFrame, by Spark alone or by the operator; asserts that it is that."""
    planned = plan(spark, text, native=native)
    assert planned.plan.strategy.is_native == native, planned.plan
    statement = parse_statement(text)
    name = relation_name(0)
    relations = {} if planned.frame is None else {name: planned.frame}
    return Runner(spark, relations=relations).run(statement.replace({0: planned.relation(name)}))


def rows_of(frames: list[DataFrame]) -> list[Counter[str]]:
    """The rows of each DataFrame as text, all in one query."""
    from pyspark.sql import functions as F

    texts = [
        frame.select(F.lit(number).alias("number"), F.struct("*").cast("string").alias("row"))
        for number, frame in enumerate(frames)
    ]
    found: list[Counter[str]] = [Counter() for _ in frames]
    for number, row in reduce(lambda left, right: left.unionAll(right), texts).collect():
        found[number][row] += 1
    return found


def both_ways(spark: SparkSession, statements: list[str]) -> list[tuple[str, Counter[str], Counter[str]]]:
    """Each statement with its rows by Spark alone and by the operator."""
    frames = [frame_of(spark, text, native=native) for text in statements for native in (True, False)]
    found = rows_of(frames)
    return list(zip(statements, found[::2], found[1::2], strict=True))
