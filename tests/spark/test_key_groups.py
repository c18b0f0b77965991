"""Key groups get numbers that Spark spreads evenly over its partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from winsql.spark.workers.group_numbers import key_group_numbers, spark_hashes

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.parametrize(("count", "partitions"), [(16, 1), (16, 2), (16, 4), (18, 3), (400, 200), (20_000, 10_000)])
def test_each_partition_gets_as_many_key_groups(count: int, partitions: int) -> None:
    numbers = key_group_numbers(count)
    owners = spark_hashes(numbers.astype(np.int32)) % partitions
    assert len(set(numbers.tolist())) == count
    assert set(np.bincount(owners, minlength=partitions).tolist()) == {count // partitions}


def test_hashes_are_those_of_spark(spark: SparkSession) -> None:
    numbers = [0, 1, 49, 12345, 2**31 - 1, -1, -(2**31)]
    rows = spark.sql(f"SELECT hash(n) AS h FROM VALUES {', '.join(f'(INT({n}))' for n in numbers)} AS t(n)").collect()
    assert spark_hashes(np.array(numbers, dtype=np.int32)).tolist() == [row.h for row in rows]
