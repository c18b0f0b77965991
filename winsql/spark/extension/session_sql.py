"""The `sql` of a session object that takes winsql's statements as well."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.messages.misspellings import in_words_of_winsql
from winsql.spark.planned_statement import Arguments, parse
from winsql.spark.runner import is_connect, is_own
from winsql.spark.session import run
from winsql.spark.tables.unsupported import require_immediate
from winsql.spark.versions.connect_views import as_view, keep
from winsql.spark.versions.named_values import with_named_values
from winsql.syntax import StatementKind

_NAME = "sql"


class SessionSql:
    """Takes the place of `spark.sql` from its construction until `remove`."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._had = vars(spark).get(_NAME)
        self._before = spark.sql
        self._enabled = True
        self.__doc__ = spark.sql.__doc__
        vars(spark)[_NAME] = self

    def __call__(self, sqlQuery: str, args: Arguments = None, **kwargs: Any) -> DataFrame:
        """As `SparkSession.sql`, whose names of parameters these are."""
        if is_own():
            return self._before(sqlQuery, args, **kwargs)  # type: ignore[arg-type]
        found = self._with_windows(sqlQuery, args, kwargs) if self._enabled else None
        if found is not None:
            return found
        with in_words_of_winsql(self._spark, sqlQuery):
            frame = self._before(sqlQuery, args, **kwargs)  # type: ignore[arg-type]
        require_immediate(frame, sqlQuery)
        return frame

    def _with_windows(self, text: str, args: Arguments, values: dict[str, Any]) -> DataFrame | None:
        """The result of a statement with these values in it; None where the statement is Spark's own."""
        if not values:
            statement = parse(self._spark, text, args)
            return None if statement.is_plain else run(self._spark, statement, args)
        on_connect = is_connect(self._spark)
        with with_named_values(self._spark, text, values, is_connect=on_connect) as (written, frames):
            statement = parse(self._spark, written, args)
            if statement.is_plain:
                return None
            if not on_connect or not frames:
                return run(self._spark, statement, args)
            if statement.target.kind not in _AT_ONCE:
                raise _no_frames()
            views = [as_view(frame, name) for name, frame in frames.items()]
            result = run(self._spark, statement, args)
            keep(result, views)
            return result

    def remove(self) -> None:
        """Put back the method that was there. A wrapper that was put around this since then stays, and goes through
        it."""
        self._enabled = False
        if vars(self._spark).get(_NAME) is not self:
            return
        if self._had is None:
            del vars(self._spark)[_NAME]
        else:
            vars(self._spark)[_NAME] = self._had


_AT_ONCE = frozenset(
    {StatementKind.QUERY, StatementKind.TABLE, StatementKind.INSERT, StatementKind.CHANGE, StatementKind.EXPLAIN}
)
"""What reads its relations now, or as long as its result is there."""


def _no_frames() -> WindowPlanError:
    return WindowPlanError(
        "this statement cannot read a DataFrame given by name here",
        rule="on Spark Connect such a name lasts as long as the result, and what the statement makes lasts longer",
        hint="make it a view before, with createOrReplaceTempView",
    )
