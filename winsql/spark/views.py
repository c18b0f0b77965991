"""Statements that keep a query for later (CREATE TEMPORARY VIEW, CACHE TABLE): its relations become lasting views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from winsql.model.query import INTERNAL_PREFIX
from winsql.spark.messages.places import Places
from winsql.spark.runner import Runner
from winsql.syntax import StatementKind
from winsql.syntax.expressions.items import quoted
from winsql.syntax.statement_kind import Target
from winsql.syntax.text.compose import split_at


def altered(spark: SparkSession, target: Target) -> Target:
    """The target of a statement; of ALTER VIEW the session is asked what the view is. Spark says if there is none."""
    if target.kind is not StatementKind.ALTERED or target.name is None:
        return target
    try:
        view = spark.catalog.getTable(target.name)
    except PySparkException:
        return replace(target, is_temporary=True)
    return replace(target, is_temporary=view.isTemporary, is_global=view.isTemporary and bool(view.namespace))


class KeptViews:
    """Temporary views for the DataFrames in a stored text; dropped when the statement fails.

    Their names are new each time: a view that is being replaced may still read its old ones. For a text that other
    sessions read they are global.
    """

    def __init__(self, spark: SparkSession, frames: Mapping[str, DataFrame], *, is_global: bool) -> None:
        self._spark = spark
        self._frames = frames
        self._views = {name: f"{INTERNAL_PREFIX}view_{uuid4().hex}" for name in frames}
        self._database = f"{quoted(str(spark.conf.get(_GLOBAL_DATABASE)))}." if is_global else ""

    def run(self, text: str, arguments: Mapping[str, Any], places: Places | None) -> DataFrame:
        """Run the statement with the names of views in the place of its relations; `places` are those of its text."""
        text = self.text(text)
        try:
            return Runner(self._spark, arguments, places=places).run(text)
        except BaseException:
            self._drop()
            raise

    def text(self, text: str) -> str:
        """Make the views; returns the statement with their names in the place of its relations."""
        for name, view in self._views.items():
            frame = self._frames[name]
            make = frame.createOrReplaceGlobalTempView if self._database else frame.createOrReplaceTempView
            make(view)
        pieces = split_at(text, self._views)
        pieces[1::2] = (f"{self._database}{self._views[name]}" for name in pieces[1::2])
        return "".join(pieces)

    def _drop(self) -> None:
        catalog = self._spark.catalog
        for view in self._views.values():
            if self._database:
                catalog.dropGlobalTempView(view)
            else:
                catalog.dropTempView(view)


_GLOBAL_DATABASE = "spark.sql.globalTempDatabase"
