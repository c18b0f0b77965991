"""Which aggregate calls of Spark SQL have an accumulator here, for which types, and which one.

A call is covered when its results are those of Spark's own, to the last digit. Everything else is None: on a bounded
table the planner then hands the rows of a firing to Spark.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

import pyarrow as pa

from winsql.model.aggregate_calls import Direction
from winsql.runtime.aggregates import choosing, counting, gathering, moments, numeric, pairs, statistics
from winsql.runtime.aggregates.argument_types import is_list_of, is_months, is_ordered, is_same, is_storable
from winsql.runtime.aggregates.base import Aggregate, Filtered, Overflow
from winsql.runtime.aggregates.choosing import beats
from winsql.runtime.aggregates.typed_call import DOUBLE_DIGITS, Bind, TypedCall, of_one_value
from winsql.runtime.aggregates.value_keys import keys_of
from winsql.runtime.aggregates.xxhash64 import hash_of


def bind_aggregate(
    name: str,
    *,
    distinct: bool,
    slots: tuple[int, ...],
    filter_slot: int | None,
    types: tuple[pa.DataType, ...],
    result_type: pa.DataType,
    ansi: bool,
    sorting: tuple[Direction, ...] = (),
    weighs_percentiles: bool = False,
) -> Aggregate | None:
    """The accumulator of a call, or None when there is none that gives Spark's results.

    `slots` and `types` are those of the arguments as written (none for COUNT(*)), `filter_slot` that of the FILTER
    condition, `result_type` what Spark's analysis gives the call, `ansi` the session's ANSI mode. `sorting` are the
    directions of the keys of WITHIN GROUP, which come before the arguments in `slots` and `types`. `weighs_percentiles`
    says how the session's Spark interpolates. Arrow types do not show collations: a caller must not bind what
    compares collated strings.
    """
    binder = _BINDERS.get(name.upper())
    if binder is None or bool(sorting) not in binder.sorted:
        return None
    aggregate = binder.bind(TypedCall(distinct, slots, types, result_type, ansi, sorting, weighs_percentiles))
    if aggregate is None or filter_slot is None:
        return aggregate
    return Filtered(aggregate, filter_slot)


@dataclass(frozen=True, slots=True)
class _Binder:
    """`sorted` says whether the function has WITHIN GROUP."""

    bind: Bind
    summary: str
    sorted: tuple[bool, ...] = (False,)


# -- counting ---------------------------------------------------------------------------------------------------------


def _count(call: TypedCall) -> Aggregate | None:
    if call.distinct:
        return _count_distinct(call)
    if not call.slots:
        return counting.CountRows(call.result_type)
    if len(call.slots) == 1:
        return counting.CountPresent(call.result_type, call.slots[0])
    return counting.CountAllPresent(call.result_type, call.slots)


def _count_distinct(call: TypedCall) -> Aggregate | None:
    if not call.slots or not all(is_ordered(t) for t in call.types):
        return None
    if len(call.slots) > 1:
        return counting.CountDistinctTuples(call.result_type, call.slots, tuple(map(keys_of, call.types)))
    return counting.CountDistinct(call.result_type, call.slots[0], keys_of(call.types[0]))


def _count_if(call: TypedCall) -> Aggregate | None:
    if call.distinct or not call.is_unary(pa.types.is_boolean):
        return None
    return counting.CountIf(call.result_type, call.slots[0])


def _approximate_count_distinct(call: TypedCall) -> Aggregate | None:
    """DISTINCT makes no difference."""
    hashed = hash_of(call.types[0]) if call.is_unary(is_ordered) else None
    return hashed and counting.ApproximateCountDistinct(call.result_type, call.slots[0], hashed)


# -- arithmetic -------------------------------------------------------------------------------------------------------


def _sum(call: TypedCall, overflow: Overflow | None = None) -> Aggregate | None:
    overflow = overflow or (Overflow.RAISE if call.ansi else Overflow.WRAP)

    def inner(slot: int) -> Aggregate | None:
        argument, result = call.types[0], call.result_type
        if pa.types.is_signed_integer(argument) and result == pa.int64():
            return numeric.IntegerSum(result, slot, overflow)
        if pa.types.is_duration(argument) and result == argument:
            return numeric.IntervalSum(result, slot, overflow)
        if is_months(argument) and result == argument:
            return numeric.MonthSum(result, slot, overflow)
        if pa.types.is_floating(argument) and result == pa.float64():
            return numeric.FloatSum(result, slot)
        if pa.types.is_decimal128(argument) and result == _sum_type(argument):
            return numeric.DecimalSum(result, slot, overflow)
        return None

    return of_one_value(call, inner)


def _average(call: TypedCall, overflow: Overflow | None = None) -> Aggregate | None:
    if call.is_unary(pa.types.is_duration) or (call.is_unary(is_months) and call.result_type == call.types[0]):
        return _interval_average(call, overflow or Overflow.RAISE)
    overflow = overflow or (Overflow.RAISE if call.ansi else Overflow.NULL)

    def inner(slot: int) -> Aggregate | None:
        argument, result = call.types[0], call.result_type
        if pa.types.is_signed_integer(argument) and argument.bit_width <= 32 and result == pa.float64():
            return numeric.IntegralAverage(result, slot)
        if (pa.types.is_signed_integer(argument) or pa.types.is_floating(argument)) and result == pa.float64():
            return numeric.FloatAverage(result, slot)
        if not pa.types.is_decimal128(argument) or result != _decimal(argument.precision + 4, argument.scale + 4):
            return None
        if argument.precision <= DOUBLE_DIGITS - 4:  # Spark's optimizer averages these as doubles
            return numeric.ShortDecimalAverage(result, slot, Decimal(10**argument.scale))
        return numeric.DecimalAverage(result, slot, _sum_type(argument), overflow)

    return of_one_value(call, inner)


def _interval_average(call: TypedCall, overflow: Overflow) -> Aggregate | None:
    if call.result_type != call.types[0]:
        return None
    return of_one_value(call, lambda slot: numeric.IntervalAverage(call.result_type, slot, overflow))


def _try(bind: Callable[[TypedCall, Overflow], Aggregate | None]) -> Bind:
    return lambda call: bind(call, Overflow.NULL)


def _bits(combine: Callable[[int, int], int]) -> Bind:
    def bind(call: TypedCall) -> Aggregate | None:
        if not call.is_unary(pa.types.is_signed_integer) or call.result_type != call.types[0]:
            return None
        return of_one_value(call, lambda slot: numeric.Bits(call.result_type, slot, combine))

    return bind


def _sum_type(argument: pa.DataType) -> pa.DataType:
    return _decimal(argument.precision + 10, argument.scale)


def _decimal(precision: int, scale: int) -> pa.DataType:
    """Spark's DecimalType.bounded."""
    return pa.decimal128(min(precision, 38), min(scale, 38))


# -- choosing ---------------------------------------------------------------------------------------------------------


def _extreme(is_greater: bool) -> Bind:
    def bind(call: TypedCall) -> Aggregate | None:
        """DISTINCT makes no difference."""
        if not call.is_unary(is_ordered) or not is_same(call.result_type, call.types[0]):
            return None
        return choosing.Extreme(call.result_type, call.slots[0], beats(call.types[0], is_greater))

    return bind


def _every_or_some(beats: choosing.Beats) -> Bind:
    def bind(call: TypedCall) -> Aggregate | None:
        if not call.is_unary(pa.types.is_boolean):
            return None
        return choosing.Extreme(call.result_type, call.slots[0], beats)

    return bind


def _extreme_by(is_greater: bool) -> Bind:
    def bind(call: TypedCall) -> Aggregate | None:
        """Without a number DISTINCT makes no difference."""
        if len(call.slots) == 3 and not call.distinct:
            return _extremes_by(call, is_greater)
        if len(call.slots) != 2 or not is_ordered(call.types[1]) or not _is_kept(call):
            return None
        return choosing.ExtremeBy(call.result_type, *call.slots, beats(call.types[1], is_greater))

    return bind


def _extremes_by(call: TypedCall, is_greater: bool) -> Aggregate | None:
    kind, ordering, number = call.types
    fits = is_storable(kind) and is_list_of(call.result_type, kind) and is_ordered(ordering)
    if not fits or not pa.types.is_integer(number):
        return None
    value, by, count = call.slots
    return choosing.ExtremesBy(call.result_type, value, by, count, beats(ordering, is_greater))


def _picked(kind: type[choosing.First]) -> Bind:
    def bind(call: TypedCall) -> Aggregate | None:
        """DISTINCT makes no difference."""
        flags = call.types[1:]
        if len(flags) > 1 or not all(map(pa.types.is_boolean, flags)) or not _is_kept(call):
            return None
        return kind(call.result_type, call.slots[0], call.slots[1] if flags else None)

    return bind


def _is_kept(call: TypedCall) -> bool:
    """Whether the first argument's values go through unchanged."""
    return bool(call.slots) and is_same(call.result_type, call.types[0]) and is_storable(call.types[0])


_ORDERED_TYPES = "numbers, booleans, strings, binary, dates, timestamps, intervals, arrays and structs of these"
_BY = f"(a value of any type, what to order by [, how many]), ordered by {_ORDERED_TYPES}"
_NUMBERS = "integers, floats, decimals"

_SUM = _Binder(_sum, f"{_NUMBERS}, intervals; DISTINCT")
_AVERAGE = _Binder(_average, _SUM.summary)
_FIRST = _Binder(_picked(choosing.First), "any type; (value [, ignoreNulls]) [IGNORE NULLS]")
_LAST = _Binder(_picked(choosing.Last), _FIRST.summary)
_ALL_TRUE = _Binder(_every_or_some(operator.lt), "booleans")
_ANY_TRUE = _Binder(_every_or_some(operator.gt), "booleans")
_LIST = _Binder(gathering.collect_list, "any type, in arrival order; DISTINCT of what has an order; RESPECT NULLS")
_JOINED = _Binder(
    gathering.joined,
    "strings, binary, with a constant delimiter; in arrival order or WITHIN GROUP; DISTINCT",
    (False, True),
)
_FRACTIONS = "a constant fraction or an array of them"
_INTERPOLATED = f"{_NUMBERS}, intervals"
_WITHIN = f"{_INTERPOLATED}: ({_FRACTIONS}) WITHIN GROUP (ORDER BY v [DESC])"
_APPROXIMATE = _Binder(
    gathering.approximate_percentile,
    f"numbers (decimals of up to 15 digits), dates, timestamps, intervals, with {_FRACTIONS}; without error",
)
_PAIRS = f"two of {_NUMBERS}"
_DISTINCT_NUMBERS = f"{_NUMBERS}; DISTINCT"
_SAMPLE_VARIANCE = _Binder(statistics.variance(moments.sample_variance), _DISTINCT_NUMBERS)
_SAMPLE_DEVIATION = _Binder(statistics.variance(moments.sample_deviation), _DISTINCT_NUMBERS)

_BINDERS: dict[str, _Binder] = {
    "ANY": _ANY_TRUE,
    "ANY_VALUE": _FIRST,
    "APPROX_COUNT_DISTINCT": _Binder(_approximate_count_distinct, "what has an order, with the default error"),
    "APPROX_PERCENTILE": _APPROXIMATE,
    "ARRAY_AGG": _LIST,
    "AVG": _AVERAGE,
    "BIT_AND": _Binder(_bits(operator.and_), "integers; DISTINCT"),
    "BIT_OR": _Binder(_bits(operator.or_), "integers; DISTINCT"),
    "BIT_XOR": _Binder(_bits(operator.xor), "integers; DISTINCT"),
    "BOOL_AND": _ALL_TRUE,
    "BOOL_OR": _ANY_TRUE,
    "COLLECT_LIST": _LIST,
    "COLLECT_SET": _Binder(gathering.collect_set, f"{_ORDERED_TYPES}; in the order of first arrival; RESPECT NULLS"),
    "CORR": _Binder(statistics.of_pairs(pairs.correlation), _PAIRS),
    "COUNT": _Binder(_count, "*, or any number of arguments of any type; DISTINCT of what has an order"),
    "COUNT_IF": _Binder(_count_if, "booleans"),
    "COVAR_POP": _Binder(statistics.of_pairs(pairs.population_covariance), _PAIRS),
    "COVAR_SAMP": _Binder(statistics.of_pairs(pairs.sample_covariance), _PAIRS),
    "EVERY": _ALL_TRUE,
    "FIRST": _FIRST,
    "FIRST_VALUE": _FIRST,
    "KURTOSIS": _Binder(statistics.higher_moment(moments.kurtosis), _DISTINCT_NUMBERS),
    "LAST": _LAST,
    "LAST_VALUE": _LAST,
    "LISTAGG": _JOINED,
    "MAX": _Binder(_extreme(is_greater=True), _ORDERED_TYPES),
    "MAX_BY": _Binder(_extreme_by(is_greater=True), _BY),
    "MEAN": _AVERAGE,
    "MEDIAN": _Binder(gathering.median, _INTERPOLATED),
    "MIN": _Binder(_extreme(is_greater=False), _ORDERED_TYPES),
    "MIN_BY": _Binder(_extreme_by(is_greater=False), _BY),
    "MODE": _Binder(
        gathering.mode,
        f"{_ORDERED_TYPES}; of equally frequent values the one that came first, "
        "so no true or false after the value; WITHIN GROUP",
        (False, True),
    ),
    "PERCENTILE": _Binder(gathering.percentile, f"{_INTERPOLATED}, with {_FRACTIONS}"),
    "PERCENTILE_APPROX": _APPROXIMATE,
    "PERCENTILE_CONT": _Binder(gathering.percentile, _WITHIN, (True,)),
    "PERCENTILE_DISC": _Binder(gathering.percentile_discrete, _WITHIN, (True,)),
    "REGR_AVGX": _Binder(statistics.average_of(1, _average), _PAIRS),
    "REGR_AVGY": _Binder(statistics.average_of(0, _average), _PAIRS),
    "REGR_COUNT": _Binder(statistics.count_of_pairs, _PAIRS),
    "REGR_INTERCEPT": _Binder(statistics.regression(pairs.intercept), _PAIRS),
    "REGR_R2": _Binder(statistics.of_pairs(pairs.determination), _PAIRS),
    "REGR_SLOPE": _Binder(statistics.regression(pairs.slope), _PAIRS),
    "REGR_SXX": _Binder(statistics.regression(pairs.x_squares), _PAIRS),
    "REGR_SXY": _Binder(statistics.of_pairs(pairs.products), _PAIRS),
    "REGR_SYY": _Binder(statistics.regression(pairs.y_squares), _PAIRS),
    "SKEWNESS": _Binder(statistics.higher_moment(moments.skewness), _DISTINCT_NUMBERS),
    "SOME": _ANY_TRUE,
    "STD": _SAMPLE_DEVIATION,
    "STDDEV": _SAMPLE_DEVIATION,
    "STDDEV_POP": _Binder(statistics.variance(moments.population_deviation), _DISTINCT_NUMBERS),
    "STDDEV_SAMP": _SAMPLE_DEVIATION,
    "STRING_AGG": _JOINED,
    "SUM": _SUM,
    "TRY_AVG": _Binder(_try(_average), _AVERAGE.summary),
    "TRY_SUM": _Binder(_try(_sum), _SUM.summary),
    "VARIANCE": _SAMPLE_VARIANCE,
    "VAR_POP": _Binder(statistics.variance(moments.population_variance), _DISTINCT_NUMBERS),
    "VAR_SAMP": _SAMPLE_VARIANCE,
}

SUPPORTED: Mapping[str, str] = MappingProxyType({name: binder.summary for name, binder in _BINDERS.items()})
"""The functions with an accumulator, by name in upper case, and the arguments it takes; for the reference."""
