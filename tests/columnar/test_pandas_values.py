"""Values that APPLY hands to its function and takes from it, in the forms of Spark's own pandas functions."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from winsql.spark.workers.pandas_values import column_of, local_time, series_of, value_of

ZONE = "America/New_York"
INSTANT = pa.timestamp("us", "UTC")
CLOCK = pa.timestamp("us")
MICROS = 1_704_085_201_000_000
LOCAL = pd.Timestamp("2024-01-01 00:00:01")
LAST, FIRST = 253_402_300_800_000_000, -62_135_596_800_000_000


def _column(kind: pa.DataType, *values: Any) -> pa.Array:
    return pa.array(values, type=kind)


NESTED = [
    (pa.list_(INSTANT), [MICROS, None], [LOCAL, None]),
    (pa.list_(pa.list_(INSTANT)), [[MICROS], None, []], [[LOCAL], None, []]),
    (pa.list_(pa.list_(INSTANT)), [[MICROS]], [[LOCAL]]),
    (pa.struct([("t", INSTANT), ("n", pa.int64())]), {"t": MICROS, "n": None}, {"t": LOCAL, "n": None}),
    (pa.map_(pa.string(), INSTANT), [("x", MICROS), ("y", None)], {"x": LOCAL, "y": None}),
    (pa.map_(INSTANT, pa.int32()), [(MICROS, 1)], {LOCAL: 1}),
    (pa.map_(pa.string(), pa.int32()), [("x", 1)], {"x": 1}),
    (pa.list_(pa.struct([("m", pa.map_(pa.string(), INSTANT))])), [{"m": [("x", MICROS)]}], [{"m": {"x": LOCAL}}]),
    (pa.list_(CLOCK), [0, MICROS], [pd.Timestamp(0), pd.Timestamp("2024-01-01 05:00:01")]),
]


@pytest.mark.parametrize(("kind", "stored", "seen"), NESTED, ids=lambda case: str(case)[:40])
def test_nested_values_go_to_pandas_and_come_back(kind: pa.DataType, stored: Any, seen: Any) -> None:
    column = _column(kind, None, stored, stored, None)
    for part in (column, column.slice(1), column.slice(2, 1)):
        series = series_of(part, ZONE)
        assert [_lists(value) for value in series] == [None if value is None else seen for value in part.to_pylist()]
        assert column_of(series, kind, ZONE).equals(part)
    assert _lists(value_of(column[1], ZONE)) == seen
    assert value_of(column[0], ZONE) is None


def _lists(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return [None if item is pd.NaT else _lists(item) for item in value]
    return value


def test_no_time_in_an_array_is_nat_as_in_pandas_own_arrays() -> None:
    (seen,) = series_of(_column(pa.list_(INSTANT), [None, MICROS]), ZONE)
    assert list(seen) == [pd.NaT, LOCAL]


@pytest.mark.parametrize("micros", [LAST, FIRST, MICROS])
@pytest.mark.parametrize("kind", [INSTANT, CLOCK])
def test_times_that_do_not_fit_nanoseconds_are_returned(kind: pa.DataType, micros: int) -> None:
    zone = "UTC" if micros == FIRST else ZONE
    time = local_time(micros, kind, zone)
    values = pd.Series([time, None, pd.NaT], dtype=object)
    assert column_of(values, kind, zone).equals(_column(kind, micros, None, None))
    lists = pd.Series([[time], None], dtype=object)
    assert column_of(lists, pa.list_(kind), zone).equals(_column(pa.list_(kind), [micros], None))
    (seen,) = series_of(_column(pa.list_(kind), [micros]), zone)
    assert list(seen) == [time]


def test_structs_may_be_rows_and_times_may_have_zones() -> None:
    kind = pa.struct([("t", INSTANT), ("n", pa.int64())])
    zoned = pd.Timestamp("2024-01-01 06:00:01", tz="Europe/Berlin")
    values = pd.Series([(datetime(2024, 1, 1, 0, 0, 1), 1), {"t": zoned, "n": 2}], dtype=object)
    assert column_of(values, kind, ZONE).cast(pa.struct([("t", pa.int64()), ("n", pa.int64())])).to_pylist() == [
        {"t": MICROS, "n": 1},
        {"t": MICROS, "n": 2},
    ]
    plain = pa.struct([("n", pa.int64())])
    assert column_of(pd.Series([(1,)], dtype=object), plain, ZONE).to_pylist() == [{"n": 1}]


@pytest.mark.parametrize("wrong", [1, "x", [1, 2, 3], (LOCAL, 1, 2)])
def test_values_of_another_form_are_refused(wrong: Any) -> None:
    kind = pa.struct([("t", INSTANT), ("n", pa.int64())])
    with pytest.raises((pa.ArrowException, ValueError, TypeError)):
        column_of(pd.Series([wrong], dtype=object), kind, ZONE)
