"""Arrow types of Spark's types. Unnecessary when PySpark says them in public.

Until 4.2 the functions took `timestamp_utc` for the time zone of instants, and had UTC when nothing was said.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql.pandas.types import to_arrow_schema, to_arrow_type
from pyspark.sql.types import DataType, StructType

from winsql.spark.versions.number import Version, client_version

__all__ = ["arrow_schema", "arrow_type"]

_UTC: dict[str, Any] = {"timezone": "UTC"} if client_version() >= Version(4, 2) else {}


def arrow_type(data_type: DataType) -> pa.DataType | None:
    """The type as Spark hands it to Python, instants in UTC; None where Arrow has none."""
    try:
        return to_arrow_type(data_type, **_UTC)
    except PySparkException:
        return None


def arrow_schema(schema: StructType) -> pa.Schema:
    """The schema as Spark hands it to Python, instants in UTC; raises PySparkException where Arrow has no such type."""
    return to_arrow_schema(schema, **_UTC)
