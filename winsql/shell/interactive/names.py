"""The names that completion offers: of tables, columns and functions, asked of the session's catalog."""

from __future__ import annotations

from threading import Lock

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.spark.extension.function_pack import AGGREGATES, sql_functions
from winsql.spark.parser_settings import parser_settings
from winsql.spark.versions.java_errors import Py4JError

__all__ = ["Names"]

_UNKNOWN = (PySparkException, Py4JError)
"""A name that the catalog does not know, or a catalog that cannot be asked, completes nothing."""


class Names:
    """Each list is asked for when it is first needed, and again after `forget`."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
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
        return self._listed("SHOW TABLES" if database is None else f"SHOW TABLES IN {database}", "tableName")

    def databases(self) -> list[str]:
        return self._listed("SHOW DATABASES", "namespace")

    def columns(self, table: str) -> list[str]:
        """Columns of a table or view, its name as written in SQL."""
        if table not in self._known:
            try:
                found = self._spark.table(table).columns
            except _UNKNOWN:
                found = []
            with self._lock:
                self._known[table] = found
        return self._known.get(table, [])

    def functions(self) -> list[str]:
        """Functions whose names are words; those made later than the first call are not among them."""
        if not self._functions:
            found = [name for name in self._listed("SHOW FUNCTIONS", "function") if name.isidentifier()]
            pack = [*(function.name for function in sql_functions()), *AGGREGATES]
            self._functions = [*found, *(name for name in pack if name not in found)]
        return self._functions

    def settings(self) -> ParserSettings:
        """How the session reads quotes."""
        if self._settings is None:
            try:
                self._settings = parser_settings(self._spark)
            except _UNKNOWN:
                return DEFAULTS
        return self._settings

    def _listed(self, statement: str, column: str) -> list[str]:
        if statement not in self._known:
            try:
                found = [row[column] for row in self._spark.sql(statement).collect()]
            except _UNKNOWN:
                found = []
            with self._lock:
                self._known[statement] = found
        return self._known.get(statement, [])
