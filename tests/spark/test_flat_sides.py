"""Which columns the inputs of a join on a stream share: state is laid out by it, so it must not change by chance."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, IntegerType, LongType, StructField, StructType

from winsql.model.query import JOIN_LEFT, JOIN_RIGHT, JOIN_SIDE
from winsql.spark.streaming.flat_sides import with_shared_columns
from winsql.spark.versions.arrow_types import arrow_schema


@pytest.mark.spark
@pytest.mark.parametrize("has_nulls", [True, False])
def test_what_may_be_null_inside_a_column_moves_none(spark: SparkSession, has_nulls: bool) -> None:
    left = StructType([StructField("many", ArrayType(IntegerType(), True)), StructField("n", LongType())])
    right = StructType([StructField("many", ArrayType(IntegerType(), has_nulls)), StructField("m", LongType())])
    fields = [(JOIN_SIDE, IntegerType()), (JOIN_LEFT, left), (JOIN_RIGHT, right), ("all", IntegerType())]
    rows = spark.createDataFrame([], StructType([StructField(*field) for field in fields]))
    shared, schema, sides = with_shared_columns(rows, arrow_schema(rows.schema))
    assert sides is not None
    assert sides.places == ((0, 1), (2, 1))
    assert shared.columns == schema.names == [JOIN_SIDE, *sides.names(), "all"]
    assert [pa.types.is_list(kind) for kind in schema.types] == [False, True, False, True, False]
