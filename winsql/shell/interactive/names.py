"""The names that completion offers: of tables, columns and functions, asked of the session's catalog."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.spark.extension.function_pack import AGGREGATES, sql_functions
from winsql.spark.parser_settings import parser_settings
from winsql.spark.versions.java_errors import Py4JError

_UNKNOWN = (PySparkException, Py4JError)
"""A name that the catalog does not know, or a catalog that cannot be asked, completes nothing."""


class Names:
    """Each list is asked for when it is first needed, and again after `forget`; while Spark starts, all are empty.

    found   gives the session, None while there is none
    """

    def __init__(self, found: Callable[[], SparkSession | None]) -> None:
        self._found = found
        self._known: dict[str, list[str]] = {}
        self._functions: list[str] = []
        self._settings: ParserSettings | None = None
        self._lock = Lock()

    def forget(self) -> None:
        """A statement has run: tables and columns may be others now."""
        with self._lock:
            self._known.clear()
            self._settings = None

    def tables(self, database: str | None = None) -> list[str]:
        """Tables and views of a database, as written in SQL; of the current one with None."""
        return self._listed("SHOW TABLES" if database is None else f"SHOW TABLES IN {database}", 1)

    def databases(self) -> list[str]:
        return self._listed("SHOW DATABASES")

    def columns(self, table: str) -> list[str]:
        """Columns of a table or view, its name as written in SQL."""
        return self._asked(table, lambda spark: spark.table(table).columns)

    def functions(self) -> list[str]:
        """Functions whose names are words; those made later than the first call are not among them."""
        if self._found() is None:
            return []
        if not self._functions:
            found = [name for name in self._listed("SHOW FUNCTIONS") if name.isidentifier()]
            pack = [*(function.name for function in sql_functions()), *AGGREGATES]
            self._functions = [*found, *(name for name in pack if name not in found)]
        return self._functions

    def settings(self) -> ParserSettings:
        """How the session reads quotes."""
        spark = self._found()
        if self._settings is None and spark is not None:
            try:
                self._settings = parser_settings(spark)
            except _UNKNOWN:
                return DEFAULTS
        return self._settings or DEFAULTS

    def _listed(self, statement: str, column: int = 0) -> list[str]:
        """A column by its place: `spark.sql.legacy.keepCommandOutputSchema` gives columns other names."""
        return self._asked(statement, lambda spark: [row[column] for row in spark.sql(statement).collect()])

    def _asked(self, key: str, ask: Callable[[SparkSession], list[str]]) -> list[str]:
        spark = self._found()
        if spark is not None and key not in self._known:
            try:
                found = ask(spark)
            except _UNKNOWN:
                found = []
            with self._lock:
                self._known[key] = found
        return self._known.get(key, [])
