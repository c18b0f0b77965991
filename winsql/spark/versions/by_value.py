"""Modules that workers need not import: PySpark's own copy of cloudpickle pickles them by value, in all versions."""

from __future__ import annotations

from types import ModuleType

from pyspark import cloudpickle


def send_by_value(module: ModuleType) -> None:
    """Pickle functions and classes of a module by value, not by name."""
    cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
