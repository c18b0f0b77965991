"""The queries of examples/nexmark on tables and on streams, against pandas."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import winsql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

QUERIES = Path(__file__).resolve().parents[1] / "examples" / "nexmark"
SIZE = pd.Timedelta(seconds=10)
NO_SHIFT = pd.Timedelta(0)
LAST = 3
TABLES = ("person", "auction", "bid")

Tables = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nexmark")


@pytest.fixture(scope="module")
def tables(folder: Path) -> Tables:
    specification = importlib.util.spec_from_file_location("generate", QUERIES / "generate.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    written: Tables = module.generate(folder, 2500)
    for name in TABLES:
        for path in sorted((folder / name).iterdir()):
            os.utime(path, (1_700_000_000 + int(path.stem),) * 2)  # streams take files by time of modification
    return written


@pytest.fixture
def bounded(spark: SparkSession, folder: Path, tables: Tables) -> Iterator[None]:
    for name in TABLES:
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    yield
    for name in TABLES:
        spark.catalog.dropTempView(name)


@pytest.fixture
def streams(spark: SparkSession, folder: Path, tables: Tables) -> Iterator[None]:
    for name in TABLES:
        schema = spark.read.parquet(str(folder / name)).schema
        frame = spark.readStream.schema(schema).option("maxFilesPerTrigger", 2).parquet(str(folder / name))
        frame.withWatermark("dateTime", "0 seconds").createOrReplaceTempView(name)
    yield
    for name in TABLES:
        spark.catalog.dropTempView(name)


def text_of(query: str) -> str:
    return (QUERIES / f"{query}.sql").read_text()


def hot_items(tables: Tables) -> pd.DataFrame:
    windows = [windowed(tables["bid"], pd.Timedelta(seconds=2 * n)) for n in range(5)]
    counts = pd.concat(windows).groupby(["auction", "starttime", "endtime"]).size().reset_index(name="num")
    best = counts.groupby("starttime")["num"].transform("max")
    return counts.loc[counts["num"] == best, ["auction", "num", "starttime", "endtime"]]


def selling_prices(tables: Tables) -> pd.DataFrame:
    """For each auction that sold, in the order of closing: the mean of its seller's last LAST prices."""
    bids = tables["bid"][["auction", "price", "dateTime"]].rename(columns={"dateTime": "at"})
    joined = tables["auction"].merge(bids, left_on="id", right_on="auction")
    in_time = joined[(joined["at"] >= joined["dateTime"]) & (joined["at"] <= joined["expires"])]
    last = in_time["at"] + pd.Timedelta(microseconds=1)
    sold = in_time.assign(closed=in_time["expires"].where(in_time["expires"] > last, last))
    sold = sold.groupby(["seller", "id"]).agg(price=("price", "max"), closed=("closed", "max")).reset_index()
    sold = sold.sort_values(["seller", "closed"])
    assert not sold.duplicated(["seller", "closed"]).any()
    return sold.assign(average=sold.groupby("seller")["price"].transform(_means))[["seller", "average", "closed"]]


def _means(prices: pd.Series[int]) -> list[float]:
    known = prices.tolist()
    last = [known[max(0, i + 1 - LAST) : i + 1] for i in range(len(known))]
    return [sum(values) / len(values) for values in last]


def highest_bids(tables: Tables) -> pd.DataFrame:
    bids = windowed(tables["bid"])
    best = bids.groupby("starttime")["price"].transform("max")
    return bids.loc[bids["price"] == best, ["auction", "bidder", "price", "dateTime", "endtime"]]


def new_users(tables: Tables) -> pd.DataFrame:
    auctions = windowed(tables["auction"])[["seller", "starttime"]].drop_duplicates()
    persons = windowed(tables["person"]).merge(auctions, left_on=["id", "starttime"], right_on=["seller", "starttime"])
    return persons[["id", "name", "starttime", "endtime"]]


def user_sessions(tables: Tables) -> pd.DataFrame:
    bids = tables["bid"].sort_values(["bidder", "dateTime"])
    begins = (bids["dateTime"].diff() > SIZE) | (bids["bidder"].diff() != 0)  # windows that touch merge
    groups = bids.groupby([bids["bidder"], begins.cumsum().rename("session")])["dateTime"]
    sessions = groups.agg(bid_count="size", starttime="min", endtime="max").reset_index()
    return sessions.assign(endtime=sessions["endtime"] + SIZE).drop(columns="session")


def windowed(table: pd.DataFrame, shift: pd.Timedelta = NO_SHIFT) -> pd.DataFrame:
    """The rows with the window of ten seconds they belong to, windows moved by `shift`."""
    start = (table["dateTime"] - shift).dt.floor(SIZE) + shift
    return table.assign(starttime=start, endtime=start + SIZE)


EXPECTED: dict[str, Callable[[Tables], pd.DataFrame]] = {
    "q5": hot_items,
    "q7": highest_bids,
    "q8": new_users,
    "q11": user_sessions,
}
READS = {"q8": ("person", "auction")}


def rows_of(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    """The rows, sorted; times as microseconds in UTC."""
    plain = frame.copy()
    for name in plain.columns:
        times = plain[name].dtype
        if isinstance(times, pd.DatetimeTZDtype):
            plain[name] = plain[name].dt.tz_convert("UTC").dt.tz_localize(None)
        if pd.api.types.is_datetime64_any_dtype(times):
            plain[name] = plain[name].astype("datetime64[us]").astype("int64")
    return sorted(map(tuple, plain.astype(str).to_numpy()))


def collected(frame: DataFrame) -> list[tuple[Any, ...]]:
    return rows_of(frame.toPandas())


@pytest.mark.parametrize("query", ["q5", "q5_join", "q7", "q8", "q8_join", "q11"])
def test_on_tables(spark: SparkSession, bounded: None, tables: Tables, query: str) -> None:
    expected = rows_of(EXPECTED[query.partition("_")[0]](tables))
    assert len(expected) >= 20
    assert collected(winsql.sql(spark, text_of(query))) == expected


def test_selling_prices(spark: SparkSession, bounded: None, tables: Tables) -> None:
    """Of the last three auctions: no seller has sold ten here."""
    text = text_of("q6").replace("COUNT(10, 1", f"COUNT({LAST}, 1")
    assert text != text_of("q6")
    expected = selling_prices(tables)
    assert expected["seller"].value_counts().max() > 2 * LAST
    assert collected(winsql.sql(spark, text)) == rows_of(expected.drop(columns="closed"))


@pytest.mark.slow
def test_on_streams(spark: SparkSession, streams: None, tables: Tables) -> None:
    """All that ends before the watermark; the windows after it are open. By the clock the last ones end meanwhile."""
    options = "OPTIONS ('trigger' = '4 seconds')"
    winsql.sql(spark, f"CREATE STREAMING TABLE nexmark_q12 {options} AS\n{text_of('q12')}").collect()
    for pair in (("q5_join", "q8_join"), ("q5", "q8"), ("q7", "q11")):
        for query in pair:
            options = "OPTIONS ('trigger' = 'available now')"
            winsql.sql(spark, f"CREATE STREAMING TABLE nexmark_{query} {options} AS\n{text_of(query)}").collect()
        for query in pair:
            winsql.sql(spark, f"AWAIT STREAM nexmark_{query}").collect()
            found = collected(spark.table(f"nexmark_{query}"))
            name = query.partition("_")[0]
            watermark = min(tables[table]["dateTime"].max() for table in READS.get(name, ("bid",)))
            expected = EXPECTED[name](tables)
            assert found == rows_of(expected[expected["endtime"] <= watermark]), query
            assert len(found) >= 20, query
            winsql.sql(spark, f"STOP STREAM nexmark_{query}").collect()
            spark.sql(f"DROP TABLE nexmark_{query}")
    windows = by_the_clock(spark, len(tables["bid"]))
    assert windows.groupby("bidder")["bid_count"].sum().to_dict() == tables["bid"].groupby("bidder").size().to_dict()
    assert (windows["endtime"] - windows["starttime"] == SIZE).all()
    assert (windows["starttime"] == windows["starttime"].dt.floor(SIZE)).all()
    assert not windows.duplicated(["bidder", "starttime"]).any()


def by_the_clock(spark: SparkSession, bids: int) -> pd.DataFrame:
    """The windows of query 12 once all bids are in them; its stream ends here."""
    found = spark.table("nexmark_q12").toPandas()
    while found["bid_count"].sum() < bids:
        winsql.sql(spark, "AWAIT STREAM nexmark_q12 FOR INTERVAL 2 SECONDS").collect()
        found = spark.table("nexmark_q12").toPandas()
    winsql.sql(spark, "STOP STREAM nexmark_q12").collect()
    spark.sql("DROP TABLE nexmark_q12")
    return found


def test_by_the_clock(spark: SparkSession, bounded: None, tables: Tables) -> None:
    """Windows of the machine's clock: a table is there all at once, so there is one, and each bidder is counted."""
    found = winsql.sql(spark, text_of("q12")).toPandas()
    assert (found["endtime"] - found["starttime"] == SIZE).all()
    assert found["starttime"].nunique() == 1
    counts = tables["bid"].groupby("bidder").size()
    assert dict(zip(found["bidder"], found["bid_count"], strict=True)) == counts.to_dict()
