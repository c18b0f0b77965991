"""Windows of a stream's rows, as a window table function of winsql gives them, and as plain Spark can say them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Windows:
    """A window table function and its lengths in seconds, in the order of its arguments; keys are for sessions."""

    function: str
    lengths: tuple[int, ...]
    keys: tuple[str, ...] = ()

    @property
    def policy(self) -> str:
        """The assigner with the same windows."""
        return {"TUMBLE": "TUMBLING", "HOP": "SLIDING", "CUMULATE": "CUMULATING"}[self.function]

    def clause(self, time: str) -> str:
        """The call of the assigner."""
        return f"{self.policy}({time}, {', '.join(f'INTERVAL {length} SECONDS' for length in reversed(self.lengths))})"


def flink_relation(windows: Windows, data: str, time: str, rng: Random) -> str:
    """The relation for winsql; `data` is a name or a query in brackets."""
    lengths = (rng.choice([f"INTERVAL '{n}' SECONDS", f"INTERVAL {n} SECONDS"]) for n in windows.lengths)
    keys = f" PARTITION BY {', '.join(windows.keys)}" if windows.keys else ""
    return f"TABLE({windows.function}(TABLE {data}{keys}, DESCRIPTOR({time}), {', '.join(lengths)}))"


def spark_relation(windows: Windows, data: str, time: str) -> str:
    """The relation for Spark alone."""
    rows = f"(SELECT *, unix_millis({time}) AS at_ FROM {data} WHERE {time} IS NOT NULL)"
    if windows.function == "SESSION":
        return _sessions(windows, rows)
    first, *others = (1000 * length for length in windows.lengths)
    size = others[0] if others else first
    ends = {
        "TUMBLE": f"array((at_ DIV {size} + 1) * {size})",
        "HOP": f"transform(sequence(0, {size // first - 1}), i -> (at_ DIV {first} - i) * {first} + {size})",
        "CUMULATE": f"transform(sequence(at_ % {size} DIV {first} + 1, {size // first}),"
        f" i -> at_ DIV {size} * {size} + i * {first})",
    }
    start = f"(end_ - 1) DIV {size} * {size}" if windows.function == "CUMULATE" else f"end_ - {size}"
    return _with_columns(f"(SELECT *, explode({ends[windows.function]}) AS end_ FROM {rows})", start, "end_")


def _sessions(windows: Windows, rows: str) -> str:
    """Sessions that touch are one, as in Flink."""
    gap, keys = 1000 * windows.lengths[0], ", ".join(windows.keys)
    new = f"CASE WHEN at_ - lag(at_) OVER (PARTITION BY {keys} ORDER BY at_) <= {gap} THEN 0 ELSE 1 END"
    begun = f"(SELECT *, {new} AS new_ FROM {rows})"
    number = f"sum(new_) OVER (PARTITION BY {keys} ORDER BY at_ RANGE UNBOUNDED PRECEDING)"
    numbered = f"(SELECT * EXCEPT (new_), {number} AS number_ FROM {begun})"
    of_one = f"OVER (PARTITION BY {keys}, number_)"
    ended = f"(SELECT *, min(at_) {of_one} AS start_, max(at_) {of_one} + {gap} AS end_ FROM {numbered})"
    return _with_columns(ended, "start_", "end_", "number_, start_, ")


def _with_columns(rows: str, start: str, end: str, others: str = "") -> str:
    return (
        f"(SELECT * EXCEPT (at_, {others}end_), timestamp_millis({start}) AS window_start,"
        f" timestamp_millis({end}) AS window_end, timestamp_micros({end} * 1000 - 1) AS window_time FROM {rows})"
    )
