"""Statements over windows that follow local time, and the rows that they read, around changes of clocks.

    python3 local_sql.py FOLDER ZONE

writes FOLDER/tables.sql, FOLDER/e.csv, FOLDER/f.csv and FOLDER/statements.jsonl for SqlRows.java.
"""

from __future__ import annotations

import datetime
import json
import random
import sys
from pathlib import Path

Row = tuple[str, int, datetime.datetime]
"""k STRING, n INT, ts in UTC."""

CHANGES = {
    "America/Los_Angeles": ("2024-03-10 10:00", "2024-11-03 09:00"),
    "America/Sao_Paulo": ("2018-02-18 02:00", "2018-11-04 03:00"),  # at midnight
    "Australia/Lord_Howe": ("2024-04-06 15:00", "2024-10-05 15:30"),  # by half an hour
    "Pacific/Apia": ("2011-12-30 10:00", "2012-03-31 14:00"),  # by a day
    "Asia/Kathmandu": ("2024-06-01 00:00",),  # not at all
}
"""Instants, in UTC, at which clocks change, or may."""
LOSES_ROWS = ("America/Sao_Paulo", "Australia/Lord_Howe")
"""Where Flink loses rows of HOP around the change; tests/spark/test_local_windows.py holds these against a model."""

_CALLS = (
    *("TUMBLE 30 MINUTE", "TUMBLE 4 HOUR", "TUMBLE 1 DAY", "TUMBLE 1 DAY 8 HOUR", "TUMBLE 50 MINUTE -7 MINUTE"),
    *("CUMULATE 30 MINUTE 2 HOUR", "CUMULATE 6 HOUR 1 DAY", "HOP 30 MINUTE 2 HOUR", "HOP 20 MINUTE 1 HOUR 5 MINUTE"),
    *("SESSION 20 MINUTE", "SESSION 70 MINUTE"),
)
_HALF_HOURS = "TABLE(TUMBLE(TABLE {}, DESCRIPTOR({}), INTERVAL '30' MINUTE))"


def rows(zone: str, table: str) -> list[Row]:
    """The rows of a table in order of time; no two have the same."""
    rng = random.Random(f"{zone} {table}")
    times: set[datetime.datetime] = set()
    for change in map(datetime.datetime.fromisoformat, CHANGES[zone]):
        minutes = [rng.choice((100, 400, 2500)) * rng.uniform(-1, 1) for _ in range(45)]
        times |= {(change + datetime.timedelta(minutes=m)).replace(second=0, microsecond=0) for m in minutes}
    return [(rng.choice("ab"), number, time) for number, time in enumerate(sorted(times))]


def statements(zone: str) -> list[dict[str, str]]:
    """Aggregations in all windows, a cascade, a join."""
    found = {said: _grouped(said) for said in _CALLS if zone not in LOSES_ROWS or not said.startswith("HOP")}
    inner = f"SELECT k, window_time AS rt, COUNT(*) AS c FROM {_HALF_HOURS.format('e', 'ts')}"
    outer = _HALF_HOURS.format("g", "rt").replace("'30' MINUTE", "'4' HOUR")
    found["cascade"] = (
        f"WITH g AS ({inner} GROUP BY k, window_start, window_end, window_time) "
        f"SELECT window_start, window_end, SUM(c) AS s FROM {outer} GROUP BY window_start, window_end"
    )
    sides = [f"(SELECT * FROM {_HALF_HOURS.format(table, 'ts')}) {table}" for table in "ef"]
    on = " AND ".join(f"e.{name} = f.{name}" for name in ("k", "window_start", "window_end"))
    found["join"] = f"SELECT e.k, e.n, f.n AS m, e.window_start, e.window_end FROM {sides[0]} JOIN {sides[1]} ON {on}"
    return [{"title": f"{zone} {title}", "sql": sql} for title, sql in found.items()]


def _grouped(said: str) -> str:
    name, *lengths = said.split()
    table = "TABLE e PARTITION BY k" if name == "SESSION" else "TABLE e"
    pairs = zip(lengths[::2], lengths[1::2], strict=True)
    call = ", ".join((table, "DESCRIPTOR(ts)", *(f"INTERVAL '{number}' {unit}" for number, unit in pairs)))
    items = "k, window_start, window_end, COUNT(*) AS c, SUM(n) AS s"
    return f"SELECT {items} FROM TABLE({name}({call})) GROUP BY k, window_start, window_end"


def write(folder: Path, zone: str) -> None:
    """The tables, and the statements of a zone."""
    definitions = []
    for table in "ef":
        path = folder.resolve() / f"{table}.csv"
        path.write_text("".join(f"{k};{n};{time.isoformat(' ')}Z\n" for k, n, time in rows(zone, table)))
        definitions.append(
            f"CREATE TABLE {table} (k STRING, n INT, ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts) WITH "
            f"('connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv', 'csv.field-delimiter' = ';')"
        )
    (folder / "tables.sql").write_text(";\n".join(definitions), encoding="utf-8")
    (folder / "statements.jsonl").write_text("".join(json.dumps(one) + "\n" for one in statements(zone)))


if __name__ == "__main__":
    write(Path(sys.argv[1]), sys.argv[2])
