"""Keeps Python's garbage collector from walking through what a worker has loaded, again and again.

Spark collects garbage after each task of a worker (`pyspark/daemon.py`). With pandas and pyarrow loaded that takes
50 ms of CPU, and a micro-batch has several such tasks: it would cost more than the rows of a small one.
"""

from __future__ import annotations

import gc

__all__ = ["spare_loaded"]


def spare_loaded() -> None:
    """Take what is loaded out of the collector's sight, once for each worker process; elsewhere it does nothing.

    Modules stay for the life of a process in any case. What comes later is collected as always.
    """
    from pyspark import TaskContext

    if gc.get_freeze_count() == 0 and TaskContext.get() is not None:
        gc.collect()
        gc.freeze()
