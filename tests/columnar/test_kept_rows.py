"""What firings see of kept rows, against evictors that go through each window row by row."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))

from engines import AGGREGATES, COLUMNS

from winsql.model.base import GLOBAL_WINDOW, ROW_ID, TIMESTAMP, Row
from winsql.model.columnar import NO_TIME, form_of
from winsql.model.evictors import CountEvictor, Evictor, TimeEvictor
from winsql.runtime.columnar.aggregates import aggregate_form
from winsql.runtime.columnar.runs import Fires, Runs, operand_of
from winsql.runtime.columnar.selection import Selection, select
from winsql.runtime.contents import accumulate

SETTINGS = settings(max_examples=100, deadline=None, derandomize=True)
FORMS = [aggregate_form(aggregate) for aggregate in AGGREGATES]
PARTS = [part for form in FORMS if form is not None for part in form.parts]


@dataclass
class Pane:
    """Rows without their numbers, and firings: how many of the rows there are by then, and whether it purges."""

    rows: list[Row]
    fires: list[tuple[int, bool]]


@dataclass
class Outcome:
    """Row numbers and results of each firing that fired, as text; row numbers left; which firings fired."""

    fired: list[bool]
    rows: list[list[int]]
    results: list[list[str]]
    left: list[int]


def numbered(panes: list[Pane]) -> list[list[Row]]:
    """The rows of each pane as the operator has them; numbers ascend in a pane, and are mixed over the panes."""
    return [[(7 * place + pane, *row) for place, row in enumerate(own.rows)] for pane, own in enumerate(panes)]


def row_by_row(panes: list[Pane], evictor: Evictor | None, after: bool) -> Outcome:
    """As the per-row operator does it."""
    outcome = Outcome([], [], [], [])
    for pane, rows in zip(panes, numbered(panes), strict=True):
        contents: list[Row] = []
        came = 0
        for stop, purges in pane.fires:
            contents, came = contents + rows[came:stop], stop
            outcome.fired.append(bool(contents))
            if contents:
                kept = contents if evictor is None else evictor.keep(contents, GLOBAL_WINDOW)
                seen = contents if after else kept
                outcome.rows.append([row[ROW_ID] for row in seen])
                accumulators = accumulate(AGGREGATES, seen)
                pairs = zip(AGGREGATES, accumulators, strict=True)
                outcome.results.append([repr(pa.array([a.result(acc)], a.result_type)[0].as_py()) for a, acc in pairs])
                contents = [] if purges else kept
        outcome.left += [row[ROW_ID] for row in contents + rows[came:]]
    return outcome


def runs_of(panes: list[Pane], operand: int | None = None) -> Runs:
    """The panes' rows, handed over as they would arrive: mixed."""
    rows = [(pane, row) for pane, own in enumerate(numbered(panes)) for row in own]
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
def panes_of(draw: st.DrawFn, times: st.SearchStrategy[Any] = TIMES) -> list[Pane]:
    """Few panes or many, some empty, one much larger than the others or not."""
    row = rows_of(times, draw(st.sampled_from([DOUBLES, WHOLE])))
    panes = []
    for _ in range(draw(st.integers(1, 5))):
        rows = draw(st.lists(row, max_size=draw(st.sampled_from([0, 3, 8, 30]))))
        stops = draw(st.lists(st.integers(0, len(rows)), max_size=12))
        purges = draw(st.sampled_from([st.just(False), st.just(True), st.booleans()]))
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
