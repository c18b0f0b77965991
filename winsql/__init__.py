"""winsql: Flink's window operators as clauses of Spark SQL.

    import winsql
    df = winsql.sql(spark, "SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k")

The names below are imported at first use (PEP 562), so that importing a part of winsql, as Spark's Python
workers do with `winsql.runtime`, loads neither PySpark nor the SQL parser.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from winsql.errors import (
        WindowDataError,
        WindowPlanError,
        WindowSpecError,
        WindowSyntaxError,
        WinsqlError,
    )
    from winsql.model.base import Decision, MergeContext, Operand, TriggerContext, Window
    from winsql.model.evictors import Evictor
    from winsql.model.policy import Kind, parameter
    from winsql.model.registry import (
        register_aggregate,
        register_apply_function,
        register_co_group_function,
        register_evictor,
        register_trigger,
    )
    from winsql.model.triggers import Trigger
    from winsql.picture.timeline import Timeline, timeline
    from winsql.spark.extension.register import register, unregister
    from winsql.spark.pipelines import pipeline_sql
    from winsql.spark.session import explain, metrics, rewrite, sql
    from winsql.spark.streaming.checkpoint import state
    from winsql.spark.streaming.metrics import stream_metrics
    from winsql.spark.tables.for_each_batch import for_each_batch

    __version__: str

__all__ = [
    "Decision",
    "Evictor",
    "Kind",
    "MergeContext",
    "Operand",
    "Timeline",
    "Trigger",
    "TriggerContext",
    "Window",
    "WindowDataError",
    "WindowPlanError",
    "WindowSpecError",
    "WindowSyntaxError",
    "WinsqlError",
    "__version__",
    "explain",
    "for_each_batch",
    "metrics",
    "parameter",
    "pipeline_sql",
    "register",
    "register_aggregate",
    "register_apply_function",
    "register_co_group_function",
    "register_evictor",
    "register_trigger",
    "rewrite",
    "sql",
    "state",
    "stream_metrics",
    "timeline",
    "unregister",
]

# public name -> module that defines it
_HOMES = {
    "Decision": "winsql.model.base",
    "Evictor": "winsql.model.evictors",
    "Kind": "winsql.model.policy",
    "MergeContext": "winsql.model.base",
    "Operand": "winsql.model.base",
    "Timeline": "winsql.picture.timeline",
    "Trigger": "winsql.model.triggers",
    "TriggerContext": "winsql.model.base",
    "Window": "winsql.model.base",
    "WindowDataError": "winsql.errors",
    "WindowPlanError": "winsql.errors",
    "WindowSpecError": "winsql.errors",
    "WindowSyntaxError": "winsql.errors",
    "WinsqlError": "winsql.errors",
    "explain": "winsql.spark.session",
    "for_each_batch": "winsql.spark.tables.for_each_batch",
    "load_ipython_extension": "winsql.shell.notebook.magic",
    "metrics": "winsql.spark.session",
    "parameter": "winsql.model.policy",
    "pipeline_sql": "winsql.spark.pipelines",
    "register": "winsql.spark.extension.register",
    "register_aggregate": "winsql.model.registry",
    "register_co_group_function": "winsql.model.registry",
    "register_evictor": "winsql.model.registry",
    "register_trigger": "winsql.model.registry",
    "register_apply_function": "winsql.model.registry",
    "rewrite": "winsql.spark.session",
    "sql": "winsql.spark.session",
    "state": "winsql.spark.streaming.checkpoint",
    "stream_metrics": "winsql.spark.streaming.metrics",
    "unregister": "winsql.spark.extension.register",
    "timeline": "winsql.picture.timeline",
    "unload_ipython_extension": "winsql.shell.notebook.magic",
}
_RENAMED = {"register_window_function": "register_apply_function"}
"""Names that code of users may still have: a window function is one with OVER."""


def __getattr__(name: str) -> Any:
    name = _RENAMED.get(name, name)
    home = _HOMES.get(name)
    if name == "__version__":
        value = _version()
    elif home is not None:
        value = getattr(import_module(home), name)
    else:
        raise AttributeError(f"module 'winsql' has no attribute {name!r}")
    globals()[name] = value
    return value


def _version() -> str:
    """Asked for only when it is wanted: in a worker the search of its archives takes longer than most imports."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("winsql")
    except PackageNotFoundError:  # a source tree that is on the path but not installed
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
