"""An aggregate call as binders see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from winsql.model.aggregate_calls import Direction
from winsql.runtime.aggregates.base import Aggregate, Distinct
from winsql.runtime.aggregates.value_keys import keys_of

DOUBLE_DIGITS = 15
"""Decimal digits a DOUBLE holds for certain."""


@dataclass(frozen=True, slots=True)
class TypedCall:
    """A call and the Arrow types of its arguments and result; see `bind_aggregate`."""

    distinct: bool
    slots: tuple[int, ...]
    types: tuple[pa.DataType, ...]
    result_type: pa.DataType
    ansi: bool
    sorting: tuple[Direction, ...] = ()
    weighs: bool = False

    @property
    def is_descending(self) -> bool:
        """Whether the first key of WITHIN GROUP is."""
        return bool(self.sorting) and self.sorting[0].is_descending

    def is_unary(self, fits: Callable[[pa.DataType], bool]) -> bool:
        return len(self.slots) == 1 and fits(self.types[0])


Bind = Callable[[TypedCall], "Aggregate | None"]
"""The accumulator of a call; None where it has none that gives Spark's results."""


def of_one_value(call: TypedCall, inner: Callable[[int], Aggregate | None]) -> Aggregate | None:
    """The aggregate of a call with one argument, made by `inner` for a slot, with its DISTINCT."""
    if len(call.slots) != 1:
        return None
    if not call.distinct:
        return inner(call.slots[0])
    aggregate = inner(0)
    return aggregate and Distinct(aggregate, call.slots[0], keys_of(call.types[0]))
