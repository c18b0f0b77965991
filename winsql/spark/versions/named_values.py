"""`spark.sql(text, name=value)`: PySpark has no public way to write the values into the text in any version so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pyspark.sql import DataFrame, SparkSession


@contextmanager
def with_named_values(
    spark: SparkSession, text: str, values: Mapping[str, Any], *, is_connect: bool
) -> Iterator[tuple[str, dict[str, DataFrame]]]:
    """The text with the values in it, and the DataFrames among these by their names in the text.

    On a classic session they are views of these names until the end.
    """
    module = "pyspark.sql.connect.sql_formatter" if is_connect else "pyspark.sql.sql_formatter"
    formatter = import_module(module).SQLStringFormatter(spark)
    try:
        yield formatter.format(text, **values), {name: frame for frame, name in formatter._temp_views}
    finally:
        formatter.clear()
