"""Binders of the aggregates that keep the values of their rows: lists, sets, texts, modes and percentiles."""

from __future__ import annotations

import pyarrow as pa

from winsql.runtime.aggregates import collecting, percentiles
from winsql.runtime.aggregates.argument_types import (
    TEXTS,
    is_list,
    is_list_of,
    is_months,
    is_number,
    is_ordered,
    is_same,
    is_storable,
)
from winsql.runtime.aggregates.base import Aggregate
from winsql.runtime.aggregates.choosing import beats
from winsql.runtime.aggregates.typed_call import DOUBLE_DIGITS, TypedCall
from winsql.runtime.aggregates.value_keys import keys_of, sort_keys_of


def collect_list(call: TypedCall) -> Aggregate | None:
    if call.distinct:
        return collect_set(call)
    if not _is_collected(call) or not is_storable(call.types[0]):
        return None
    return collecting.CollectList(call.result_type, call.slots[0], len(call.slots) > 1)


def collect_set(call: TypedCall) -> Aggregate | None:
    if not _is_collected(call) or not is_ordered(call.types[0]):
        return None
    kept = len(call.slots) > 1
    return collecting.CollectSet(call.result_type, call.slots[0], keys_of(call.types[0]), keeps_nulls=kept)


def _is_collected(call: TypedCall) -> bool:
    """Whether it has a value, TRUE after it for RESPECT NULLS, and an array of such values as its result."""
    kind, *flag = call.types or (None,)
    return kind is not None and flag in ([], [pa.bool_()]) and is_list_of(call.result_type, kind)


def joined(call: TypedCall) -> Aggregate | None:
    keys = len(call.sorting)
    kind, *delimiter = call.types[keys:] or (None,)
    if len(delimiter) > 1 or kind not in TEXTS or call.result_type != kind:
        return None
    if delimiter and delimiter[0] not in (kind, pa.null()):
        return None
    values = _joined_values(call, call.slots[keys], kind)
    return values and collecting.JoinedValues(call.result_type, values, call.slots[-1] if delimiter else None)


def _joined_values(
    call: TypedCall, slot: int, kind: pa.DataType
) -> collecting.CollectList | collecting.CollectSet | collecting.SortedList | None:
    """What LISTAGG joins: its values as they came, or sorted."""
    slots, types = call.slots[: len(call.sorting)], call.types[: len(call.sorting)]
    if call.distinct and slots not in ((), (slot,)):
        return None
    if call.distinct and call.sorting:
        return collecting.SortedSet(call.result_type, slot, keys_of(kind), call.is_descending)
    if call.distinct:
        return collecting.CollectSet(call.result_type, slot, keys_of(kind))
    if not call.sorting:
        return collecting.CollectList(call.result_type, slot)
    keys = tuple(map(collecting.SortKeySlot, slots, map(sort_keys_of, types), call.sorting))
    return collecting.SortedList(call.result_type, slot, keys) if all(map(is_ordered, types)) else None


def mode(call: TypedCall) -> Aggregate | None:
    if call.distinct or not call.is_unary(is_ordered) or not is_same(call.result_type, call.types[0]):
        return None
    (slot,), (kind,) = call.slots, call.types
    if call.sorting:
        return collecting.OrderedMode(call.result_type, slot, keys_of(kind), beats(kind, call.is_descending))
    return collecting.Mode(call.result_type, slot, keys_of(kind))


def median(call: TypedCall) -> Aggregate | None:
    if call.distinct or not call.is_unary(_is_interpolated) or not _is_percentile(call.result_type, call.types[0]):
        return None
    return percentiles.Percentile(call.result_type, call.slots[0], None, weighs=call.weighs)


def percentile(call: TypedCall) -> Aggregate | None:
    how = _percentile(call)
    return how and percentiles.Percentile(*how, weighs=call.weighs)


def percentile_discrete(call: TypedCall) -> Aggregate | None:
    how = _percentile(call)
    return how and percentiles.DiscretePercentile(*how)


def _percentile(call: TypedCall) -> tuple[pa.DataType, int, int, bool] | None:
    """The result type, the slots of the values and of the fraction, and whether the values are sorted descending."""
    if call.distinct or len(call.slots) != 2 or not _is_interpolated(call.types[0]):
        return None
    chosen = _of_each_fraction(call, call.types[1])
    is_known = chosen is not None and _is_percentile(chosen, call.types[0])
    return (call.result_type, *call.slots, call.is_descending) if is_known else None


def _is_interpolated(data_type: pa.DataType) -> bool:
    return is_number(data_type) or bool(pa.types.is_duration(data_type))


def _is_percentile(result: pa.DataType, argument: pa.DataType) -> bool:
    """Whether percentiles of values of a type are of the other one: of intervals they are intervals."""
    is_interval = pa.types.is_duration(argument) or is_months(argument)
    is_double = result == pa.float64() and not pa.types.is_duration(argument)
    return is_double or (is_interval and bool(result == argument))


def approximate_percentile(call: TypedCall) -> Aggregate | None:
    if call.distinct or not 2 <= len(call.slots) <= 3 or not _goes_through_double(call.types[0]):
        return None
    kind, fractions, *accuracy = call.types
    if _of_each_fraction(call, fractions) != kind or not all(map(pa.types.is_integer, accuracy)):
        return None
    slot, fraction, *others = call.slots
    return percentiles.ApproximatePercentile(call.result_type, slot, fraction, others[0] if others else None)


def _of_each_fraction(call: TypedCall, fractions: pa.DataType) -> pa.DataType | None:
    """The type that the call returns for each fraction; None where they are no numbers."""
    if not is_list(fractions):
        return call.result_type if is_number(fractions) else None
    is_array = is_number(fractions.value_type) and is_list(call.result_type)
    return call.result_type.value_type if is_array else None


def _goes_through_double(data_type: pa.DataType) -> bool:
    """Types of which Spark makes a DOUBLE and back as Python does."""
    if pa.types.is_decimal128(data_type):
        return bool(data_type.precision <= DOUBLE_DIGITS)
    return is_number(data_type) or any(is_type(data_type) for is_type in _TIMES)


_TIMES = (pa.types.is_date32, pa.types.is_timestamp, pa.types.is_duration)
