"""winsql.pipeline_sql: windowed queries in the query functions of Spark Declarative Pipelines.

    @dp.materialized_view
    def peaks():
        return winsql.pipeline_sql(
            "SELECT meter, max(value) AS peak FROM readings WINDOW ASSIGN COUNT(2, time => ts) GROUP BY meter",
            readings="meter STRING, ts TIMESTAMP, value INT",
        )

The plan of a windowed query depends on the types of columns, and datasets of the pipeline do not exist yet when queries
are defined. So the user gives their columns, and views without rows take their place during planning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from winsql.errors import WindowPlanError
from winsql.spark.planned_statement import parse
from winsql.spark.session import run
from winsql.spark.versions.pipeline_context import make_view, outside_of_pipeline, without_plan_cache
from winsql.syntax import Statement, StatementKind
from winsql.syntax.expressions.items import quoted

Columns = str | StructType


def pipeline_sql(text: str, **columns: Columns) -> DataFrame:
    """The query that a query function of a pipeline returns. It starts nothing and reads no row.

    text      a query; one without window clauses is Spark's own
    columns   by name, the columns of each dataset of the pipeline that the query reads: as in CREATE TABLE, or as a
              StructType. Tables from outside of the pipeline need none

    Raises WindowPlanError for a statement that is no query, and for windows over a stream of one of the datasets.
    """
    spark = SparkSession.active()
    with outside_of_pipeline(spark):
        statement = parse(spark, text, None)
        if not statement.is_plain:
            _require_query(statement)
            _require_no_stream(statement, columns)
            with without_plan_cache(spark), _stand_ins(spark, columns), _told_of_columns():
                return run(spark, statement)
    return spark.sql(text)


def _require_query(statement: Statement) -> None:
    if statement.stream is not None or statement.target.kind is not StatementKind.QUERY:
        raise WindowPlanError(
            "this statement is no query",
            rule="a dataset of a pipeline is what a query returns, and the pipeline writes it",
            hint="give the SELECT alone; the decorator of the function makes the table",
        )


def _require_no_stream(statement: Statement, columns: Mapping[str, Columns]) -> None:
    names = {name.lower(): name for name in columns}
    for relation in statement.stream_relations():
        name = names.get(relation.core.strip("`").lower())
        if relation.is_table and name is not None:
            raise WindowPlanError(
                f"windows cannot run over the stream of {name}, a dataset of this pipeline",
                rule="Spark looks at the input of a stateful operator when the query is defined; it is not there yet",
                hint=f"read the stream that {name} reads, from a table outside of the pipeline; "
                "or make this a materialized view",
            )


@contextmanager
def _told_of_columns() -> Iterator[None]:
    try:
        yield
    except AnalysisException as error:
        if error.getCondition() != "TABLE_OR_VIEW_NOT_FOUND":
            raise
        name = (error.getMessageParameters() or {}).get("relationName", "").replace("`", "")
        given = f"{name.rpartition('.')[2]}='...'"
        hint = f"of a dataset of this pipeline, give the columns: winsql.pipeline_sql(text, {given})"
        if "." in name:
            hint += (
                ", and write its name without the schema; of another schema, make it a temporary view of the pipeline"
            )
        raise WindowPlanError(
            f"there is no table {name}",
            rule="windows are planned with the types of columns, and a dataset of this pipeline does not exist yet",
            hint=hint,
        ) from None


@contextmanager
def _stand_ins(spark: SparkSession, columns: Mapping[str, Columns]) -> Iterator[None]:
    """Views of these names for the time of planning. A query that reads one later fails, instead of finding no rows."""
    made = []
    try:
        for name, given in columns.items():
            schema: Any = given if isinstance(given, StructType) else StructType.fromDDL(given)
            fail = F.raise_error(F.lit(f"{name} is not there"))
            make_view(spark.range(1).select(*(fail.cast(f.dataType).alias(f.name) for f in schema.fields)), name)
            made.append(name)
        yield
    finally:
        for name in made:
            spark.sql(f"DROP VIEW {quoted(name)}")
