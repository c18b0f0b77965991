"""What triggers remember per pane, as columns of integers: the same values as `TriggerContext.put` keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from winsql.model.columnar.columns import NO_TIME, Longs


@dataclass(frozen=True, slots=True)
class TriggerValue:
    """A value by the name the trigger gives it.

    absent      what each column holds for a pane without the value
    read, written   the columns as Python values, None where there is none, and the other way round; `written` raises
                    ValueError for a value that the columns cannot hold
    """

    name: str
    absent: tuple[int, ...]
    read: Callable[[Sequence[Longs]], list[Any]]
    written: Callable[[Sequence[Any]], list[Longs]]


def marks_of(columns: Sequence[Longs]) -> list[Any]:
    """Numbers from their kind (0: none, 1: integer, 2: float) and their 64 bits."""
    kinds, bits = columns
    floats = bits.view(np.float64).tolist() if (kinds == _FLOAT).any() else bits.tolist()
    values = zip(kinds.tolist(), bits.tolist(), floats, strict=True)
    return [None if kind == _NONE else integer if kind == _INTEGER else real for kind, integer, real in values]


def mark_columns(marks: Sequence[Any]) -> list[Longs]:
    """The kinds and bits of numbers."""
    kinds = np.array([_KINDS.get(type(mark), -1) for mark in marks], dtype=np.int64)
    if (kinds < 0).any() or any(not -(1 << 63) <= mark < 1 << 63 for mark in marks if type(mark) is int):
        raise ValueError("a mark that is no number of 64 bits")
    bits = np.array([mark if type(mark) is int else 0 for mark in marks], dtype=np.int64)
    real = kinds == _FLOAT
    bits[real] = np.array([mark for mark in marks if type(mark) is float], dtype=np.float64).view(np.int64)
    return [kinds, bits]


_NONE, _INTEGER, _FLOAT = range(3)
_KINDS: dict[type, int] = {type(None): _NONE, int: _INTEGER, float: _FLOAT}


def _simple(name: str, absent: int) -> TriggerValue:
    def read(columns: Sequence[Longs]) -> list[Any]:
        return [None if value == absent else value for value in columns[0].tolist()]

    def written(values: Sequence[Any]) -> list[Longs]:
        if any(type(value) not in (int, type(None)) or abs(value or 0) >= 1 << 63 for value in values):
            raise ValueError(f"{name} is no integer of 64 bits")
        return [np.array([absent if value is None else value for value in values], dtype=np.int64)]

    return TriggerValue(name, (absent,), read, written)


NEXT_FIRE = _simple("next_fire", NO_TIME)
ROWS = _simple("rows", 0)
LAST_FIRED = TriggerValue("last_fired", (_NONE, 0), marks_of, mark_columns)

VALUES = {value.name: value for value in (NEXT_FIRE, ROWS, LAST_FIRED)}
"""By name, which state has: state can be read without the query that wrote it."""
