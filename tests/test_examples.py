"""The demo: its two scripts print what examples/*.out show, and pandas agrees with the first one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"

pytestmark = [pytest.mark.slow, pytest.mark.spark]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's folder `data`, written by its own script."""
    folder = tmp_path_factory.mktemp("demo") / "data"
    subprocess.run([sys.executable, str(ROOT / "examples" / "prepare_flights.py"), str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def printed(data: Path) -> str:
    """What the demo on tables prints."""
    return run_script("flights.sql", data)


def run_script(script: str, data: Path) -> str:
    """What a script of the demo prints, elapsed times replaced."""
    (data.parent / script).symlink_to(EXAMPLES / script)
    result = subprocess.run(
        [sys.executable, "-m", "winsql.shell.cli", "-f", script],
        cwd=data.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        stdin=subprocess.DEVNULL,
    )
    assert result.returncode == 0, result.stderr
    return re.sub(r"\d+\.\d\d s$", "TIME", result.stdout, flags=re.MULTILINE)


def test_the_demo_prints_what_is_on_record(printed: str, update_golden: bool) -> None:
    check("flights.out", printed, update_golden)


def test_the_demo_on_a_stream_prints_what_is_on_record(data: Path, update_golden: bool) -> None:
    found = run_script("flights_stream.sql", data)
    # rows per second and bytes of state differ from run to run
    row = re.compile(r"^(default\.weeks +finished +\d+) +[\d.]+( .* +\d+ +\d+) +\d+( +exactly once +NULL)$", re.M)
    found = row.sub(r"\1 ...\2 ...\3", found)
    check("flights_stream.out", found, update_golden)
    assert found.endswith("0                  0\n\n1 row in TIME\n\n")  # the stream gives the rows of the table


def check(name: str, found: str, update: bool) -> None:
    if update:
        (EXAMPLES / name).write_text(found, encoding="utf-8")
    assert found == (EXAMPLES / name).read_text(encoding="utf-8")


def test_the_page_about_windows_shows_a_part_of_it(printed: str) -> None:
    page = (ROOT / "docs" / "windows.md").read_text(encoding="utf-8")
    ((statement, shown),) = re.findall(r"^```sql demo\n(.*?)^```\n+```console\n(.*?)^```$", page, re.M | re.S)
    assert statement.rstrip("\n") in (ROOT / "examples" / "flights.sql").read_text(encoding="utf-8")
    assert re.sub(r"\d+\.\d\d s$", "TIME", shown, flags=re.MULTILINE) in printed


@pytest.fixture(scope="module")
def flights(data: Path) -> pd.DataFrame:
    return pd.read_parquet(data / "flights.parquet")


def table(printed: str, title: str) -> list[list[str]]:
    """The cells of the table under the statement whose title begins with `title`."""
    body = printed.split(f"-- {title}", 1)[1].split("\n\n", 2)[1]
    return [re.split(r"  +", line.strip()) for line in body.split("\n")[2:]]


def test_the_worst_weeks_by_pandas(printed: str, flights: pd.DataFrame, data: Path) -> None:
    named = flights.dropna(subset=["dep_delay"]).merge(pd.read_parquet(data / "airlines.parquet"), on="carrier")
    named["day"] = named["sched_dep"].dt.normalize()
    daily = named.groupby(["name", "day"])["dep_delay"].agg(["sum", "count"]).astype("int64").unstack(fill_value=0)
    days = pd.date_range(named["day"].min() - pd.Timedelta(6, "D"), named["day"].max() + pd.Timedelta(6, "D"))
    weeks = []
    for airline in daily.index:
        sums = daily.loc[airline, "sum"].reindex(days, fill_value=0).rolling(7).sum()
        counts = daily.loc[airline, "count"].reindex(days, fill_value=0).rolling(7).sum()
        means = (sums / counts)[counts >= 100]
        if not means.empty:
            last = means.idxmax()
            weeks.append((means.max(), airline, last - pd.Timedelta(6, "D"), last, counts[last]))
    expected = [
        [airline, f"{first:%Y-%m-%d}", f"{last:%Y-%m-%d}", f"{count:.0f}", f"{mean:.1f}"]
        for mean, airline, first, last, count in sorted(weeks, reverse=True)[:10]
    ]
    assert [row[:5] for row in table(printed, "The worst week of each airline")] == expected


def test_every_hundredth_departure_by_pandas(printed: str, flights: pd.DataFrame) -> None:
    found = []
    for origin, left in flights.dropna(subset=["dep"]).groupby("origin"):
        delays = left.sort_values("dep", kind="stable")
        for end in range(100, len(delays) + 1, 100):
            ten = delays["dep_delay"].iloc[end - 10 : end].tolist()
            found.append((-np.mean(ten), [origin, str(end), str(delays["dep"].iloc[end - 1]), str(ten)]))
    expected = [row for _, row in sorted(found)[:8]]
    shown = [row[:4] for row in table(printed, "Every 100th departure")]
    assert sorted(shown) == sorted(expected)


def test_the_alerts_by_pandas(printed: str, flights: pd.DataFrame) -> None:
    expected = []
    left = flights.dropna(subset=["dep"]).sort_values("dep", kind="stable")
    for (origin, day), rows in left.groupby(["origin", left["dep"].dt.normalize()]):
        late = np.flatnonzero(rows["dep_delay"] > 120)
        begin = 0
        for alert, last in enumerate(late[59::60]):
            seen = rows.iloc[begin : last + 1]
            begin = last + 1
            raised = str(seen["dep"].max())
            expected.append([origin, f"{day:%Y-%m-%d}", str(alert), raised, str(len(seen))])
    shown = [row[:5] for row in table(printed, "Alert")]
    assert shown == sorted(expected, key=lambda row: row[3])[:10]


def test_the_joins_by_pandas(printed: str, flights: pd.DataFrame, data: Path) -> None:
    weather = pd.read_parquet(data / "weather.parquet")
    weather["hour"] = weather["hour_start"].dt.floor("h")
    left = flights.dropna(subset=["dep"]).assign(hour=flights["dep"].dt.floor("h"))
    by_hour = left.groupby(["origin", "hour"])["dep_delay"].agg(
        departures="size", late=lambda delays: int((delays > 60).sum()), longest="max"
    )
    once = weather.drop_duplicates(["origin", "hour"])  # clocks went back: an hour of November has two reports
    hours = by_hour.reset_index().merge(once, on=["origin", "hour"], how="left", validate="one_to_one")
    worst = hours.sort_values(["late", "origin", "hour"], ascending=[False, True, True], kind="stable").head(8)
    expected = [
        [row.origin, str(row.hour), str(row.departures), str(row.late), str(float(round(row.wind_speed)))]
        for row in worst.itertuples()
    ]
    assert [row[:5] for row in table(printed, "The hours in which most departures")] == expected

    jfk = weather[(weather["origin"] == "JFK") & (weather["hour"].dt.hour >= 6)]
    days = jfk[jfk["hour"].dt.normalize().isin([pd.Timestamp(2013, 2, 8), pd.Timestamp(2013, 2, 9)])]
    quiet = days[~days["hour"].isin(left[left["origin"] == "JFK"]["hour"])]
    assert [row[0] for row in table(printed, "JFK in the blizzard")] == [str(hour) for hour in sorted(quiet["hour"])]

    gusts = weather[weather["wind_gust"] > 45].groupby(["origin", "hour"])["wind_gust"].max().round().rename("gust")
    beside = gusts.reset_index().merge(by_hour.reset_index(), on=["origin", "hour"], how="left").fillna(0)
    strongest = beside.sort_values(["gust", "origin", "hour"], ascending=[False, True, True], kind="stable").head(8)
    expected = [
        [row.origin, str(row.hour), str(row.gust), str(int(row.departures)), str(max(int(row.longest), 0))]
        for row in strongest.itertuples()
    ]
    assert table(printed, "The strongest gusts") == expected
