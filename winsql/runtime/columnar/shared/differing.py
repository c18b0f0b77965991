"""Which values of two columns differ, as keys do: NULL equals NULL and NaN equals NaN."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from winsql.runtime.arrays import present_in, to_numpy
from winsql.runtime.texts import python_of

__all__ = ["differs"]


def differs(left: pa.Array, right: pa.Array) -> npt.NDArray[np.bool_]:
    """Side by side, for two columns of one type and length."""
    if pa.types.is_null(left.type):
        return np.zeros(len(left), dtype=bool)
    if pa.types.is_nested(left.type):
        return np.array([x != y for x, y in zip(python_of(left), python_of(right), strict=True)], dtype=bool)
    found = to_numpy(pc.not_equal(left, right), False)
    if pa.types.is_floating(left.type):
        found &= ~to_numpy(pc.and_(pc.is_nan(left), pc.is_nan(right)), False)
    if left.null_count or right.null_count:
        found |= present_in(left) != present_in(right)
    return found
