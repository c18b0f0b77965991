"""Values in pandas as Spark's own pandas functions have them, and back: instants are local times without zone, and maps
are dicts, at any depth."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa


def series_of(column: pa.Array, zone: str) -> Any:
    """A column as a pandas Series, its instants as local times of the zone."""
    if pa.types.is_nested(column.type) and _holds(column.type, _FROM_ARROW):
        return pd.Series(_values(column, zone), dtype=object)
    series = column.to_pandas(date_as_object=True)
    if pa.types.is_timestamp(column.type) and column.type.tz:
        series = series.dt.tz_convert(zone).dt.tz_localize(None)
    return series


def value_of(value: pa.Scalar, zone: str) -> Any:
    """One value, its instants as local times of the zone."""
    if not _holds(value.type, _FROM_ARROW):
        return value.as_py()
    (known,) = _values(pa.repeat(value, 1), zone)
    return known


def local_time(micros: int, kind: pa.DataType, zone: str) -> Any:
    """A time of a timestamp type, as a local time of the zone when it is an instant."""
    timestamp = pd.Timestamp(micros, unit="us")
    return timestamp if kind.tz is None else timestamp.tz_localize("UTC").tz_convert(zone).tz_localize(None)


def column_of(values: Any, kind: pa.DataType, zone: str) -> pa.Array:
    """A Series as a column of the type; local times become instants. Raises an Arrow error, ArithmeticError, ValueError
    or TypeError."""
    if values.dtype == object and _holds(kind, _TO_ARROW):
        return pa.array([_plain(value, kind, zone) for value in values], type=kind, from_pandas=True)
    if pa.types.is_timestamp(kind) and kind.tz and getattr(values.dtype, "tz", None) is None:
        values = pd.to_datetime(values).dt.tz_localize(zone, **_AT_CHANGES)
    return pa.Array.from_pandas(values, type=kind, safe=True)


_AT_CHANGES: dict[str, Any] = {"ambiguous": False, "nonexistent": "shift_forward"}
"""Which instants local times are when clocks change."""


def _holds(kind: pa.DataType, forms: tuple[Callable[[pa.DataType], bool], ...]) -> bool:
    """Whether the type is, or has at any depth, a type of one of these forms."""
    if any(is_form(kind) for is_form in forms):
        return True
    if pa.types.is_struct(kind):
        return any(_holds(field.type, forms) for field in kind)
    return bool(pa.types.is_list(kind)) and _holds(kind.value_type, forms)


_FROM_ARROW = (pa.types.is_timestamp, pa.types.is_map)
"""What pandas functions get in another form than pyarrow gives it."""
_TO_ARROW = (*_FROM_ARROW, pa.types.is_struct)
"""What pyarrow does not take in all the forms that pandas functions return: a struct may be a Row or another tuple."""


def _values(column: pa.Array, zone: str) -> list[Any]:
    """The values of a column, None for NULL."""
    kind = column.type
    present = column.is_valid().to_pylist()
    if pa.types.is_timestamp(kind):
        found: Any = [local_time(micros, kind, zone) for micros in column.cast(pa.int64()).fill_null(0).to_pylist()]
    elif not pa.types.is_nested(kind) or not _holds(kind, _FROM_ARROW):
        found = column.to_pandas(date_as_object=True, integer_object_nulls=True).astype(object)
    elif pa.types.is_struct(kind):
        names = [field.name for field in kind]
        fields = [_values(child, zone) for child in column.flatten()]
        found = [dict(zip(names, row, strict=True)) for row in zip(*fields, strict=True)]
    elif pa.types.is_map(kind):
        found = [dict(zip(*pair, strict=True)) for pair in zip(*_parts(column, zone), strict=True)]
    else:
        (lists,) = _parts(column, zone)
        missing = pd.NaT if pa.types.is_timestamp(kind.value_type) else None
        found = [_objects([missing if item is None else item for item in items]) for items in lists]
    return [value if exists else None for value, exists in zip(found, present, strict=True)]


def _parts(column: pa.Array, zone: str) -> list[list[list[Any]]]:
    """The lists of items of an array column; of a map column those of its keys and of its values."""
    offsets = column.offsets.to_pylist()
    first, last = offsets[0], offsets[-1]
    children = (column.keys, column.items) if pa.types.is_map(column.type) else (column.values,)
    flat = [_values(child.slice(first, last - first), zone) for child in children]
    bounds = list(pairwise(offsets))
    return [[items[start - first : end - first] for start, end in bounds] for items in flat]


def _objects(items: list[Any]) -> Any:
    """An array of one dimension, whatever its items are."""
    array = np.empty(len(items), dtype=object)
    for place, item in enumerate(items):  # an assignment of all would spread those that are arrays
        array[place] = item
    return array


def _plain(value: Any, kind: pa.DataType, zone: str) -> Any:
    """A value of pandas as pyarrow takes it for the type: times as microseconds, for pyarrow misreads those that do not
    fit nanoseconds; maps as pairs; structs as dicts."""
    if not _holds(kind, _TO_ARROW) or value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return None if value is pd.NA else value
    if pa.types.is_timestamp(kind):
        return _micros(value, kind, zone)
    if pa.types.is_struct(kind):
        given = value if isinstance(value, dict) else dict(zip([field.name for field in kind], value, strict=True))
        return {field.name: _plain(given.get(field.name), field.type, zone) for field in kind}
    if pa.types.is_map(kind):
        pairs = value.items() if isinstance(value, dict) else value
        return [(_plain(k, kind.key_type, zone), _plain(v, kind.item_type, zone)) for k, v in pairs]
    return [_plain(item, kind.value_type, zone) for item in value]


def _micros(value: Any, kind: pa.DataType, zone: str) -> Any:
    if kind.tz is None and not isinstance(value, (datetime, np.datetime64)):
        return value
    timestamp = pd.Timestamp(value)
    if kind.tz and timestamp.tzinfo is None:
        timestamp = timestamp.tz_localize(zone, **_AT_CHANGES)
    return int(timestamp.as_unit("us", round_ok=False).asm8.view("i8"))
