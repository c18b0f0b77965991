"""Keys of values: equal for what Spark takes for equal. Those of nested values also sort as Spark sorts these."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from winsql.runtime.aggregates.argument_types import is_list


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one type, and back from them; here of types whose values Python compares and hashes as Spark does."""

    def key(self, value: Any) -> Any:
        """The key of a value that is not NULL: hashable, and of what state can hold."""
        return value

    def value(self, key: Any) -> Any:
        """A value with that key."""
        return key


@dataclass(frozen=True, slots=True)
class _FloatKeys(Keys):
    """All NaN are one value, and -0.0 is 0.0, as in Spark's NormalizeFloatingNumbers."""

    def key(self, value: float) -> float | str:
        return _NAN if value != value else value + 0.0

    def value(self, key: float | str) -> float:
        return math.nan if isinstance(key, str) else key


_NAN = "NaN"


@dataclass(frozen=True, slots=True)
class _NestedKeys(Keys):
    """Structs and arrays as tuples: the first difference decides, then the length; NULL comes first, NaN last."""

    kind: pa.DataType

    def key(self, value: Any) -> Any:
        return _key(value, self.kind)

    def value(self, key: Any) -> Any:
        return _value(key, self.kind)


def keys_of(data_type: pa.DataType) -> Keys:
    """The keys of an ordered type."""
    if pa.types.is_struct(data_type) or is_list(data_type):
        return _NestedKeys(data_type)
    return _FloatKeys() if pa.types.is_floating(data_type) else Keys()


def sort_keys_of(data_type: pa.DataType) -> Keys:
    """Keys of an ordered type that sort as Spark sorts its values."""
    return _NestedKeys(data_type) if pa.types.is_floating(data_type) else keys_of(data_type)


def _key(value: Any, kind: pa.DataType) -> Any:
    if pa.types.is_struct(kind):
        return tuple(_part(value[field.name], field.type) for field in kind)
    if is_list(kind):
        return tuple(_part(item, kind.value_type) for item in value)
    if pa.types.is_floating(kind):
        return (True, 0.0) if value != value else (False, value + 0.0)
    return value


def _part(value: Any, kind: pa.DataType) -> tuple[Any, ...]:
    return (False,) if value is None else (True, _key(value, kind))


def _value(key: Any, kind: pa.DataType) -> Any:
    if pa.types.is_struct(kind):
        return {field.name: _value_of(part, field.type) for field, part in zip(kind, key, strict=True)}
    if is_list(kind):
        return [_value_of(part, kind.value_type) for part in key]
    if pa.types.is_floating(kind):
        return math.nan if key[0] else key[1]
    return key


def _value_of(part: tuple[Any, ...], kind: pa.DataType) -> Any:
    return _value(part[1], kind) if part[0] else None
