"""Statements give the same rows under other settings of the session: by Spark, by the operator, as functions.

Rows are compared with those of the default settings, instants as numbers, so that a zone does not show in them.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from pyspark.errors import AnalysisException, PythonException
from sampling import some
from session_settings import (
    CASE_SENSITIVE,
    DOUBLE_QUOTED,
    ESCAPED,
    NOT_ANSI,
    NTZ,
    PATTERNS,
    RESERVED,
    SETTINGS,
    rows_of,
    settings,
)

import winsql
from winsql.errors import WindowDataError, WindowPlanError, WindowSpecError, WindowSyntaxError
from winsql.model.registry import APPLY_FUNCTIONS, CO_GROUP_FUNCTIONS
from winsql.shell.interactive.names import Names
from winsql.spark.extension.function_pack import drop_functions, install_functions
from winsql.spark.messages.failure import translate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TUMBLING = "TUMBLING(ts, INTERVAL 10 MINUTES)"
PURGING = f"{TUMBLING} TRIGGER PURGING(EVENT_TIME())"
STATEMENTS = Path(__file__).with_name("settings.sql").read_text().strip().removesuffix(";").split(";\n\n")


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    """Two tables: 40 rows over two hours of the day after New York's clocks change, and 9 beside them."""
    base = "1710136800000000L"  # 2024-03-11 06:00 UTC, 02:00 in New York
    spark.sql(
        f"SELECT substr('abc', id % 3 + 1, 1) AS k, id % 2 AS g, timestamp_micros({base} + id * 181000000) AS ts,"
        " timestampadd(SECOND, id * 181, TIMESTAMP_NTZ'2024-03-11 01:00:00') AS ntz,"
        " date_add(DATE'2024-03-09', CAST(id % 3 AS INT)) AS day, CAST(id * 7 % 10 + 1 AS INT) AS v,"
        " id * 0.75D AS x, id % 4 < 2 AS ok, substr('\"p', id % 2 + 1, 1) AS s FROM range(40)"
    ).createOrReplaceTempView("settings_rows")
    spark.sql(
        f"SELECT substr('abd', id % 3 + 1, 1) AS k, timestamp_micros({base} + id * 601000000) AS ts,"
        " timestampadd(SECOND, id * 601, TIMESTAMP_NTZ'2024-03-11 01:00:00') AS ntz, id AS w FROM range(9)"
    ).createOrReplaceTempView("settings_others")

    def size(key: tuple[Any, ...], window: Any, rows: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"n": [len(rows)]})

    def pair(key: tuple[Any, ...], window: Any, left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"k": [key[0]], "n": [len(left)], "m": [len(right)]})

    winsql.register_apply_function("settings_size", size, "n INT")
    winsql.register_co_group_function("settings_pair", pair, "k STRING, n INT, m INT")
    yield spark
    APPLY_FUNCTIONS.remove("settings_size")
    CO_GROUP_FUNCTIONS.remove("settings_pair")
    for view in ("settings_rows", "settings_others"):
        spark.catalog.dropTempView(view)


@pytest.fixture(scope="module")
def expected(session: SparkSession) -> list[Counter[str]]:
    rows = rows_of(session, STATEMENTS)
    assert all(rows), [text for text, found in zip(STATEMENTS, rows, strict=True) if not found]
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("name", some(SETTINGS))
def test_rows_are_those_of_the_default_settings(session: SparkSession, expected: list[Counter[str]], name: str) -> None:
    with settings(session, SETTINGS[name]):
        found = rows_of(session, STATEMENTS)
    for text, rows, others in zip(STATEMENTS, found, expected, strict=True):
        assert rows == others, text


@pytest.mark.parametrize("assigner", [TUMBLING, PURGING, "COUNT(2, time => `ts`)"])
def test_names_in_double_quotes(session: SparkSession, assigner: str) -> None:
    """They are names to winsql where they are to Spark, also beside strings with double quotes in them."""
    text = (
        "SELECT `k` AS `a !!b`, '\"' AS s, count(*) AS `select` FROM `settings_rows` AS `r` WHERE (`r`.`ok`)"
        f" WINDOW ASSIGN {assigner} GROUP BY `k` HAVING `select` > 0 ORDER BY `a !!b`, `select`"
    )
    with settings(session, DOUBLE_QUOTED):
        found = winsql.sql(session, text.replace("`", '"').replace("!!", '""'))
        rows = found.collect()
    assert found.columns == ['a "b', "s", "select"]
    assert {row.s for row in rows} == {'"'}
    assert rows == winsql.sql(session, text.replace("!!", '"')).collect()


@pytest.mark.parametrize("given", [{}, ESCAPED, RESERVED])
def test_messages_of_rows(session: SparkSession, given: dict[str, str]) -> None:
    """Quotes, backslashes and lines in a message, as native plans write it into their SQL."""
    line = r"WINDOW ASSIGN SESSION(ts, make_dt_interval(0, 0, CASE WHEN k = '\\' THEN 1 ELSE 0 END)) GROUP BY k"
    text = f"SELECT k, count(*) FROM settings_rows\n{line}"
    with settings(session, given), pytest.raises(Exception, match="SESSION") as caught:
        winsql.sql(session, text).collect()
    error = translate(caught.value, text)
    assert isinstance(error, WindowDataError)
    assert f"at line 2, column 27:\n    {line}\n" in str(error)


@pytest.mark.parametrize("assigner", [TUMBLING, PURGING])
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT `A key`, count(*) AS n {} GROUP BY `a key`",
        "SELECT g, `a key` AS k, sum(v) AS n {} GROUP BY g, `a key`",
        "SELECT `n 1` + 1 AS m FROM (SELECT g, max(v) AS `n 1` {} GROUP BY g)",
    ],
)
def test_names_that_are_patterns(session: SparkSession, assigner: str, statement: str) -> None:
    """The error says which name is one, and its hint helps."""
    text = statement.format(f"FROM (SELECT *, k AS `a key` FROM settings_rows) WINDOW ASSIGN {assigner}")
    with settings(session, PATTERNS), pytest.raises(WindowSpecError, match="is a pattern here") as caught:
        winsql.sql(session, text)
    assert caught.value.span is not None
    assert caught.value.span.text(text).lower() in {"`a key`", "`n 1`"}
    assert caught.value.hint == "SET spark.sql.parser.quotedRegexColumnNames = false"
    assert winsql.sql(session, text).count()


@pytest.mark.parametrize("assigner", [TUMBLING, PURGING])
def test_names_that_differ_in_case(session: SparkSession, assigner: str) -> None:
    """With spark.sql.caseSensitive they are two: as keys, as items in HAVING and as aliases in GROUP BY."""
    source = f"FROM (SELECT ts, v AS k, g AS K, g FROM settings_rows) WINDOW ASSIGN {assigner}"
    texts = (
        f"SELECT k, K, `K` + 0 AS h, count(*) AS n {source} GROUP BY K, k",
        f"SELECT k + 100 AS K, k, count(*) AS n {source} GROUP BY k",
        f"SELECT g, 0 * sum(k) AS N, sum(k) AS n {source} GROUP BY g HAVING n > 0",
    )
    with settings(session, CASE_SENSITIVE):
        both, aliased, having = (winsql.sql(session, text).collect() for text in texts)
    assert {row[1] for row in both} == {0, 1}
    assert max(row[0] for row in both) == 10
    assert all(row[1] == row[2] for row in both)
    assert all(row[0] == row[1] + 100 for row in aliased)
    assert all(row[1] == 0 < row[2] for row in having)
    assert having


@pytest.mark.parametrize("given", [{**RESERVED, **DOUBLE_QUOTED}, NOT_ANSI, {**ESCAPED, **NTZ}])
def test_the_function_pack_loads(session: SparkSession, given: dict[str, str]) -> None:
    time = "TIMESTAMP_LTZ'2024-05-01 10:07:00Z', INTERVAL 10 MINUTES"
    text = (
        f"SELECT minute(tumble_start({time}, INTERVAL 1 MINUTE)) % 30 AS t,"
        f" size(sliding_windows({time}, INTERVAL 5 MINUTES).`end`) AS w, s"
        " FROM (SELECT size(session_windows(ts, INTERVAL 5 MINUTES).`end`) AS s FROM settings_rows)"
    )
    with settings(session, given):
        names = install_functions(session)
        try:
            rows = session.sql(text).collect()
        finally:
            drop_functions(session, names)
    assert len(names) > 15
    assert rows == [(1, 2, 1)]


def test_register_under_reserved_keywords(session: SparkSession) -> None:
    with settings(session, {**RESERVED, **DOUBLE_QUOTED}):
        winsql.register(session)
        try:
            text = f'SELECT "k", count(*) AS n FROM settings_rows WINDOW ASSIGN {TUMBLING} GROUP BY "k"'
            rows = session.sql(text).collect()
        finally:
            winsql.unregister(session)
    assert sum(row.n for row in rows) == 40


def test_names_to_complete_under_the_old_columns_of_commands(session: SparkSession) -> None:
    with settings(session, {"spark.sql.legacy.keepCommandOutputSchema": "true"}):
        names = Names(lambda: session)
        assert "default" in names.databases()
        assert "settings_rows" in names.tables()
        assert "abs" in names.functions()


def test_ansi_is_on_where_nobody_has_set_it(session: SparkSession) -> None:
    """`conf.get` with a default of one's own gives that default, not Spark's."""
    before = session.conf.get("spark.sql.ansi.enabled", None)
    session.conf.unset("spark.sql.ansi.enabled")
    try:
        with settings(session, {"spark.sql.ansi.doubleQuotedIdentifiers": "true"}):
            session.sql('CREATE TEMPORARY VIEW "quoted rows" AS SELECT 1 AS "a key", now() AS ts')
            tail = 'FROM "quoted rows" WINDOW {} TUMBLING(ts, INTERVAL \'1\' HOUR) GROUP BY "a key"'
            assert [row[0] for row in winsql.sql(session, f'SELECT "a key" {tail.format("ASSIGN")}').collect()] == [1]
            with pytest.raises(WindowSyntaxError, match="WINDOW ASSIGN"):
                winsql.sql(session, f'SELECT "a key" {tail.format("ASIGN")}')
    finally:
        session.sql("DROP VIEW IF EXISTS `quoted rows`")
        if before is not None:
            session.conf.set("spark.sql.ansi.enabled", before)


def test_statistics_of_one_row(session: SparkSession) -> None:
    """NaN where the session wants what Spark 3.0 gave, on every plan."""
    calls = "stddev(n), stddev_samp(n), var_samp(n), variance(n), corr(n, m), covar_samp(n, m)"
    rows = "(SELECT id AS n, id AS m, timestamp_seconds(id) AS ts FROM range(1))"
    for more in ("", "EVICT COUNT(9)", "TRIGGER PURGING(EVENT_TIME())"):
        text = f"SELECT {calls} FROM {rows} WINDOW ASSIGN TUMBLING(ts, '1 hour') {more}"
        assert set(winsql.sql(session, text).collect()[0]) == {None}
        with settings(session, {"spark.sql.legacy.statisticalAggregate": "true"}):
            assert all(value != value for value in winsql.sql(session, text).collect()[0])


def test_keys_in_messages_of_large_strings(session: SparkSession) -> None:
    """Strings that Arrow has with long offsets are quoted as others."""
    text = (
        f"SELECT k, sum(9223372036854775807) AS s FROM settings_rows WINDOW ASSIGN {TUMBLING} EVICT COUNT(9) GROUP BY k"
    )
    for large in ("false", "true"):
        with (
            settings(session, {"spark.sql.execution.arrow.useLargeVarTypes": large}),
            pytest.raises(PythonException) as caught,
        ):
            winsql.sql(session, text).collect()
        assert re.search(r"\(key: k = '[abc]', window: ", str(translate(caught.value, text)))


def test_discrete_percentiles_of_older_versions(session: SparkSession) -> None:
    """Spark 3.3 and 3.4 rounded the place where the session wants that, on every plan."""
    call = "percentile_disc(0.4) WITHIN GROUP (ORDER BY n)"
    rows = "(SELECT id AS n, timestamp_seconds(id) AS ts FROM range(3))"
    for legacy in ("false", "true"):
        with settings(session, {"spark.sql.legacy.percentileDiscCalculation": legacy}):
            (expected,) = session.sql(f"SELECT {call} FROM {rows}").collect()
            for more in ("", "EVICT COUNT(9)", "TRIGGER PURGING(EVENT_TIME())"):
                text = f"SELECT {call} FROM {rows} WINDOW ASSIGN TUMBLING(ts, '1 hour') {more}"
                assert [tuple(row) for row in winsql.sql(session, text).collect()] == [tuple(expected)]


@pytest.mark.parametrize("given", [{}, ESCAPED, {"spark.sql.legacy.consecutiveStringLiterals.enabled": "true"}])
def test_doubled_quotes_in_conditions(session: SparkSession, given: dict[str, str]) -> None:
    """`'a''b'` in WHEN is what it is to Spark, which depends on settings."""
    rows = "(SELECT 'a''b' AS s, timestamp_seconds(id) AS ts FROM range(1))"
    text = f"SELECT count(*) AS n FROM {rows} WINDOW ASSIGN TUMBLING(ts, '1 hour') TRIGGER WHEN(max(s) {{}} 'a''b')"
    with settings(session, given):
        assert winsql.sql(session, text.format("=")).collect() == [(1,)]
        assert winsql.sql(session, text.format("<>")).collect() == []


def test_what_winsql_asks_spark_is_not_logged(session: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    logger, logged = logging.getLogger("SQLQueryContextLogger"), []
    monkeypatch.setattr(
        logger, "exception", lambda *_, **__: logged.append(bool(logger.filter(logging.makeLogRecord({}))))
    )
    session.sql("CREATE TEMPORARY FUNCTION added(a BIGINT, b BIGINT) RETURNS BIGINT RETURN a + b")
    text = "SELECT added(count(*), 1) AS n FROM settings_rows WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    winsql.sql(session, text).collect()  # asked whether `added` is an aggregate, first of one argument
    session.sql("DROP TEMPORARY FUNCTION added")
    assert logged
    assert not any(logged)
    with pytest.raises(AnalysisException):
        session.sql("SELECT nothing_of_the_kind(1)")
    assert logged[-1]


def test_joins_where_spark_does_not_decorrelate(session: SparkSession) -> None:
    """Their plan on Spark's operators has LATERAL subqueries, which Spark then cannot take apart in all cases."""
    text = (
        "SELECT a.k, a.v, b.w, window_end FROM settings_rows a {} WINDOW JOIN"
        " (SELECT * FROM settings_others WHERE w > 3) b ON a.k = b.k"
        " WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 1 HOUR)"
    )
    for how in ("INNER", "LEFT", "FULL"):
        expected = Counter(map(tuple, winsql.sql(session, text.format(how)).collect()))
        with settings(session, {"spark.sql.optimizer.decorrelateInnerQuery.enabled": "false"}):
            found = Counter(map(tuple, winsql.sql(session, text.format(how)).collect()))
        assert found == expected
        assert expected


def test_one_limit_of_the_batches_that_workers_return(session: SparkSession) -> None:
    records, most = (f"spark.sql.execution.arrow.max{what}PerOutputBatch" for what in ("Records", "Bytes"))
    statement = "SELECT k, count(*) AS n FROM settings_rows WINDOW ASSIGN COUNT(2, time => ts) GROUP BY k"
    expected = rows_of(session, [statement])
    with settings(session, {records: "3", most: "1m"}):
        with pytest.raises(WindowPlanError) as caught:
            winsql.sql(session, statement)
        assert (records in str(caught.value), caught.value.hint) == (True, f"RESET {most}")
        by_spark = statement.replace("COUNT(2, time => ts)", TUMBLING)
        assert winsql.sql(session, by_spark).collect()
        session.sql(str(caught.value.hint))
        assert rows_of(session, [statement]) == expected
