"""Window functions in a worker, against frames and functions as their definitions say them, row by row."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winsql.model.base import FIRST_OPERAND
from winsql.model.window_functions import Side
from winsql.runtime.aggregates import bind_aggregate
from winsql.spark.workers.frames import BoundPlan, FramePlan, SortKeys
from winsql.spark.workers.window_functions import Evaluation, Evaluations

Rows = list[tuple[int | None, int | None, bool | None]]
"""What a row is ordered by, the argument and the FILTER."""
ROWS = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 6)),
        st.one_of(st.none(), st.integers(-3, 9)),
        st.sampled_from([True, False, None]),
    ),
    min_size=1,
    max_size=9,
)
BOUNDS = st.one_of(st.none(), st.integers(-3, 3))
"""None: unbounded; 0: the current row; before and after it."""
NAMES = ("COUNT", "SUM", "MIN", "COLLECT_LIST", "FIRST_VALUE", "LAST", "NTH_VALUE")


def evaluated(
    rows: Rows,
    name: str,
    result_type: pa.DataType,
    frame: tuple[bool, int | None, int | None] = (False, None, 0),
    descending: bool = False,
    nulls_first: bool = True,
    ignores_nulls: bool = False,
    filtered: bool = False,
    more: tuple[Any, ...] = (),
) -> list[tuple[int, Any]]:
    """The number of each row and what the function gives it; `more` are the arguments after the first one."""
    sign = -1 if descending else 1
    counts_rows, start, end = frame
    columns: dict[str, Any] = {"number": pa.array(range(len(rows)), pa.int32())}
    columns |= sort_columns("order", [order for order, _, _ in rows])
    columns["argument"] = pa.array([value for _, value, _ in rows], pa.int64())
    columns["filter"] = pa.array([kept for _, _, kept in rows], pa.bool_())
    columns |= {f"more{n}": pa.array([value] * len(rows)) for n, value in enumerate(more)}
    for bound, offset in (("start", start), ("end", end)):
        columns[bound] = pa.array([abs(offset or 0)] * len(rows), pa.int32())
        values = [None if order is None else order + sign * (offset or 0) for order, _, _ in rows]
        columns |= sort_columns(f"{bound}_range", values)
    keys: SortKeys = [
        ("order_null", "descending" if nulls_first else "ascending"),
        ("order", "descending" if descending else "ascending"),
    ]
    plan = FramePlan(counts_rows, bound_of("start", start, counts_rows, -1), bound_of("end", end, counts_rows, 1), keys)
    aggregate = bind_aggregate(
        name, distinct=False, slots=(FIRST_OPERAND,), filter_slot=FIRST_OPERAND + 1 if filtered else None,
        types=(pa.int64(),), result_type=result_type, ansi=True,
    )  # fmt: skip
    evaluation = Evaluation(
        name, keys, [("number", "ascending")], ("argument", *(f"more{n}" for n in range(len(more)))),
        "filter" if filtered else None, ignores_nulls, plan,
        aggregate if name in ("COUNT", "SUM", "MIN", "COLLECT_LIST") else None, result_type, "result",
    )  # fmt: skip
    found = Evaluations(1, (evaluation,))(pa.table(columns))
    assert found["number"].to_pylist() == [*range(len(rows))]
    return [(number, found["result"][number].as_py()) for number in in_order(rows, descending, nulls_first)]


def in_order(rows: Rows, descending: bool, nulls_first: bool) -> list[int]:
    """The numbers of the rows, sorted."""
    return sorted(range(len(rows)), key=lambda n: (*rank(rows[n][0], descending, nulls_first), n))


def rank(order: int | None, descending: bool, nulls_first: bool) -> tuple[bool, int]:
    return (order is None) is not nulls_first, 0 if order is None else (-order if descending else order)


def sort_columns(name: str, values: list[int | None]) -> dict[str, pa.Array]:
    return {
        f"{name}_null": pa.array([int(value is None) for value in values], pa.int32()),
        name: pa.array(values, pa.int64()),
    }


def bound_of(name: str, offset: int | None, counts_rows: bool, unbounded: int) -> BoundPlan:
    if offset is None:
        return BoundPlan(Side(unbounded))
    columns = (name,) if counts_rows else (f"{name}_range_null", f"{name}_range")
    return BoundPlan(Side(int(math.copysign(1, offset)) if offset else 0), columns if offset else ())


def expected(
    rows: Rows, one: Callable[[list[int | None]], Any], frame: tuple[bool, int | None, int | None],
    descending: bool, nulls_first: bool, ignores_nulls: bool, filtered: bool,
) -> list[tuple[int, Any]]:  # fmt: skip
    """The same, of each row the rows in its frame."""
    counts_rows, start, end = frame

    places = in_order(rows, descending, nulls_first)
    found = []
    for here, number in enumerate(places):
        inside = []
        for there, other in enumerate(places):
            if counts_rows:
                is_in = (start is None or there >= here + start) and (end is None or there <= here + end)
            else:
                own, seen = (rank(rows[n][0], descending, nulls_first) for n in (number, other))
                low, high = (own[0], own[1] + (start or 0)), (own[0], own[1] + (end or 0))
                if rows[number][0] is None:
                    low = high = own
                is_in = (start is None or seen >= low) and (end is None or seen <= high)
            value, kept = rows[other][1:]
            if is_in and (kept or not filtered) and not (ignores_nulls and value is None):
                inside.append(value)
        found.append((number, one(inside)))
    return found


def present(values: list[int | None]) -> list[int]:
    return [value for value in values if value is not None]


ONE: dict[str, tuple[pa.DataType, Callable[[list[int | None]], Any]]] = {
    "COUNT": (pa.int64(), lambda values: len(present(values))),
    "SUM": (pa.int64(), lambda values: sum(present(values)) if present(values) else None),
    "MIN": (pa.int64(), lambda values: min(present(values), default=None)),
    "COLLECT_LIST": (pa.list_(pa.int64()), present),
    "FIRST_VALUE": (pa.int64(), lambda values: values[0] if values else None),
    "LAST": (pa.int64(), lambda values: values[-1] if values else None),
    "NTH_VALUE": (pa.int64(), lambda values: values[1] if len(values) > 1 else None),
}


@given(
    ROWS,
    st.sampled_from(NAMES),
    st.booleans(),
    BOUNDS,
    BOUNDS,
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_frames(
    rows: Rows, name: str, counts_rows: bool, start: int | None, end: int | None,
    descending: bool, nulls_first: bool, ignores_nulls: bool, filtered: bool,
) -> None:  # fmt: skip
    if start is not None and end is not None and start > end:
        start, end = end, start
    result_type, one = ONE[name]
    is_picked = name in ("FIRST_VALUE", "LAST", "NTH_VALUE")
    frame, ignores_nulls = (counts_rows, start, end), ignores_nulls and is_picked
    more = (2,) if name == "NTH_VALUE" else ()
    found = evaluated(rows, name, result_type, frame, descending, nulls_first, ignores_nulls, filtered, more)
    assert found == expected(rows, one, frame, descending, nulls_first, ignores_nulls, filtered)


@given(ROWS, st.sampled_from(["LAG", "LEAD"]), st.integers(-3, 3), st.booleans(), st.sampled_from([(), (77,), (None,)]))
def test_rows_before_and_after(
    rows: Rows, name: str, offset: int, ignores_nulls: bool, default: tuple[int | None, ...]
) -> None:
    more = (offset, *(pa.scalar(value, pa.int64()) for value in default))
    found = evaluated(rows, name, pa.int64(), ignores_nulls=ignores_nulls, more=more)
    values = [rows[number][1] for number, _ in found]
    steps = -offset if name == "LAG" else offset
    for place, (_, value) in enumerate(found):
        others = range(place - 1, -1, -1) if steps < 0 else range(place + 1, len(values))
        seen = [values[n] for n in others if not (ignores_nulls and values[n] is None)]
        wanted = default[0] if default else None
        if steps == 0:
            wanted = values[place]
        elif len(seen) >= abs(steps):
            wanted = seen[abs(steps) - 1]
        assert value == wanted


@pytest.mark.parametrize(
    ("name", "result_type", "more", "results"),
    [
        ("ROW_NUMBER", pa.int32(), (), [1, 2, 3, 4, 5, 6, 7]),
        ("RANK", pa.int32(), (), [1, 1, 3, 4, 4, 4, 7]),
        ("DENSE_RANK", pa.int32(), (), [1, 1, 2, 3, 3, 3, 4]),
        ("PERCENT_RANK", pa.float64(), (), [0.0, 0.0, 2 / 6, 0.5, 0.5, 0.5, 1.0]),
        ("CUME_DIST", pa.float64(), (), [2 / 7, 2 / 7, 3 / 7, 6 / 7, 6 / 7, 6 / 7, 1.0]),
    ],
)
def test_numbers(name: str, result_type: pa.DataType, more: tuple[int, ...], results: list[Any]) -> None:
    rows: Rows = [(order, None, None) for order in (5, None, 3, 5, 5, None, 9)]
    assert [result for _, result in evaluated(rows, name, result_type, more=more)] == results


@pytest.mark.parametrize(("rows", "buckets"), [(7, 3), (2, 4), (6, 6), (1, 1), (10, 4)])
def test_ntile(rows: int, buckets: int) -> None:
    given_rows: Rows = [(n, buckets, None) for n in range(rows)]
    found = [result for _, result in evaluated(given_rows, "NTILE", pa.int32())]
    sizes = [found.count(bucket) for bucket in range(1, buckets + 1)]
    assert found == sorted(found)
    assert sizes == [rows // buckets + (n < rows % buckets) for n in range(buckets)]


def test_one_row_has_no_percentage() -> None:
    assert evaluated([(1, None, None)], "PERCENT_RANK", pa.float64()) == [(0, 0.0)]
