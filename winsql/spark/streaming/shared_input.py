"""Readers of windows that share no input: each has an operator of its own, and that needs its own rows.

A view or CTE over windows may be read twice in one streaming query. Spark plans an operator for each reader and, where
their inputs are the same, one exchange for both; the second operator then gets no watermark, takes rows and never fires
(Spark 4.3.0). Exchanges are the same only where all below them is, random seeds included, and in each micro-batch Spark
gives every random expression of a plan a seed of its own.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

__all__ = ["with_own_input"]


def with_own_input(rows: DataFrame) -> DataFrame:
    """The same rows, in a plan that Spark takes for no other one; to stand right below an exchange."""
    return rows.where(F.rand() + F.rand() >= 0)  # always true, but Spark does not see it as it does of one alone
