"""Which functions of a session are aggregates: Spark is asked, since users register their own."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from winsql.spark.function_names import system_functions

_MAX_ARGUMENTS = 4
_SYSTEM: WeakKeyDictionary[SparkSession, frozenset[str]] = WeakKeyDictionary()


class AggregateNames:
    """`names(name)` says whether a function that is no built-in aggregate is an aggregate (a UDAF).

    unknown   the names asked for that are no functions at all
    """

    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._known: dict[str, bool] = {}
        self.unknown: set[str] = set()

    def __call__(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = name not in self.system() and self._asked(name)
        return self._known[name]

    def system(self) -> frozenset[str]:
        """Names of Spark's own functions, upper case; none is an aggregate that the parser does not know."""
        if self._spark not in _SYSTEM:
            _SYSTEM[self._spark] = frozenset(map(str.upper, system_functions(self._spark)))
        return _SYSTEM[self._spark]

    def _asked(self, name: str) -> bool:
        """Only an aggregate makes Spark miss a GROUP BY. How many arguments it takes is found by trying."""
        function = ".".join(f"`{part}`" for part in name.split("."))
        for arguments in range(1, _MAX_ARGUMENTS + 1):
            call = f"{function}({', '.join(['NULL'] * arguments)})"
            try:
                self._spark.sql(f"SELECT x, {call} FROM VALUES (1) AS t(x)")
            except AnalysisException as error:
                if error.getCondition() == "MISSING_GROUP_BY":
                    return True
                if error.getCondition() == "UNRESOLVED_ROUTINE":
                    self.unknown.add(name)
                    return False
            else:
                return False
        return False
