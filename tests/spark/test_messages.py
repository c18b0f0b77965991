"""What errors say by each way to run a statement: the user's words, a place of the statement, and no name of ours.

Errors of analysis and of rows, of a syntax that only Spark reads, and all golden errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from golden_cases import GoldenCase, golden_cases
from pyspark.errors import ParseException, PySparkException

import winsql
from winsql import WindowDataError, WinsqlError
from winsql.model.query import INTERNAL_PREFIX
from winsql.shell.failure import STATEMENT_ERRORS, describe
from winsql.shell.script import split
from winsql.spark.runner import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

READINGS = """
SELECT * FROM VALUES ('a', TIMESTAMP'2024-05-01 10:00:00', 1, '7', 2147483647),
('a', TIMESTAMP'2024-05-01 10:10:00', 0, 'x', 2147483647), ('b', TIMESTAMP'2024-05-01 11:00:00', 3, 'y', 1)
AS t(k, ts, v, meter, big)"""

TUMBLING = "WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)"
COUNT = "WINDOW ASSIGN COUNT(1)"
SESSION = "WINDOW ASSIGN SESSION(ts, INTERVAL 1 HOUR) TRIGGER COUNT(1)"
JOIN = "FROM r x WINDOW JOIN r y ON x.k = y.k{} WINDOW ASSIGN TUMBLING((x.ts, y.ts), INTERVAL 1 HOUR)"
TABLE = "TABLE r, DESCRIPTOR(ts), INTERVAL 1 HOUR"

# statement, what is said, the place in it
ROWS = [
    *(
        (statement.format(window), said, place)
        for window in (TUMBLING, COUNT, SESSION)
        for statement, said, place in (
            ("-- meters\nSELECT k,\n\tsum(meter) AS total\nFROM r\n{}\nGROUP BY k", "CAST_INVALID_INPUT", "sum(meter)"),
            ("SELECT k, sum(1 / v) FROM r {} GROUP BY k", "DIVIDE_BY_ZERO", "1 / v"),
            ("SELECT k, max(big) + 1 FROM r {} GROUP BY k", "ARITHMETIC_OVERFLOW", "max(big) + 1"),
            ("SELECT k, count(*) FROM r {} GROUP BY k HAVING sum(v) / 0 > 1", "DIVIDE_BY_ZERO", "sum(v) / 0"),
        )
    ),
    (
        f"SELECT 'größer 🙂' AS s, max(k), 1 / v AS x FROM r {TUMBLING} GROUP BY 1 / v, window_start",
        "DIVIDE_BY_ZERO",
        "\n1 / v",
    ),
    (
        f"SELECT k, count(*) FROM r WHERE CAST(meter AS INT) > 1 {COUNT} GROUP BY k",
        "CAST_INVALID",
        "CAST(meter AS INT)",
    ),
    (f"SELECT k, histogram_numeric(meter, 3) FILTER (WHERE v >= 0) FROM r {COUNT} GROUP BY k", "CAST_INVALID", None),
    (
        f"SELECT k, element_at(array(1), max(v)) FROM r {TUMBLING} GROUP BY k",
        "INVALID_ARRAY",
        "element_at(array(1), max(v))",
    ),
    ("SELECT sum(v) FROM r WINDOW ASSIGN GLOBAL() TRIGGER DELTA(1 / v, 1)", "DIVIDE_BY_ZERO", "1 / v"),
    (f"SELECT x.k, y.v {JOIN.format(' AND CAST(x.meter AS INT) > y.v')}", "CAST_INVALID", "CAST(x.meter AS INT)"),
    (f"SELECT sum(1 / v) FROM TUMBLE({TABLE}) GROUP BY window_start, window_end", "DIVIDE_BY_ZERO", "1 / v"),
    (
        f"SELECT sum(1 / v) FROM r WHERE v > 0 {TUMBLING} UNION ALL\nSELECT sum(1 / v) FROM r {COUNT}",
        "DIVIDE_BY_ZERO",
        "\n1 / v",
    ),
    (
        f"SELECT k FROM (SELECT k, sum(v) AS s FROM r {TUMBLING} GROUP BY k) WHERE 1 / (s - 3) > 0",
        "DIVIDE",
        "1 / (s - 3)",
    ),
]
UNKNOWN = [
    *(
        (statement.format(window), said, place)
        for window in (TUMBLING, COUNT)
        for statement, said, place in (
            ("SELECT k, sum(metr) FROM r {} GROUP BY k", "did you mean meter?", "metr"),
            ("SELECT k, sum(v) FILTER (WHERE bigg > 0) FROM r {} GROUP BY k", "did you mean big?", "bigg"),
            ("SELECT k, sum(upperr(k)) FROM r {} GROUP BY k", "did you mean UPPER?", "upperr"),
            ("SELECT k, count(*) FROM r {} GROUP BY k ORDER BY nofn(k)", "there is no function nofn", "nofn"),
        )
    ),
    (
        "SELECT * FROM TUMBLE(TABLE r, DESCRIPTOR(proc_time), INTERVAL 1 HOUR)",
        "write PROCTIME() for the clock of the machine",
        "proc_time",
    ),
    (
        "SELECT sum(v) FROM r WINDOW ASSIGN TUMBLING(proctime, INTERVAL 1 HOUR)",
        "write PROCTIME() for the clock of the machine",
        "proctime",
    ),
    ("SELECT * FROM TUMBLE(TABLE r, DESCRIPTOR(tss), INTERVAL 1 HOUR)", "did you mean ts?", "tss"),
    (
        f"SELECT k, window_strt, sum(v) FROM TUMBLE({TABLE}) GROUP BY k, window_strt, window_end",
        "did you mean window_start?",
        "window_strt",
    ),
    ("SELECT * FROM SESSION(TABLE r PARTITION BY metr, DESCRIPTOR(ts), INTERVAL 1 HOUR)", "mean meter?", "metr"),
    ("SELECT sum(v) FROM r WINDOW ASSIGN TUMBLING(tss, INTERVAL 1 HOUR)", "did you mean ts?", "tss"),
    ("SELECT sum(v) FROM r WINDOW ASSIGN SESSION(ts, make_dt_interval(0, 0, 0, bigg))", "mean big?", "bigg"),
    ("SELECT sum(v) FROM r WINDOW ASSIGN GLOBAL() TRIGGER DELTA(bigg, 1)", "did you mean big?", "bigg"),
    ("SELECT sum(v) FROM r WINDOW ASSIGN GLOBAL() TRIGGER WHEN(sum(bigg) > 1)", "did you mean big?", "bigg"),
    ("SELECT sum(v) FROM r WINDOW ASSIGN GLOBAL() TRIGGER COUNT(1) EVICT DELTA(bigg, 1)", "mean big?", "bigg"),
    (f"SELECT * FROM r {COUNT} PARTITION BY metr", "did you mean meter?", "metr"),
    (f"SELECT x.k, y.metr {JOIN.format('')}", "did you mean y.meter?", "y.metr"),
    (f"SELECT x.k, y.v {JOIN.format(' AND x.metr > y.v')}", "did you mean x.meter?", "x.metr"),
    (
        "SELECT * FROM window_join(TABLE(r) PARTITION BY metr, TABLE(r) PARTITION BY k, DESCRIPTOR(ts, ts),"
        " TUMBLING(INTERVAL 1 HOUR))",
        "did you mean meter?",
        "metr",
    ),
]
REFUSED = [
    (f"SELECT k, sum(v) FROM left {COUNT} GROUP BY k", "TABLE_OR_VIEW_NOT_FOUND", "left"),
    (f"SELECT k, sum(v +) FROM r {COUNT} GROUP BY k", "near ')'", ")"),
    (f"SELECT k, sum(v v) FROM r {COUNT} GROUP BY k", "near ')'", ")"),
    (f"SELECT k, sum(v) FROM r WHERE v = = 1 {TUMBLING} GROUP BY k", "near '='", "= 1"),
    (f"SELECT k, sum(v) AS c FROM r {TUMBLING} GROUP BY k ORDER BY c desc_", "near 'desc_'", "desc_"),
    ("SELECT k FROM TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR)) WHERE v > / 1", "near '/'", "/"),
    (f"SELECT k FROM (SELECT k, sum(v) AS c FROM r {TUMBLING} GROUP BY k) WHERE c > / 1", "near '/'", "/"),
    (f"SELECT k, sum(v) FROM r {TUMBLING} GROUP BY k HAVING max(ts) > DATE'x'", "INVALID_TYPED_LITERAL", "DATE'x'"),
    (f"SELECT k, CAST(sum(v) AS whole) FROM r {COUNT} GROUP BY k", "UNSUPPORTED_DATATYPE", "whole"),
    (
        f"SELECT k, d.v FROM TUMBLE({TABLE}) JOIN r FOR SYSTEM_TIME AS OF window_end AS d USING (k)",
        "Invalid time travel spec",
        "FOR SYSTEM_TIME",
    ),
    (f"SELECT k, sum(upper(k, k)) FROM r {TUMBLING} GROUP BY k", "WRONG_NUM_ARGS", "upper(k, k)"),
    (f"SELECT k, sum(array(v)) FROM r {TUMBLING} GROUP BY k", "DATATYPE_MISMATCH", "sum(array(v))"),
]
ERRORS = [*ROWS, *UNKNOWN, *REFUSED]


@pytest.fixture(scope="module", autouse=True)
def _readings(spark: SparkSession) -> Iterator[None]:
    spark.sql(READINGS).createOrReplaceTempView("r")
    stacks = spark.conf.get("spark.sql.pyspark.jvmStacktrace.enabled")
    spark.conf.set("spark.sql.pyspark.jvmStacktrace.enabled", "false")
    yield
    spark.conf.set("spark.sql.pyspark.jvmStacktrace.enabled", stacks or "false")
    spark.catalog.dropTempView("r")


def _place(message: str) -> tuple[int, int] | None:
    found = re.search(r"(?:at line|== SQL \(line) (\d+), (?:column|position) (\d+)", message)
    return None if found is None else (int(found[1]), int(found[2]))


def _wrong(message: str, statement: str, said: str, place: str | None) -> str | None:
    """What is wrong with a message; a place that begins with a line's end is the last one in the statement."""
    if _names_ours(message):
        return "a name of ours"
    if said not in message:
        return f"not said: {said}"
    if place is None:
        return None if _place(message) else "no place"
    start = statement.rindex(place[1:]) if place.startswith("\n") else _begin(statement, place)
    lines = statement[:start].split("\n")
    wanted = (len(lines), len(lines[-1]) + 1)
    return None if _place(message) == wanted else f"{_place(message)} instead of {wanted}"


def _names_ours(message: str) -> bool:
    return INTERNAL_PREFIX in message.partition("Logical Plan")[0] or "__winsql" in message


def _begin(statement: str, place: str) -> int:
    word = re.search(rf"(?<![\w.]){re.escape(place)}(?!\w)", statement)
    return statement.index(place) if word is None else word.start()


def _mistakes(errors: list[tuple[str, str, str | None]], run: Callable[[str], Any]) -> str:
    """What is wrong with the messages of statements."""
    found = []
    for statement, said, place in errors:
        try:
            run(statement)
        except STATEMENT_ERRORS as error:
            wrong = _wrong(str(error), statement, said, place)
            if wrong is not None:
                found.append(f"{statement}: {wrong}: {error}")
        else:
            found.append(f"{statement}: no error")
    return "\n\n".join(found)


def test_by_sql(spark: SparkSession) -> None:
    assert _mistakes(ERRORS, lambda text: winsql.sql(spark, text).collect()) == ""


def test_in_the_shell(spark: SparkSession) -> None:
    for text, said, place in ERRORS[::3]:
        with pytest.raises(STATEMENT_ERRORS) as caught:
            winsql.sql(spark, text).collect()
        [statement] = split(text)
        message = describe(caught.value, statement, text)
        assert _wrong(message, text, said, place) is None, message
        assert "== SQL" not in message


@pytest.fixture
def registered(spark: SparkSession) -> Iterator[SparkSession]:
    winsql.register(spark)
    yield spark
    winsql.unregister(spark)


def test_in_a_registered_session(registered: SparkSession) -> None:
    assert _mistakes(ERRORS[::4], lambda text: registered.sql(text).collect()) == ""


def test_as_a_client_of_jdbc_is_told(registered: SparkSession) -> None:
    if is_connect(registered):
        return
    assert _mistakes(ERRORS[1::2], lambda text: registered._jsparkSession.sql(text).collectAsList()) == ""


@pytest.mark.parametrize("way", ["", "EXTENDED", "FORMATTED"])
@pytest.mark.parametrize("window", [TUMBLING, COUNT])
def test_a_client_of_jdbc_explains_without_names_of_ours(registered: SparkSession, way: str, window: str) -> None:
    if is_connect(registered):
        return
    text = f"EXPLAIN {way} SELECT k, sum(v) FROM r {window} GROUP BY k"
    (plan,) = registered._jsparkSession.sql(text).collectAsList()
    assert "Physical Plan" in plan.getString(0)
    assert INTERNAL_PREFIX not in plan.getString(0)


GOLDEN = golden_cases("errors")


def test_golden_errors(registered: SparkSession) -> None:
    ways = [lambda text: winsql.sql(registered, text), registered.sql]
    if not is_connect(registered):
        ways.append(registered._jsparkSession.sql)
    said = {(case.id, way): _said(case, run) for case in GOLDEN for way, run in enumerate(ways)}
    names = {key: message for key, message in said.items() if _names_ours(message) and "winsql's own" not in key[0]}
    assert names == {}
    assert {key: message for key, message in said.items() if not _place(message)} == {}


def test_golden_errors_in_the_shell(spark: SparkSession) -> None:
    said = {case.id: _said_of_script(spark, f"SELECT 1;\n\n{case.input}") for case in GOLDEN}
    names = {case for case, message in said.items() if _names_ours(message) and "winsql's own" not in case}
    assert names == set()
    assert {case: m for case, m in said.items() if (place := _place(m)) is None or place[0] < 3} == {}


def _said_of_script(spark: SparkSession, script: str) -> str:
    """What the shell says of a script whose first statement is right."""
    try:
        statements = split(script)
    except WinsqlError as error:  # a string that is not closed
        return str(error)
    for statement in statements[1:]:
        try:
            winsql.sql(spark, statement.text)
        except STATEMENT_ERRORS as error:
            return describe(error, statement, script)
    return ""


def _said(case: GoldenCase, run: Callable[[str], Any]) -> str:
    try:
        run(case.input)
    except (WinsqlError, PySparkException) as error:
        return str(error)
    return ""


def test_a_syntax_error_has_one_place(spark: SparkSession) -> None:
    text = f"SELECT k, count(*) FROM r {COUNT} GROUP BY k HAVING count(*) > ANY (SELECT 1)"
    with pytest.raises(ParseException) as caught:
        winsql.sql(spark, text).collect()
    place = text.rindex("1)") + 1
    problem, *shown = str(caught.value).splitlines()
    assert re.fullmatch(r"\[PARSE_SYNTAX_ERROR\] Syntax error at or near '1'[^(\[]*SQLSTATE: 42601", problem)
    assert shown == [f"== SQL (line 1, position {place}) ==", text, "^".rjust(place)]


@pytest.mark.parametrize("window", [TUMBLING, COUNT])
@pytest.mark.parametrize("before", ["SELEC * FROM (", "\n  WIHT r AS (SELECT 1) SELECT * FROM ("])
def test_a_syntax_error_at_the_first_word_has_its_place(spark: SparkSession, window: str, before: str) -> None:
    text = f"{before}SELECT k, count(*) AS n FROM r {window} GROUP BY k) t"
    with pytest.raises(ParseException) as caught:
        winsql.sql(spark, text)
    _, place, line, carets = str(caught.value).splitlines()
    start = len(before) - len(before.lstrip())
    assert place == f"== SQL (line {before.count(chr(10)) + 1}, position {start or 1}) =="
    assert line == text.splitlines()[-1]
    assert carets.strip() == "^" * len(before.split()[0])


def test_plans_name_what_columns_hold(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    for window in (TUMBLING, COUNT):
        winsql.sql(spark, f"SELECT k, sum(v) FROM r {window} GROUP BY k").explain(True)
        plan = capsys.readouterr().out
        assert "winsql_" not in plan
        assert f"{INTERNAL_PREFIX}key_0" in plan


def test_parameters_are_shown_as_they_are_written(spark: SparkSession) -> None:
    text = f"SELECT k, sum(v + ?) / ? FROM r {COUNT} GROUP BY k"
    errors: list[tuple[str, str, str | None]] = [(text, "DIVIDE_BY_ZERO", "sum(v + ?) / ?")]
    assert _mistakes(errors, lambda statement: winsql.sql(spark, statement, [1, 0]).collect()) == ""


def test_kept_queries(spark: SparkSession) -> None:
    """What a command runs at once, and a view that is read later."""
    query = f"SELECT k, sum(CAST(meter AS INT)) AS s FROM r {COUNT} GROUP BY k"
    table = f"CREATE TABLE never USING parquet AS {query}"
    assert _mistakes([(table, "CAST_INVALID", "CAST(meter AS INT)")], lambda text: winsql.sql(spark, text)) == ""
    spark.sql("DROP TABLE IF EXISTS never")
    view = f"CREATE OR REPLACE TEMPORARY VIEW kept AS {query}"
    winsql.sql(spark, view)
    with pytest.raises(PySparkException) as caught:
        spark.table("kept").collect()
    assert _wrong(str(caught.value), view, "CAST_INVALID", "CAST(meter AS INT)") is None, str(caught.value)
    spark.catalog.dropTempView("kept")


@pytest.mark.slow
def test_streams(spark: SparkSession, tmp_path: Any) -> None:
    source = tmp_path / "in"
    spark.table("r").coalesce(1).write.parquet(str(source))
    stream = spark.readStream.schema(spark.table("r").schema).parquet(str(source)).withWatermark("ts", "0 seconds")
    stream.createOrReplaceTempView("st")
    query = f"SELECT k,\n  max(big) / min(v) AS s\nFROM st {SESSION} GROUP BY k"
    rows = winsql.sql(spark, query).writeStream.format("noop").trigger(availableNow=True).start()
    with pytest.raises(PySparkException) as caught:
        rows.awaitTermination()
    assert _wrong(str(caught.value), query, "DIVIDE_BY_ZERO", "max(big) / min(v)") is None, str(caught.value)
    folder = f"path '{tmp_path}/out', checkpointLocation '{tmp_path}/checkpoint', trigger 'available now'"
    table = f"CREATE STREAMING TABLE broken USING parquet OPTIONS ({folder}) AS\n{query}"
    winsql.sql(spark, table)
    try:
        with pytest.raises(WindowDataError) as failed:
            winsql.sql(spark, "AWAIT STREAM broken")
        assert _wrong(str(failed.value), table, "DIVIDE_BY_ZERO", "max(big) / min(v)") is None, str(failed.value)
        [listed] = [row for row in winsql.sql(spark, "SHOW STREAMS").collect() if row["name"].endswith("broken")]
        assert listed["error"].startswith("[DIVIDE_BY_ZERO]")
        assert listed["error"].endswith("(line 3, column 3)")
    finally:
        winsql.sql(spark, "STOP STREAM broken")
        spark.sql("DROP TABLE IF EXISTS broken")
        spark.catalog.dropTempView("st")
