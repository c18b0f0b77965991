"""Statements that were meant for winsql and have a word wrong, and names that do not exist: what a session says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from pyspark.errors import AnalysisException, ParseException

import winsql
from winsql import WindowSpecError, WindowSyntaxError
from winsql.errors import WindowPlanError
from winsql.spark.messages import unknown_functions
from winsql.spark.tables import finding
from winsql.syntax.expressions import function_calls
from winsql.syntax.text.vocabulary import AGGREGATES

TUMBLING = "WINDOW ASSIGN TUMBLING(ts, '1 hour')"
TUMBLE = "TABLE(TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR))"
ROWS = f"SELECT k FROM r {TUMBLING} PARTITION BY k"
MISSPELLED = {
    "SELECT k, count(*) FROM r WINDOW ASIGN TUMBLING(ts, '1 hour') GROUP BY k": "did you mean WINDOW ASSIGN?",
    "SELECT k, count(*) FROM r WINDOW TUMBLING(ts, '1 hour') GROUP BY k": "write WINDOW ASSIGN TUMBLING(...)",
    "CREATE STREAM TABLE x AS SELECT 1": "did you mean STREAMING TABLE?",
    "SELECT count(*) FROM r GROUP BY k, tumbling(ts, INTERVAL 1 HOUR)": "WINDOW ASSIGN TUMBLING(time, size)",
    f"SELECT k, count(*) FROM r {TUMBLING} GROUP BY k TRIGER COUNT(3)": "did you mean TRIGGER?",
    f"CREATE STREAM TABLE x AS SELECT k, count(*) AS n FROM r {TUMBLING} GROUP BY k": "did you mean STREAMING TABLE?",
    f"CREAT STREAMING TABLE x AS SELECT k, count(*) AS n FROM r {TUMBLING} GROUP BY k": "CREATE STREAMING TABLE?",
    f"EXPLAIN WINDOWS SELECT k, count(*) FROM r {TUMBLING} GROUP BY k": "did you mean WINDOW?",
    f"SELECT * FROM ({ROWS}), (SELECT k FROM r WINDOW TUMBLING(ts, '1 hour'))": "write WINDOW ASSIGN TUMBLING(...)",
    "SELECT * FROM r a WINDOW JION r b ON a.k = b.k": "did you mean WINDOW JOIN?",
    "SELECT a.k FROM r a WINDOW JION r b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')": "WINDOW JOIN?",
    "SELECT * FROM TABLE(SESSION(TABLE r PARTITION k, DESCRIPTOR(ts), INTERVAL '1' HOUR))": "write PARTITION BY",
    "STOP ALL STREAMS": "did you mean STOP STREAM name, one for each?",
    "DESCRIBE STREAM s": "write SHOW STREAM s for its micro-batches, or DESCRIBE s for the columns of its table",
    "desc stream a.s;": "write SHOW STREAM a.s",
    "SELECT * FROM TABLE(TUMBEL(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR))": "did you mean TUMBLE?",
    f"EXPLAIN PLAN FOR SELECT k, count(*) FROM {TUMBLE} GROUP BY k, window_end": "did you mean EXPLAIN",
    f"SELECT * FROM (SELECT * FROM {TUMBLE}) WINDOW ASIGN TUMBLING(ts, '1 hour')": "did you mean WINDOW ASSIGN?",
    f"SELECT * FROM {TUMBLE}, LATERAL TABLE(explode(array(k))) AS t(x)": "write LATERAL f(...) AS t(x), without TABLE",
    "SELECT * FROM r, LATERAL TABLE(explode(array(k))) AS t(x)": "write LATERAL f(...) AS t(x), without TABLE",
    f"SELECT k, count(*) FROM {TUMBLE} GROUP BY k, window_end EMIT CHANGES": "leave it out, or write EMIT EARLY",
    "SELECT * FROM TUMBLE(r, ts, INTERVAL '1' HOUR)": "write TUMBLE(TABLE t, DESCRIPTOR(ts), size [, offset])",
    "SELECT * FROM TABLE(hop(r, ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR))": "write HOP(TABLE t, DESCRIPTOR(ts), ",
    "SELECT * FROM r, cumulate('r', 'ts', '1 hour', '2 hours')": "write CUMULATE(TABLE t, DESCRIPTOR(ts), ",
    "SELECT * FROM SESSION((SELECT * FROM r), ts, '1 hour')": "write SESSION(TABLE t [PARTITION BY k], DESCRIPTOR(ts)",
    "EXPLAIN WINDOW SELECT k FROM r WINDOW ASIGN TUMBLING(ts, '1 hour') GROUP BY k": "did you mean WINDOW ASSIGN?",
    "CREATE TABLE x (k STRING) WITH ('connector' = 'datagen')": "write USING format OPTIONS",
    f"SELECT k sum(value) FROM r {TUMBLING} GROUP BY k": "write a comma before sum(value)",
    f"SELECT k, count(*) AS c max(value) FROM r {TUMBLING} TRIGGER COUNT(1) GROUP BY k": "a comma before max(value)",
    f"SELECT k, count(*) FROM r WHERE k = \u2018a\u2019 {TUMBLING} GROUP BY k": "write '",
    "SELECT * FROM TABLE TUMBLE(TABLE r, DESCRIPTOR(ts), INTERVAL '1' HOUR)": "write TABLE(TUMBLE(...))",
    "CREATE STREAMING TABLE x AS SELEC k FROM r": "did you mean SELECT?",
    f"SELECT k, count(*) FROM r {TUMBLING} GROUP BY k LIMT 3": "did you mean LIMIT?",
    "SELECT k, count(*) FROM r GROUP BY k EMIT FINAL": "leave it out, or write EMIT EARLY",
}
OLD_GROUP_WINDOWS = {
    "SELECT k, count(*) FROM r GROUP BY k, TUMBLE(ts, INTERVAL '1' HOUR)": "write FROM ... WINDOW ASSIGN TUMBLING",
    "SELECT k, count(*) FROM r GROUP BY k, SLIDING(ts, '2 hours', '1 hour')": "WINDOW ASSIGN SLIDING(time, size",
    "SELECT k, HOP_START(ts, INTERVAL '1' HOUR) FROM r": "write window_start, with WINDOW ASSIGN SLIDING",
}


def _outside(name: str) -> str:
    return f"write {name.removeprefix('r.')} without the aggregate, or aggregate it in an outer SELECT"


UNKNOWN = {
    f"SELECT k, valu, count(*) FROM r {TUMBLING} GROUP BY k": ("there is no column valu", "did you mean value?"),
    f"SELECT k, a.valu, count(*) FROM r AS a {TUMBLING} GROUP BY k": (
        "there is no column a.valu",
        "did you mean value?",
    ),
    f"SELECT a.k, count(*) FROM r {TUMBLING} GROUP BY k": ("there is no column a.k", "did you mean k?"),
    f"SELECT k, count(*) FROM r {TUMBLING} GROUP BY a.k": ("there is no column a.k", "did you mean k?"),
    f"SELECT k, r.s.x FROM r {TUMBLING} GROUP BY k": (
        "r.s.x is neither a key nor inside an aggregate",
        "add r.s.x to GROUP BY, or wrap it, for instance as ANY_VALUE(r.s.x)",
    ),
    f"SELECT k, sum(value) AS total FROM r {TUMBLING} GROUP BY k HAVING totl > 1": (
        "there is no column totl",
        "did you mean total?",
    ),
    f"SELECT k, sum(value) AS total FROM r WHERE totl > 1 {TUMBLING} GROUP BY k": (
        "there is no column totl",
        "window columns are window_start, window_end and window_time",
    ),
    f"SELECT k, count(*) FROM r WHERE value > 0 AND count(*) > 1 {TUMBLING} GROUP BY k": (
        "an aggregate cannot be in WHERE",
        "filter windows with HAVING or in an outer SELECT",
    ),
    "SELECT k FROM r WINDOW ASSIGN TUMBLING(PROCTIM(), '1 hour') PARTITION BY k": (
        "there is no function PROCTIM",
        "did you mean PROCTIME?",
    ),
    f"SELECT k, window_strt, count(*) FROM r {TUMBLING} GROUP BY k": (
        "there is no column window_strt",
        "did you mean window_start?",
    ),
    f"WITH c AS (SELECT k, ts FROM r) SELECT k, nothing FROM (SELECT * FROM c) {TUMBLING} GROUP BY k": (
        "there is no column nothing",
        "window columns are window_start, window_end and window_time",
    ),
    f"SELECT k, summ(value) FROM r {TUMBLING} GROUP BY k": ("there is no function summ", "did you mean SUM?"),
    f"SELECT k, argMax(k, value) FROM r {TUMBLING} GROUP BY k": ("there is no function argMax", "did you mean MAX_BY?"),
    f"SELECT k, PROCTIME() FROM r {TUMBLING} PARTITION BY k": (
        "there is no function PROCTIME",
        "write current_timestamp(), or PROCTIME() as the time of WINDOW ASSIGN",
    ),
    f"SELECT k, session_end(ts, INTERVAL 1 HOUR) FROM r {TUMBLING} GROUP BY k": (
        "there is no function session_end",
        "write window_end, with WINDOW ASSIGN SESSION(time, gap) after FROM",
    ),
    "SELECT time_slice(ts, 5, 'MINUTE') FROM r": (
        "there is no function TIME_SLICE",
        "write window_start, with WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) after FROM",
    ),
    f"SELECT k, wend FROM r {TUMBLING} GROUP BY k": ("there is no column wend", "did you mean window_end?"),
    "SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(rowtime, INTERVAL 1 HOUR) GROUP BY k": (
        "there is no column rowtime",
        "write the column that has the time of the rows",
    ),
    f"SELECT distinct on (k) k, count(*) FROM r {TUMBLING} GROUP BY k": (
        "there is no function on",
        "for one row of each k write QUALIFY row_number() OVER (PARTITION BY k ORDER BY ts) = 1",
    ),
    f"SELECT k AS j, count(*) FROM r {TUMBLING} GROUP BY vlaue": ("there is no column vlaue", "did you mean value?"),
    **{
        text: (f"{name} cannot be read inside an aggregate", _outside(name))
        for text, name in {
            f"SELECT k, max(window_start) AS m FROM r {TUMBLING} GROUP BY k": "window_start",
            f"SELECT k, max(date(r.window_start)) FROM r {TUMBLING} EVICT COUNT(2) GROUP BY k": "r.window_start",
            f"SELECT k, max(value) FILTER (WHERE ts < window_end) FROM r {TUMBLING} GROUP BY k": "window_end",
            f"SELECT k FROM r {TUMBLING} GROUP BY k HAVING max(WINDOW_END) IS NOT NULL": "WINDOW_END",
        }.items()
    },
    f"SELECT k, count(*) FROM r WHERE window_start > ts {TUMBLING} GROUP BY k": (
        "window_start cannot be read here",
        "filter windows with HAVING or in an outer SELECT",
    ),
    f"SELECT k, count(*) FROM r {TUMBLING} TRIGGER WHEN(count(*) > 1 AND window_end > ts) GROUP BY k": (
        "window_end cannot be read here",
        "use the time of the rows",
    ),
    f"SELECT k, window_end FROM (SELECT k, count(*) AS n FROM r {TUMBLING} GROUP BY k)": (
        "there is no column window_end",
        "a SELECT with WINDOW ASSIGN has it: add window_end to its items",
    ),
    f"SELECT k, count(*) FROM r {TUMBLING} PARTITION BY kk": ("there is no column kk", "did you mean k?"),
    "SELECT * FROM STREAM r": (
        "r is a view over a table, not over a stream",
        "leave STREAM out, or begin the view with it: CREATE TEMP VIEW r AS SELECT ... FROM STREAM table",
    ),
    "CREATE STREAMING TABLE x AS SELECT k FROM STREAM(r)": (
        "r is a view over a table, not over a stream",
        "leave STREAM out, or begin the view with it: CREATE TEMP VIEW r AS SELECT ... FROM STREAM table",
    ),
    f"SELECT k AS j, count(*), value FROM r {TUMBLING} GROUP BY j": (
        "value is neither a key nor inside an aggregate",
        "add value to GROUP BY, or wrap it, for instance as ANY_VALUE(value)",
    ),
    f"SELECT k, count(*), s.x FROM r {TUMBLING} GROUP BY k": (
        "s.x is neither a key nor inside an aggregate",
        "add s.x to GROUP BY, or wrap it, for instance as ANY_VALUE(s.x)",
    ),
}


@pytest.fixture(autouse=True)
def readings(spark) -> Iterator[None]:
    spark.sql(
        "CREATE OR REPLACE TEMPORARY VIEW r AS SELECT 'a' AS k, TIMESTAMP'2024-05-01 10:00:00' AS ts, 1 AS value, "
        "named_struct('x', 1) AS s"
    )
    yield
    spark.catalog.dropTempView("r")


@pytest.mark.parametrize("text", [*MISSPELLED, *OLD_GROUP_WINDOWS])
def test_wrong_words(spark, text: str) -> None:
    with pytest.raises(WindowSyntaxError) as caught:
        winsql.sql(spark, text)
    assert (MISSPELLED | OLD_GROUP_WINDOWS)[text] in caught.value.hint
    assert caught.value.span is not None


@pytest.mark.parametrize("text", UNKNOWN)
def test_unknown_names_come_first(spark, text: str) -> None:
    with pytest.raises(WindowSpecError) as caught:
        winsql.sql(spark, text)
    assert (caught.value.problem, caught.value.hint) == UNKNOWN[text]


@pytest.mark.parametrize(
    "items", ["k, summ(n)", "k, count(*) + array_agg(summ(value)) AS c", "k, max(value), value IN (1)"]
)
def test_unknown_functions_over_windows_of_a_stream(spark, items: str) -> None:
    spark.readStream.format("rate").load().selectExpr(
        "'a' AS k", "timestamp AS ts", "value", "value AS n"
    ).withWatermark("ts", "1 second").createOrReplaceTempView("rates")
    text = (
        f"SELECT {items} FROM TABLE(TUMBLE(TABLE rates, DESCRIPTOR(ts), INTERVAL '10' SECONDS)) "
        "GROUP BY window_start, window_end, k"
    )
    with pytest.raises(WindowSpecError) as caught:
        winsql.sql(spark, text)
    expected = "there is no function summ" if "summ" in items else "value is neither a key nor inside an aggregate"
    assert caught.value.problem == expected
    spark.catalog.dropTempView("rates")


def test_a_statement_in_a_string(spark) -> None:
    with pytest.raises(WindowPlanError, match="EXECUTE IMMEDIATE cannot run a windowed query in this session"):
        winsql.sql(spark, f'execute immediate "SELECT k, count(*) FROM r {TUMBLING} GROUP BY k"')


@pytest.mark.parametrize("form", ["execute /**/ immediate written", "BEGIN\n EXECUTE IMMEDIATE written;\nEND"])
def test_a_statement_in_a_variable(spark, form) -> None:
    spark.sql(f'DECLARE OR REPLACE written = "SELECT k, count(*) FROM r {TUMBLING} GROUP BY k"')
    with pytest.raises(
        WindowPlanError, match="EXECUTE IMMEDIATE cannot run a windowed query in this session"
    ) as caught:
        winsql.sql(spark, form)
    assert caught.value.span.text(form).upper().split()[0] == "EXECUTE"
    spark.sql("SET VAR written = 'SELEC 1'")
    with pytest.raises(ParseException):
        winsql.sql(spark, form)
    spark.sql("DROP TEMPORARY VARIABLE written")


def test_an_aggregate_of_a_newer_spark(spark, monkeypatch) -> None:
    for module in (function_calls, unknown_functions):
        monkeypatch.setattr(module, "AGGREGATES", AGGREGATES | {"NEW_SKETCH_AGG"})
    with pytest.raises(WindowSpecError, match="there is no function new_sketch_agg") as caught:
        winsql.sql(spark, f"SELECT k, new_sketch_agg(value) FROM r {TUMBLING} GROUP BY k")
    assert caught.value.hint == "a newer version of Spark has it"


FUNCTION = "CREATE {} FUNCTION of_k(least INT) RETURNS TABLE(k STRING, n BIGINT) RETURN "


def test_functions_with_windows(spark) -> None:
    select = f"SELECT k, count(*) FROM r {{}} {TUMBLING} {{}} GROUP BY k"
    with pytest.raises(WindowPlanError, match="cannot be kept in a permanent function"):
        winsql.sql(spark, FUNCTION.format("OR REPLACE") + select.format("", "TRIGGER COUNT(1)"))
    for name in ("least", "of_k.least"):
        text = FUNCTION.format("TEMPORARY") + select.format(f"WHERE value > {name}", "")
        with pytest.raises(WindowPlanError, match="cannot read least, a parameter of the function") as caught:
            winsql.sql(spark, text)
        assert caught.value.span.text(text) == name
    row = "VALUES ('a', TIMESTAMP'2024-01-01 00:00:00') AS v (k, ts)"
    fired = select.replace("FROM r", f"FROM {row}").format("", "TRIGGER COUNT(1)")
    winsql.sql(spark, FUNCTION.format("TEMPORARY") + fired)
    try:
        assert winsql.sql(spark, "SELECT * FROM of_k(1)").collect() == [("a", 1)]
    finally:
        spark.sql("DROP TEMPORARY FUNCTION of_k")


def test_other_mistakes_stay_sparks(spark) -> None:
    with pytest.raises(ParseException):
        winsql.sql(spark, "SELECT k FROM r WINDOW x TUMBLE y")
    with pytest.raises(AnalysisException, match="no_such"):
        winsql.sql(spark, "SELECT no_such(k) FROM r")


def test_an_unknown_table_comes_before_its_columns(spark) -> None:
    with pytest.raises(AnalysisException) as caught:
        winsql.sql(spark, f"SELECT k, valu, count(*) FROM nowhere {TUMBLING} GROUP BY k")
    assert caught.value.getCondition() == "TABLE_OR_VIEW_NOT_FOUND"
    assert "UnresolvedRelation" not in caught.value.getMessage()
    assert "stacktrace" not in caught.value.getMessage()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"SELECT k FROM r {TUMBLING} GROUP BY k UNON SELECT k FROM r", "SELECT k FROM r"),
        (f"WITH a AS SELECT k, count(*) FROM r {TUMBLING} GROUP BY k SELECT * FROM a", "SELECT * FROM a"),
        (f"WITH a AS (SELECT k, count(*) FROM r {TUMBLING} GROUP BY k)", ""),
    ],
)
def test_what_spark_cannot_read_comes_first(spark, text: str, expected: str) -> None:
    with pytest.raises(ParseException) as caught:
        winsql.sql(spark, text)
    place = caught.value.getQueryContext()[0].startIndex()
    assert text[place:].startswith(expected) if expected else place == len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EXPLAIN WINDOW SELEC k FROM r", "SELEC k"),
        ("explain window\nSELECT k FORM r", "r"),
        ("EXPLAIN WINDOW CREATE TABLE x AS SELEC k FROM r", "SELEC k"),
        ("EXPLAIN WINDOW SELECT (k FROM r", "FROM r"),
        (f"EXPLAIN WINDOW INSRT INTO x {ROWS}", "INSRT"),
        (f"EXPLAIN WINDOW SELECT k, count(*) FROM r {TUMBLING} TRIGGER COUNT(2) GROUP BY k LIMIT 1 OFFST 2", "OFFST"),
        ("SELEC k FROM r", "SELEC k"),
    ],
)
def test_what_spark_cannot_read_is_not_explained(spark, text: str, expected: str) -> None:
    with pytest.raises(ParseException) as caught:
        winsql.explain(spark, text)
    assert text[caught.value.getQueryContext()[0].startIndex() :].startswith(expected)


@pytest.mark.parametrize("text", ["SELECT nothing FROM r", "DROP TABLE nowhere", "SET x = y", "SELECT :n FROM r"])
def test_what_spark_can_read_is_explained(spark, text: str) -> None:
    assert winsql.explain(spark, f"EXPLAIN WINDOW {text}").startswith("no windowed query")


def test_the_query_of_a_stream_without_windows(spark) -> None:
    text = "CREATE STREAMING TABLE x AS SELECT * FROM STREAM nowhere"
    with pytest.raises(AnalysisException) as caught:
        winsql.sql(spark, text)
    assert "UnresolvedRelation" not in caught.value.getMessage()
    assert f"\n{text}\n" in caught.value.getMessage()


def test_in_a_registered_session(spark) -> None:
    text, hint = next(iter(MISSPELLED.items()))
    wanted = MISSPELLED | OLD_GROUP_WINDOWS
    winsql.register(spark)
    try:
        for said in wanted:
            with pytest.raises(WindowSyntaxError) as refused:
                spark.sql(said)
            assert wanted[said] in refused.value.hint
            assert refused.value.source == said
        with pytest.raises(AnalysisException, match="neither Spark nor winsql has these words") as caught:
            spark._jsparkSession.sql(text)  # as a JDBC client is told
        assert hint in str(caught.value)
        within = f"SELECT * FROM (SELECT * FROM {TUMBLE}) WINDOW ASIGN TUMBLING(ts, '1 hour')"
        with pytest.raises(AnalysisException, match="did you mean WINDOW ASSIGN") as caught:
            spark._jsparkSession.sql(within)
        assert within in str(caught.value)  # not the text that is made from it
        with pytest.raises(ParseException):
            spark.sql("SELECT k FROM r WINDOW x TUMBLE y")
    finally:
        winsql.unregister(spark)


@pytest.mark.parametrize("trigger", ["", "TRIGGER COUNT(1)"])
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("INSERT INTO nowhere {}", "nowhere"),
        ("CREATE TEMPORARY VIEW v AS SELECT nothing FROM ({})", "nothing"),
        ("SET VAR nothing = (SELECT count(*) FROM ({}))", "nothing"),
        ("SELECT * FROM r, ({}) x WHERE k = 'a'", "k = 'a'"),
    ],
)
def test_analysis_in_the_words_of_a_client_of_jdbc(spark, trigger: str, text: str, place: str) -> None:
    text = text.format(f"SELECT k, count(*) AS c FROM r {TUMBLING} {trigger} GROUP BY k")
    winsql.register(spark)
    try:
        with pytest.raises(AnalysisException) as caught:
            spark._jsparkSession.sql(text)
    finally:
        winsql.unregister(spark)
    said = str(caught.value)
    assert re.search(rf"line 1, (column|position) {text.index(place) + 1}\b", said)
    assert "windowed__" not in said


def test_a_subquery_has_columns_of_its_own(spark) -> None:
    text = f"SELECT k, count(*), (SELECT max(window_start) FROM r) FROM r {TUMBLING} GROUP BY k"
    with pytest.raises(WindowSpecError, match="window_start is not known here") as caught:
        winsql.sql(spark, text)
    assert "knows its keys, and no column of its windows" in (caught.value.rule or "")


@pytest.mark.parametrize(
    ("text", "place", "problem", "hint"),
    [
        ("SELECT x.window_end, count(*) FROM r AS x {} GROUP BY k", "x.window_end", "", "did you mean window_end?"),
        (
            "SELECT count(*) FROM r AS x {} GROUP BY k, x.window_end",
            "x.window_end",
            "cannot be read here",
            "window_end alone",
        ),
        ("SELECT x.window_end, count(*) FROM r x {} GROUP BY x.window_end", "x.window_end", "", "window_end alone"),
        ("SELECT k FROM r WHERE length(k) {}", "length(k)", "its type is INT", "compare it"),
        (
            "SELECT k FROM r WHERE k IS NOT NULL {} GROUP BY k HAVING count(*)",
            "count(*)",
            "its type is BIGINT",
            "count(*) > 0",
        ),
        (
            "SELECT count(*) FROM r WHERE row_number() OVER (ORDER BY k) = 1 {}",
            "OVER",
            "cannot be in WHERE",
            "AS n FROM t",
        ),
    ],
)
def test_places_of_what_cannot_be_asked(spark, text: str, place: str, problem: str, hint: str) -> None:
    text = text.format(TUMBLING)
    with pytest.raises(WindowSpecError) as caught:
        winsql.sql(spark, text)
    assert caught.value.span is not None
    assert caught.value.span.text(text) == place
    assert problem in caught.value.problem
    assert hint in (caught.value.hint or "")


def test_a_subquery_knows_no_names_of_items(spark) -> None:
    text = f"SELECT k, count(*) AS c FROM r {TUMBLING} GROUP BY k"
    with pytest.raises(WindowSpecError, match=r"there is no column c\b") as caught:
        winsql.sql(spark, f"{text} HAVING EXISTS (SELECT 1 FROM (SELECT 3 AS n) WHERE n = c)")
    assert "put the windowed SELECT into a subquery" in (caught.value.hint or "")
    winsql.sql(spark, f"SELECT * FROM ({text}) AS x WHERE EXISTS (SELECT 1 FROM (SELECT 3 AS n) WHERE n = x.c)")


@pytest.mark.parametrize("column", ["k", "e.k"])
def test_a_subquery_in_qualify_knows_no_columns(spark, column: str) -> None:
    rank = "row_number() OVER (PARTITION BY window_end ORDER BY k) = 1"
    asks = f"EXISTS (SELECT 1 FROM (SELECT 'a' AS n) WHERE n = {column})"
    text = f"SELECT k FROM r AS e {TUMBLING} PARTITION BY k QUALIFY {rank}"
    with pytest.raises(WindowSpecError, match=f"{column} is not known here") as caught:
        winsql.sql(spark, f"{text} AND {asks}")
    assert "ask in the WHERE of a SELECT around it" in (caught.value.hint or "")
    winsql.sql(spark, f"SELECT * FROM ({text}) AS e WHERE {asks}")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("", "give its relation a name, as in FROM ... AS x, and write x.value"), ("AS e", "write e.value")],
)
def test_a_subquery_knows_keys_of_a_stream_by_the_name_of_their_relation(spark, name: str, hint: str) -> None:
    spark.readStream.format("rate").load().withWatermark("timestamp", "0 seconds").createOrReplaceTempView("rates")
    windows = f"TABLE(TUMBLE(TABLE rates, DESCRIPTOR(timestamp), INTERVAL '1' HOUR)) {name}"
    text = f"SELECT value, window_end, count(*) AS c FROM {windows} GROUP BY value, window_end HAVING EXISTS ({{}})"
    with pytest.raises(WindowSpecError, match="value is not known here") as caught:
        winsql.sql(spark, text.format("SELECT 1 FROM (SELECT k FROM r) WHERE length(k) = value"))
    assert caught.value.hint == hint
    with pytest.raises(WindowSpecError, match="there is no column valu"):
        winsql.sql(spark, text.format("SELECT 1 FROM (SELECT k FROM r) WHERE length(k) = valu"))
    if name:
        assert winsql.sql(spark, text.format("SELECT 1 FROM (SELECT k FROM r) WHERE length(k) = e.value")).isStreaming


@pytest.mark.parametrize(
    ("streams", "hint"),
    [
        ([], "it has started none, or has dropped those that it had"),
        (["hourly", "clicks"], "it has default.clicks, default.hourly"),
        (["hourly", "clicks", "nopes"], "did you mean default.nopes?"),
        (["a1", "a2", "a3", "a4", "a5", "a6"], "SHOW STREAMS lists those that it has"),
    ],
)
def test_a_stream_that_is_not_there(spark, monkeypatch: pytest.MonkeyPatch, streams: list[str], hint: str) -> None:
    known = {name: SimpleNamespace(name=f"`spark_catalog`.`default`.`{name}`") for name in streams}
    monkeypatch.setattr(finding, "streams_of", lambda _: known)
    with pytest.raises(WindowPlanError, match="this session has no stream nope") as caught:
        winsql.sql(spark, "STOP STREAM nope")
    assert caught.value.hint == hint
