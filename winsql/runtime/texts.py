"""Strings that are not valid UTF-8: Spark has them (`CAST(x AS STRING)` of any bytes), Python does not.

Bytes that are not UTF-8 become lone surrogates, as in file names (PEP 383), and come back as the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa


class RawText(str):
    """A string whose bytes are not UTF-8. It compares by them, as strings do in Spark."""

    __slots__ = ()

    @classmethod
    def of(cls, raw: bytes) -> RawText:
        """The string of these bytes."""
        return cls(raw.decode("utf-8", "surrogateescape"))

    @property
    def raw(self) -> bytes:
        """Its bytes."""
        return _bytes(self)

    def __lt__(self, other: str) -> bool:
        return _bytes(self) < _bytes(other)

    def __le__(self, other: str) -> bool:
        return _bytes(self) <= _bytes(other)

    def __gt__(self, other: str) -> bool:
        return _bytes(self) > _bytes(other)

    def __ge__(self, other: str) -> bool:
        return _bytes(self) >= _bytes(other)


def python_of(column: pa.Array) -> list[Any]:
    """The values of a column as `to_pylist` gives them, with RawText for strings that are not UTF-8, at any depth."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        values = column.cast(_as_bytes(column.type)).to_pylist()
        return [_changed(value, column.type, _text) for value in values]


def arrow_of(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """A column of the type from values as `python_of` gives them."""
    try:
        return pa.array(values, type=kind)
    except UnicodeEncodeError:
        raw = [_changed(value, kind, _bytes) for value in values]
        return pa.array(raw, type=_as_bytes(kind)).view(kind)


def shown(value: pa.Scalar) -> str:
    """A value for people."""
    try:
        return str(value)
    except UnicodeDecodeError:
        (known,) = python_of(pa.repeat(value, 1))
        return str(known).encode("utf-8", "backslashreplace").decode()


def _text(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return RawText.of(raw)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _changed(value: Any, kind: pa.DataType, change: Callable[[Any], Any]) -> Any:
    """The value with all strings in it changed."""
    if value is None:
        return None
    if is_text(kind):
        return change(value)
    if pa.types.is_list(kind):
        return [_changed(item, kind.value_type, change) for item in value]
    if pa.types.is_struct(kind):
        return {field.name: _changed(value[field.name], field.type, change) for field in kind}
    if pa.types.is_map(kind):
        return [(_changed(k, kind.key_type, change), _changed(v, kind.item_type, change)) for k, v in value]
    return value


def _as_bytes(kind: pa.DataType) -> pa.DataType:
    """The type with binary values for strings at any depth."""
    return with_parts(kind, _bytes_type)


def _bytes_type(kind: pa.DataType) -> pa.DataType:
    if not is_text(kind):
        return kind
    return pa.large_binary() if pa.types.is_large_string(kind) else pa.binary()


def with_parts(kind: pa.DataType, change: Callable[[pa.DataType], pa.DataType]) -> pa.DataType:
    """The type with another one for each type that is not nested, at any depth."""

    def field_of(field: pa.Field) -> pa.Field:
        return field.with_type(with_parts(field.type, change))

    if pa.types.is_list(kind):
        return pa.list_(field_of(kind.value_field))
    if pa.types.is_struct(kind):
        return pa.struct([field_of(field) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(field_of(kind.key_field), field_of(kind.item_field))
    return change(kind)


def is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
