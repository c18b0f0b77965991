"""Statements of Spark's own: the corpus, what a session makes of one, and the state that it leaves.

A file of `tests/golden/pass_through` holds cases of a title and statements, one after the other:

    # title
    statement, any number of lines
    ----
    the next one, which finds what the one before has left

Cases begin in the database `corpus` with the views of `BASE`; what they leave is put away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golden_cases import GOLDEN, SEPARATOR

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BASE = {
    "events": "VALUES ('a', TIMESTAMP '2024-01-01 00:01:00', true, 1),"
    " ('a', TIMESTAMP '2024-01-01 00:02:00', false, 2), ('b', TIMESTAMP '2024-01-01 00:03:00', NULL, 3)"
    " AS x(k, ts, ok, v)",
    "names": "VALUES ('a', 'Alpha'), ('b', 'Beta'), ('c', 'Gamma') AS x(k, name)",
    "nested": "VALUES (1, array(1, 2), map('a', 1), named_struct('window', 1, 'assign', 'x'),"
    ' \'{"window": 1, "late": {"into": [5, 6]}}\'), (2, array(3), map(), NULL, \'{}\') AS x(id, xs, m, s, j)',
    "words": "VALUES (true, false, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, true, 11, 12, NULL, 13, 14, 15, 16, 17, 18, 19, 20)"
    " AS x(window, assign, trigger, evict, late, into, apply, tumbling, session, count, stream, watermark, allowed,"
    " lateness, state, ttl, join, global, purging, sliding, cumulating, tumble, hop, cumulate)",
    "one": "VALUES (1) AS x(a)",
}
"""The views that cases may read: what is after FROM."""


@dataclass(frozen=True, slots=True)
class Case:
    title: str
    statements: tuple[str, ...]
    topic: str

    @property
    def id(self) -> str:
        return f"{self.topic}: {self.title}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a statement gives: columns with their types and properties, rows, or the error in all its parts."""

    schema: str | None = None
    rows: tuple[str, ...] = ()
    error: tuple[Any, ...] | None = None


def cases() -> Iterator[Case]:
    """All cases of the corpus."""
    for path in sorted((GOLDEN / "pass_through").glob("*.sql")):
        for block in f"\n{path.read_text(encoding='utf-8')}".split("\n# ")[1:]:
            title, _, text = block.partition("\n")
            statements = text.removesuffix("\n").removesuffix("\n").split(f"\n{SEPARATOR}\n")
            yield Case(title, tuple(statements), path.stem)


def make_base(spark: SparkSession) -> None:
    """The database of the corpus with its views."""
    spark.sql("CREATE DATABASE corpus")
    for name, values in BASE.items():
        spark.sql(f"CREATE VIEW corpus.{name} AS SELECT * FROM {values}")


def outcome(run: Callable[[], DataFrame]) -> Outcome:
    """Runs a statement and takes all that it gives."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        frame = run()
        rows = tuple(_lasting(repr(row)) for row in frame.collect())
        return Outcome(frame.schema.json(), rows)
    except PySparkException as error:
        places = [
            (c.contextType(), c.objectType(), c.objectName(), c.startIndex(), c.stopIndex(), c.fragment())
            for c in error.getQueryContext()
            if c.contextType().name == "SQL"
        ]
        parts = (type(error).__name__, error.getCondition(), error.getSqlState(), error.getMessageParameters(), places)
        return Outcome(error=(*parts, _lasting(str(error))))
    except Py4JJavaError as error:  # one that PySpark knows no class for
        return Outcome(error=(_lasting(error.java_exception.toString()),))


_PASSING = (
    (re.compile(r"#\d+L?"), "#"),
    (re.compile(r"(plan_id=|RelationV\d+|\boperationId=|\$Lambda[^\s,)]*|@)[0-9a-fx]+"), r"\1"),
    (re.compile(r"\w{3} \w{3} \d\d [\d:]{8} \w+ \d{4}"), "a time"),
    (re.compile(r"transient_lastDdlTime\W+\d+"), ""),
)
"""What is another one each time: numbers of expressions and plans, times at which something was made."""


def _lasting(text: str) -> str:
    for pattern, by in _PASSING:
        text = pattern.sub(by, text)
    return text


def put_away(spark: SparkSession, settings: dict[str, str]) -> None:
    """The session and the database as a case has found them; `settings` are those of the session at first."""
    catalog = spark._jsparkSession.sessionState().catalog()
    catalog.clearTempTables()
    spark._jsparkSession.sessionState().catalogManager().tempVariableManager().clear()
    spark.sql("USE spark_catalog.corpus")
    tables = catalog.listTables("corpus")
    for table in (tables.apply(n) for n in range(tables.size())):
        if table.table() not in BASE:
            kind = "VIEW" if catalog.getTableMetadata(table).tableType().name() == "VIEW" else "TABLE"
            spark.sql(f"DROP {kind} IF EXISTS corpus.`{table.table()}`")
    now = settings_of(spark)
    for key in now.keys() - settings.keys():
        spark.conf.unset(key)
    for key, value in settings.items():
        if now.get(key) != value:
            spark.conf.set(key, value)


def settings_of(spark: SparkSession) -> dict[str, str]:
    """The settings of a session that were set."""
    found = spark._jsparkSession.sessionState().conf().settings()
    return {key: found[key] for key in found}
