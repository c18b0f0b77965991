"""`${name}` in statements of any session: its value is there before winsql reads the statement, as for Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from session_settings import settings

import winsql
from winsql.errors import WindowSyntaxError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

VALUES = {
    "xx.minutes": "5",
    "xx.size": "${xx.minutes} MINUTES",
    "xx.table": "valued",
    "xx.key": "k",
    "xx.items": "k, sum(v) AS total",
    "xx.windows": "WINDOW ASSIGN TUMBLING(ts, INTERVAL 5 MINUTES)",
}
TEXTS = [
    "SELECT k, sum(v) AS total FROM valued WINDOW ASSIGN TUMBLING(ts, INTERVAL ${xx.minutes} MINUTES) GROUP BY k",
    "SELECT k, sum(v) AS total FROM ${xx.table} WINDOW ASSIGN TUMBLING(ts, '${spark:xx.minutes} minutes') GROUP BY k",
    "SELECT k, sum(v) AS total FROM valued WINDOW ASSIGN TUMBLING(ts, INTERVAL ${xx.size}) GROUP BY k",
    "SELECT ${xx.items} FROM valued ${xx.windows} EVICT COUNT(${xx.minutes}) GROUP BY ${xx.key}",
    "SELECT k, sum(v) AS total FROM valued ${xx.windows} GROUP BY k",
    "SELECT k, sum(v) AS total FROM TABLE(TUMBLE(TABLE ${xx.table}, DESCRIPTOR(ts), INTERVAL '${xx.minutes}' MINUTES))"
    " GROUP BY k, window_start, window_end",
]


@pytest.fixture
def session(spark: SparkSession) -> SparkSession:
    rows = "SELECT id % 2 AS k, id AS v, timestamp_seconds(id * 100) AS ts FROM range(6)"
    spark.sql(rows).createOrReplaceTempView("valued")
    return spark


@pytest.mark.parametrize("text", TEXTS)
def test_values(session: SparkSession, text: str) -> None:
    def rows(run: Callable[[str], DataFrame]) -> list[tuple[int, int]]:
        return sorted((row.k, row.total) for row in run(text).collect())

    with settings(session, VALUES):
        assert rows(lambda text: winsql.sql(session, text)) == [(0, 2), (0, 4), (1, 1), (1, 8)]
        winsql.register(session)
        try:
            assert rows(session.sql) == [(0, 2), (0, 4), (1, 1), (1, 8)]
        finally:
            winsql.unregister(session)


def test_a_session_that_leaves_them(session: SparkSession) -> None:
    with settings(session, {**VALUES, "spark.sql.variable.substitute": "FALSE"}), pytest.raises(WindowSyntaxError):
        winsql.sql(session, TEXTS[0])


def test_the_environment_is_that_of_spark(session: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement with windows has the value that one without has; what this process has set since is not Spark's."""
    monkeypatch.setenv("WINSQL_OF_CLIENT", "client")
    for name in ("PATH", "WINSQL_OF_CLIENT", "WINSQL_OF_NOBODY"):
        item = f"'${{env:{name}}}' AS found"
        plain = session.sql(f"SELECT {item}").first().found
        windowed = f"SELECT {item}, count(*) FROM valued WINDOW ASSIGN COUNT(6)"
        assert [row.found for row in winsql.sql(session, windowed).collect()] == [plain]
        winsql.register(session)
        try:
            assert [row.found for row in session.sql(windowed).collect()] == [plain]
        finally:
            winsql.unregister(session)
