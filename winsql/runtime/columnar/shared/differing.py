"""Which values of two columns differ, as keys do: NULL equals NULL and NaN equals NaN."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["differs"]


def differs(left: pa.Array, right: pa.Array) -> npt.NDArray[np.bool_]:
    """Side by side, for two columns of one type and length."""
    if pa.types.is_null(left.type):
        return np.zeros(len(left), dtype=bool)
    if pa.types.is_nested(left.type):
        return np.array([x != y for x, y in zip(left.to_pylist(), right.to_pylist(), strict=True)], dtype=bool)
    found = pc.fill_null(pc.not_equal(left, right), False)
    if pa.types.is_floating(left.type):
        found = pc.and_not(found, pc.fill_null(pc.and_(pc.is_nan(left), pc.is_nan(right)), False))
    if left.null_count or right.null_count:
        found = pc.or_(found, pc.not_equal(left.is_null(), right.is_null()))
    return np.asarray(found.to_numpy(zero_copy_only=False))
