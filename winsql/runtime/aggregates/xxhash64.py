"""Spark's xxhash64 of a value, by its Arrow type: XXH64 of its bytes, parts of nested values one after the other."""

from __future__ import annotations

import struct
from collections.abc import Callable
from decimal import Context
from functools import partial
from typing import Any

import pyarrow as pa

from winsql.runtime.aggregates.argument_types import is_list

SEED = 42
Hash = Callable[[Any, int], int]
"""The hash of a value that is not NULL, without sign, begun with a seed."""

_MASK = (1 << 64) - 1
_P1, _P2, _P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_P4, _P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def xxh64(data: bytes, seed: int) -> int:
    """XXH64 of bytes, without sign."""
    size, place = len(data), 0
    if size >= 32:
        lanes = [seed + _P1 + _P2 & _MASK, seed + _P2 & _MASK, seed, seed - _P1 & _MASK]
        while place <= size - 32:
            words = struct.unpack_from("<4Q", data, place)
            lanes = [_round(lane, word) for lane, word in zip(lanes, words, strict=True)]
            place += 32
        found = sum(_turned(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18), strict=True)) & _MASK
        for lane in lanes:
            found = (found ^ _round(0, lane)) * _P1 + _P4 & _MASK
    else:
        found = seed + _P5 & _MASK
    found = found + size & _MASK
    while place <= size - 8:
        found = _turned(found ^ _round(0, *struct.unpack_from("<Q", data, place)), 27) * _P1 + _P4 & _MASK
        place += 8
    if place <= size - 4:
        found = _turned(found ^ struct.unpack_from("<I", data, place)[0] * _P1 & _MASK, 23) * _P2 + _P3 & _MASK
        place += 4
    for byte in data[place:]:
        found = _turned(found ^ byte * _P5 & _MASK, 11) * _P1 & _MASK
    return _mixed(found)


def _round(lane: int, word: int) -> int:
    return _turned(lane + word * _P2 & _MASK, 31) * _P1 & _MASK


def _turned(value: int, by: int) -> int:
    return (value << by | value >> 64 - by) & _MASK


def _mixed(value: int) -> int:
    value = (value ^ value >> 33) * _P2 & _MASK
    value = (value ^ value >> 29) * _P3 & _MASK
    return value ^ value >> 32


def hash_of(data_type: pa.DataType) -> Hash | None:
    """The hash of values of a type; None for one that has none here."""
    if pa.types.is_struct(data_type):
        fields = [(field.name, hash_of(field.type)) for field in data_type]
        known = [(name, hashed) for name, hashed in fields if hashed is not None]
        return partial(_of_struct, known) if len(known) == len(fields) else None
    if is_list(data_type):
        item = hash_of(data_type.value_type)
        return None if item is None else partial(_of_items, item)
    if pa.types.is_decimal128(data_type):
        return partial(_of_decimal, data_type)
    return next((hashed for fits, hashed in _PRIMITIVE if fits(data_type)), None)


def _of_struct(fields: list[tuple[str, Hash]], value: Any, seed: int) -> int:
    for name, hashed in fields:
        seed = seed if value[name] is None else hashed(value[name], seed)
    return seed


def _of_items(hashed: Hash, value: Any, seed: int) -> int:
    for item in value:
        seed = seed if item is None else hashed(item, seed)
    return seed


def _of_decimal(data_type: pa.DataType, value: Any, seed: int) -> int:
    unscaled = int(value.scaleb(data_type.scale, _WIDE))
    if data_type.precision <= 18:
        return _of_long(unscaled, seed)
    size = (unscaled if unscaled >= 0 else ~unscaled).bit_length() // 8 + 1
    return xxh64(unscaled.to_bytes(size, "big", signed=True), seed)


_WIDE = Context(prec=40)


def _of_int(value: int, seed: int) -> int:
    return xxh64(struct.pack("<i", value), seed)


def _of_long(value: int, seed: int) -> int:
    return xxh64(struct.pack("<q", value), seed)


def _of_float(value: float, seed: int) -> int:
    return xxh64(_NAN if value != value else struct.pack("<f", value + 0.0), seed)


def _of_double(value: float, seed: int) -> int:
    return xxh64(_LONG_NAN if value != value else struct.pack("<d", value + 0.0), seed)


_NAN, _LONG_NAN = struct.pack("<I", 0x7FC00000), struct.pack("<Q", 0x7FF8000000000000)


def _of_text(value: str, seed: int) -> int:
    return xxh64(value.encode("utf-8", "surrogateescape"), seed)


_PRIMITIVE: tuple[tuple[Callable[[pa.DataType], bool], Hash], ...] = (
    (pa.types.is_int64, _of_long),
    (pa.types.is_signed_integer, _of_int),
    (pa.types.is_boolean, _of_int),
    (pa.types.is_date32, _of_int),
    (pa.types.is_timestamp, _of_long),
    (pa.types.is_duration, _of_long),
    (pa.types.is_float32, _of_float),
    (pa.types.is_float64, _of_double),
    (pa.types.is_string, _of_text),
    (pa.types.is_large_string, _of_text),
    (pa.types.is_binary, xxh64),
    (pa.types.is_large_binary, xxh64),
)
