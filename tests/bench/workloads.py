"""What is measured: the input, the workloads with their targets, and their queries in winsql's and in Spark's own SQL.

Row i of the input has the key ((i * 2654435761) >> 11) % keys, the event time 1700000000000 ms + i * pace DIV 10 minus
up to two seconds, the value i % 97 and the side i % 2: ten rows per millisecond at pace 1. Nothing is read from disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

BASE_MS = 1_700_000_000_000
CLOSING_MS = 4_000_000_000_000
"""Event time of the last rows of a stream, which close the windows; their key is -1."""
CLOSING_ROWS = 2
"""One per side."""
JITTER_MS = 2000
WATERMARK_DELAY = "5 seconds"
KEYS = 10_000
FLOOR = "floor"
"""The same rows shuffled by key and dropped: no window at all."""
PASS_THROUGH = "pass_through"
"""A stream's rows through winsql's packing and state to a result row each: no window either."""
CHECKSUMS = ("results", "sum", "count")
"""Result rows, and the sums of their two value columns."""


class Mode(Enum):
    BATCH = "batch"
    STREAM = "stream"


class Engine(Enum):
    WINSQL = "winsql"
    SPARK = "spark"
    FLINK = "flink"


class Kind(Enum):
    """What the results of a workload are, and with `Shape` how `expected.py` computes their checksums."""

    TIME = "time"
    SESSION = "session"
    COUNT = "count"
    LAST_ROWS = "last rows"
    TIME_AND_COUNT = "time and count"
    BY_ORDER = "by order"
    JOIN = "join"


@dataclass(frozen=True, slots=True)
class Events:
    """The input; `pace` tenths of a millisecond of event time pass per row, before the jitter. If it is `skewed`, half
    of the rows have one key."""

    rows: int
    keys: int = KEYS
    pace: int = 1
    skewed: bool = False

    def bounded_sql(self, partitions: int | None = None) -> str:
        """The rows as a table."""
        source = f"range({self.rows})" if partitions is None else f"range(0, {self.rows}, 1, {partitions})"
        return f"SELECT {self._columns('id')} FROM {source}"

    def stream_sql(self, numbers: str) -> str:
        """The rows as a stream over the view `numbers` with its column `value`, and after them the closing ones."""
        inside = f"value < {self.rows}"
        return (
            f"SELECT if({inside}, k, -1) AS k, if({inside}, ts, timestamp_millis({CLOSING_MS})) AS ts, v,"
            f" if({inside}, side, value - {self.rows}) AS side"
            f" FROM (SELECT value, {self._columns('value')} FROM {numbers} WHERE value < {self.rows} + {CLOSING_ROWS})"
        )

    def _columns(self, i: str) -> str:
        late = f"(({i} * 40503) >> 5) % {JITTER_MS}"
        key = f"(({i} * 2654435761) >> 11) % {self.keys}"
        return (
            f"{f'if({i} DIV 2 % 2 = 0, 0, {key})' if self.skewed else key} AS k,"
            f" timestamp_millis({BASE_MS} + {i} * {self.pace} DIV 10 - {late}) AS ts, {i} % 97 AS v, {i} % 2 AS side"
        )


@dataclass(frozen=True, slots=True)
class Shape:
    """Numbers of a workload's windows that its checksums depend on."""

    size_ms: int = 0
    slide_ms: int = 0
    rows: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """How fast against Flink; `first` is a step on the way."""

    goal: float
    first: float | None = None

    def __str__(self) -> str:
        return f"{self.goal:g}x" if self.first is None else f"{self.first:g}x, then {self.goal:g}x"


@dataclass(frozen=True, slots=True)
class Workload:
    """One query, in three engines.

    clause          winsql's windows; of a join those of both sides
    kind, shape     what comes out
    stream, batch   the targets
    compared        checksums that do not depend on the order in which parallel sources deliver rows
    spark           the window in Spark's own SQL, and whether a stream of Spark's does the same
    quick, full     millions of rows of a table of Spark's own, in a quick run of Flink, too
    steady          millions of rows of Flink in a full run: as many as ten micro-batches have, or as it does in seconds
    in_time_order   the rows of a key come by event time on a table, otherwise in the table's order
    """

    name: str
    clause: str
    kind: Kind
    shape: Shape
    stream: Target
    batch: Target
    compared: tuple[str, ...] = CHECKSUMS
    spark: str | None = None
    spark_stream: bool = True
    quick: float = 0.3
    full: float = 2
    steady: float = 8
    in_time_order: bool = True

    def target(self, mode: Mode) -> Target:
        return {Mode.STREAM: self.stream, Mode.BATCH: self.batch}[mode]

    def has_plain(self, mode: Mode) -> bool:
        """Whether Spark's own SQL can say it."""
        return self.spark is not None and (self.spark_stream or mode is Mode.BATCH)


_ONE = Target(1)
_LIST = (
    Workload(
        "tumbling", "TUMBLING(ts, '10 seconds')", Kind.TIME, Shape(10_000, 10_000), Target(1.1), Target(2),
        spark="window(ts, '10 seconds')", quick=0.6, steady=20,
    ),
    Workload(
        "sliding", "SLIDING(ts, '10 seconds', '1 second')", Kind.TIME, Shape(10_000, 1000), Target(5), Target(8),
        spark="window(ts, '10 seconds', '1 second')", quick=0.2, full=1, steady=2,
    ),
    Workload(
        "sliding60", "SLIDING(ts, '60 seconds', '1 second')", Kind.TIME, Shape(60_000, 1000), Target(20), Target(40),
        spark="window(ts, '60 seconds', '1 second')", quick=0.05, full=0.5, steady=0.5,
    ),
    Workload(
        "session", "SESSION(ts, '800 milliseconds')", Kind.SESSION, Shape(800), Target(2), Target(2.5),
        spark="session_window(ts, '800 milliseconds')",
    ),
    Workload(
        "count", "COUNT(10)", Kind.COUNT, Shape(rows=10), Target(0.65), Target(0.8),
        compared=("results", "count"), quick=0.6, in_time_order=False, steady=20,
    ),
    Workload(
        "sliding_count", "GLOBAL(ts) TRIGGER COUNT(1) EVICT COUNT(100)", Kind.LAST_ROWS, Shape(rows=100), Target(5),
        Target(6), compared=("results", "count"), quick=0.2, full=1, steady=2,
    ),
    Workload(
        "time_evictor", "TUMBLING(ts, '60 seconds') TRIGGER COUNT(10) EVICT TIME('10 seconds')", Kind.TIME_AND_COUNT,
        Shape(60_000, rows=10), _ONE, Target(1.3), compared=("results",),
    ),
    Workload(
        "continuous", "TUMBLING(ts, '60 seconds') TRIGGER CONTINUOUS_EVENT_TIME('5 seconds')", Kind.BY_ORDER,
        Shape(60_000), _ONE, _ONE, compared=(), steady=20,
    ),
    Workload(
        "delta", "GLOBAL(ts) TRIGGER DELTA(v, 50) EVICT DELTA(v, 50)", Kind.BY_ORDER, Shape(), _ONE, _ONE, compared=(),
    ),
    Workload(
        "lateness", "TUMBLING(ts, '1 second') ALLOWED LATENESS '10 seconds'", Kind.TIME, Shape(1000, 1000), _ONE, _ONE,
        spark="window(ts, '1 second')", spark_stream=False,
    ),
    Workload(
        "join", "TUMBLING((x.ts, y.ts), '10 seconds')", Kind.JOIN, Shape(10_000), Target(1.7, first=1), _ONE,
        spark="window(ts, '10 seconds')", quick=0.6, steady=20,
    ),
)  # fmt: skip
WORKLOADS = {workload.name: workload for workload in _LIST}


def winsql_sql(workload: Workload, events: str = "events") -> str:
    """The query over the view `events`: columns k, window_end, total and n."""
    if workload.kind is Kind.JOIN:
        left, right = (f"(SELECT * FROM {events} WHERE side = {side})" for side in (0, 1))
        return (
            f"SELECT x.k, window_end, x.v + y.v AS total, 1 AS n FROM {left} AS x WINDOW JOIN {right} AS y"
            f" ON x.k = y.k WINDOW ASSIGN {workload.clause}"
        )
    return (
        f"SELECT k, window_end, sum(v) AS total, count(*) AS n FROM {events} WINDOW ASSIGN {workload.clause} GROUP BY k"
    )


def spark_sql(workload: Workload, events: str = "events") -> str:
    """The same in Spark's own SQL; only where the workload has it."""
    if workload.kind is Kind.JOIN:
        left, right = (f"(SELECT *, {workload.spark} AS w FROM {events} WHERE side = {side})" for side in (0, 1))
        return (
            f"SELECT x.k, x.w.end AS window_end, x.v + y.v AS total, 1 AS n FROM {left} AS x JOIN {right} AS y"
            " ON x.k = y.k AND x.w = y.w"
        )
    window = workload.spark
    groups = f"SELECT k, {window} AS w, sum(v) AS total, count(*) AS n FROM {events} GROUP BY k, {window}"
    return f"SELECT k, w.end AS window_end, total, n FROM ({groups})"


def floor_sql(events: str = "events") -> str:
    """The rows, shuffled by key."""
    return f"SELECT /*+ REPARTITION(2, k) */ k, ts AS window_end, v AS total, 1 AS n FROM {events}"
