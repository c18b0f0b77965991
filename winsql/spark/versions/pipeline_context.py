"""What PySpark's client has no public way to in the definitions of a declarative pipeline: to look at a relation.

They must not analyse anything, as the tables of their pipeline need not exist yet. Spark knows their requests by a mark
of the client's, and methods of DataFrames that make views are closed while it reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # `supported` is for environments without PySpark, too
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["in_pipeline", "make_view", "outside_of_pipeline", "without_plan_cache"]

_MARKS = "user_context_extensions"
_OF_PIPELINES = "spark.connect.PipelineAnalysisContext"


def in_pipeline(spark: Any) -> bool:
    """Whether requests of a session are those of a pipeline's definitions, which are of Spark Connect."""
    if not type(spark).__module__.startswith("pyspark.sql.connect."):
        return False
    local = getattr(getattr(spark, "client", None), "thread_local", None)
    return any(_is_of_pipeline(mark) for mark in getattr(local, _MARKS, ()))


@contextmanager
def outside_of_pipeline(spark: SparkSession) -> Iterator[None]:
    """Meanwhile the session's requests are none of a pipeline."""
    local = spark.client.thread_local
    before = list(getattr(local, _MARKS, ()))
    setattr(local, _MARKS, [mark for mark in before if not _is_of_pipeline(mark)])
    try:
        yield
    finally:
        setattr(local, _MARKS, before)


def _is_of_pipeline(mark: tuple[str, Any]) -> bool:
    _, extension = mark
    return bool(extension.TypeName() == _OF_PIPELINES)


@contextmanager
def without_plan_cache(spark: SparkSession) -> Iterator[None]:
    """Meanwhile the server forgets what it has found names to be: it would go on to read what they were here."""
    before = spark.conf.get(_PLAN_CACHE, None)
    spark.sql(f"SET {_PLAN_CACHE}=false")  # spark.conf.set is closed
    try:
        yield
    finally:
        spark.sql(f"RESET {_PLAN_CACHE}" if before is None else f"SET {_PLAN_CACHE}={before}")


_PLAN_CACHE = "spark.connect.session.planCache.enabled"


def make_view(frame: DataFrame, name: str) -> None:
    """A temporary view, which DataFrames make no more while definitions are read; `name` is free."""
    from pyspark.sql.connect.plan import CreateView

    client: Any = frame.sparkSession.client
    plan: Any = frame._plan
    view = CreateView(child=plan, name=name, is_global=False, replace=False)
    client.execute_command(view.command(session=client))
