"""Limits of the batches that Python workers return: Spark takes one of two, and tells of both in its workers only."""

from __future__ import annotations

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError

_RECORDS = "spark.sql.execution.arrow.maxRecordsPerOutputBatch"
_BYTES = "spark.sql.execution.arrow.maxBytesPerOutputBatch"


def require_one_limit(spark: SparkSession) -> None:
    """Raises WindowPlanError where the session limits both the rows and the bytes of these batches."""
    records, most = (spark.conf.get(key, "-1") for key in (_RECORDS, _BYTES))
    if all(_is_limit(value) for value in (records, most)):
        raise WindowPlanError(
            f"the session has {_RECORDS} = {records} and {_BYTES} = {most}",
            rule="Spark limits the batches that Python workers return by one of them, and these windows are in workers",
            hint=f"RESET {_BYTES}",
        )


def _is_limit(value: str | None) -> bool:
    """Spark gives sizes as they were written, such as `1m`."""
    return value is not None and not value.strip().startswith("-") and value.strip() != "0"
