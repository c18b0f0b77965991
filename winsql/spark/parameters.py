"""The parameters of a statement as the syntax layer reads them: Spark tells the value of a Column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pyspark.sql import Column, SparkSession
from pyspark.sql.types import CalendarIntervalType, YearMonthIntervalType

from winsql.model.parameters import Parameters

Arguments = Mapping[str, Any] | Sequence[Any] | None
"""Parameters as for `spark.sql`: by name, by position, or none."""


def parameters_of(spark: SparkSession, args: Arguments) -> Parameters:
    """The parameters; a Column, which is a literal to `spark.sql`, is asked of Spark when its value is needed."""
    return Parameters(args, partial(_literal, spark))


def _literal(spark: SparkSession, value: Any) -> Any:
    if not isinstance(value, Column):
        return value
    known = spark.sql("SELECT :value AS value", args={"value": value})
    if isinstance(known.schema[0].dataType, _NONE_IN_PYTHON):
        known = spark.sql("SELECT CAST(:value AS STRING) AS value", args={"value": value})
    return known.collect()[0][0]


_NONE_IN_PYTHON = (CalendarIntervalType, YearMonthIntervalType)
"""Types whose values PySpark cannot collect; their texts are those of intervals."""
