"""What Python workers know of a query: a `Task`, and for a streaming query a `StreamTask`; the driver makes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import pyarrow as pa

from winsql.errors import Span
from winsql.model.local_windows import LocalWindows
from winsql.model.query import WINDOW_COLUMNS, WindowQuery, WindowSpec
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.contents import Contents
from winsql.spark.workers.side_columns import SideColumns


class Handout(Enum):
    """What leaves the operator at a firing."""

    RESULTS = "one row with the results of the aggregates"
    ROWS = "the rows of the window"
    FIRING = "the rows of the window, marked as one firing, for Spark's aggregates; one marked row when there are none"
    SIDES = "one row with the rows of the window, those of each input of a join as an array"
    APPLY = "the rows of the window go through a function"


class NamedKeys(Protocol):
    """What knows the key that is worked on, and whose firings wait."""

    def key_values(self, firing: int | None = None) -> list[pa.Scalar]:
        """The key of a firing; without one, the key that is worked on."""

    def bounds(self, firing: int) -> tuple[int | None, int | None]:
        """Start and end of its window, None for the one window of GLOBAL."""


class NamedFirings(NamedKeys, Protocol):
    """Firings that know whose they are."""

    @property
    def task(self) -> Task: ...


_WORD = re.compile(r"\w+")
Apply = Callable[[NamedFirings, int, pa.RecordBatch], pa.RecordBatch]


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a windowed SELECT in its statement, for errors.

    span      its first word
    keys      the SQL of its keys
    operands  the operands of its policies, by name of the policy
    """

    text: str
    span: Span
    keys: tuple[str, ...]
    operands: tuple[tuple[str, Span], ...] = ()

    @classmethod
    def of(cls, query: WindowQuery) -> Place:
        """The place of a query."""
        word = _WORD.match(query.text, query.span.start)
        span = query.span if word is None else Span(*word.span())
        operands = tuple((operand.policy, operand.span) for operand in query.operands)
        return cls(query.text, span, tuple(key.text for key in query.keys), operands)

    def of_problem(self, problem: str) -> Span:
        """The operand that a message is about: messages of policies begin with their names; else the SELECT."""
        policy = problem.partition(":")[0]
        return next((span for name, span in self.operands if name == policy), self.span)


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs to know.

    Columns of a batch: the flag of a key's first row, the event time in microseconds (INT64, null: none), `slots`
    columns for the row's slots, `keys` key columns, and payload. `window_type` is the Arrow type of window bounds,
    `now` the fixed processing time in microseconds, `place` where the query is, for errors; `windows` are the
    window columns to return; `sides` tells how the rows of a join's inputs share columns, None where the payload has a
    STRUCT for each. With `local` the operator runs on times as clocks show them, `now` among them, and the bounds of
    its windows become instants when they leave it.
    """

    spec: WindowSpec
    handout: Handout
    aggregates: tuple[Aggregate, ...]
    trigger_aggregates: tuple[Aggregate, ...]
    slots: int
    keys: int
    window_type: pa.DataType
    now: int
    place: Place
    windows: tuple[str, ...] = tuple(WINDOW_COLUMNS.values())
    apply: Apply | None = None
    sides: SideColumns | None = None
    local: LocalWindows | None = None

    def contents(self) -> Contents:
        """What windows of the per-row operator keep: rows for an evictor, and where they leave it themselves."""
        by_results = self.handout is Handout.RESULTS
        keeps_rows = not by_results or self.spec.evictor is not None
        return Contents(self.aggregates if by_results else (), self.trigger_aggregates, keeps_rows)


@dataclass(frozen=True, slots=True)
class StreamTask:
    """A `Task` over a stream. Column 0 of its batches is the hash of the key (INT64), the others are as the task says.

    schema   of the batches; after the payload of the task comes, with `keeps_late`, one STRUCT of all columns, and
             for reduced rows how many rows each replaces
    event_time_mode   whether Spark wakes the query by the watermark; otherwise by the clock
    rows_first   whether rows come before the watermark of their micro-batch: another window has given them
    is_reduced   whether a row may replace several, which count when it is late
    identity     the identity of the state: parts of the query by name
    """

    task: Task
    schema: pa.Schema
    keeps_late: bool = False
    event_time_mode: bool = True
    rows_first: bool = False
    is_reduced: bool = False
    identity: tuple[tuple[str, str], ...] = ()

    def key_schema(self) -> pa.Schema:
        """The hash of the key, and the key's columns."""
        return pa.schema([self.schema.field(i) for i in (0, *self.key_columns())])

    def kept_schema(self) -> pa.Schema:
        """What state keeps of a row: event time, slots and payload."""
        return pa.schema([self.schema.field(i) for i in self.kept_columns()])

    def kept_columns(self) -> list[int]:
        first_key = 2 + self.task.slots
        return [*range(1, first_key), *self.payload_columns()]

    def key_columns(self) -> list[int]:
        return list(range(2 + self.task.slots, 2 + self.task.slots + self.task.keys))

    def payload_columns(self) -> list[int]:
        return list(
            range(2 + self.task.slots + self.task.keys, len(self.schema) - (self.keeps_late or self.is_reduced))
        )
