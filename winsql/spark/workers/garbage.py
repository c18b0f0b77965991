"""Keeps Python's garbage collector from walking through what a worker has loaded, again and again.

Spark collects garbage after each task of a worker (`pyspark/daemon.py`). With pandas and pyarrow loaded that takes
50 ms of CPU, and a micro-batch has several such tasks: it would cost more than the rows of a small one.
"""

from __future__ import annotations

import gc


def spare_loaded() -> None:
    """Exempt what is loaded from collection, in a worker's first tasks; elsewhere nothing happens.

    Modules stay for the life of a process in any case, and the first tasks load some more. Later objects are collected
    as always.
    """
    from pyspark import TaskContext

    if len(_tasks) < _FIRST and TaskContext.get() is not None:
        _tasks.append(gc.collect())
        gc.freeze()


_FIRST = 3
_tasks: list[int] = []
