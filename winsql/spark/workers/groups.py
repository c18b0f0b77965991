"""What a worker does with the rows of one group: the function of `groupBy(...).applyInArrow`."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

__all__ = ["on_group"]


def on_group(function: Callable[[pa.Table], pa.Table]) -> Callable[[pa.Table], pa.Table]:
    """The function in the form that Spark needs: a plain function with types for its argument and result."""

    def of_group(rows: pa.Table) -> pa.Table:
        return function(rows)

    return of_group
