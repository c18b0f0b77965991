"""Workers that have run winsql do not look through all they have loaded whenever Spark collects garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import SparkSession

import winsql
from winsql.spark.workers.garbage import spare_loaded


def test_what_a_worker_has_loaded_is_out_of_sight(spark: SparkSession) -> None:
    def frozen(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        spare_loaded()
        for batch in batches:
            yield pa.RecordBatch.from_arrays([pa.array([gc.get_freeze_count()] * batch.num_rows)], names=["objects"])

    counted = winsql.sql(
        spark, "SELECT k, count(*) AS n FROM VALUES (1), (1) AS t (k) WINDOW ASSIGN COUNT(2) GROUP BY k"
    )
    assert counted.collect() == [(1, 2)]
    objects = [row.objects for row in spark.range(0, 4, 1, 4).mapInArrow(frozen, "objects BIGINT").collect()]
    assert min(objects) > 10_000


def test_a_program_of_its_own_is_left_alone() -> None:
    before = gc.get_freeze_count()
    spare_loaded()
    assert gc.get_freeze_count() == before
