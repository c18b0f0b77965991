"""A separate input for each operator of a streaming query.

A view or CTE over windows may be read twice in one streaming query. Spark plans an operator for each reader and, where
their inputs are the same, one exchange for both; the second operator then gets no watermark, takes rows and never fires
(Spark 4.3.0). Exchanges are the same where the plans below them are, random seeds included. Spark gives every random
expression a new seed in each micro-batch, so one such expression below each exchange keeps them apart.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def with_own_input(rows: DataFrame) -> DataFrame:
    """The same rows, in a plan that equals no other one; it must be right below an exchange.

    The condition is always true, which Spark would see if it were a single random number. It generates no code for
    ZIP_WITH, so seeds are not in the generated class, and each micro-batch uses the class of the one before.
    """
    one = F.array(F.lit(1))
    return rows.where(F.zip_with(one, one, lambda _one, _other: F.rand() + F.rand())[0] >= 0)
