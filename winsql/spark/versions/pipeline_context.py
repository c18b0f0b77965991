"""Looking at a relation in the definitions of a declarative pipeline, to which PySpark's client has no public way.

Definitions must not analyse anything, as the tables of their pipeline need not exist yet. Spark knows their requests by
a mark of the client, and methods of DataFrames that make views are closed while it reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # `supported` is for environments without PySpark, too
    from pyspark.sql import DataFrame, SparkSession

_MARKS = "user_context_extensions"
_OF_PIPELINES = "spark.connect.PipelineAnalysisContext"


def in_pipeline(spark: Any) -> bool:
    """Whether a session's requests come from definitions of a pipeline, which are on Spark Connect."""
    if not type(spark).__module__.startswith("pyspark.sql.connect."):
        return False
    local = getattr(getattr(spark, "client", None), "thread_local", None)
    return any(_is_of_pipeline(mark) for mark in getattr(local, _MARKS, ()))


@contextmanager
def outside_of_pipeline(spark: SparkSession) -> Iterator[None]:
    """The session's requests do not count as those of a pipeline meanwhile."""
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
    """The server does not cache the relations of names meanwhile: later it would read what they were here."""
    before = spark.conf.get(_PLAN_CACHE, None)
    spark.sql(f"SET {_PLAN_CACHE}=false")  # spark.conf.set is closed
    try:
        yield
    finally:
        spark.sql(f"RESET {_PLAN_CACHE}" if before is None else f"SET {_PLAN_CACHE}={before}")


_PLAN_CACHE = "spark.connect.session.planCache.enabled"


def make_view(frame: DataFrame, name: str) -> None:
    """Make a temporary view, which DataFrames cannot while definitions are read; `name` is not in use."""
    from pyspark.sql.connect.plan import CreateView

    client: Any = frame.sparkSession.client
    plan: Any = frame._plan
    view = CreateView(child=plan, name=name, is_global=False, replace=False)
    client.execute_command(view.command(session=client))
