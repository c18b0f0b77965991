"""Sessions that somebody else has built: what register teaches, and that unregister undoes it."""

from __future__ import annotations

import gc
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from golden_cases import golden_cases
from java_objects import java_object
from pyspark.errors import AnalysisException, ParseException, PythonException
from streaming import Source

import winsql
from winsql.errors import WindowPlanError, WindowSpecError, WindowSyntaxError, WinsqlError
from winsql.spark.extension.function_pack import (
    AGGREGATES,
    drop_functions,
    install_functions,
    load_functions,
    sql_functions,
)
from winsql.spark.messages.failure import translate
from winsql.spark.runner import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NATIVE = "SELECT k, window_start, count(*) AS n FROM taught_rows WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k"
OPERATOR = "SELECT k, pane_index, sum(v) AS n FROM taught_rows WINDOW ASSIGN COUNT(5) GROUP BY k"
MISTAKE = "SELECT k, count(*) FROM taught_rows\nWINDOW ASSIGN TUMBLNG(ts, '1 hour') GROUP BY k"


@pytest.fixture(scope="module")
def taught(spark: SparkSession) -> Iterator[SparkSession]:
    """The shared session, registered, with a table `taught_rows`; all that tests make is gone after it."""
    spark.sql("SELECT id % 2 AS k, timestamp_micros(id * 60000000) AS ts, id AS v FROM range(20)").write.saveAsTable(
        "taught_rows"
    )
    # tests of shells in this session may have made some, which `unregister` would keep
    drop_functions(spark, {function.name for function in sql_functions()} | AGGREGATES.keys())
    winsql.register(spark)
    yield spark
    winsql.unregister(spark)
    for view in ("ticks_native",):
        spark.sql(f"DROP VIEW IF EXISTS {view}")
    for table in ("taught_rows", "ticks_windows", "ticks_parameters"):
        spark.sql(f"DROP TABLE IF EXISTS {table}")


def rows(spark: SparkSession, text: str) -> list[str]:
    """What a caller in the JVM gets for a text, as text, sorted."""
    return sorted(row.toString() for row in spark._jsparkSession.sql(text).collectAsList())


def expected(spark: SparkSession, text: str) -> list[str]:
    return sorted(f"[{','.join(str(value) for value in row)}]" for row in winsql.sql(spark, text).collect())


def test_sql_takes_the_language(taught: SparkSession) -> None:
    """Here, and everywhere: these run on Spark Connect as well."""
    winsql.register(taught)  # again: nothing happens
    assert sorted(taught.sql(OPERATOR).collect()) == sorted(winsql.sql(taught, OPERATOR).collect())
    with_args = "SELECT sum(v) + :more AS n FROM taught_rows WHERE v > :least WINDOW ASSIGN COUNT(8)"
    assert [row.n for row in taught.sql(with_args, args={"more": 100, "least": 11}).collect()] == [224]
    assert [
        row.n for row in taught.sql(with_args.replace(":more", "?").replace(":least", "?"), [100, 11]).collect()
    ] == [224]
    formatted = "SELECT sum(v) + {more} AS n FROM taught_rows WINDOW ASSIGN COUNT({rows})"
    assert taught.sql(formatted, more=1, rows=20).first()[0] == 191
    assert taught.sql("SELECT 'window assign count(' AS {name}", name=taught.range(1).id).columns == ["id"]
    with pytest.raises(WindowSpecError) as caught:
        taught.sql(MISTAKE)
    assert "at line 2, column 15" in str(caught.value)
    with pytest.raises(ParseException, match="SELEC"):
        taught.sql("SELEC 1 AS window")
    assert taught.sql("SELECT tumble_start(TIMESTAMP'2024-05-01 10:07:00', INTERVAL 1 HOUR) AS t").first().t.hour == 10


@pytest.mark.since("4.1")
def test_aggregates_of_the_pack(taught: SparkSession) -> None:
    assert len(taught.sql("SELECT session_windows(ts, INTERVAL 1 MINUTE) AS s FROM taught_rows").first().s) == 1


@pytest.mark.since("4.1")
@pytest.mark.parametrize(
    ("items", "place", "hint"),
    [
        ("session_windows(DISTINCT ts, INTERVAL 1 MINUTE)", "DISTINCT", "leave out DISTINCT"),
        (
            "`session_windows_ntz`(ts, '1') FILTER (WHERE v > 1)",
            "FILTER",
            "write session_windows_ntz(CASE WHEN ... THEN",
        ),
    ],
)
def test_what_aggregates_of_the_pack_cannot_have(taught: SparkSession, items: str, place: str, hint: str) -> None:
    with pytest.raises(WindowSyntaxError) as caught:
        taught.sql(f"SELECT {items} FROM taught_rows")
    error = caught.value
    assert error.span is not None
    assert error.source is not None
    assert error.span.text(error.source) == place
    assert str(error.hint).startswith(hint)


@pytest.mark.since("4.1")
def test_sessions_beside_other_aggregates(taught: SparkSession) -> None:
    text = "SELECT count(*), session_windows(ts, INTERVAL 1 MINUTE) FROM taught_rows"
    with pytest.raises(AnalysisException) as caught:
        taught.sql(text).collect()
    error = translate(caught.value, text)
    assert error is not None
    assert error.hint == "write array_session_windows(collect_list(ts), gap)"
    assert error.span is not None
    assert error.span.text(text) == "session_windows(ts, INTERVAL 1 MINUTE)"


def test_aggregates_of_pandas_beside_others(taught: SparkSession) -> None:
    from pyspark.sql.functions import PandasUDFType, pandas_udf

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it prefers type hints, which are text in this file
        widest = pandas_udf(lambda values: float(values.max()), "double", PandasUDFType.GROUPED_AGG)
    taught.udf.register("widest", widest)
    text = "SELECT sum(v), Widest(v) FROM taught_rows WINDOW ASSIGN COUNT(2)"
    with pytest.raises(AnalysisException) as caught:
        taught.sql(text).collect()
    error = translate(caught.value, text)
    assert error is not None
    assert error.span is not None
    assert error.span.text(text) == "Widest(v)"
    assert error.hint == "compute it in a SELECT of its own, and join the two"
    taught.sql("DROP TEMPORARY FUNCTION widest")


@pytest.mark.since("4.1")
def test_a_session_gap_of_a_month(taught: SparkSession) -> None:
    with pytest.raises(PythonException) as caught:
        taught.sql("SELECT session_windows(ts, INTERVAL '1' MONTH) FROM taught_rows").collect()
    assert "INTERVAL 30 DAYS" in str(translate(caught.value))


def test_a_dataframe_may_be_named_in_the_text(taught: SparkSession) -> None:
    values = {"frame": taught.table("taught_rows"), "least": 10}
    for assigner in ("COUNT(20)", "COUNT(10)", "TUMBLING(ts, '1 day')"):
        text = f"SELECT sum(v) AS n FROM {{frame}} WHERE v >= {{least}} WINDOW ASSIGN {assigner}"
        found = taught.sql(text, **values)
        gc.collect()  # the name lasts as long as what reads it
        taught.sql(text, **values)
        assert [row.n for row in found.where("n > 0").collect()] == ([] if assigner == "COUNT(20)" else [145])
    day = "WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 day')"
    joined = f"SELECT a.v FROM {{frame}} a WINDOW JOIN {{frame}} b ON a.v = b.v {day}"
    assert taught.sql(joined, frame=values["frame"]).count() == 20
    if is_connect(taught):
        views = {row.viewName for row in taught.sql("SHOW VIEWS").collect()}
        with pytest.raises(WindowPlanError, match="DataFrame given by name"):
            taught.sql(f"CREATE TEMPORARY VIEW never AS {text}", **values)
        del found
        gc.collect()
        taught.sql(text, **values)
        assert len({row.viewName for row in taught.sql("SHOW VIEWS").collect()}) <= len(views)


def test_other_callers_of_the_session_take_it_too(taught: SparkSession) -> None:
    assert rows(taught, NATIVE.replace("window_start, ", "")) == expected(taught, NATIVE.replace("window_start, ", ""))
    assert rows(taught, OPERATOR) == expected(taught, OPERATOR)
    twice = f"WITH w AS ({OPERATOR}) SELECT count(*) FROM w AS a JOIN w AS b USING (k) WHERE EXISTS ({OPERATOR})"
    assert rows(taught, twice) == ["[8]"]
    assert rows(taught, f"SELECT max(v) FROM taught_rows WHERE v IN (SELECT n - 70 FROM ({OPERATOR}))") == ["[5]"]
    assert "MapInArrow" in rows(taught, f"EXPLAIN {OPERATOR}")[0]
    assert "COUNT(5)" in rows(taught, f"EXPLAIN WINDOW {OPERATOR}")[0]


def test_views_and_tables(taught: SparkSession) -> None:
    rows(taught, f"CREATE TEMPORARY VIEW ticks_first AS {OPERATOR}")
    rows(
        taught,
        f"CREATE OR REPLACE TEMP VIEW ticks_first AS SELECT n FROM ({OPERATOR}) UNION ALL SELECT n FROM ticks_first",
    )
    rows(taught, f"CREATE GLOBAL TEMPORARY VIEW ticks_global AS {OPERATOR}")
    rows(taught, f"CACHE LAZY TABLE ticks_cached AS {OPERATOR}")
    rows(taught, f"CREATE VIEW ticks_native AS {NATIVE}")
    rows(taught, f"CREATE TABLE ticks_windows AS {OPERATOR}")
    rows(taught, f"INSERT INTO ticks_windows {OPERATOR}")
    rows(taught, f"INSERT INTO ticks_windows WITH w AS ({OPERATOR}) SELECT * FROM w")
    names = ("ticks_first", "global_temp.ticks_global", "ticks_cached", "ticks_native", "ticks_windows")
    assert [taught.read.table(name).count() for name in names] == [8, 4, 4, 4, 12]
    assert rows(taught.newSession(), "SELECT sum(n) FROM ticks_native") == ["[20]"]  # one that knows no windows
    for name in ("ticks_first", "ticks_cached"):
        assert taught.catalog.dropTempView(name)
    assert taught.catalog.dropGlobalTempView("ticks_global")
    with pytest.raises(AnalysisException, match="cannot be kept in a permanent view"):
        rows(taught, f"CREATE VIEW ticks_never AS {OPERATOR}")


@pytest.mark.since("4.1")
def test_parameters_of_other_callers(taught: SparkSession) -> None:
    sql = type(taught).sql  # not the session object's own
    text = "SELECT sum(v) + :more AS n FROM taught_rows WHERE v > :least WINDOW ASSIGN {}"
    for assigner in ("COUNT(8)", "TUMBLING(ts, '1 day')"):
        named = text.format(assigner)
        assert [row.n for row in sql(taught, named, {"more": 100, "least": 11}).collect()] == [224]
        by_place = named.replace(":more", "?").replace(":least", "?")
        assert [row.n for row in sql(taught, by_place, [100, 11]).collect()] == [224]
    sql(taught, f"CREATE TABLE ticks_parameters AS {by_place}", [100, 11])
    assert rows(taught, "SELECT * FROM ticks_parameters") == ["[224]"]


def test_errors_reach_other_callers_whole(taught: SparkSession) -> None:
    with pytest.raises(WinsqlError) as own:
        taught.sql(MISTAKE)
    with pytest.raises(AnalysisException) as caught:
        rows(taught, MISTAKE)
    assert str(own.value) in str(caught.value)
    missing = "SELECT nosuch, count(*) FROM taught_rows WINDOW ASSIGN COUNT(3) GROUP BY nosuch"
    with pytest.raises(AnalysisException, match="there is no column nosuch"):
        rows(taught, missing)
    unread = "SELECT count(*) FROM nowhere WINDOW ASSIGN COUNT(3)"
    with pytest.raises(AnalysisException) as caught:
        rows(taught, unread)
    assert caught.value.getCondition() == "TABLE_OR_VIEW_NOT_FOUND"
    with pytest.raises(ParseException, match="SELEC"):
        rows(taught, "SELEC window, assign")


def test_views_over_windows_of_streams_are_grouped(taught: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(taught, "taught_events")
    windows = "TABLE(TUMBLE(TABLE taught_events, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"
    taught.sql(f"CREATE TEMP VIEW taught_windows AS SELECT k AS name, window_end AS e FROM {windows}")
    taught.sql("CREATE TEMP VIEW taught_counts AS SELECT e, name, count(*) AS c FROM taught_windows GROUP BY e, name")
    most = taught.sql("SELECT e, max(c) AS most FROM taught_counts GROUP BY e")
    assert most.isStreaming
    assert most.columns == ["e", "most"]
    if not is_connect(taught):  # clients of JDBC read the rows of a command too
        assert rows(taught, f"CREATE TEMP VIEW taught_starts AS SELECT window_start AS s FROM {windows}") == []
        assert taught.table("taught_starts").isStreaming
    for view in ("taught_events", "taught_windows", "taught_counts", "taught_starts"):
        taught.catalog.dropTempView(view)


@pytest.mark.slow
def test_statements_about_streams_do_nothing_until_they_run(taught: SparkSession) -> None:
    statement = """CREATE STREAMING TABLE ticks_stream OPTIONS (trigger 'available now') AS
                   SELECT k, count(*) AS n FROM STREAM taught_rows WATERMARK ts DELAY OF INTERVAL 1 SECOND
                   WINDOW ASSIGN TUMBLING(ts, '10 minutes') GROUP BY k"""
    parser = taught._jsparkSession.sessionState().sqlParser()
    plan = parser.parsePlan(statement)
    assert not taught.catalog.tableExists("ticks_stream")
    assert [column.name() for column in _columns(taught, plan)] == ["name", "status"]
    assert rows(taught, statement) == ["[default.ticks_stream,started]"]
    assert rows(taught, "AWAIT STREAM ticks_stream")[0].startswith("[default.ticks_stream,finished,")
    assert any(row.startswith("[default.ticks_stream,finished,") for row in rows(taught, "SHOW STREAMS"))
    assert len(rows(taught, "SHOW WINDOW STATE OF ticks_stream")) == 2
    assert rows(taught, "SELECT k, n FROM ticks_stream") == ["[0,5]", "[1,5]"]
    with pytest.raises(AnalysisException, match="this session has no stream nosuch"):
        rows(taught, "STOP STREAM nosuch")
    from winsql.spark.tables.registry import streams_of

    streams_of(taught).clear()
    taught.sql("DROP TABLE ticks_stream")


def _columns(spark: SparkSession, plan: Any) -> list[Any]:
    return list(spark._jvm.scala.jdk.javaapi.CollectionConverters.asJava(plan.output()))


def test_every_statement_of_the_language_is_seen(taught: SparkSession) -> None:
    """The parser in the JVM must show Python every text that Python would not call plain."""
    from winsql.syntax import parse_statement

    parser = taught._jsparkSession.sessionState().sqlParser()
    texts = [case.input for kind in ("rewrite", "plans", "identity", "errors") for case in golden_cases(kind)]
    texts += ["SHOW STREAMS", "STOP STREAM t", "AWAIT STREAM t", "SHOW WINDOW STATE OF t", "EXPLAIN/**/WINDOW SELECT 1"]

    def is_plain(text: str) -> bool:
        try:
            return parse_statement(text).is_plain
        except WinsqlError:
            return False

    own = [text for text in texts if not is_plain(text)]
    assert len(own) > 200
    assert [text for text in own if not parser.hasWords(text)] == []
    assert not parser.hasWords("SELECT sum(v) OVER w, window(ts, '1 day') FROM t WINDOW w AS (PARTITION BY k)")


def test_plain_texts_cost_less_than_a_millisecond(taught: SparkSession) -> None:
    """CPU time on both sides, for a text that never leaves the JVM and for one that Python must look at.

    On a slow machine, or in a JVM that is cold, less than five times what Spark's own parser takes there.
    """
    import time

    clock = taught._jvm.java.lang.management.ManagementFactory.getThreadMXBean()
    extended = taught._jsparkSession.sessionState().sqlParser()
    before = extended.before()

    def cpu_ms(parser: Any, text: str) -> float:
        for _ in range(30):
            parser.parsePlan(text)
        start = time.thread_time() * 1e3 + clock.getCurrentThreadCpuTime() / 1e6
        for _ in range(100):
            parser.parsePlan(text)
        return (time.thread_time() * 1e3 + clock.getCurrentThreadCpuTime() / 1e6 - start) / 100

    for text in (
        "SELECT k, sum(v) FROM taught_rows GROUP BY k",
        "SELECT sum(v) OVER window, 'assign' FROM taught_rows WINDOW window AS ()",
    ):
        found: list[tuple[float, float]] = []
        while len(found) < 10 and not any(cost < max(1, 5 * own) for cost, own in found):
            own = cpu_ms(before, text)
            found.append((cpu_ms(extended, text) - own, own))
        assert any(cost < max(1, 5 * own) for cost, own in found), (text, found)


def test_unregister_undoes_it(taught: SparkSession) -> None:
    """`sql`, functions and the parser; then the other tests' registration again."""
    extended = None if is_connect(taught) else taught._jsparkSession.sessionState().sqlParser()
    taught.sql(f"CREATE TEMPORARY VIEW ticks_kept AS {OPERATOR}")
    winsql.unregister(taught)
    winsql.unregister(taught)
    try:
        assert "sql" not in vars(taught)
        assert taught.sql("SHOW USER FUNCTIONS").collect() == []
        with pytest.raises(ParseException):
            taught.sql(OPERATOR).collect()
        assert taught.table("ticks_kept").count() == 4
        if extended is not None:
            assert taught._jsparkSession.sessionState().sqlParser().equals(extended.before())
            with pytest.raises(ParseException):  # one that still holds the parser meets Spark's own
                extended.parsePlan(OPERATOR)
    finally:
        taught.sql("CREATE TEMPORARY FUNCTION evict_count(x INT) RETURNS INT RETURN x")
        with pytest.warns(UserWarning, match="stay as they are: evict_count"):
            winsql.register(taught)
    assert taught.sql("SELECT evict_count(7)").first()[0] == 7
    taught.sql("DROP TEMPORARY FUNCTION evict_count")
    taught.catalog.dropTempView("ticks_kept")


def test_threads_register_at_once(taught: SparkSession) -> None:
    session = taught.newSession()
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [Thread(target=winsql.register, args=(session,)) for _ in range(4)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switch)
        winsql.unregister(session)
    assert "sql" not in vars(session)
    assert session.sql("SHOW USER FUNCTIONS").collect() == []
    assert session._jsparkSession.sessionState().sqlParser().getClass().getName() != "winsql.WindowParser"


def test_functions_in_the_place_of_the_packs_stay(taught: SparkSession) -> None:
    session = taught.newSession()
    winsql.register(session)
    names = {"tumble_start", "session_windows"}
    for name in (*names, "evict_count"):
        session.sql(f"DROP TEMPORARY FUNCTION IF EXISTS {name}")
    for name in names:
        session.sql(f"CREATE TEMPORARY FUNCTION {name}(a INT) RETURNS INT RETURN a + 1")
    winsql.unregister(session)
    assert {row[0].rpartition(".")[2] for row in session.sql("SHOW USER FUNCTIONS").collect()} == names
    assert tuple(session.sql("SELECT tumble_start(1), session_windows(2)").first()) == (2, 3)


def test_a_function_of_the_current_schema_stays(taught: SparkSession) -> None:
    session = taught.newSession()
    session.sql("CREATE FUNCTION tumble_end(n INT) RETURNS INT RETURN n + 1000")
    try:
        with pytest.warns(UserWarning, match="stay as they are: tumble_end$"):
            winsql.register(session)
        assert session.sql("SELECT tumble_end(1)").first()[0] == 1001
        winsql.unregister(session)
        assert session.sql("SELECT tumble_end(1)").first()[0] == 1001
        load_functions(session, "SELECT tumble_end(1)")
        assert session.sql("SELECT tumble_end(1)").first()[0] == 1001
    finally:
        session.sql("DROP FUNCTION tumble_end")


WITHOUT_FUNCTIONS = """
package another;
public class Bare implements org.apache.spark.sql.connector.catalog.CatalogPlugin {
  public void initialize(String name, org.apache.spark.sql.util.CaseInsensitiveStringMap options) {}
  public String name() { return "bare"; }
  public String[] defaultNamespace() { return new String[0]; }
}"""


def test_where_the_current_catalog_has_no_functions(taught: SparkSession) -> None:
    """Spark calls its own and the session's there, and lists none."""
    session = taught.newSession()
    manager = session._jsparkSession.sessionState().catalogManager()
    catalogs = manager.getClass().getDeclaredField("catalogs")
    catalogs.setAccessible(True)
    catalogs.get(manager).put("bare", java_object(session, "another.Bare", WITHOUT_FUNCTIONS))
    session.catalog.setCurrentCatalog("bare")
    winsql.register(session)
    table = "spark_catalog.default.taught_rows"
    text = f"SELECT skewness(v), tumble_start(max(ts), INTERVAL 1 DAY) FROM {table} WINDOW ASSIGN COUNT(5)"
    assert session.sql(text).count() == 4
    winsql.unregister(session)
    load_functions(session, "SELECT count_fires(6, 3)")
    assert list(session.sql("SELECT count_fires(6, 3)").first()[0]) == [2, 5]


@pytest.mark.since("4.1")
def test_a_session_that_has_the_packs_functions_already(taught: SparkSession) -> None:
    """One of Spark Connect that a client comes back to, or that has been cloned: the pack's own need no warning."""
    session = taught.newSession()
    assert "tumble_start" in install_functions(session)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert install_functions(session) == []
    session.sql("CREATE OR REPLACE TEMPORARY FUNCTION tumble_start(a INT) RETURNS INT RETURN a + 1")
    with pytest.warns(UserWarning, match="which stay as they are: tumble_start$"):
        assert install_functions(session) == []


STOPPED = """
from pyspark.sql import SparkSession
import winsql

def started():
    return SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()

def refused(use):
    try:
        use()
    except winsql.WindowPlanError as error:
        return "this Spark session has been stopped" in str(error)

first = started()
winsql.register(first)
first.stop()
assert refused(lambda: first.sql("SELECT count(*) FROM range(4) WINDOW ASSIGN COUNT(2)"))
assert refused(lambda: winsql.sql(first, "SELECT 1"))
assert refused(lambda: winsql.register(first))
winsql.unregister(first)
assert "sql" not in vars(first)
second = started()
winsql.register(second)
assert second.sql("SELECT count(*) FROM range(4) WINDOW ASSIGN COUNT(2)").count() == 2
"""


@pytest.mark.slow
def test_a_session_that_has_been_stopped() -> None:
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


CLIENT = """
package another;

import java.util.List;

public class Client implements Runnable {
  private org.apache.spark.sql.classic.SparkSession session;
  private String text;
  private Object found;

  public Object ask(org.apache.spark.sql.classic.SparkSession session, String text) throws Exception {
    this.session = session;
    this.text = text;
    Thread thread = new Thread(this);
    thread.start();
    thread.join();
    return found;
  }

  public void run() {
    try {
      found = ((org.apache.spark.sql.classic.Dataset) session.sql(text)).collectAsList().size();
    } catch (Throwable error) {
      found = error.toString();
    }
  }
}
"""


def test_threads_of_the_jvm(taught: SparkSession) -> None:
    """As clients of a Thrift server have them: threads that Python has not made."""
    client = java_object(taught, "another.Client", CLIENT)
    assert client.ask(taught._jsparkSession, OPERATOR) == 4
    assert "TUMBLNG is not a window assigner\n  at line 2, column 15" in client.ask(taught._jsparkSession, MISTAKE)
    assert client.ask(taught._jsparkSession, "SHOW STREAMS") == len(rows(taught, "SHOW STREAMS"))


ANOTHER = """
package another;

import org.apache.spark.sql.catalyst.parser.ParameterContext;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

public class Greeting extends org.apache.spark.sql.execution.SparkSqlParser {
  public LogicalPlan parsePlan(String text) throws ParseException {
    return super.parsePlan(translated(text));
  }

  public LogicalPlan parsePlanWithParameters(String text, ParameterContext parameters) throws ParseException {
    return super.parsePlanWithParameters(translated(text), parameters);
  }

  private static String translated(String text) {
    return text.equals("HELLO") ? "SELECT 'hello' AS word" : text;
  }
}
"""


@pytest.mark.since("4.3")  # its other parser has the methods of one version
def test_beside_another_extension_of_the_parser(taught: SparkSession) -> None:
    """One that was there before, and one that came later and stays when winsql goes."""
    from winsql.spark.extension.parser_hook import ParserHook, put_parser

    session = taught.newSession()
    state = session._jsparkSession.sessionState()
    put_parser(state, java_object(session, "another.Greeting", ANOTHER))
    first = ParserHook(session)
    assert [rows(session, "HELLO"), len(rows(session, OPERATOR))] == [["[hello]"], 4]
    later = ParserHook(session)
    first.remove()
    assert [rows(session, "HELLO"), len(rows(session, OPERATOR))] == [["[hello]"], 4]
    later.remove()
    assert rows(session, "HELLO") == ["[hello]"]
    with pytest.raises(ParseException):
        rows(session, OPERATOR)


def test_a_session_that_cannot_be_extended(taught: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    from winsql.spark.extension import parser_hook

    session = taught.newSession()
    before = session._jsparkSession.sessionState().sqlParser()
    monkeypatch.setattr(parser_hook, "_FIELD", "parserOfAnotherVersion")
    with pytest.raises(WindowPlanError) as caught:
        winsql.register(session)
    assert "NoSuchFieldException: parserOfAnotherVersion" in str(caught.value)
    assert "winsql.sql(spark, text)" in str(caught.value)
    assert session._jsparkSession.sessionState().sqlParser().equals(before)
    assert "sql" not in vars(session)
    assert winsql.sql(session, OPERATOR).count() == 4
