"""Modules that workers need not find: PySpark's own copy of cloudpickle sends what they define, in all versions."""

from __future__ import annotations

from types import ModuleType

from pyspark import cloudpickle

__all__ = ["send_by_value"]


def send_by_value(module: ModuleType) -> None:
    """Have functions and classes of a module travel whole, not by name."""
    cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
