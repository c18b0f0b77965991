"""Arrow types of Spark's types. Unnecessary when PySpark has a public function for them.

Until 4.2 the functions took `timestamp_utc` for the time zone of instants; the default was UTC.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql.pandas.types import to_arrow_schema, to_arrow_type
from pyspark.sql.types import ArrayType, DataType, MapType, NullType, StructField, StructType

from winsql.spark.versions.number import Version, client_version

_UTC: dict[str, Any] = {"timezone": "UTC"} if client_version() >= Version(4, 2) else {}


def arrow_type(data_type: DataType) -> pa.DataType | None:
    """The type as Spark hands it to Python, instants in UTC; None where Arrow has none."""
    try:
        return to_arrow_type(with_null_items(data_type), **_UTC)
    except (PySparkException, ValueError):  # pyarrow's own error is for the keys of MAP<VOID, VOID>
        return None


def arrow_schema(schema: StructType) -> pa.Schema:
    """The schema as Spark hands it to Python, instants in UTC; raises PySparkException where Arrow has no such type."""
    return to_arrow_schema(with_null_items(schema), **_UTC)


def with_null_items(data_type: DataType) -> Any:
    """The type with VOID items that may be NULL: they have no other value, but of `array()` Spark says they may not."""
    if isinstance(data_type, ArrayType):
        is_void = isinstance(data_type.elementType, NullType)
        return ArrayType(with_null_items(data_type.elementType), data_type.containsNull or is_void)
    if isinstance(data_type, MapType):
        is_void = isinstance(data_type.valueType, NullType)
        key, value = with_null_items(data_type.keyType), with_null_items(data_type.valueType)
        return MapType(key, value, data_type.valueContainsNull or is_void)
    if isinstance(data_type, StructType):
        return StructType([_with_null_items(field) for field in data_type.fields])
    return data_type


def _with_null_items(field: StructField) -> StructField:
    is_void = isinstance(field.dataType, NullType)
    return StructField(field.name, with_null_items(field.dataType), field.nullable or is_void, field.metadata)
