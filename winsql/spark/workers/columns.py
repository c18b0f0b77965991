"""Arrow columns as the operator's Python values and back; used in Spark's Python workers.

The operator computes with numbers: timestamps and day-time intervals are microseconds, dates are days. Everything
else is as Arrow converts it (Decimal, str, bytes, dict for STRUCT, list for ARRAY); a string that is not UTF-8 is a
RawText.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from winsql.runtime.arrays import present_in, to_numpy
from winsql.runtime.texts import arrow_of, python_of, with_parts


def values_of(array: pa.Array) -> list[Any]:
    """The values of a column, None for NULL."""
    kind = array.type
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        array = array.cast(pa.int32() if pa.types.is_date32(kind) else pa.int64())
    elif not _is_number(kind):
        return _nested_values(array)
    if array.null_count == 0:
        return list(to_numpy(array).tolist())
    values = to_numpy(array).astype(object)
    values[~present_in(array)] = None
    return list(values.tolist())


def array_of(values: Iterable[Any], kind: pa.DataType) -> pa.Array:
    """A column of the type from values as `values_of` gives them."""
    return arrow_of(list(values), kind)


def frozen(value: Any) -> Any:
    """The value of a key column as something hashable that compares by content; all NaN are one value."""
    if value != value:
        return math.nan
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    if isinstance(value, dict):
        return tuple((name, frozen(item)) for name, item in value.items())
    return value


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _nested_values(array: pa.Array) -> list[Any]:
    plain = with_parts(array.type, _plain)
    return python_of(array if plain == array.type else array.cast(plain))


def _plain(kind: pa.DataType) -> pa.DataType:
    """Integers for instants, dates and day-time intervals."""
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        return pa.int64()
    return pa.int32() if pa.types.is_date32(kind) else kind
