"""DataFrames of a few known rows: Spark has them in its plan and runs no job for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from winsql.spark.versions.arrow_types import arrow_schema

Rows = Sequence[Sequence[Any]]


def local_rows(spark: SparkSession, rows: Rows, ddl: str) -> DataFrame:
    """The rows as a DataFrame; instants know their zone. From a list, a classic session would make an RDD."""
    schema = StructType.fromDDL(ddl)
    assert isinstance(schema, StructType)
    fields = arrow_schema(schema)
    columns = [pa.array([row[number] for row in rows], field.type) for number, field in enumerate(fields)]
    return spark.createDataFrame(pa.Table.from_arrays(columns, schema=fields), schema=schema)
