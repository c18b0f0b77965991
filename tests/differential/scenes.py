"""Random sessions and tables, all from one number."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from differential.expressions import (
    Column,
)
from differential.record import (
    ANSI,
    CASE,
    ESCAPED,
    QUOTED,
    RESERVED,
    ZONE,
    Session,
    Table,
)
from differential.values import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DAY,
    DAY_TIME,
    DOUBLE,
    INT,
    MINUTE,
    MONEY,
    NTZ,
    NUMBERS,
    PAIR,
    SECOND,
    STRING,
    TIMESTAMP,
    YEAR_MONTH,
    Type,
    micros_of,
)

ZONES = ("UTC", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Asia/Kathmandu")

_SETTINGS: dict[str, tuple[str, ...]] = {
    ANSI: ("true", "true", "false"),
    CASE: ("false", "false", "true"),
    ESCAPED: ("false", "false", "true"),
    "spark.sql.shuffle.partitions": ("1", "1", "2", "3"),
    "spark.sql.adaptive.enabled": ("true", "false", "false"),
    "spark.sql.execution.arrow.pyspark.enabled": ("true", "false"),
    "spark.sql.legacy.timeParserPolicy": ("CORRECTED", "EXCEPTION", "LEGACY"),
    # compiling a plan or an expression for a handful of rows takes longer than all else
    "spark.sql.codegen.wholeStage": (*["false"] * 7, "true"),
    "spark.sql.codegen.factoryMode": (*["NO_CODEGEN"] * 3, "FALLBACK"),
}


class Draw(random.Random):
    """A seeded random source."""

    def odds(self, share: float) -> bool:
        return self.random() < share


def draw_session(draw: Draw) -> Session:
    settings = {name: draw.choice(values) for name, values in _SETTINGS.items()}
    settings[ZONE] = draw.choice(ZONES)
    if settings[ANSI] == "true":
        settings[QUOTED] = draw.choice(("true", "false"))
        settings[RESERVED] = draw.choice(("true", "false"))
    return Session(settings)


# Local readings around which times lie: both changes of clocks in New York, one in Lord Howe, a day before 1970.
ISLANDS = (
    datetime.datetime(2024, 1, 1, 0),
    datetime.datetime(2024, 3, 10, 0, 30),
    datetime.datetime(2024, 3, 10, 5, 30),
    datetime.datetime(2024, 11, 3, 0, 30),
    datetime.datetime(2024, 11, 3, 4, 30),
    datetime.datetime(2024, 10, 6, 1),
    datetime.datetime(1969, 12, 31, 22),
)
WORDS = ("a", "b", "ä", "", "A", "日本", "x;y", "a--b", "(", 'a"b')
_NAMES = {
    "k": ("k", "K1", "a key", "ключ", "group", "p.q"),
    "ts": ("ts", "time", "event time", "Ts", "timestamp"),
    "ntz": ("ntz", "local", "wall clock"),
    "day": ("day", "date", "the day"),
    "v": ("v", "value", "V1", "end", "count"),
    "w": ("w", "order", "back`tick"),
    "ok": ("ok", "flag", "where", "is ok"),
    "gap": ("gap", "session", "size"),
}
TYPES: dict[str, Type] = {
    "k": STRING,
    "ts": TIMESTAMP,
    "ntz": NTZ,
    "day": DATE,
    "v": INT,
    "w": BIGINT,
    "ok": BOOLEAN,
    "gap": DAY_TIME,
    "price": MONEY,
    "q": DOUBLE,
    "odd": DOUBLE,
    "bytes": BINARY,
    "pair": PAIR,
    "list": NUMBERS,
    "span": DAY_TIME,
    "months": YEAR_MONTH,
}
_ALWAYS = ("k", "ts", "ntz", "day", "v", "w", "ok", "gap")
_NEVER_NULL = frozenset({"gap"})


@dataclass(frozen=True)
class Roles:
    """Columns of a table by what they are for."""

    of: dict[str, Column]

    def some(self, *roles: str) -> list[Column]:
        return [self.of[role] for role in roles if role in self.of]


def draw_table(
    draw: Draw, name: str, *, is_stream: bool = False, months: bool = False, by_case: bool = False
) -> tuple[Table, Roles]:
    others = [role for role in TYPES if role not in _ALWAYS and (months or role != "months")]
    roles = [*_ALWAYS, *(role for role in others if draw.odds(0.6))]
    draw.shuffle(roles)
    names = {role: draw.choice(_NAMES[role]) if role in _NAMES and draw.odds(0.4) else role for role in roles}
    if by_case and draw.odds(0.5):
        names["w"] = names["v"].swapcase()
    columns = {role: Column(TYPES[role], names[role]) for role in roles}
    island, spread = micros_of(draw.choice(ISLANDS[:-1] if is_stream else ISLANDS)), draw.choice((40, 120, 240))
    step = draw.choice((1, 3, 5, 10)) * MINUTE
    share = draw.choice((0.0, 0.08, 0.25))

    def cell(role: str) -> Any:
        if role not in _NEVER_NULL and not (is_stream and role == "ts") and draw.odds(share):
            return None
        return _CELLS[role](draw, island, spread, step)

    rows = [
        tuple(cell(role) for role in roles) for _ in range(draw.choice((0, 1, 5, 12, 20, 30)) if not is_stream else 18)
    ]
    rows += rows[: len(rows) // 6]
    return Table(name, tuple(columns[role] for role in roles), tuple(rows)), Roles(columns)


def _time(draw: Draw, island: int, spread: int, step: int) -> int:
    return island + draw.randrange(0, spread * MINUTE, step) + draw.choice((0, 0, 0, 1, 500_000, -1))


_CELLS: dict[str, Callable[[Draw, int, int, int], Any]] = {
    "k": lambda draw, *_: draw.choice(WORDS[: draw.choice((2, 3, 10))]),
    "ts": _time,
    "ntz": _time,
    "day": lambda draw, island, *_: datetime.date(1970, 1, 1) + datetime.timedelta(island // DAY + draw.randrange(4)),
    "v": lambda draw, *_: draw.randrange(-3, 9),
    "w": lambda draw, *_: draw.choice((1, 2, 3, -5, 4_000_000_000)),
    "ok": lambda draw, *_: draw.odds(0.5),
    "gap": lambda draw, *_: draw.choice((1, 5, 12, 30)) * MINUTE,
    "price": lambda draw, *_: Decimal(draw.randrange(-300, 300)) / 100,
    "q": lambda draw, *_: draw.randrange(-8, 9) / 4 + 0.125,
    "odd": lambda draw, *_: draw.choice((0.0, -0.0, float("nan"), 1.5)),
    "bytes": lambda draw, *_: draw.choice((b"", b"x", b"\x00\xff")),
    "pair": lambda draw, *_: (draw.choice((1, None)), draw.choice(("p", "q"))),
    "list": lambda draw, *_: draw.choice(((1, 2), (), (None,), (2,))),
    "span": lambda draw, *_: draw.choice((0, 90 * SECOND, -DAY - MINUTE, 1_500_000)),
    "months": lambda draw, *_: draw.choice((0, 14, -1)),
}


@dataclass(frozen=True)
class Scene:
    """A session with tables, which many queries share."""

    session: Session
    tables: tuple[Table, ...]
    roles: tuple[Roles, ...]
    is_stream: bool = False


def draw_scene(seed: str, *, is_stream: bool = False) -> Scene:
    draw = Draw(f"scene {seed}")
    session = draw_session(draw)
    names = (
        [draw.choice(("events", "odd table", "übersicht", "order"))]
        if is_stream
        else ["events", "odd table", "übersicht"]
    )
    # rows of a join travel whole, and Arrow has no intervals of months: one table is for these alone
    made = [
        draw_table(draw, name, is_stream=is_stream, months=name == names[0], by_case=session.on(CASE)) for name in names
    ]
    return Scene(session, tuple(table for table, _ in made), tuple(roles for _, roles in made), is_stream)
