"""Session variables: Spark is asked whether a name is one, and whether a column of the source comes before it."""

from __future__ import annotations

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from winsql.model.query import WindowQuery
from winsql.spark.relation import select_sql
from winsql.spark.runner import Runner
from winsql.syntax import no_key

__all__ = ["VariableNames", "require_variables"]


class VariableNames:
    """`names(name)` says whether a name, as it stands in SQL, is a variable of the session or a field of one."""

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._known: dict[str, bool] = {}

    def __call__(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = self._asked(name)
        return self._known[name]

    def _asked(self, name: str) -> bool:
        """Without a FROM nothing else can be meant."""
        try:
            _ = self._spark.sql(f"SELECT {name}").schema
        except AnalysisException:
            return False
        return True


def require_variables(query: WindowQuery, runner: Runner) -> None:
    """Raises WindowSpecError where a name that was taken for a variable is a column of the source, as to Spark."""
    if not query.variables:
        return
    is_exact = runner.spark.conf.get("spark.sql.caseSensitive") == "true"
    columns = runner.sql(select_sql(query, ["*"])).columns
    known = set(columns) if is_exact else {column.upper() for column in columns}
    for variable in query.variables:
        if (variable.name if is_exact else variable.name.upper()) in known:
            raise no_key(query.text, variable.text, variable.span)
