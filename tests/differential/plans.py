"""The plans that a query can run on, and what each gives for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from differential.record import Query, Result, Session
from differential.spelling import quoted
from differential.text import LOOKUP_TABLE, ONE_TABLE, table_sql, text_of
from differential.values import BINARY, DOUBLE, TIMESTAMP, Type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Plan(Enum):
    """How a query over tables runs."""

    CHOSEN = "the plan that winsql chooses"
    OPERATOR = "winsql's operator, on columns where it can"
    PER_ROW = "winsql's operator, row by row"


@contextmanager
def planned(plan: Plan) -> Iterator[None]:
    """All queries that are planned meanwhile run so."""
    from winsql.spark import batch, planned_statement
    from winsql.spark.planning import plan_query

    with ExitStack() as stack:
        if plan is not Plan.CHOSEN:

            def operator_only(*given: Any, native: bool = False, faster: bool = False) -> Any:
                return plan_query(*given, native=False)

            stack.enter_context(patch.object(planned_statement, "plan_query", operator_only))
        if plan is Plan.PER_ROW:
            per_row = partial(batch.run_partition, columnar=False)
            packs = partial(batch.run_packs, columnar=False)
            stack.enter_context(patch.object(batch, "_keys_compare_as_arrow", lambda projection: not projection.keys))
            stack.enter_context(patch.object(batch, "run_packs", packs))
            stack.enter_context(patch.object(batch, "run_partition", per_row))
        yield


def make_tables(spark: SparkSession, tables: Any) -> None:
    for name, text in (("one", ONE_TABLE), ("lookup", LOOKUP_TABLE)):
        spark.sql(text).createOrReplaceTempView(name)
    for table in tables:
        spark.sql(table_sql(table)).createOrReplaceTempView(quoted(table.name))


def run(spark: SparkSession, query: Query, session: Session) -> Result:
    """What the query gives; the session has its settings and tables."""
    import winsql

    *before, text = text_of(query, session)
    for statement in before:
        winsql.sql(spark, statement)
    return result_of(winsql.sql(spark, text))


def result_of(frame: DataFrame) -> Result:
    rows = [tuple(row) for row in comparable(frame).collect()]
    types = tuple(Type(field.dataType.simpleString()) for field in frame.schema.fields)
    return Result(tuple(frame.columns), types, [read_texts(types, row) for row in rows])


def comparable(frame: DataFrame) -> DataFrame:
    """Each column as text."""
    from pyspark.sql import functions as F

    numbered = frame.toDF(*(f"c{n}" for n in range(len(frame.columns))))
    texts: dict[str, Callable[[Any], Any]] = {TIMESTAMP.name: F.unix_micros, BINARY.name: F.hex}
    columns = [
        texts.get(field.dataType.simpleString(), lambda column: column)(F.col(field.name)).cast("string")
        for field in numbered.schema.fields
    ]
    return numbered.select(*columns)


def read_texts(types: tuple[Type, ...], row: tuple[Any, ...]) -> tuple[str | None, ...]:
    """Spark's DOUBLE as text is not always the shortest."""
    pairs = zip(types, row, strict=True)
    return tuple(repr(float(held)) if kind == DOUBLE and held is not None else held for kind, held in pairs)
