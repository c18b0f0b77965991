"""Cases of real Flink, of every topic, in a real Structured Streaming query with state in RocksDB."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from case import read_cases
from run import check_spark_stream
from spark_stream import left_out

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).resolve().parent

CASES = list(read_cases(HERE / "cases"))
DRAWN_CASES = list(read_cases(HERE / "drawn_cases"))


def test_cases_in_one_query(spark: SparkSession) -> None:
    found = check_spark_stream(spark, CASES)
    assert {name: why for name, why in found.items() if why is not None} == {}


def test_drawn_cases_in_one_query(spark: SparkSession) -> None:
    found = check_spark_stream(spark, DRAWN_CASES)
    assert {name: why for name, why in found.items() if why is not None} == {}
    assert len(found) == 89


def test_what_is_left_out() -> None:
    """The list may only shrink."""
    reasons = Counter(left_out(case) for case in CASES)
    assert len({case.topic for case in CASES if left_out(case) is None}) == len({case.topic for case in CASES})
    assert reasons[None] == 454
    assert sorted(count for reason, count in reasons.items() if reason) == [6, 12, 15, 47]
