"""Key groups get numbers that Spark spreads evenly over its partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from winsql.errors import WindowDataError
from winsql.model.key_groups import key_groups_of, partitions_with
from winsql.model.query import KEY_GROUPS
from winsql.spark.streaming.same_query import require_same_query
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


@pytest.mark.parametrize("partitions", [*range(1, 40), 200, 10_001])
def test_the_error_names_partitions_that_give_the_key_groups_of_the_checkpoint(partitions: int) -> None:
    kept, asked = key_groups_of(partitions), key_groups_of(2 * partitions + 40)
    with pytest.raises(WindowDataError) as caught:
        require_same_query({KEY_GROUPS: str(kept)}, {KEY_GROUPS: str(asked)})
    assert caught.value.hint is not None
    assert key_groups_of(int(caught.value.hint.removeprefix("SET spark.sql.shuffle.partitions = "))) == kept


def test_no_partitions_are_named_where_none_give_these_key_groups() -> None:
    assert [groups for groups in range(16, 40, 2) if partitions_with(groups) is None] == []
    with pytest.raises(WindowDataError, match="start the new one with a new checkpoint"):
        require_same_query({KEY_GROUPS: "17"}, {KEY_GROUPS: "16"})
