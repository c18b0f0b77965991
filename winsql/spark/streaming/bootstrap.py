"""Makes winsql importable where Spark unpickles the stateful processor.

Executors have winsql's code from the session (`winsql.spark.shipping`). But Spark first asks the processor for its
state variables in a Python process on the driver's machine, which has neither the session's code nor always the
driver's path. The functions here travel by value, so that this process can run them before it looks for winsql.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from winsql.spark.versions.by_value import send_by_value

__all__ = ["bootstrapped"]


def bootstrapped(build: type[Any], *arguments: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """What `__reduce__` returns for an object that `build(*arguments)` makes again."""
    send_by_value(sys.modules[__name__])
    return _built, (_Path(str(Path(__file__).parents[3])), build, *arguments)


class _Path:
    """Unpickled before what comes after it."""

    def __init__(self, root: str) -> None:
        self.root = root

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _make_importable, (self.root,)


def _make_importable(root: str) -> None:
    import importlib.util
    import sys

    if importlib.util.find_spec("winsql") is None:
        sys.path.append(root)


def _built(_: None, build: Any, *arguments: Any) -> Any:
    return build(*arguments)
