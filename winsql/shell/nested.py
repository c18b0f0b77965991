"""Nested values whose leaves are texts as those of columns are.

Spark alone writes bytes in arrays as characters that they are not, and times in JSON without their microseconds.
"""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import Column, functions
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    MapType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

Leaves = tuple[type[DataType], ...]

IN_TABLES: Leaves = (BinaryType,)
IN_JSON: Leaves = (BinaryType, TimestampType, TimestampNTZType)


def with_texts(column: Column, data_type: DataType, *, is_json: bool) -> Column:
    """A nested column with texts in the place of bytes and, for JSON, of timestamps."""
    return _converted(column, data_type, IN_JSON if is_json else IN_TABLES)


def _converted(column: Column, data_type: DataType, leaves: Leaves) -> Column:
    if not _holds(data_type, leaves):
        return column
    if isinstance(data_type, ArrayType):
        return functions.transform(column, _of(data_type.elementType, leaves))
    if isinstance(data_type, StructType):
        fields = [
            _converted(column.getField(field.name), field.dataType, leaves).alias(field.name)
            for field in data_type.fields
        ]
        return functions.when(column.isNotNull(), functions.struct(*fields))
    if isinstance(data_type, MapType):
        value = _of(data_type.valueType, leaves)
        column = functions.transform_values(column, lambda _, found: value(found))
        is_key = _holds(data_type.keyType, leaves) and not _holds(data_type.keyType, (TimestampType,))
        key = _of(data_type.keyType, leaves)  # two instants may have one text, where clocks go back
        return functions.transform_keys(column, lambda found, _: key(found)) if is_key else column
    return functions.hex(column) if isinstance(data_type, BinaryType) else column.cast("string")


def _of(data_type: DataType, leaves: Leaves) -> Callable[[Column], Column]:
    return lambda column: _converted(column, data_type, leaves)


def _holds(data_type: DataType, leaves: Leaves) -> bool:
    """Whether a type is one of these or has one inside; not where a struct has two fields of one name."""
    if isinstance(data_type, StructType):
        names = {name.lower() for name in data_type.names}
        return len(names) == len(data_type.names) and any(_holds(field.dataType, leaves) for field in data_type)
    if isinstance(data_type, ArrayType):
        return _holds(data_type.elementType, leaves)
    if isinstance(data_type, MapType):
        return _holds(data_type.keyType, leaves) or _holds(data_type.valueType, leaves)
    return isinstance(data_type, leaves)
