"""Hands SQL text to Spark with the statement's parameters and with DataFrames in the place of relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from winsql.model.query import INTERNAL_PREFIX
from winsql.spark.versions.qualify import with_known_clauses
from winsql.syntax.compose import split_at

__all__ = ["FIRED", "FIRED_ROWS", "NO_ROWS", "RESULTS", "Runner", "is_connect", "relation_name"]


def is_connect(owned: SparkSession | DataFrame) -> bool:
    """Whether a session or DataFrame belongs to Spark Connect; asking its class needs none of Connect's libraries."""
    return type(owned).__module__.startswith("pyspark.sql.connect.")


def relation_name(number: int) -> str:
    """The name of a DataFrame in a text."""
    return f"{INTERNAL_PREFIX}relation{number}"


# what a plan reads besides the relations of the statement, which are numbered from 0: the rows of firings and a
# relation without rows, the firings, and what an apply function returns
FIRED_ROWS, NO_ROWS, FIRED, RESULTS = (relation_name(1_000_000 + number) for number in range(4))


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs texts of one statement.

    arguments   named parameters, as for spark.sql
    context     text before every query: the WITH list that is in scope
    relations   name made by `relation_name` -> the DataFrame
    is_on_time  whether all windowed queries among these give what they give on a stream when the watermark moves
    """

    spark: SparkSession
    arguments: Mapping[str, Any] = field(default_factory=dict)
    context: str = ""
    relations: Mapping[str, DataFrame] = field(default_factory=dict)
    is_on_time: bool = False

    def sql(self, query: str, **relations: DataFrame) -> DataFrame:
        """The query in its context; `relations` are known beside the statement's own."""
        return self.run(f"{self.context}{query}", **relations)

    def for_spark(self, text: str, relations: Mapping[str, DataFrame] | None = None) -> str:
        """The statement in clauses that this Spark has."""
        known = replace(self, relations={**self.relations, **(relations or {})})
        return with_known_clauses(self.spark, text, known.run)

    def run(self, text: str, **relations: DataFrame) -> DataFrame:
        """A whole statement. DataFrames become views that last for this call only, as spark.sql(text, name=df) does."""
        text = self.for_spark(text, relations)
        known = {**self.relations, **relations}
        pieces = split_at(text, known) if known else [text]
        used = {name: known[name] for name in pieces[1::2]}
        if not used:
            return self.spark.sql(text, args=dict(self.arguments)) if self.arguments else self.spark.sql(text)
        pieces[::2] = (piece.replace("{", "{{").replace("}", "}}") for piece in pieces[::2])
        pieces[1::2] = (f"{{{name}}}" for name in pieces[1::2])
        return self.spark.sql("".join(pieces), args=dict(self.arguments) or None, **used)
