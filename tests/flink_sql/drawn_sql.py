"""Statements that Flink SQL and winsql both take, and the rows that they read: seeded, random.

    python3 drawn_sql.py SEED NUMBER FOLDER

writes FOLDER/tables.sql, FOLDER/e.csv, FOLDER/f.csv and FOLDER/statements.jsonl for SqlRows.java.
"""

from __future__ import annotations

import datetime
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Event = tuple["str | None", str, "float | None", int, datetime.datetime]
START = datetime.datetime(2024, 1, 1)
SPAN = 600_000
TABLES = {"e": 5, "f": 6}
"""Tables with the seeds of their rows: k STRING, s STRING, v DOUBLE, n INT, ts TIMESTAMP."""

_AGGREGATES = (
    *("COUNT(*)", "COUNT(v)", "SUM(v)", "SUM(n)", "MIN(v)", "MAX(n)", "AVG(v)", "MIN(s)", "MAX(UPPER(s))"),
    *("COUNT(DISTINCT v)", "COUNT(DISTINCT s)", "SUM(DISTINCT v)", "COUNT(DISTINCT CASE WHEN v > 1 THEN s END)"),
    *("MAX(v) FILTER (WHERE n > 50)", "COUNT(*) FILTER (WHERE s = 'x')", "MIN(n) FILTER (WHERE k IS NULL)"),
    *("SUM(v) + COUNT(*)", "MAX(n) - MIN(n)", "SUM(CASE WHEN v > 2 THEN 1 ELSE 0 END)", "SUM(ABS(v))"),
)
_CONDITIONS = (
    *("n > 30", "k IS NOT NULL", "s = 'x'", "v > 0", "v > 0 OR k IS NULL", "n BETWEEN 20 AND 150", "k IN ('a', 'b')"),
    *("NOT (v > 2)", "k LIKE 'a%' OR n < 100", "MOD(n, 3) = 1", "v IS NOT NULL AND s <> 'y'"),
)
_HAVING = ("COUNT(*) > 2", "SUM(n) > 100", "MAX(v) > 1", "COUNT(*) BETWEEN 2 AND 5")
_PARTITIONS: dict[str, list[str]] = {"": [], " PARTITION BY k": ["k"], " PARTITION BY (k, s)": ["k", "s"]}


def events(table: str) -> list[Event]:
    """The rows of a table in order of time; no two have the same, so that the first and the last are defined."""
    rng = random.Random(TABLES[table])
    times = sorted(rng.sample(range(SPAN), 220))
    return [
        (
            rng.choice(("a", "b", "c", None)),
            rng.choice("xy"),
            rng.choice((None, *map(float, range(-3, 7)), 0.5)),
            number,
            START + datetime.timedelta(milliseconds=time),
        )
        for number, time in enumerate(times)
    ]


def drawn(draw: Draw, number: int) -> Iterator[dict[str, str]]:
    """Statements with their titles; the first ones are the same whatever their number."""
    for index in range(number):
        kind = draw.rng.choice(draw.kinds)
        yield {"title": f"{kind.__name__} {index}", "sql": kind()}


class Draw:
    """Draws statements of some kinds."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    @property
    def kinds(self) -> tuple[Callable[[], str], ...]:
        return (self.grouped, self.grouped, self.ranked, self.first, self.joined, self.joined, self.met, self.cascade)

    def one(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def seconds(self, *choices: int) -> str:
        number = self.rng.choice(choices)
        is_minutes = number % 60 == 0 and self.rng.random() < 0.5
        return f"INTERVAL '{number // 60}' MINUTE" if is_minutes else f"INTERVAL '{number}' SECOND"

    def where(self, share: float) -> str:
        return f" WHERE {self.one(*_CONDITIONS)}" if self.rng.random() < share else ""

    def windows(self, table: str = "TABLE e", time: str = "ts") -> str:
        """Aligned windows: by position or by name, some with an offset."""
        kind = self.one("TUMBLE", "TUMBLE", "HOP", "CUMULATE")
        sizes = {"SIZE": self.seconds(7, 30, 60, 90)}
        if kind != "TUMBLE":
            step, times = self.rng.choice((5, 10, 20, 30)), self.rng.choice((1, 2, 3))
            name = "SLIDE" if kind == "HOP" else "STEP"
            sizes = {name: self.seconds(step), "SIZE": self.seconds(step * times)}
        if self.rng.random() < 0.25:
            named = {"DATA": table, "TIMECOL": f"DESCRIPTOR({time})", **sizes}
            return f"TABLE({kind}({', '.join(f'{key} => {value}' for key, value in named.items())}))"
        offset = [self.seconds(3, -2)] if self.rng.random() < 0.2 and kind != "CUMULATE" else []
        return f"TABLE({kind}({', '.join([table, f'DESCRIPTOR({time})', *sizes.values(), *offset])}))"

    def grouped(self) -> str:
        """A window aggregation: keys in any order, grouping sets, HAVING, a filter around it."""
        keys = self.rng.sample(["k", "s"], self.rng.randint(0, 2))
        call, sets = self.windows(), bool(keys) and self.rng.random() < 0.3
        if self.rng.random() < 0.25:
            partition = self.one(*_PARTITIONS)
            keys, sets = _PARTITIONS[partition], False
            call = f"TABLE(SESSION(TABLE e{partition}, DESCRIPTOR(ts), {self.seconds(2, 5, 9)}))"
        aggregates = [f"{a} AS a{i}" for i, a in enumerate(self.rng.sample(_AGGREGATES, self.rng.randint(1, 3)))]
        items, groups = [*keys, "window_start", "window_end", *aggregates], [*keys, "window_start", "window_end"]
        if sets:
            form = self.one("ROLLUP (%s)", "CUBE (%s)", "GROUPING SETS ((%s), ())") % ", ".join(keys)
            groups, items = ["window_start", "window_end", form], [*items, f"GROUPING({keys[0]}) AS g"]
        else:
            self.rng.shuffle(groups)
        self.rng.shuffle(items)
        having = f" HAVING {self.one(*_HAVING)}" if self.rng.random() < 0.25 else ""
        text = f"SELECT {', '.join(items)} FROM {call}{self.where(0.35)} GROUP BY {', '.join(groups)}{having}"
        after = self.one("", "", " WHERE a0 IS NOT NULL", " WHERE window_end > TIMESTAMP '2024-01-01 00:02:00'")
        return self.one(f"SELECT * FROM ({text}){after}", f"WITH q AS ({text}) SELECT * FROM q{after}", text)

    def results(self, table: str, size: str, *keys: str, where: str = "") -> str:
        """Counts and sums by keys in tumbling windows."""
        names = "".join(f"{key}, " for key in keys)
        call = f"TABLE(TUMBLE(TABLE {table}, DESCRIPTOR(ts), {size}))"
        items = f"{names}window_start, window_end, COUNT(*) AS c, SUM(n) AS q"
        return f"SELECT {items} FROM {call}{where} GROUP BY {names}window_start, window_end"

    def ranked(self) -> str:
        """A window Top-N, of rows or of results."""
        source, order = self.windows(), self.one("n DESC", "v DESC, n", "n", "s, n DESC", "v, n DESC")
        columns = "k, s, v, n, window_start, window_end"
        if self.rng.random() < 0.5:
            source = f"({self.results('e', self.seconds(30, 60, 90), 'k', 's')})"
            order = self.one("c DESC, q", "q", "q DESC", "k, s", "s DESC, q")
            columns = "k, s, c, q, window_start, window_end"
        partition = f"window_start, window_end{self.one('', ', k', ', s')}"
        number = f"ROW_NUMBER() OVER (PARTITION BY {partition} ORDER BY {order}) AS rn"
        most = self.one("rn <= 1", "rn <= 2", "rn < 4")
        return f"SELECT {columns}{self.one('', ', rn')} FROM (SELECT *, {number} FROM {source}) WHERE {most}"

    def first(self) -> str:
        """A window deduplication: the first or the last row of a key."""
        partition, order = f"window_start, window_end, {self.one('k', 's', 'k, s')}", self.one("ASC", "DESC")
        number = f"ROW_NUMBER() OVER (PARTITION BY {partition} ORDER BY ts {order}) AS rn"
        columns = "k, s, v, n, window_start, window_end"
        return f"SELECT {columns} FROM (SELECT *, {number} FROM {self.windows()}) WHERE rn = 1"

    def side(self, table: str, size: str, *, is_rows: bool) -> str:
        if not is_rows:
            return f"({self.results(table, size, 'k', where=self.where(0.5))})"
        return f"(SELECT * FROM TABLE(TUMBLE(TABLE {table}, DESCRIPTOR(ts), {size})){self.where(0.5)})"

    def joined(self) -> str:
        """A window join of rows or of results."""
        size, is_rows = self.seconds(20, 30, 60), self.rng.random() < 0.5
        left, right = self.side("e", size, is_rows=is_rows), self.side("f", size, is_rows=is_rows)
        m, kind = "n" if is_rows else "q", self.one("JOIN", "INNER JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL OUTER JOIN")
        columns = self.one(
            f"L.k, L.{m} AS lm, R.{m} AS rm, L.window_end",
            f"COALESCE(L.k, R.k) AS k, L.{m} AS a, R.{m} AS b, COALESCE(L.window_end, R.window_end) AS e",
            f"R.k, L.{m} + R.{m} AS z, R.window_start",
        )
        on = "L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end"
        on += self.one("", "", f" AND L.{m} < R.{m}", " AND R.k <> 'b'")
        return f"SELECT {columns} FROM {left} L {kind} {right} R ON {on}"

    def met(self) -> str:
        """A semi or an anti join."""
        size, is_rows = self.seconds(20, 30, 60), self.rng.random() < 0.5
        left, right = self.side("e", size, is_rows=is_rows), self.side("f", size, is_rows=is_rows)
        m, negated = "n" if is_rows else "q", self.one("", "NOT ")
        same = "L.window_start = R.window_start AND L.window_end = R.window_end"
        asked = f"EXISTS (SELECT * FROM {right} R WHERE L.k = R.k AND {same}{self.one('', f' AND R.{m} > 20')})"
        if self.rng.random() < 0.4:  # without NULL, which NOT IN finds in every list
            keys = f"SELECT k FROM {right} R WHERE {same} AND R.k IS NOT NULL"
            return f"SELECT k, {m}, window_end FROM {left} L WHERE L.k {negated}IN ({keys}) AND L.k IS NOT NULL"
        return f"SELECT k, {m}, window_end FROM {left} L WHERE {negated}{asked}"

    def cascade(self) -> str:
        """Windows over the results of windows, or groups of these."""
        groups = "k, s, window_start, window_end, window_time"
        call = f"TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), {self.seconds(5, 10)}))"
        items = "k, s, window_start, window_end, window_time AS rowtime, COUNT(*) AS c, SUM(v) AS w"
        inner, key = f"SELECT {items} FROM {call} GROUP BY {groups}", self.one("k, ", "", "s, ")
        outer = f"SELECT {key}window_start, window_end, SUM(c) AS cc, MAX(w) AS m FROM %s"
        outer += f" GROUP BY {key}window_start, window_end"
        if self.rng.random() < 0.4:
            return outer % f"({inner})"
        return f"WITH g AS (SELECT k, s, rowtime, c, w FROM ({inner})) {outer % self.windows('TABLE g', 'rowtime')}"


def write(folder: Path, draw: Draw, number: int) -> None:
    """The tables, and as many statements."""
    definitions = []
    for table in TABLES:
        path = folder.resolve() / f"{table}.csv"
        cells = [[*row[:4], row[4].isoformat(" ", "milliseconds")] for row in events(table)]
        path.write_text("".join(";".join(map(_cell, row)) + "\n" for row in cells), encoding="utf-8")
        definitions.append(
            f"CREATE TABLE {table} (k STRING, s STRING, v DOUBLE, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH "
            f"('connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv', 'csv.field-delimiter' = ';', "
            "'csv.null-literal' = '\\N')"
        )
    (folder / "tables.sql").write_text(";\n".join(definitions), encoding="utf-8")
    lines = [json.dumps(statement) + "\n" for statement in drawn(draw, number)]
    (folder / "statements.jsonl").write_text("".join(lines), encoding="utf-8")


def _cell(value: Any) -> str:
    return "\\N" if value is None else str(value)


if __name__ == "__main__":
    write(Path(sys.argv[3]), Draw(random.Random(int(sys.argv[1]))), int(sys.argv[2]))
