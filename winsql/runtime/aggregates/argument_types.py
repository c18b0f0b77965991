"""Which Arrow types accumulators take."""

from __future__ import annotations

import pyarrow as pa

TEXTS = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())


def is_number(data_type: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_signed_integer(data_type) or types.is_floating(data_type) or types.is_decimal128(data_type))


def is_months(data_type: pa.DataType) -> bool:
    """Whether it may be that of year-month intervals. Of an INT sums, averages and percentiles have other types."""
    return bool(pa.types.is_int32(data_type))


def is_ordered(data_type: pa.DataType) -> bool:
    """Types whose values have an order in Spark, which `keys_of` gives them here: all but maps and what holds them."""
    children = [] if pa.types.is_map(data_type) else _children(data_type)
    return all(map(is_ordered, children)) if children else _is_primitive(data_type)


def _is_primitive(data_type: pa.DataType) -> bool:
    """Types whose values Python compares and hashes as Spark does (floats with functions of their own)."""
    return is_number(data_type) or any(is_type(data_type) for is_type in _ORDERED)


_ORDERED = (
    pa.types.is_boolean,
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_date32,
    pa.types.is_timestamp,
    pa.types.is_duration,
)
"""TIME is missing: it has nanoseconds, which Python's time has not."""


def is_storable(data_type: pa.DataType) -> bool:
    """Whether an accumulator can hold the values."""
    children = _children(data_type)
    return all(map(is_storable, children)) if children else _is_primitive(data_type)


def _children(data_type: pa.DataType) -> list[pa.DataType]:
    """The types in a nested one; none for a struct that Python cannot read, with two fields of one name."""
    if pa.types.is_struct(data_type):
        fields = list(data_type)
        return [field.type for field in fields] if len({field.name for field in fields}) == len(fields) else []
    if pa.types.is_map(data_type):
        return [data_type.key_type, data_type.item_type]
    return [data_type.value_type] if is_list(data_type) else []


def is_list(data_type: pa.DataType) -> bool:
    return bool(pa.types.is_list(data_type) or pa.types.is_large_list(data_type))


def is_list_of(data_type: pa.DataType, element: pa.DataType) -> bool:
    return is_list(data_type) and is_same(data_type.value_type, element)


def is_same(data_type: pa.DataType, other: pa.DataType) -> bool:
    """Whether the types differ at most in what may be NULL: of a result over a stream Spark says that any part may."""
    return bool(_nullable(data_type) == _nullable(other))


def _nullable(data_type: pa.DataType) -> pa.DataType:
    """The type, any part of which may be NULL."""
    if pa.types.is_struct(data_type):
        return pa.struct([(field.name, _nullable(field.type)) for field in data_type])
    if pa.types.is_map(data_type):
        return pa.map_(_nullable(data_type.key_type), _nullable(data_type.item_type))
    if pa.types.is_large_list(data_type):
        return pa.large_list(_nullable(data_type.value_type))
    return pa.list_(_nullable(data_type.value_type)) if pa.types.is_list(data_type) else data_type
