"""The function pack: the functions of `sql/` and the aggregates that SQL cannot say."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from winsql.runtime.session_functions import session_windows, session_windows_ntz
from winsql.spark.function_names import user_functions
from winsql.spark.shipping import ship_code
from winsql.spark.versions.arrow_aggregates import HAS_ARROW_AGGREGATES, register_arrow_aggregate
from winsql.spark.versions.doubled_quotes import known_quotes

_INSTALLED = Path(__file__).parents[2] / "_sql" / "functions"
_CHECKOUT = Path(__file__).parents[3] / "sql" / "functions"


class SqlFunction:
    """A file of the pack, which makes the function it is named after."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.statement = path.read_text(encoding="utf-8").strip().removesuffix(";")

    @property
    def comment(self) -> list[str]:
        """Lines of its comment: what it is, then signature, units and example."""
        match = re.search(r"^COMMENT '((?:[^']|'')*)'$", self.statement, re.MULTILINE)
        return match.group(1).replace("''", "'").split("\n") if match is not None else []


def sql_functions() -> list[SqlFunction]:
    """The functions written in SQL, by name."""
    folder = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
    return [SqlFunction(path) for path in sorted(folder.glob("*.sql"))]


AGGREGATES = {
    "session_windows": (session_windows, "array<struct<start: timestamp, `end`: timestamp>>"),
    "session_windows_ntz": (session_windows_ntz, "array<struct<start: timestamp_ntz, `end`: timestamp_ntz>>"),
}
"""Aggregates of a time and a gap, in Python, and what they return: SQL functions cannot be aggregates."""

IN_FROM = """\
Spark takes no SQL function inside `explode`, `posexplode` or `inline`. Windows as rows come from the `explode_`
functions, with the columns `window_start` and `window_end`; a `LEFT JOIN` of one needs its `ON true`. Any array is
exploded once it has a name, in a subquery or in `LATERAL`:

```sql
SELECT window_start, window_end, sum(v)
FROM t, LATERAL explode_sliding_windows(ts, INTERVAL 10 MINUTES, INTERVAL 5 MINUTES)
GROUP BY window_start, window_end;
SELECT k, w.start FROM (SELECT k, sliding_windows(ts, INTERVAL 10 MINUTES, INTERVAL 5 MINUTES) AS ws FROM t)
LATERAL VIEW explode(ws) AS w;
SELECT k, place FROM t, LATERAL (SELECT evict_count(n, 3) AS places), LATERAL explode(places) AS p(place);
```"""
"""How to get rows from the arrays of the functions, for the page of the reference."""


def install_functions(spark: SparkSession) -> list[str]:
    """Make the functions of the pack; returns their names. One that the session has already stays, with a warning.

    There is none for the pack's own: a client of Spark Connect that comes back finds those that it has made.
    """
    there = user_functions(spark)
    functions = {function.name: function for function in sql_functions()}
    kept = sorted(name for name in (*functions, *AGGREGATES) if name in there and not _is_own(spark, name))
    if kept:
        message = f"the session has functions of these names, which stay as they are: {', '.join(kept)}"
        warnings.warn(message, stacklevel=3)
    made: list[str] = []
    try:
        for name in sorted(functions.keys() - there):
            spark.sql(known_quotes(spark, functions[name].statement))
            made.append(name)
        ship_code(spark)
        for name in sorted(_aggregates() - there):
            register_arrow_aggregate(spark, name, *AGGREGATES[name])
            made.append(name)
    except BaseException:
        drop_functions(spark, made)
        raise
    return made


def load_functions(spark: SparkSession, text: str) -> None:
    """Make the functions of the pack that a statement names, unless the session knows them.

    For sessions of winsql's own: making all takes longer than most statements. A statement about all functions makes
    all. A function that the session already has under such a name stays.
    """
    wanted = named_functions(text)
    if wanted:
        _make(spark, wanted)


def named_functions(text: str) -> set[str]:
    """The functions of the pack that a statement may call; none that it makes, and none in a schema, `db.f(x)`."""
    names = re.sub(r"\s*\.\s*", ".", text.lower().replace("`", ""))
    words = set(re.findall(r"\w+", _IN_SCHEMA.sub(" ", names)))
    made = _MAKES.search(text)
    found = set(_names()) if "functions" in words else words & _names()
    return found - {made[1].lower() if made else ""}


_MAKES = re.compile(
    r"\bCREATE\b[^(;]*?\bFUNCTION\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:(?:\w+|`[^`]+`)\s*\.\s*)*`?(\w+)", re.IGNORECASE
)
_IN_SCHEMA = re.compile(r"(?<!\bsession)\.\w+")


@cache
def _names() -> frozenset[str]:
    return frozenset({function.name for function in sql_functions()} | AGGREGATES.keys())


def _make(spark: SparkSession, wanted: set[str]) -> None:
    """Make functions of the pack; none of them calls another."""
    functions = {function.name: function.statement for function in sql_functions()}
    for name in sorted(wanted - user_functions(spark)):
        if name in functions:
            spark.sql(known_quotes(spark, functions[name]))
        elif HAS_ARROW_AGGREGATES:
            ship_code(spark)
            register_arrow_aggregate(spark, name, *AGGREGATES[name])


def _aggregates() -> set[str]:
    """The names of the aggregates that this PySpark can make."""
    if HAS_ARROW_AGGREGATES:
        return set(AGGREGATES)
    warnings.warn(f"{' and '.join(AGGREGATES)} are left out: PySpark 4.1 or newer has them", stacklevel=4)
    return set()


def drop_functions(spark: SparkSession, names: Iterable[str]) -> None:
    """Take functions that `install_functions` made out of the session; some may have gone already."""
    for name in names:
        spark.sql(f"DROP TEMPORARY FUNCTION IF EXISTS {name}")


def drop_own_functions(spark: SparkSession, names: Iterable[str]) -> None:
    """As `drop_functions`, but none that somebody has put in the place of the pack's."""
    drop_functions(spark, [name for name in names if _is_own(spark, name)])


def _is_own(spark: SparkSession, name: str) -> bool:
    """Whether a function of the session is the pack's, and none that somebody has put in its place."""
    return _signatures().get(name, _IN_PYTHON) in _described(spark, name)


@cache
def _signatures() -> Mapping[str, str]:
    """A line of the comment of each function, as Spark 4.0 shows lines as JSON."""
    return {function.name: function.comment[1] for function in sql_functions()}


_IN_PYTHON = "Class: "
"""What Spark says of a function in Python, as the aggregates are, and of none in SQL."""


def _described(spark: SparkSession, name: str) -> str:
    try:
        return "\n".join(row[0] for row in spark.sql(f"DESCRIBE FUNCTION EXTENDED {name}").collect())
    except AnalysisException:  # it has gone
        return ""
