"""What firings see of kept rows, against evictors that go through each window row by row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from engines import AGGREGATES, COLUMNS, SLOTS, Batch, Switching
from hypothesis import given, settings
from hypothesis import strategies as st

from winsql.model.assigners import GlobalWindows
from winsql.model.base import GLOBAL_WINDOW, MIN_TIME, ROW_ID, TIMESTAMP, Operand, Row
from winsql.model.columnar import NO_TIME, form_of
from winsql.model.evictors import CountEvictor, DeltaEvictor, Evictor, TimeEvictor
from winsql.model.nested_triggers import PurgingTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import EndOfStreamTrigger, Trigger
from winsql.runtime.columnar import Unfit
from winsql.runtime.columnar.panes import lifetimes
from winsql.runtime.columnar.panes.selection import Selection, select
from winsql.runtime.columnar.shared.aggregates import aggregate_form
from winsql.runtime.columnar.shared.runs import Fires, Runs, operand_of
from winsql.runtime.contents import accumulate

SETTINGS = settings(max_examples=60)
FORMS = [aggregate_form(aggregate) for aggregate in AGGREGATES]
PARTS = [part for form in FORMS if form is not None for part in form.parts]


@dataclass
class Pane:
    """Rows, and firings: how many of the rows there are by then, and whether it purges."""

    rows: list[Row]
    fires: list[tuple[int, bool]]


@dataclass
class Outcome:
    """Row numbers and results of each firing that fired, as text; row numbers left; which firings fired."""

    fired: list[bool]
    rows: list[list[int]]
    results: list[list[str]]
    left: list[int]


def row_by_row(panes: list[Pane], evictor: Evictor | None, after: bool) -> Outcome:
    """As the per-row operator does it."""
    outcome = Outcome([], [], [], [])
    for pane in panes:
        contents: list[Row] = []
        came = 0
        for stop, purges in pane.fires:
            contents, came = contents + pane.rows[came:stop], stop
            outcome.fired.append(bool(contents))
            if contents:
                kept = contents if evictor is None else evictor.keep(contents, GLOBAL_WINDOW)
                seen = contents if after else kept
                outcome.rows.append([row[ROW_ID] for row in seen])
                accumulators = accumulate(AGGREGATES, seen)
                pairs = zip(AGGREGATES, accumulators, strict=True)
                outcome.results.append([repr(pa.array([a.result(acc)], a.result_type)[0].as_py()) for a, acc in pairs])
                contents = [] if purges else kept
        outcome.left += [row[ROW_ID] for row in contents + pane.rows[came:]]
    return outcome


def runs_of(panes: list[Pane], operand: int | None = None) -> Runs:
    """The panes' rows, handed over as they would arrive: mixed."""
    rows = [(pane, row) for pane, own in enumerate(panes) for row in own.rows]
    rows.sort(key=lambda each: each[1][ROW_ID])
    slots: list[Any] = [None, pa.array([row[TIMESTAMP] for _, row in rows], pa.int64())]
    slots += [pa.array([row[slot] for _, row in rows], kind) for slot, kind in enumerate(COLUMNS.values(), start=2)]
    inputs = [column for form in FORMS if form is not None for column in form.inputs(slots, len(rows))]
    return Runs.of(
        len(panes),
        np.array([pane for pane, _ in rows], dtype=np.int64),
        np.array([row[ROW_ID] for _, row in rows], dtype=np.int64),
        slots[1].fill_null(NO_TIME).to_numpy(zero_copy_only=False),
        inputs,
        None if operand is None else operand_of(slots[operand]),
    )


def fires_of(panes: list[Pane]) -> Fires:
    fires = [(pane, *fire) for pane, own in enumerate(panes) for fire in own.fires]
    pane, stop, purges = (np.array([fire[i] for fire in fires], dtype=np.int64) for i in range(3))
    return Fires(pane, stop, purges.astype(bool))


def selected(panes: list[Pane], evictor: Evictor | None, after: bool) -> Selection:
    form = None if evictor is None else form_of(evictor)
    return select(runs_of(panes, form and form.slot), fires_of(panes), form, after)


def outcome_of(selection: Selection) -> Outcome:
    parts, results = selection.results(PARTS), []
    for form in FORMS:
        assert form is not None
        results.append([repr(value) for value in form.result(parts[: len(form.parts)]).to_pylist()])
        parts = parts[len(form.parts) :]
    offsets, numbers = selection.rows()
    rows = [numbers[begin:end].tolist() for begin, end in pairwise(offsets)]
    left = selection.kept()
    return Outcome(
        selection.fired.tolist(), rows, [list(each) for each in zip(*results, strict=True)], left.number.tolist()
    )


DOUBLES = st.sampled_from([0.0, -0.0, math.nan, math.inf, -math.inf, 0.1, 0.2, 0.3, -7.5, 1e300, -1e300, 1e-300])
WHOLE = st.integers(-3, 3).map(float) | st.just(-0.0)
FLOATS = st.sampled_from([0.0, -0.0, math.nan, math.inf, 0.5, -0.25, 3.0])
TIMES = st.integers(-30, 30)
EDGES = st.sampled_from([1e-300, 2.5e299, math.inf, math.nan, 0, -2, -7.5, -math.inf])
THRESHOLDS: st.SearchStrategy[float] = st.sampled_from([1, 3.5, 5, 12]) | EDGES
EVICTORS: st.SearchStrategy[Evictor] = st.one_of(
    st.builds(CountEvictor, st.integers(0, 12)),
    st.builds(TimeEvictor, st.integers(0, 25)),
    st.builds(DeltaEvictor, st.just(Operand("long", SLOTS["long"])), THRESHOLDS, st.booleans()),
)


def rows_of(times: st.SearchStrategy[Any], doubles: st.SearchStrategy[Any]) -> st.SearchStrategy[Row]:
    return st.tuples(
        times,
        st.none() | st.integers(-20, 20),
        st.none() | st.integers(-(2**31), 2**31 - 1),
        st.none() | doubles,
        st.none() | FLOATS,
        st.none() | st.booleans(),
        st.none() | st.integers(-(10**9), 10**9),
        st.none() | st.integers(-1000, 1000),
        st.none() | st.integers(-(10**9), 10**9),
    )


@st.composite
def panes_of(draw: st.DrawFn, times: st.SearchStrategy[Any] = TIMES, most: int = 5) -> list[Pane]:
    """Panes of which some are empty or larger than the others; row numbers ascend in each and are mixed over all."""
    row = rows_of(times, draw(st.sampled_from([DOUBLES, WHOLE])))
    panes = []
    for number in range(draw(st.integers(1, most))):
        rows = draw(st.lists(row, max_size=draw(st.sampled_from([0, 3, 8, 30]))))
        stops = draw(st.lists(st.integers(0, len(rows)), max_size=12))
        purges = draw(st.sampled_from([st.just(False), st.just(True), st.booleans()]))
        rows = [(7 * place + number, *row) for place, row in enumerate(rows)]
        panes.append(Pane(rows, [(stop, draw(purges)) for stop in sorted(stops)]))
    return panes


def agree(panes: list[Pane], evictor: Evictor | None, after: bool) -> None:
    assert outcome_of(selected(panes, evictor, after)) == row_by_row(panes, evictor, after)


@SETTINGS
@given(panes_of())
def test_rows_without_an_evictor(panes: list[Pane]) -> None:
    agree(panes, None, False)


@SETTINGS
@given(panes_of(), st.integers(0, 12), st.booleans())
def test_the_last_rows(panes: list[Pane], n: int, after: bool) -> None:
    agree(panes, CountEvictor(n), after)


@SETTINGS
@given(panes_of(), st.integers(0, 25), st.booleans())
def test_rows_of_the_last_time(panes: list[Pane], interval: int, after: bool) -> None:
    agree(panes, TimeEvictor(interval), after)


@SETTINGS
@given(panes_of(st.just(None)), st.integers(0, 1), st.booleans())
def test_no_row_has_a_time(panes: list[Pane], interval: int, after: bool) -> None:
    agree(panes, TimeEvictor(interval), after)


@SETTINGS
@given(panes_of(), st.sampled_from(["long", "double"]), THRESHOLDS, st.booleans(), st.booleans())
def test_rows_near_the_last(panes: list[Pane], name: str, threshold: float, signed: bool, after: bool) -> None:
    agree(panes, DeltaEvictor(Operand(name, SLOTS[name]), threshold, signed), after)


@SETTINGS
@given(panes_of(most=1), EVICTORS, st.booleans(), st.data())
def test_the_rest_goes_on_in_the_next_step(
    panes: list[Pane], evictor: Evictor, after: bool, data: st.DataObject
) -> None:
    """As micro-batches do it: what is left of a first step, then the rows and firings after it."""
    (pane,) = panes
    cut = data.draw(st.integers(0, len(pane.fires)))
    came = pane.fires[cut - 1][0] if cut else 0
    first = outcome_of(selected([Pane(pane.rows[:came], pane.fires[:cut])], evictor, after))
    left = [row for row in pane.rows[:came] if row[ROW_ID] in first.left]
    fires = [(stop - came + len(left), purges) for stop, purges in pane.fires[cut:]]
    second = outcome_of(selected([Pane(left + pane.rows[came:], fires)], evictor, after))
    whole = row_by_row(panes, evictor, after)
    assert first.fired + second.fired == whole.fired
    assert first.rows + second.rows == whole.rows
    assert first.results + second.results == whole.results
    assert second.left == whole.left


@pytest.mark.parametrize(
    "evictor",
    [
        None,
        CountEvictor(40),
        TimeEvictor(9),
        DeltaEvictor(Operand("long", SLOTS["long"]), 7),
        DeltaEvictor(Operand("double", SLOTS["double"]), 0.4, signed=True),
    ],
    ids=str,
)
def test_many_windows_and_a_large_one_in_small_pieces(evictor: Evictor | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifetimes, "MAX_PAIRS", 50)
    monkeypatch.setattr(lifetimes, "_MAX_FIRINGS", 7)
    random = Random(1)
    panes = []
    for number, count in enumerate([200, *[3] * 40, 0, 60]):
        rows = [_row(17 * place + number, random) for place in range(count)]
        panes.append(Pane(rows, [(stop, random.random() < 0.1) for stop in range(0, count + 1, random.choice([1, 3]))]))
    agree(panes, evictor, False)
    agree(panes, evictor, True)


def _row(number: int, random: Random) -> Row:
    time = number // 9 - random.randrange(6)
    return (number, time, random.randrange(-9, 9), number, random.random(), 0.5, True, 0, 0, 0)


def test_a_sum_that_may_leave_64_bits_is_for_the_per_row_operator() -> None:
    rows = [(number, number, 2**61, 1, 1.0, 1.0, True, 0, 0, 0) for number in range(4)]
    agree([Pane(rows, [(stop, False) for stop in range(5)])], CountEvictor(1), False)
    selection = selected([Pane(rows, [(2, False)])], CountEvictor(2), False)
    with pytest.raises(Unfit, match="64 bits"):
        selection.results(PARTS)


@pytest.mark.parametrize(
    ("time", "reason"), [(2**60, "64 bits"), (-(2**60), "64 bits"), (None, "with and without")], ids=str
)
def test_times_that_the_per_row_operator_judges(time: int | None, reason: str) -> None:
    """Near the end of 64 bits, or on some rows only: what it does then depends on which row is the first."""
    rows = [(number, each, 1, 1, 1.0, 1.0, True, 0, 0, 0) for number, each in enumerate([time, 5])]
    with pytest.raises(Unfit, match=reason):
        selected([Pane(rows, [(2, False)])], TimeEvictor(5), False)


def test_values_that_the_per_row_operator_judges() -> None:
    rows = [(number, 1, value, 1, 1.0, 1.0, True, 0, 0, 0) for number, value in enumerate([2**60, 5])]
    with pytest.raises(Unfit, match="64 bits"):
        selected([Pane(rows, [(2, False)])], DeltaEvictor(Operand("long", SLOTS["long"]), 5), False)
    with pytest.raises(Unfit, match="no float"):
        selected([Pane(rows, [(2, False)])], DeltaEvictor(Operand("double", SLOTS["double"]), 2**53 + 1), False)


def test_windows_that_lie_far_apart_in_time() -> None:
    """So far that window and time together do not fit 64 bits."""
    spans = [0, 2**58, 3, 2**57, -(2**58), -(2**58) + 2]
    rows = [
        [(40 * place + pane, time, 1, 1, 1.0, 1.0, True, 0, 0, 0) for place, time in enumerate(spans)]
        for pane in range(40)
    ]
    agree([Pane(own, [(stop, False) for stop in range(7)]) for own in rows], TimeEvictor(3), False)


@pytest.mark.parametrize("threshold", [0.015, 0.02, 1, 12.345, math.inf, 0.01, -0.01, 12.33])
def test_decimals_are_compared_exactly(threshold: float) -> None:
    values = [Decimal(text) for text in ("0.00", "0.01", "0.02", "-0.01", "12.34", "0.00")] + [None]
    kind = pa.decimal128(18, 2)
    rows = [(number, number, value) for number, value in enumerate(values)]
    evictor = DeltaEvictor(Operand("v", 2), threshold)
    expected: list[list[int]] = []
    there: list[Row] = []
    for row in rows:
        there = evictor.keep([*there, row], GLOBAL_WINDOW)
        expected.append([row[ROW_ID] for row in there])
    near_a_hundredth = {
        0.01: [[0], [1], [2], [3], [4], [5], [5, 6]],
        12.33: [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [2, 4]],
    }
    assert expected[: len(near_a_hundredth.get(threshold, []))] == near_a_hundredth.get(threshold, [])
    column = pa.array([None, *values], kind).slice(1)
    numbers = np.arange(len(rows))
    runs = Runs.of(1, numbers * 0, numbers, numbers, [], operand_of(column))
    selection = select(runs, Fires(numbers * 0, numbers + 1, numbers < 0), form_of(evictor), False)
    offsets, found = selection.rows()
    assert [found[begin:end].tolist() for begin, end in pairwise(offsets)] == expected


@pytest.mark.parametrize("kind", [pa.string(), pa.decimal128(38, 2), pa.uint64()])
def test_an_operand_that_is_no_number_of_64_bits(kind: pa.DataType) -> None:
    with pytest.raises(Unfit, match="distance"):
        operand_of(pa.array([], kind))


@pytest.mark.parametrize(
    ("trigger", "evictor", "expected"),
    [
        (EndOfStreamTrigger(), None, [8, 4, 10, 2, 0, 6]),
        (EndOfStreamTrigger(), CountEvictor(2), [0, 6]),
        (PurgingTrigger(EndOfStreamTrigger()), None, [0, 2, 4, 6, 8, 10]),
    ],
)
def test_end_of_stream_puts_rows_in_order_of_time(
    trigger: Trigger, evictor: Evictor | None, expected: list[int]
) -> None:
    """As a sorted input would bring them, before the evictor; the first of equal times stays the first."""
    spec = WindowSpec.of(GlobalWindows(), trigger, evictor)
    times = [5, 4, 3, 5, -1, 3]
    rows = [(key, time, number, 1, 1.0, 1.0, True, 0, 0, 0) for number, time in enumerate(times) for key in "ab"]
    runs = [Switching(spec, hands_rows=True) for _ in range(2)]
    for run, columnar in zip(runs, (False, True), strict=True):
        run.run(Batch(MIN_TIME, None, rows[:5], columnar))
        run.run(Batch(MIN_TIME, None, rows[5:], columnar, ends=True))
    assert runs[1].unfit == 0
    assert runs[1].outcome.firings == runs[0].outcome.firings
    assert runs[1].outcome.firings["a"][0][-1] == expected
