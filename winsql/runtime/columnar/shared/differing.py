"""Which values of two columns differ, as keys do: NULL equals NULL and NaN equals NaN."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from winsql.runtime.arrays import present_in, to_arrow, to_numpy

_Bools = npt.NDArray[np.bool_]


def differs(left: pa.Array, right: pa.Array) -> _Bools:
    """Side by side, for two columns of one type and length."""
    if pa.types.is_null(left.type):
        return np.zeros(len(left), dtype=bool)
    found = _COMPARED.get(left.type.id, _plain)(left, right)
    if left.null_count or right.null_count:
        is_left, is_right = present_in(left), present_in(right)
        found = np.where(is_left & is_right, found, is_left != is_right)
    return found


def _plain(left: pa.Array, right: pa.Array) -> _Bools:
    found: _Bools = to_numpy(pc.not_equal(left, right), False)
    if pa.types.is_floating(left.type):
        found &= ~to_numpy(pc.and_(pc.is_nan(left), pc.is_nan(right)), False)
    return found


def _structs(left: pa.Array, right: pa.Array) -> _Bools:
    found = np.zeros(len(left), dtype=bool)
    for number in range(left.type.num_fields):
        found |= differs(left.field(number), right.field(number))
    return found


def _lists(left: pa.Array, right: pa.Array) -> _Bools:
    """By their lengths, and where these are equal by their items."""
    lengths = [to_numpy(pc.list_value_length(side)) for side in (left, right)]
    found: _Bools = lengths[0] != lengths[1]
    rows = np.flatnonzero(~found)
    items = [side.take(to_arrow(rows)).flatten() for side in (left, right)]
    found[np.repeat(rows, lengths[0][rows])[differs(*items)]] = True
    return found


_COMPARED = {
    pa.struct([]).id: _structs,
    pa.list_(pa.null()).id: _lists,
    pa.large_list(pa.null()).id: _lists,
}
