"""A stream goes on with its text read as it was when its checkpoint began, or does not go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from session_settings import settings
from streaming import Rows, Source

import winsql
from winsql.errors import WindowPlanError
from winsql.spark.runner import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ANSI = "spark.sql.ansi.enabled"
QUOTES = "spark.sql.ansi.doubleQuotedIdentifiers"
SLASHES = "spark.sql.parser.escapedStringLiterals"
TWO = "spark.sql.legacy.consecutiveStringLiterals.enabled"
WINDOW = "FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds')"


def go_on(spark: SparkSession, create: str, query: str) -> None:
    winsql.sql(spark, f"{create} AS {query}").collect()
    winsql.sql(spark, "AWAIT STREAM read").collect()


TABLE, SINK = "STREAMING TABLE read OPTIONS (", "STREAM read INTO json OPTIONS (path '{}', "


@pytest.mark.slow
@pytest.mark.parametrize(
    ("create", "query", "before", "after", "told"),
    [
        (TABLE, f'SELECT "k" AS k, count(*) AS c {WINDOW} GROUP BY "k"', {QUOTES: "false"}, {QUOTES: "true"}, QUOTES),
        (
            SINK,
            f'SELECT k, max("k") AS m {WINDOW} GROUP BY k',
            {QUOTES: "true"},
            {QUOTES: "true", ANSI: "false"},
            QUOTES,
        ),
        (SINK, 'SELECT "k" AS k, n FROM events', {QUOTES: "false"}, {QUOTES: "true"}, QUOTES),
        (TABLE, "SELECT k, n, '\\\\d' AS d FROM events", {SLASHES: "false"}, {SLASHES: "true"}, SLASHES),
        (TABLE, f'SELECT k, max("v") AS m {WINDOW} GROUP BY k', {QUOTES: "false"}, {QUOTES: "true"}, QUOTES),
        (SINK, f"SELECT k, max('\\\\d') AS m {WINDOW} GROUP BY k", {SLASHES: "true"}, {SLASHES: "FALSE"}, SLASHES),
        (TABLE, f"SELECT k, max('a''b') AS m {WINDOW} GROUP BY k", {TWO: "false"}, {TWO: "true"}, TWO),
    ],
)
def test_a_text_that_would_read_otherwise_is_refused(
    session: SparkSession,
    events: Source,
    tmp_path: Path,
    create: str,
    query: str,
    before: dict[str, str],
    after: dict[str, str],
    told: str,
) -> None:
    if not session.conf.isModifiable(told):
        pytest.skip("this Spark does not have the setting")
    statement = f"CREATE {create.format(tmp_path / 'out')}trigger 'available now')"
    events.put([("a", 1, 1.0, 0)])
    with settings(session, before):
        go_on(session, statement, query)
    events.put([("a", 100, 1.0, 1)])
    with settings(session, after), pytest.raises(WindowPlanError) as caught:
        go_on(session, statement, query)
    was = before[told].lower()
    assert f"{told} = {was}, and now it is {'true' if was == 'false' else 'false'}" in caught.value.problem
    assert f"SET {told} = {was}" in str(caught.value.hint)
    with settings(session, before):
        go_on(session, statement, query)


@pytest.mark.slow
def test_other_texts_go_on(session: SparkSession, events: Source) -> None:
    query = f"SELECT `k`, max(r'\\d') AS \n`m` {WINDOW} GROUP BY k"
    create = "CREATE STREAMING TABLE read OPTIONS (trigger 'available now')"
    for number, switched in enumerate(("false", "true")):
        events.put([("a", number * 100, 1.0, number)])
        with settings(session, {QUOTES: switched, SLASHES: switched}):
            go_on(session, create, query)
    assert session.table("read").collect() == [("a", "\\d")]


def test_a_checkpoint_of_a_query_keeps_its_reading(session: SparkSession, events: Source, tmp_path: Path) -> None:
    events.put([("a", 1, 1.0, 0)])
    for switched in ("false", "true"):
        with settings(session, {QUOTES: switched}):
            frame = winsql.sql(session, f'SELECT "k" AS k, count(*) AS c {WINDOW} GROUP BY "k"')
            rows = Rows(tmp_path / switched)
            query = rows.start(frame, tmp_path / "checkpoint", availableNow=True)
            if switched == "false":
                query.awaitTermination()
                continue
            events.put([("a", 100, 1.0, 1)])
            query.stop()
            query = rows.start(frame, tmp_path / "checkpoint", availableNow=True)
            with pytest.raises(Exception, match=f"{QUOTES} = false, and now it is true"):
                query.awaitTermination()
            assert rows.taken() == [] or is_connect(session)
