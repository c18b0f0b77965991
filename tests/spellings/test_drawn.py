"""Some of the random queries over windows; `make chaos` runs more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from check_drawn import check_drawn
from drawn_queries import draw_query
from sampling import some

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def registered(spark: SparkSession) -> Iterator[SparkSession]:
    winsql.register(spark)
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    yield spark
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    spark.catalog.dropTempView("names")
    winsql.unregister(spark)


@pytest.mark.slow
def test_random_queries_give_the_rows_of_spark_alone(registered: SparkSession, tmp_path: Path) -> None:
    found = check_drawn(registered, tmp_path, some(range(16, 32)))
    assert not found.wrong
    assert not found.refused


def test_both_texts_of_a_query_are_alike() -> None:
    for seed in range(50):
        ours, plain = (draw_query(seed, "t", is_spark=is_spark).split() for is_spark in (False, True))
        assert ours[-1] == plain[-1]
        assert not {"TABLE", "DESCRIPTOR"} & set(plain)
