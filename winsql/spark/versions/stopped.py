"""Whether a session has been stopped, which a classic one has no public way to ask."""

from __future__ import annotations

from typing import Any


def is_stopped(spark: Any) -> bool:
    """A classic session ends with its SparkContext, one of Spark Connect by itself."""
    context = getattr(spark, "sparkContext", None)  # Spark Connect has none
    if context is not None:
        return context._jsc is None
    return bool(getattr(spark, "is_stopped", False))
