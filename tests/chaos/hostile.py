"""Hostile tables: what no one means to have in a table, and what is in one some day.

A statement over them gives the same rows on every plan that can run it, or one error: never a hang, a crash, an error
of another kind, or one with a name that winsql has made up.
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from differential.plans import Plan, comparable, planned
from pyspark.errors import PySparkException

import winsql
from winsql.errors import WinsqlError
from winsql.spark.messages.failure import translate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_COLUMNS = "k, ts, v, n, s, g"
_EXTREMES = (
    "timestamp_micros(-9223372036854775808)",
    "timestamp_micros(9223372036854775807)",
    "TIMESTAMP'0001-01-01 00:00:00'",
    "TIMESTAMP'9999-12-31 23:59:59.999999'",
    "TIMESTAMP'1970-01-01 00:00:00'",
    "NULL",
)
_DOUBLES = (
    "double('NaN')",
    "double('Infinity')",
    "double('-Infinity')",
    "-0.0D",
    "0.0D",
    "5e-324D",
    "1.7e308D",
    "NULL",
)
_LONGS = ("-9223372036854775808L", "9223372036854775807L", "0L", "1L", "NULL")
_TEXTS = ("''", "' '", "'a\\u0000b'", "'\\ud83d\\ude00'", '"it\'s"', "repeat('x', 10000000)", "NULL")
_GAPS = (
    "INTERVAL '0' SECOND",
    "INTERVAL '-5' SECOND",
    "INTERVAL '3' SECOND",
    "make_dt_interval(106751990)",
    "make_dt_interval(-106751990)",
    "NULL",
)
_KEYS = ("'a'", "'b'", "''", "NULL")


def _row(rng: random.Random, time: str | None = None, texts: tuple[str, ...] = _TEXTS) -> str:
    at = time or f"timestamp_seconds({rng.randrange(100)})"
    picked = [rng.choice(values) for values in (_KEYS, _DOUBLES, _LONGS, texts, _GAPS)]
    key, double, long, text, gap = picked
    casts = ("STRING", "TIMESTAMP", "DOUBLE", "BIGINT", "STRING", "INTERVAL DAY TO SECOND")
    parts = zip((key, at, double, long, text, gap), casts, strict=True)
    return f"({', '.join(f'CAST({part} AS {cast})' for part, cast in parts)})"


def _values(rows: list[str]) -> str:
    return f"SELECT * FROM VALUES {', '.join(rows)} AS t({_COLUMNS})"


def _many(count: int, at: str, key: str = "'a'") -> str:
    others = "double(id) AS v, id AS n, 'x' AS s, INTERVAL '3' SECOND AS g"
    return f"SELECT {key} AS k, {at} AS ts, {others} FROM range({count})"


_SHORT = tuple(text for text in _TEXTS if "repeat" not in text)
TABLES: dict[str, Callable[[random.Random], str]] = {
    "no rows": lambda rng: f"{_values([_row(rng)])} WHERE false",
    "one row": lambda rng: _values([_row(rng)]),
    "nothing but NULL": lambda rng: _values(["(" + ", ".join(["NULL"] * 6) + ")"] * 3).replace(
        "SELECT *",
        "SELECT string(k) AS k, timestamp(ts) AS ts, double(v) AS v, bigint(n) AS n, string(s) AS s, "
        "CAST(g AS INTERVAL DAY TO SECOND) AS g",
    ),
    "extreme times": lambda rng: _values([_row(rng, rng.choice(_EXTREMES), _SHORT) for _ in range(12)]),
    "extreme values": lambda rng: _values([_row(rng, None, _SHORT) for _ in range(40)]),
    "long texts": lambda rng: _values([_row(rng) for _ in range(6)]),
    "one time": lambda rng: _many(rng.choice((1, 3_000)), "TIMESTAMP'2024-01-01 00:00:00'"),
    "one key": lambda rng: _many(20_000, "timestamp_millis(id * 7)"),
    "a key a row": lambda rng: _many(5_000, "timestamp_millis(id * 7)", "string(id)"),
    "backwards": lambda rng: _many(2_000, "timestamp_seconds(2000 - id)"),
}
WINDOWS = (
    "TUMBLING(ts, '10 seconds')",
    "TUMBLING(ts, '1 day', '6 hours')",
    "TUMBLING(ts, '1 microsecond')",
    "SLIDING(ts, '10 seconds', '3 seconds')",
    "SLIDING(ts, '3 seconds', '10 seconds')",
    "CUMULATING(ts, '1 minute', '20 seconds')",
    "SESSION(ts, '5 seconds')",
    "SESSION(ts, g)",
    "COUNT(1)",
    "COUNT(3, 2, time => ts)",
    "COUNT(100000)",
    "GLOBAL(time => ts) TRIGGER COUNT(3)",
    "TUMBLING(ts, '1 day') TRIGGER COUNT(2)",
    "TUMBLING(ts, '1 minute') EVICT COUNT(100000)",
    "SLIDING(ts, '20 seconds', '10 seconds') EVICT TIME('5 seconds')",
    "SESSION(ts, '1 second') TRIGGER EVENT_TIME() EVICT COUNT(2)",
    "TUMBLING(ts, '10 seconds') ALLOWED LATENESS '5 seconds'",
)
RESULTS = (
    "count(*) AS a",
    "min(v) AS a, max(v) AS b",
    "sum(v) AS a",
    "sum(n) AS a, avg(n) AS b",
    "count(DISTINCT v) AS a",
    "min(length(s)) AS a, max(s) = min(s) AS b",
    "size(collect_list(n)) AS a, size(collect_set(v)) AS b",
    "max(ts) AS a",
)


_BY_ORDER = re.compile(r"COUNT\(\d|EVICT")
_NO_TIES = ("no rows", "one row", "one key", "a key a row", "backwards")


@dataclass(frozen=True, slots=True)
class Scene:
    """A table and a statement over it."""

    name: str
    table: str
    statement: str

    @property
    def is_ordered(self) -> bool:
        """Whether the rows of a window do not depend on the order of rows of one time, which a table has not."""
        return not _BY_ORDER.search(self.statement) or self.name.endswith(_NO_TIES)


def scenes(count: int, seed: int) -> Iterator[Scene]:
    """So many, each with a table of its own; the seed repeats them."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        name = rng.choice(list(TABLES))
        keys = rng.choice(("k", "k", "", "v", "s"))
        statement = f"SELECT {f'{keys}, ' if keys else ''}{rng.choice(RESULTS)} FROM hostile WINDOW ASSIGN "
        statement += rng.choice(WINDOWS) + (f" GROUP BY {keys}" if keys else "")
        yield Scene(f"{seed} {number}: {name}", TABLES[name](rng), statement)


def check_hostile(spark: SparkSession, count: int, seed: int, limit: float) -> list[str]:
    """What is wrong, with the statement; `limit` is in seconds for a plan of one statement."""
    wrong = []
    for scene in scenes(count, seed):
        spark.sql(scene.table).createOrReplaceTempView("hostile")
        problem = problem_of(spark, scene, limit)
        if problem is not None:
            wrong.append(f"hostile {scene.name}: {problem}\n  {scene.statement}\n  {scene.table[:600]}")
    return wrong


def problem_of(spark: SparkSession, scene: Scene, limit: float) -> str | None:
    """What is wrong on some plan; the table is the view `hostile`, `limit` is in seconds for each plan."""
    found: dict[Plan, object] = {}
    for plan in Plan:
        begun = time.monotonic()
        try:
            with planned(plan):
                rows = [_equal(row) for row in comparable(winsql.sql(spark, scene.statement)).collect()]
            found[plan] = Counter(rows) if scene.is_ordered else len(rows)
        except WinsqlError as error:
            found[plan] = _condition(error)
        except PySparkException as error:
            own = translate(error)  # a worker's
            if own is not None:
                found[plan] = _condition(own)
            elif error.getCondition() not in _OF_VALUES or _OURS.search(str(error)):
                return f"{plan.value}: {type(error).__name__} {str(error)[:1500]}"
            else:
                found[plan] = error.getCondition()
        except Exception as error:  # noqa: BLE001 - none of them may come
            return f"{plan.value}: {type(error).__name__} {str(error)[:1500]}"
        if time.monotonic() - begun > limit:
            return f"{plan.value}: {time.monotonic() - begun:.0f} s"
    chosen = found[Plan.CHOSEN]
    other = next((plan for plan, rows in found.items() if rows != chosen), None)
    return None if other is None else f"{other.value}: {_told(found[other], chosen)}"


def _equal(row: Sequence[str | None]) -> tuple[str | None, ...]:
    """Values that SQL takes as equal are one: min and max give any of those in a window."""
    return tuple("0.0" if value == "-0.0" else value for value in row)


def _told(found: object, expected: object) -> str:
    """What differs, at most a few rows of it."""
    if isinstance(found, Counter) and isinstance(expected, Counter):
        found, expected = found - expected, expected - found
    return f"{found!s:.600}\n  not {expected!s:.600}"


def _condition(error: WinsqlError) -> str:
    """What is the same on every plan: Spark's name of the error where there is one."""
    named = re.match(r"\[([A-Z_.]+)\]", error.problem)
    return named[1] if named else type(error).__name__


_OF_VALUES = ("ARITHMETIC_OVERFLOW", "DATETIME_OVERFLOW", "CAST_OVERFLOW")
"""What Spark says of values that no result can hold."""
_OURS = re.compile(r"windowed__|Traceback")
