"""Accumulators without Spark: merging, state, what is not covered, errors. Values are compared in the Spark tests."""

from __future__ import annotations

import math
import pickle
import statistics
from datetime import date, datetime, timedelta
from decimal import Context, Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winsql.errors import WindowDataError
from winsql.model.aggregate_calls import Direction
from winsql.model.functions import AggregateFunction
from winsql.runtime.aggregates import SUPPORTED, Aggregate, bind_aggregate, bind_registered
from winsql.runtime.codec import decode, encode

LONG, DOUBLE, BOOL, TEXT = pa.int64(), pa.float64(), pa.bool_(), pa.string()
SHORT_DECIMAL, LONG_DECIMAL = pa.decimal128(9, 2), pa.decimal128(20, 2)
SPAN = pa.duration("us")

# Row: ROW_ID, event time, then these columns. Floats are multiples of 1/8: their sums are exact in any order.
TYPES = (LONG, DOUBLE, SHORT_DECIMAL, LONG_DECIMAL, BOOL, TEXT, SPAN)
INTEGER, FLOAT, SHORT, EXACT, FLAG, STRING, INTERVAL = range(2, 9)
small = st.integers(-5, 5)
row_values = st.tuples(
    st.none() | small | st.integers(-(2**40), 2**40),
    st.none() | st.sampled_from([math.nan, 0.0, -0.125, 2.5, 1e6]),
    st.none() | small.map(lambda i: Decimal(i).scaleb(-2)),
    st.none() | st.integers(-(10**19), 10**19).map(lambda i: Decimal(i).scaleb(-2)),
    st.none() | st.booleans(),
    st.none() | st.sampled_from(["", "a", "é", "\U0001f600", "NaN"]),
    st.none() | small,
)
rows_of_values = st.lists(row_values, max_size=12)
RECORD = pa.struct([("x", DOUBLE), ("texts", pa.list_(TEXT))])
UP, DOWN = Direction(is_descending=False, nulls_first=True), Direction(is_descending=True, nulls_first=False)
OF_RECORDS: dict[str, Any] = {"types": (RECORD,), "result": RECORD}


def bind(
    name: str,
    *slots: int,
    result: pa.DataType,
    distinct: bool = False,
    filter_slot: int | None = None,
    types: tuple[pa.DataType, ...] | None = None,
    ansi: bool = True,
    sorting: tuple[Direction, ...] = (),
) -> Aggregate | None:
    kinds = types if types is not None else tuple(TYPES[slot - 2] for slot in slots)
    how: dict[str, Any] = {"distinct": distinct, "slots": slots, "filter_slot": filter_slot, "sorting": sorting}
    return bind_aggregate(name, types=kinds, result_type=result, ansi=ansi, **how)


def must(aggregate: Aggregate | None) -> Aggregate:
    assert aggregate is not None
    return aggregate


def covered() -> dict[str, Aggregate]:
    """One of each kind of accumulator."""
    calls = {
        "count(*)": bind("count", result=LONG),
        "count(a)": bind("count", STRING, result=LONG),
        "count(a, b)": bind("count", INTEGER, STRING, result=LONG),
        "count(distinct)": bind("count", INTEGER, result=LONG, distinct=True),
        "count(distinct float)": bind("count", FLOAT, result=LONG, distinct=True),
        "count(distinct a, b)": bind("count", FLOAT, STRING, result=LONG, distinct=True),
        "count_if": bind("count_if", FLAG, result=LONG),
        "sum(int)": bind("sum", INTEGER, result=LONG),
        "sum(float)": bind("sum", FLOAT, result=DOUBLE),
        "sum(decimal)": bind("sum", EXACT, result=pa.decimal128(30, 2)),
        "sum(interval)": bind("sum", INTERVAL, result=SPAN),
        "sum(distinct)": bind("sum", FLOAT, result=DOUBLE, distinct=True),
        "sum filter": bind("sum", INTEGER, result=LONG, filter_slot=FLAG),
        "avg(float)": bind("avg", FLOAT, result=DOUBLE),
        "avg(short decimal)": bind("avg", SHORT, result=pa.decimal128(13, 6)),
        "avg(decimal)": bind("avg", EXACT, result=pa.decimal128(24, 6)),
        "avg(interval)": bind("avg", INTERVAL, result=SPAN),
        "avg(distinct decimal)": bind("avg", EXACT, result=pa.decimal128(24, 6), distinct=True),
        "min(int)": bind("min", INTEGER, result=LONG),
        "max(string)": bind("max", STRING, result=TEXT),
        "min(float)": bind("min", FLOAT, result=DOUBLE),
        "max(float)": bind("max", FLOAT, result=DOUBLE),
        "bool_and": bind("bool_and", FLAG, result=BOOL),
        "bool_or": bind("bool_or", FLAG, result=BOOL),
        "first": bind("first", STRING, result=TEXT),
        "last": bind("last", INTEGER, result=LONG),
        "first(flag)": bind("first", INTEGER, FLAG, result=LONG),
        "last(flag)": bind("last", INTEGER, FLAG, result=LONG),
        "min_by": bind("min_by", STRING, FLOAT, result=TEXT),
        "max_by": bind("max_by", INTEGER, FLAG, result=LONG),
        "max_by(k)": bind("max_by", STRING, FLOAT, 12, types=(TEXT, DOUBLE, LONG), result=pa.list_(TEXT)),
        "min_by(k)": bind("min_by", INTEGER, STRING, 12, types=(LONG, TEXT, LONG), result=pa.list_(LONG)),
        "last(distinct)": bind("last", STRING, result=TEXT, distinct=True),
        "collect_list": bind("collect_list", STRING, result=pa.list_(TEXT)),
        "collect_list(nulls)": bind("collect_list", STRING, FLAG, result=pa.list_(TEXT)),
        "collect_set(nulls)": bind("collect_set", FLOAT, FLAG, result=pa.list_(DOUBLE)),
        "collect_set": bind("collect_set", FLOAT, result=pa.list_(DOUBLE)),
        "median": bind("median", FLOAT, result=DOUBLE),
        "median(interval)": bind("median", INTERVAL, result=SPAN),
        "percentile": bind("percentile", INTEGER, 9, result=DOUBLE, types=(LONG, DOUBLE)),
        "mode": bind("mode", STRING, result=TEXT),
        "bit_and": bind("bit_and", INTEGER, result=LONG),
        "bit_xor": bind("bit_xor", INTEGER, result=LONG),
        "bit_xor(distinct)": bind("bit_xor", INTEGER, result=LONG, distinct=True),
        "listagg": bind("listagg", STRING, result=TEXT),
        "listagg(delimiter)": bind("listagg", STRING, 10, result=TEXT, types=(TEXT, TEXT)),
        "listagg(distinct)": bind("listagg", STRING, result=TEXT, distinct=True),
        "listagg(order)": bind("listagg", FLOAT, INTEGER, STRING, result=TEXT, sorting=(DOWN, UP)),
        "listagg(distinct, order)": bind("listagg", STRING, STRING, result=TEXT, distinct=True, sorting=(DOWN,)),
        "mode(order)": bind("mode", FLOAT, result=DOUBLE, sorting=(UP,)),
        "percentile(desc)": bind("percentile_cont", FLOAT, 9, types=(DOUBLE, DOUBLE), result=DOUBLE, sorting=(DOWN,)),
        "percentile_disc": bind("percentile_disc", FLOAT, 9, types=(DOUBLE, DOUBLE), result=DOUBLE, sorting=(UP,)),
        "approx_percentile": bind("approx_percentile", INTEGER, 9, types=(LONG, DOUBLE), result=LONG),
        "approx_count_distinct": bind("approx_count_distinct", FLOAT, result=LONG),
        "max(struct)": bind("max", 11, **OF_RECORDS),
        "min(struct)": bind("min", 11, **OF_RECORDS),
        "mode(struct)": bind("mode", 11, **OF_RECORDS),
        "last(struct)": bind("last", 11, **OF_RECORDS),
        "max_by(struct)": bind("max_by", INTEGER, 11, types=(LONG, RECORD), result=LONG),
        "collect_set(struct)": bind("collect_set", 11, types=(RECORD,), result=pa.list_(RECORD)),
        "count(distinct struct)": bind("count", 11, types=(RECORD,), result=LONG, distinct=True),
        "count(distinct struct, a)": bind("count", 11, FLAG, types=(RECORD, BOOL), result=LONG, distinct=True),
    }
    return {name: must(aggregate) for name, aggregate in calls.items()}


AGGREGATES = covered()
each_aggregate = pytest.mark.parametrize("aggregate", AGGREGATES.values(), ids=AGGREGATES)


def numbered(values: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(row_id, None, *row, 0.3, "-", record(*row), 3) for row_id, row in enumerate(values)]


def record(number: int | None, x: float | None, *others: Any) -> dict[str, Any] | None:
    """A struct with an array."""
    return None if number is None else {"x": x, "texts": [others[3], None][: number % 3]}


def fold(aggregate: Aggregate, rows: list[tuple[Any, ...]], accumulator: Any = None) -> Any:
    accumulator = aggregate.create() if accumulator is None else accumulator
    for row in rows:
        accumulator = aggregate.add(accumulator, row)
    return accumulator


def shown(aggregate: Aggregate, accumulator: Any) -> str:
    """The result as text; NaN equals itself in it."""
    return repr(aggregate.result(accumulator))


@each_aggregate
@given(values=rows_of_values, cut=st.integers(0, 12))
@settings(max_examples=40)
def test_merging_two_runs_of_rows_is_adding_all(aggregate: Aggregate, values: list[tuple[Any, ...]], cut: int) -> None:
    rows = numbered(values)
    left, right = fold(aggregate, rows[:cut]), fold(aggregate, rows[cut:])
    assert shown(aggregate, aggregate.merge(left, right)) == shown(aggregate, fold(aggregate, rows))


@each_aggregate
@given(values=rows_of_values, sides=st.lists(st.booleans(), min_size=12, max_size=12))
@settings(max_examples=40)
def test_merging_rows_that_came_by_turns_is_adding_all(
    aggregate: Aggregate, values: list[tuple[Any, ...]], sides: list[bool]
) -> None:
    """Sessions merge after rows came to either by turns; whichever is merged into the other."""
    rows = numbered(values)
    left = [row for row, is_left in zip(rows, sides, strict=False) if is_left]
    right = [row for row, is_left in zip(rows, sides, strict=False) if not is_left]
    merged = aggregate.merge(fold(aggregate, left), fold(aggregate, right))
    swapped = aggregate.merge(fold(aggregate, right), fold(aggregate, left))
    expected = shown(aggregate, fold(aggregate, rows))
    assert shown(aggregate, merged) == shown(aggregate, swapped) == expected


@each_aggregate
@given(values=rows_of_values, cut=st.integers(0, 12))
@settings(max_examples=25)
def test_an_accumulator_outlives_state_and_results(
    aggregate: Aggregate, values: list[tuple[Any, ...]], cut: int
) -> None:
    """Written, read, asked for its result in between, and left alone by a merge into another one."""
    rows = numbered(values)
    accumulator = fold(aggregate, rows[:cut])
    before = shown(aggregate, accumulator)
    restored = decode(encode(accumulator))
    assert shown(aggregate, restored) == before
    merged = aggregate.merge(fold(aggregate, rows[cut:]), restored)
    fold(aggregate, [(20, None, *row[2:]) for row in rows], merged)
    assert shown(aggregate, restored) == before
    assert shown(aggregate, fold(aggregate, rows[cut:], accumulator)) == shown(aggregate, fold(aggregate, rows))


@each_aggregate
def test_an_aggregate_travels_to_executors(aggregate: Aggregate) -> None:
    assert pickle.loads(pickle.dumps(aggregate)) == aggregate  # noqa: S301 - our own bytes


@each_aggregate
def test_results_fit_their_column(aggregate: Aggregate) -> None:
    rows = numbered([(1, 2.5, Decimal("0.01"), Decimal("1.00"), True, "a", 3)])
    result = [aggregate.result(fold(aggregate, rows)), aggregate.result(aggregate.create())]
    assert len(pa.array(result, aggregate.result_type)) == 2


@pytest.mark.parametrize("name", ["MAX", "MIN", "FIRST", "MODE", "COLLECT_LIST", "COLLECT_SET"])
@pytest.mark.parametrize("kind", [pa.struct, lambda fields: pa.list_(pa.struct(fields))])
def test_parts_of_a_result_may_be_null_where_those_of_its_values_may_not(name: str, kind: Any) -> None:
    """Spark says so of every result over a stream."""
    values, result = kind([pa.field("x", DOUBLE, nullable=False)]), kind([pa.field("x", DOUBLE)])
    assert bind(name, 2, types=(values,), result=pa.list_(result) if name.startswith("COLLECT") else result)
    assert not bind(name, 2, types=(values,), result=pa.list_(TEXT))


def test_a_collected_list_is_a_copy() -> None:
    aggregate = AGGREGATES["collect_list"]
    accumulator = fold(aggregate, numbered([(None,) * 5 + ("a", None)]))
    first = aggregate.result(accumulator)
    fold(aggregate, numbered([(None,) * 5 + ("b", None)]), accumulator)
    assert first == ["a"]


@pytest.mark.parametrize("name", ["collect_set", "collect_list(distinct)", "mode"])
def test_values_of_merged_sessions_are_in_order_of_arrival(name: str) -> None:
    call, distinct = name.partition("(")[0], name.endswith("(distinct)")
    result = LONG if call == "mode" else pa.list_(LONG)
    aggregate = must(bind(call, 2, types=(LONG,), result=result, distinct=distinct))
    rows = [(n, None, value) for n, value in enumerate([1, 2, 3, 2, 3, 9])]
    early, late = fold(aggregate, [*rows[:1], rows[2], rows[4]]), fold(aggregate, [rows[1], rows[3]])
    merged = fold(aggregate, rows[5:], aggregate.merge(early, late))
    assert aggregate.result(merged) == (2 if call == "mode" else [1, 2, 3, 9])


OLD_STATE = {
    "collect_set": (["NaN", 2.0], None, [math.nan, 2.0, 1.0]),
    "mode": (["b", "a"], 1, "b"),
}


@pytest.mark.parametrize("name", OLD_STATE)
def test_state_without_row_ids_is_read(name: str) -> None:
    """Up to version 0.1.0 state kept the values of these in their order, without the numbers of their first rows."""
    keys, content, expected = OLD_STATE[name]
    aggregate = AGGREGATES[name]
    old = decode(encode(dict.fromkeys(keys, content)))
    new = numbered([(None, 1.0, None, None, None, "c", None), (None, 2.0, None, None, None, "b", None)])
    of_new = fold(aggregate, new)
    outcomes = [
        fold(aggregate, new, decode(encode(old))),
        aggregate.merge(decode(encode(old)), of_new),
        aggregate.merge(fold(aggregate, new), old),
    ]
    assert [repr(aggregate.result(outcome)) for outcome in outcomes] == [repr(expected)] * 3
    both = aggregate.merge(decode(encode(old)), decode(encode(dict.fromkeys(reversed(keys), content))))
    assert repr(aggregate.result(both)) == repr(aggregate.result(old))
    assert aggregate.result(decode(encode({}))) == aggregate.result(aggregate.create())


# -- numbers ----------------------------------------------------------------------------------------------------------


def numbers(aggregate: Aggregate | None, values: list[Any]) -> Any:
    """The result over one column in slot 2."""
    aggregate = must(aggregate)
    return aggregate.result(fold(aggregate, [(i, None, value) for i, value in enumerate(values)]))


exact_context = Context(prec=200)


@given(st.lists(st.integers(-(10**20) + 1, 10**20 - 1), min_size=1, max_size=20))
def test_the_average_of_decimals_is_rounded_half_up(units: list[int]) -> None:
    argument, result = pa.decimal128(20, 3), pa.decimal128(24, 7)
    average = numbers(bind("avg", 2, result=result, types=(argument,)), [Decimal(u).scaleb(-3) for u in units])
    half_up = (2 * abs(sum(units)) * 10**4 + len(units)) // (2 * len(units))
    assert average == exact_context.scaleb(Decimal(half_up if sum(units) > 0 else -half_up), -7)


def test_half_a_unit_goes_away_from_zero() -> None:
    argument, result = pa.decimal128(20, 3), pa.decimal128(24, 7)
    values = [Decimal("0.001")] + [Decimal("0.000")] * 79_999
    assert numbers(bind("avg", 2, result=result, types=(argument,)), values) == Decimal("0.0000000")
    assert numbers(bind("avg", 2, result=result, types=(argument,)), values[:20_000]) == Decimal("0.0000001")
    assert numbers(bind("avg", 2, result=result, types=(argument,)), [-v for v in values[:20_000]]) == Decimal("-1E-7")


@given(st.lists(st.integers(-(10**37), 10**37), min_size=1, max_size=9))
def test_the_sum_of_wide_decimals_is_exact(units: list[int]) -> None:
    result = pa.decimal128(38, 0)
    values = [Decimal(u) for u in units]
    assert numbers(bind("sum", 2, result=result, types=(result,)), values) == exact_context.create_decimal(sum(units))


@pytest.mark.parametrize("name", ["var_pop", "var_samp", "stddev_pop", "stddev_samp"])
@given(values=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_variances(name: str, values: list[float]) -> None:
    expected = {
        "var_pop": statistics.pvariance,
        "var_samp": statistics.variance,
        "stddev_pop": statistics.pstdev,
        "stddev_samp": statistics.stdev,
    }[name](values)
    aggregate = must(bind(name, 2, result=DOUBLE, types=(DOUBLE,)))
    rows = [(i, None, value) for i, value in enumerate(values)]
    merged = aggregate.merge(fold(aggregate, rows[::2]), fold(aggregate, rows[1::2]))
    assert aggregate.result(fold(aggregate, rows)) == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert aggregate.result(merged) == pytest.approx(expected, rel=1e-6, abs=1e-6)


PAIRS = st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=2, max_size=30)


@given(pairs=PAIRS, cut=st.integers(0, 30))
def test_covariances_merge(pairs: list[tuple[float, float]], cut: int) -> None:
    expected = statistics.covariance(*zip(*pairs, strict=True))
    aggregate = must(bind("covar_samp", 2, 3, result=DOUBLE, types=(DOUBLE, DOUBLE)))
    rows = [(i, None, x, y) for i, (x, y) in enumerate(pairs)]
    merged = aggregate.merge(fold(aggregate, rows[:cut]), fold(aggregate, rows[cut:]))
    assert aggregate.result(merged) == pytest.approx(expected, rel=1e-6, abs=1e-3)
    empty = aggregate.create()
    assert aggregate.merge(empty, aggregate.create()) == empty


REGRESSIONS = tuple(f"regr_{name}" for name in ("avgx", "avgy", "intercept", "r2", "slope", "sxx", "sxy", "syy"))
WHOLE_PAIRS = st.lists(st.tuples(st.integers(-999, 999), st.integers(-999, 999)), min_size=2, max_size=30)


@pytest.mark.parametrize("name", [*REGRESSIONS, "skewness", "kurtosis"])
@given(
    pairs=WHOLE_PAIRS.filter(lambda pairs: all(len(set(side)) > 1 for side in zip(*pairs, strict=True))),
    cut=st.integers(0, 30),
)
def test_moments_of_parts_are_those_of_all(name: str, pairs: list[tuple[int, int]], cut: int) -> None:
    slots = (2, 3) if name in REGRESSIONS else (2,)
    aggregate = must(bind(name, *slots, result=DOUBLE, types=(DOUBLE, DOUBLE)[: len(slots)]))
    rows = [(i, None, y, x) for i, (y, x) in enumerate(pairs)]
    merged = aggregate.result(aggregate.merge(fold(aggregate, rows[:cut]), fold(aggregate, rows[cut:])))
    assert merged == pytest.approx(aggregate.result(fold(aggregate, rows)), rel=1e-6, abs=1e-3)


def test_correlation_merges() -> None:
    aggregate = must(bind("corr", 2, 3, result=DOUBLE, types=(DOUBLE, DOUBLE)))
    rows = [(i, None, float(i * i % 17), None if i % 7 == 0 else float(i * 5 % 23)) for i in range(40)]
    known = [row[2:] for row in rows if row[3] is not None]
    expected = statistics.correlation(*zip(*known, strict=True))
    merged = aggregate.merge(fold(aggregate, rows[:13]), fold(aggregate, rows[13:]))
    assert aggregate.result(merged) == pytest.approx(expected)
    assert [aggregate.result(fold(aggregate, part)) for part in (rows[:0], rows[1:2], [rows[1], rows[1]])] == [None] * 3


@pytest.mark.parametrize(("others", "first"), [(0, -0.0), (200, -0.0), (400, 0.0), (1000, 0.0), (3000, -0.0)])
def test_percentiles_keep_the_sign_of_zero_as_spark_does(others: int, first: float) -> None:
    aggregate = must(bind("percentile", 2, 3, result=DOUBLE, types=(DOUBLE, DOUBLE)))
    values = [0.0, -0.0, *(float(value) for value in range(1, others + 1))]
    accumulator = aggregate.create()
    for row_id, value in enumerate(values):
        accumulator = aggregate.add(accumulator, (0, row_id, value, 0.0))
    assert math.copysign(1, aggregate.result(accumulator)) == math.copysign(1, first)
    alone = aggregate.add(aggregate.create(), (0, 0, -0.0, 0.5))
    assert math.copysign(1, aggregate.result(alone)) == -1


@given(values=st.lists(st.integers(-1000, 1000), min_size=1, max_size=30), percent=st.integers(0, 100))
def test_percentiles(values: list[int], percent: int) -> None:
    aggregate = must(bind("percentile", 2, 3, result=DOUBLE, types=(LONG, pa.decimal128(3, 2))))
    accumulator = aggregate.create()
    for row_id, value in enumerate(values):
        accumulator = aggregate.add(accumulator, (row_id, None, value, Decimal(percent) / 100))
        so_far = np.percentile(values[: row_id + 1], percent)
        assert aggregate.result(accumulator) == pytest.approx(so_far, abs=1e-9)


LARGEST = 2**63 - 1


def test_a_percentile_of_the_longest_intervals_is_one_of_them() -> None:
    """A DOUBLE beyond the longest becomes the longest, as in Java."""
    for name, slots, types in (("median", (2,), (SPAN,)), ("percentile", (2, 3), (SPAN, DOUBLE))):
        aggregate = must(bind(name, *slots, result=SPAN, types=types))
        rows = [(n, None, 2**63 - 1 - n % 2, 0.3) for n in range(3)]
        assert aggregate.result(fold(aggregate, rows)) == 2**63 - 1


@pytest.mark.parametrize(("name", "result"), [("sum", 2**31 - 1), ("avg", 2**29)])
def test_year_month_intervals_are_added_in_32_bits(name: str, result: int) -> None:
    months = pa.int32()
    added, tried = (must(bind(n, 2, types=(months,), result=months)) for n in (name, f"try_{name}"))
    accumulator = added.create()
    for value in (2**31 - 1, -1, None, 1, 0):
        accumulator = added.add(accumulator, (0, 0, value))
    assert added.result(accumulator) == tried.result(accumulator) == result
    accumulator = added.add(accumulator, (0, 0, 1))
    assert tried.result(accumulator) is None
    with pytest.raises(WindowDataError, match=f"a window's {name.upper()} does not fit INTERVAL YEAR TO MONTH"):
        added.result(accumulator)


def test_a_sum_is_judged_when_it_is_asked_for() -> None:
    """On the way to a sum that fits, no order or split of the rows can make it fail."""
    for values in ([LARGEST, 1, -5], [-5, LARGEST, 1]):
        assert numbers(bind("sum", 2, result=LONG, types=(LONG,)), values) == LARGEST - 4


def test_an_overflow_in_ansi_mode_names_try_sum() -> None:
    with pytest.raises(WindowDataError) as caught:
        numbers(bind("sum", 2, result=LONG, types=(LONG,)), [LARGEST, 1])
    assert str(caught.value) == (
        "[ARITHMETIC_OVERFLOW] a window's SUM does not fit BIGINT\n"
        "  rule: in ANSI mode a result that does not fit its type is an error\n"
        "  hint: use try_sum to get NULL instead, or cast the argument to a wider type"
    )


@pytest.mark.parametrize(("values", "wrapped"), [([LARGEST, 1], -LARGEST - 1), ([-LARGEST - 1, -2], LARGEST - 1)])
def test_an_overflow_without_ansi_wraps(values: list[int], wrapped: int) -> None:
    assert numbers(bind("sum", 2, result=LONG, types=(LONG,), ansi=False), values) == wrapped
    assert numbers(bind("try_sum", 2, result=LONG, types=(LONG,), ansi=True), values) is None


def test_decimals_too_large_for_their_type() -> None:
    wide = pa.decimal128(38, 0)
    values = [Decimal(10**38 - 1), Decimal(1)]
    assert numbers(bind("sum", 2, result=wide, types=(wide,), ansi=False), values) is None
    with pytest.raises(WindowDataError, match=r"\[NUMERIC_VALUE_OUT_OF_RANGE\] a window's SUM"):
        numbers(bind("sum", 2, result=wide, types=(wide,)), values)
    with pytest.raises(WindowDataError, match="use try_avg"):
        numbers(bind("avg", 2, result=pa.decimal128(38, 4), types=(wide,)), values[:1])
    assert numbers(bind("try_avg", 2, result=pa.decimal128(38, 4), types=(wide,)), values[:1]) is None


def test_the_last_of_equals_wins_max_by_and_the_first_wins_max() -> None:
    aggregate = must(bind("max_by", 2, 3, result=TEXT, types=(TEXT, LONG)))
    rows = [(0, None, "a", 1), (1, None, "b", 1), (2, None, "c", None), (3, None, "d", 0)]
    assert aggregate.result(fold(aggregate, rows)) == "b"
    assert math.copysign(1, numbers(bind("max", 2, result=DOUBLE, types=(DOUBLE,)), [-0.0, 0.0])) == -1


# -- what is covered --------------------------------------------------------------------------------------------------

NAMES = {
    *("COUNT", "COUNT_IF", "SUM", "TRY_SUM", "AVG", "MEAN", "TRY_AVG"),
    *("MIN", "MAX", "MIN_BY", "MAX_BY", "BOOL_AND", "EVERY", "BOOL_OR", "SOME", "ANY"),
    *("ANY_VALUE", "FIRST", "FIRST_VALUE", "LAST", "LAST_VALUE"),
    *("STDDEV", "STDDEV_SAMP", "STDDEV_POP", "STD", "VARIANCE", "VAR_SAMP", "VAR_POP"),
    *("SKEWNESS", "KURTOSIS", "REGR_COUNT", "REGR_AVGX", "REGR_AVGY", "REGR_SXX", "REGR_SXY", "REGR_SYY"),
    *("REGR_SLOPE", "REGR_INTERCEPT", "REGR_R2", "CORR", "COVAR_POP", "COVAR_SAMP", "BIT_AND", "BIT_OR", "BIT_XOR"),
    *("COLLECT_LIST", "ARRAY_AGG", "COLLECT_SET", "LISTAGG", "STRING_AGG", "MODE", "APPROX_COUNT_DISTINCT"),
    *("MEDIAN", "PERCENTILE", "PERCENTILE_CONT", "PERCENTILE_DISC", "APPROX_PERCENTILE", "PERCENTILE_APPROX"),
}


def test_the_names_covered() -> None:
    assert set(SUPPORTED) == NAMES


MAP = pa.map_(TEXT, LONG)
TWICE = pa.struct([("a", LONG), ("a", LONG)])
NOT_COVERED: dict[str, dict[str, Any]] = {
    "an unknown function": {"name": "count_min_sketch", "types": (DOUBLE,), "result": pa.binary()},
    "listagg of numbers": {"name": "listagg", "types": (LONG,), "result": TEXT},
    "listagg with another delimiter": {"name": "listagg", "types": (TEXT, LONG), "result": TEXT},
    "bits of a decimal": {"name": "bit_and", "types": (SHORT_DECIMAL,), "result": LONG},
    "distinct covariance": {"name": "covar_pop", "types": (LONG, LONG), "result": DOUBLE, "distinct": True},
    "distinct regression": {"name": "regr_slope", "types": (LONG, LONG), "result": DOUBLE, "distinct": True},
    "count of pairs with text": {"name": "regr_count", "types": (TEXT, LONG), "result": LONG},
    "skewness of text": {"name": "skewness", "types": (TEXT,), "result": DOUBLE},
    "correlation of text": {"name": "corr", "types": (TEXT, LONG), "result": DOUBLE},
    "approximate count of maps": {"name": "approx_count_distinct", "types": (MAP,), "result": LONG},
    "approximate count of two fields of one name": {"name": "approx_count_distinct", "types": (TWICE,), "result": LONG},
    "approximate count with an error": {"name": "approx_count_distinct", "types": (LONG, DOUBLE), "result": LONG},
    "approximate percentile of a long decimal": {
        "name": "approx_percentile",
        "types": (pa.decimal128(20, 2), DOUBLE),
        "result": pa.decimal128(20, 2),
    },
    "listagg DISTINCT in another order": {
        "name": "listagg",
        "types": (LONG, TEXT),
        "result": TEXT,
        "distinct": True,
        "sorting": (DOWN,),
    },
    "an order where there is none": {"name": "max", "types": (LONG,), "result": LONG, "sorting": (DOWN,)},
    "no order where there is one": {"name": "percentile_cont", "types": (LONG, DOUBLE), "result": DOUBLE},
    "sum of text": {"name": "sum", "types": (TEXT,), "result": DOUBLE},
    "sum with another result type": {"name": "sum", "types": (LONG,), "result": DOUBLE},
    "average of intervals of another type": {"name": "avg", "types": (SPAN,), "result": DOUBLE},
    "average of text": {"name": "avg", "types": (TEXT,), "result": DOUBLE},
    "percentile with frequency": {"name": "percentile", "types": (LONG, DOUBLE, LONG), "result": DOUBLE},
    "deterministic mode": {"name": "mode", "types": (LONG, BOOL), "result": LONG},
    "distinct values of maps": {"name": "count", "types": (MAP,), "result": LONG, "distinct": True},
    "max of an array of maps": {"name": "max", "types": (pa.list_(MAP),), "result": pa.list_(MAP)},
    "max of TIME": {"name": "max", "types": (pa.time64("ns"),), "result": pa.time64("ns")},
    "TIME inside a struct": {"name": "first", "types": (pa.struct([("a", pa.time64("ns"))]),), "result": TEXT},
    "two fields of one name": {"name": "collect_list", "types": (TWICE,), "result": pa.list_(TWICE)},
    "order of two fields of one name": {"name": "max_by", "types": (LONG, TWICE), "result": LONG},
    "the k largest of DISTINCT": {
        "name": "max_by",
        "types": (LONG, LONG, LONG),
        "result": pa.list_(LONG),
        "distinct": True,
    },
    "distinct count_if": {"name": "count_if", "types": (BOOL,), "result": LONG, "distinct": True},
    "distinct median": {"name": "median", "types": (LONG,), "result": DOUBLE, "distinct": True},
    "too many arguments": {"name": "sum", "types": (LONG, LONG), "result": LONG},
    "no argument": {"name": "max", "types": (), "result": LONG},
}


@pytest.mark.parametrize("call", NOT_COVERED.values(), ids=NOT_COVERED)
def test_not_covered(call: dict[str, Any]) -> None:
    options = {key: value for key, value in call.items() if key != "name"}
    assert bind(call["name"], *range(2, 2 + len(call["types"])), **options) is None


# -- registered aggregates --------------------------------------------------------------------------------------------


class Widest:
    """The largest sum of two arguments."""

    def create_accumulator(self) -> Any:
        return None

    def add(self, accumulator: Any, left: Any, right: Any) -> Any:
        return max(left + right, accumulator or 0)

    def get_result(self, accumulator: Any) -> Any:
        return accumulator

    def merge(self, accumulator: Any, other: Any) -> Any:
        return max(accumulator, other)


class Constant(Widest):
    def __init__(self, value: Any) -> None:
        self.value = value

    def get_result(self, accumulator: Any) -> Any:
        return self.value


def registered(function: Any, result: pa.DataType, filter_slot: int | None = None) -> Aggregate:
    return bind_registered(AggregateFunction(function, "unused here"), (2, 3), filter_slot, result, "widest")


def test_a_registered_aggregate() -> None:
    aggregate = registered(Widest(), LONG, filter_slot=4)
    rows = [(0, None, 1, 2, True), (1, None, 9, 9, False), (2, None, 2, 2, True)]
    assert aggregate.result(fold(aggregate, rows)) == 4
    assert aggregate.result(aggregate.merge(fold(aggregate, rows[:1]), fold(aggregate, rows[1:]))) == 4
    assert aggregate.result(aggregate.create()) is None


def test_what_a_registered_aggregate_raises_is_named() -> None:
    aggregate = registered(Widest(), LONG)
    with pytest.raises(WindowDataError) as caught:
        aggregate.add(None, (0, None, 1, None))
    assert caught.value.problem == (
        "aggregate widest: add(1, None) raised TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"
    )
    assert isinstance(caught.value.__cause__, TypeError)
    with pytest.raises(WindowDataError, match=r"aggregate widest: merge\(1, None\) raised TypeError"):
        aggregate.merge(1, None)


WRONG_RESULTS = [("a", LONG), (1.5, LONG), (2**70, LONG), (math.nan, LONG), (True, LONG), (1, TEXT), ([1], DOUBLE)]


@pytest.mark.parametrize(("value", "kind"), [*WRONG_RESULTS, (Decimal("1.005"), SHORT_DECIMAL)])
def test_a_result_of_another_type_is_refused(value: Any, kind: pa.DataType) -> None:
    aggregate = registered(Constant(value), kind)
    with pytest.raises(WindowDataError, match=r"aggregate widest: get_result returned .*, which is no"):
        aggregate.result(None)


RESULTS = [
    (np.int64(3), LONG, 3),
    (2.0, LONG, 2),
    (3, DOUBLE, 3.0),
    (Decimal("1.5"), SHORT_DECIMAL, Decimal("1.50")),
    (datetime(1970, 1, 1, 0, 0, 1), pa.timestamp("us"), 10**6),
    (7, pa.timestamp("us", "UTC"), 7),
    (date(1970, 1, 3), pa.date32(), 2),
    (timedelta(seconds=1), SPAN, 10**6),
    ({"a": 1}, pa.struct([("a", LONG)]), {"a": 1}),
]


@pytest.mark.parametrize(("value", "kind", "expected"), RESULTS)
def test_results_become_values_of_their_type(value: Any, kind: pa.DataType, expected: Any) -> None:
    result = registered(Constant(value), kind).result(None)
    assert (result, type(result)) == (expected, type(expected))
