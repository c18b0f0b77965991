"""The winsql command: options, exit codes, what goes to which stream."""

from __future__ import annotations

import csv
import io
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from py4j.protocol import Py4JError
from pyspark.sql import functions

from winsql.errors import WindowSyntaxError, WinsqlError
from winsql.shell.cli import main
from winsql.shell.formats import Format
from winsql.shell.launch import _require_listener
from winsql.shell.result import collect
from winsql.shell.run import Output, run_statement
from winsql.shell.script import Script, split

EVENTS = """\
CREATE TEMPORARY VIEW events AS
SELECT * FROM VALUES ('a', TIMESTAMP_NTZ'2024-01-01 00:00:10', 1), ('a', TIMESTAMP_NTZ'2024-01-01 00:00:40', 2),
                     ('a', TIMESTAMP_NTZ'2024-01-01 00:01:10', 4), ('b', NULL, 8) AS t(k, ts, v);
"""
PER_MINUTE = "SELECT k, window_start, sum(v) AS total FROM events WINDOW ASSIGN TUMBLING(ts, '1 minute') GROUP BY k"


def run_main(argv: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(argv)
    return (code, *capsys.readouterr())


# ---------------------------------------------------------------- without Spark


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["-e", "SELECT 'open"], "winsql: -e: this string is not closed before the end of the script\n"),
        (["-f", "no-such.sql"], "winsql: cannot read no-such.sql: No such file or directory\n"),
        (["-i", "no-such.sql", "-e", "SELECT 1"], "winsql: cannot read no-such.sql: No such file or directory\n"),
    ],
)
def test_a_script_that_cannot_be_read_fails_before_spark_starts(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run_main(argv, capsys)
    assert (code, out) == (1, "")
    assert err.startswith(message)


def test_a_file_must_be_utf_8(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin.sql"
    path.write_bytes(b"SELECT '\xe9'")
    assert run_main(["-f", str(path)], capsys) == (1, "", f"winsql: cannot read {path}: not UTF-8 text at byte 8\n")


@pytest.mark.parametrize("argv", [[], ["--help"], ["-e", "SELECT 'open"], ["fmt", "no-such.sql"]])
def test_standard_streams_may_be_closed(argv: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As by `<&- >&- 2>&-`, where Python has no such streams."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    try:
        code = main(argv)
    except SystemExit as left:
        code = left.code
    assert code == (1 if "SELECT 'open" in argv else 2 if argv[:1] == ["fmt"] else 0)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--conf", "novalue"], "argument --conf: expected KEY=VALUE, got 'novalue'"),
        (["--output", "xml"], "argument --output: expected one of table, csv, json, markdown, got 'xml'"),
        (["-d", "x"], "argument -d/--define/--hivevar: expected NAME=VALUE, got 'x'"),
        (["--master", "local", "--remote", "sc://x"], "argument --remote: not allowed with argument --master"),
        (["--rows", "-1"], "argument --rows: expected a number of rows, 0 or more, got '-1'"),
        (["--rows", "many"], "argument --rows: expected a number of rows, 0 or more, got 'many'"),
        (["stray.sql"], "unrecognized arguments: stray.sql"),
    ],
)
def test_a_wrong_option_is_refused(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(argv)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_nothing_to_run_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_main(["-e", " ; -- nothing"], capsys) == (0, "", "")


# ------------------------------------------------------- a session, this process


def run(spark, text: str, **options) -> tuple[bool, str]:
    """Success and printed text of a script, elapsed times replaced."""
    from winsql.shell.run import Output, run_scripts

    out = io.StringIO()
    script = Script("test.sql", text, tuple(split(text)))
    done = run_scripts(spark, [script], Output(out=out, **options))
    return done, re.sub(r"\d+\.\d\d s", "TIME", out.getvalue())


@pytest.fixture
def events(spark):
    spark.sql(EVENTS.rstrip().rstrip(";"))
    yield
    spark.catalog.dropTempView("events")


def test_an_error_of_java_is_told_without_its_class(spark, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(spark, "CREATE TABLE x USING nonsense AS SELECT 1 AS a") == (False, "")
    assert "statement 1 failed\n[DATA_SOURCE_NOT_FOUND] Failed to find" in capsys.readouterr().err


def test_rows_come_with_title_count_time_and_note(spark, events) -> None:
    assert run(spark, f"-- Totals per minute\n{PER_MINUTE} ORDER BY window_start") == (
        True,
        "-- Totals per minute\n"
        "\n"
        "k  window_start         total\n"
        "-  -------------------  -----\n"
        "a  2024-01-01 00:00:00      3\n"
        "a  2024-01-01 00:01:00      4\n"
        "\n"
        "2 rows in TIME\n"
        "note: 1 row has a NULL event time and belongs to no window\n"
        "\n",
    )


def test_silent_prints_rows_only_and_the_note_apart(spark, events, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(spark, f"{PER_MINUTE} ORDER BY window_start LIMIT 1", silent=True) == (
        True,
        "k  window_start         total\n-  -------------------  -----\na  2024-01-01 00:00:00      3\n",
    )
    assert capsys.readouterr().err == "note: 1 row has a NULL event time and belongs to no window\n"


def test_no_more_rows_are_computed_than_are_printed(spark) -> None:
    _, printed = run(spark, "SELECT id FROM range(1, 1000000000000)", limit=2)  # all of them would take days
    assert printed == (
        "test.sql:1\n\nid\n--\n 1\n 2\n… more rows (--rows 0 prints all)\n\nthe first 2 rows in TIME\n\n"
    )
    _, printed = run(spark, "SELECT id FROM range(2)", limit=2)
    assert printed.splitlines()[-2:] == ["2 rows in TIME", ""]


def test_the_total_is_told_where_it_is_known(spark) -> None:
    _, printed = run(spark, "-- Names\nSHOW FUNCTIONS LIKE 'a*'", limit=2)
    assert re.search(r"\n… \d+ more \(--rows 0 prints all\)\n\n\d+ rows in TIME\n", printed)
    _, printed = run(spark, "SELECT id FROM range(1, 151) ORDER BY id", limit=0)
    assert printed.splitlines()[-2:] == ["150 rows in TIME", ""]
    assert len(printed.splitlines()) == 4 + 150 + 3
    assert run(spark, "SELECT id FROM range(2)", limit=(1 << 31) - 1)[1].splitlines()[-2:] == ["2 rows in TIME", ""]


def test_rows_for_other_programs_stand_alone_and_are_all_there(spark, capsys: pytest.CaptureFixture[str]) -> None:
    text = "SELECT id, IF(id = 0, NULL, array(id)) AS a, X'01FF' AS b, id > 0 AS c FROM range(120) ORDER BY id"
    _, printed = run(spark, text, form=Format.JSON)
    rows = json.loads(printed)
    assert len(rows) == 120
    assert rows[:2] == [
        {"id": 0, "a": None, "b": "01FF", "c": False},
        {"id": 1, "a": [1], "b": "01FF", "c": True},
    ]
    assert capsys.readouterr().err == ""
    _, printed = run(spark, text, form=Format.CSV, limit=2)
    assert printed == "id,a,b,c\n0,,01FF,false\n1,[1],01FF,true\n"
    assert capsys.readouterr().err == "… more rows (--rows 0 prints all)\n"


def test_rows_for_other_programs_are_passed_on_and_not_kept(spark, events, capsys: pytest.CaptureFixture[str]) -> None:
    from winsql.shell.run import Output, run_statement

    class Counting(io.StringIO):
        def writelines(self, lines: Iterable[str]) -> None:
            assert iter(lines) is lines  # no list of all
            super().writelines(lines)

    out = Counting()
    (statement,) = split("SELECT id FROM range(3)")
    run_statement(spark, statement, None, Output(form=Format.CSV, out=out))
    assert out.getvalue() == "id\n0\n1\n2\n"
    operator = f"{PER_MINUTE.replace('GROUP BY', 'TRIGGER COUNT(1) GROUP BY')} ORDER BY window_start, total"
    for adaptive in ("true", "false", "FALSE"):  # Spark tells the number of times that are NULL early without it
        spark.conf.set("spark.sql.adaptive.enabled", adaptive)
        assert run(spark, operator, form=Format.CSV)[0]
        assert capsys.readouterr().err == "note: 1 row has a NULL event time and belongs to no window\n"
    spark.conf.unset("spark.sql.adaptive.enabled")
    done, printed = run(spark, "SELECT cast(if(id = 2, 'x', '1') AS INT) AS n FROM range(0, 3, 1, 3)", form=Format.JSON)
    assert not done
    assert printed == '[{"n": 1},\n {"n": 1}'  # what came before; no reader takes it for all
    told = capsys.readouterr().err
    assert "[CAST_INVALID_INPUT]" in told
    assert "at line 1, column 8:" in told
    assert "awaitResult" not in told


def test_variables_come_from_the_command_line_and_from_set(spark, events, capsys: pytest.CaptureFixture[str]) -> None:
    script = (
        "SET shell_test_size = 1 minute;\n"
        "SELECT '${hivevar:word}' AS w, count(*) AS n FROM events WINDOW ASSIGN TUMBLING(ts, '${shell_test_size}');\n"
        "SELECT ${word}, nope"
    )
    done, printed = run(spark, script, silent=True, verbose=True, variables={"word": "1"})
    assert not done
    assert printed.splitlines()[4:7] == [
        "SELECT '1' AS w, count(*) AS n FROM events WINDOW ASSIGN TUMBLING(ts, '1 minute')",
        "w  n",
        "-  -",
    ]
    # the place is that of what was written
    assert "  at line 3, column 17:\n    SELECT ${word}, nope\n                    ^^^^\n" in capsys.readouterr().err
    spark.conf.unset("shell_test_size")


def test_a_variable_without_value_is_told_with_its_place(spark, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(spark, "SELECT 1 AS one;\n\nSELECT 'in ${missing}'", silent=True) == (False, "one\n---\n  1\n")
    error = capsys.readouterr().err
    assert "the variable ${missing} has no value\n  at line 3, column 12:" in error
    assert "hint: write -d missing=VALUE, or SET missing = VALUE" in error
    spark.conf.set("spark.sql.variable.substitute", "false")
    try:
        assert run(spark, "SELECT '${missing}' AS name", silent=True)[1].splitlines()[2] == "${missing}"
    finally:
        spark.conf.unset("spark.sql.variable.substitute")


def test_bytes_that_are_no_text_are_told_with_their_place(spark) -> None:
    """Python has read them from an option or a terminal as it reads names of files."""
    (statement,) = split("SELECT 'caf\udce9'")
    with pytest.raises(WindowSyntaxError, match="this is no UTF-8 text\n  at line 1, column 12:"):
        run_statement(spark, statement, None, Output())


def test_functions_of_the_pack_are_there_when_they_are_named(spark) -> None:
    from winsql.spark.extension.function_pack import drop_functions

    text = "SELECT window_start FROM explode_sliding_windows(TIMESTAMP'2024-01-01', INTERVAL 2 DAYS, INTERVAL 1 DAY)"
    done, printed = run(spark, f"{text} ORDER BY 1; SHOW USER FUNCTIONS", silent=True, limit=0)
    assert (done, printed.splitlines()[2:4]) == (True, ["2023-12-31 00:00:00", "2024-01-01 00:00:00"])
    names = printed.split()
    assert {"sliding_windows", "session_windows", "evict_count"} <= set(names)
    drop_functions(spark, [name for name in names if name.isidentifier() and "_" in name and name.islower()])
    script = "-- mine\nCREATE TEMPORARY FUNCTION tumble_start(x INT) RETURNS INT RETURN x + 1"
    assert run(spark, f"{script}; SELECT tumble_start(41) AS mine", silent=True) == (True, "mine\n----\n  42\n")
    drop_functions(spark, ["tumble_start"])


def test_a_remote_that_nobody_listens_at_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = time.monotonic()
    code, _, err = run_main(["--remote", f"sc://127.0.0.1:{port}", "-e", "SELECT 1"], capsys)
    assert code == 1
    assert f"winsql: Spark did not start: nobody answers at 127.0.0.1, port {port}: Connection refused" in err
    assert "Traceback" not in err
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        (FileNotFoundError(2, "No such file or directory", "java"), "Spark needs Java 17 or 21"),
        (Py4JError("Error while sending or receiving"), "Spark's Java process has ended while it started"),
        (ConnectionRefusedError(111, "Connection refused"), "Spark's Java process has ended while it started"),
    ],
)
def test_a_start_that_fails_says_what_to_do(
    error: Exception, hint: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("winsql.shell.launch.start_session", failing)
    code, _, err = run_main(["-e", "SELECT 1"], capsys)
    assert (code, err) == (1, f"winsql: Spark did not start: {error}\n  hint: {err.partition('hint: ')[2]}")
    assert f"hint: {hint}" in err


@pytest.mark.parametrize("remote", ["sc://[::1:3", "sc://x:y", "sc://x..y"])
def test_what_is_no_address(remote: str) -> None:
    with pytest.raises(WinsqlError, match="is no address of Spark Connect: "):
        _require_listener(remote)


@pytest.mark.parametrize("host", ["x..y", "x" * 64])
def test_what_is_no_name_of_a_host(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run_main(["serve", "--allow-remote", "--host", host], capsys)
    assert code == 1
    assert err.startswith(f"winsql serve: cannot listen on {host}, port 10000: this is no name of a host: ")


def test_values_are_written_as_spark_writes_them(spark) -> None:
    statement = """SELECT array(1, NULL) AS a, map('k', 1.50) AS m, named_struct('x', 'y') AS s, X'01FF' AS b,
                          NULL AS n, INTERVAL '1 2' DAY TO HOUR AS i, DATE'2024-02-29' AS d, 1 AS a"""
    _, printed = run(spark, statement, silent=True)
    names, _, values = printed.splitlines()
    assert re.split(r"  +", names) == ["a", "m", "s", "b", "n", "i", "d", "a"]
    assert re.split(r"  +", values) == [
        "[1, null]", "{k -> 1.50}", "{y}", "01FF", "NULL", "INTERVAL '1 02' DAY TO HOUR", "2024-02-29", "1",
    ]  # fmt: skip


@pytest.mark.skipif(not hasattr(functions, "st_asbinary"), reason="Spark 4.0 has no such types")
def test_nested_bytes_and_times_are_written_as_those_of_columns(spark) -> None:
    query = (
        "SELECT array(X'00FF', NULL) AS a, named_struct('t', TIMESTAMP'2024-05-01 10:00:00.123456', 'b', X'FF', 'v', "
        "array(named_struct('x.y', TIMESTAMP_NTZ'2024-05-01 10:00:00.000001', 'n', 1))) AS s, map(X'AB', X'CD', X'01', "
        "NULL) AS m, map(TIMESTAMP'2024-05-01 10:00:00', X'CD') AS k, if(false, named_struct('b', X''), NULL) AS none"
    )
    shown = _texts_of(spark, query, Format.JSON)
    assert [None if text is None else json.loads(text) for text in shown[:3]] == [
        ["00FF", None],
        {
            "t": "2024-05-01 10:00:00.123456",
            "b": "FF",
            "v": [{"x.y": "2024-05-01 10:00:00.000001", "n": 1}],
        },
        {"AB": "CD", "01": None},
    ]
    assert shown[4] is None
    assert _texts_of(spark, query, Format.TABLE) == [
        "[00FF, null]",
        "{2024-05-01 10:00:00.123456, FF, [{2024-05-01 10:00:00.000001, 1}]}",
        "{AB -> CD, 01 -> null}",
        "{2024-05-01 10:00:00 -> CD}",
        None,
    ]


def _texts_of(spark, query: str, form: Format) -> list[str | None]:
    """The texts of a query's only row."""
    return collect(spark.sql(query), form).rows[0]


@pytest.mark.parametrize("form", [Format.CSV, Format.JSON])
def test_places_on_earth_are_written_as_bytes(spark, form: Format) -> None:
    digits = "0101000000000000000000F03F0000000000000040"
    text = f"SELECT ST_GeogFromWKB(X'{digits}') AS g, ST_GeomFromWKB(X'{digits}') AS m, ST_GeogFromWKB(NULL) AS n"
    _, printed = run(spark, text, form=form)
    rows = json.loads(printed) if form is Format.JSON else list(csv.DictReader(io.StringIO(printed)))
    assert rows == [{"g": digits, "m": digits, "n": None if form is Format.JSON else ""}]


def test_a_query_without_end_is_refused_and_streams_are_stopped(spark, capsys: pytest.CaptureFixture[str]) -> None:
    from winsql.shell.run import end_streams

    script = (
        "CREATE TABLE shell_events (n INT) USING parquet;"
        "CREATE STREAMING TABLE shell_copy AS SELECT n FROM STREAM shell_events;"
        "SELECT n + 1 FROM STREAM shell_events"
    )
    done, printed = run(spark, script)
    assert not done
    assert "default.shell_copy  started" in printed
    error = capsys.readouterr().err
    assert "winsql: test.sql:1: statement 3 failed\nthis query reads a stream and has no end" in error
    assert "hint: write CREATE STREAMING TABLE name AS ..." in error
    end_streams(spark)
    end_streams(spark)  # a second time there is none
    name = "default.shell_copy"
    stopped = f"winsql: stopped stream {name}, which still ran; AWAIT STREAM {name} waits for its end\n"
    assert capsys.readouterr().err == stopped
    shown = [line.split()[:2] for line in run(spark, "SHOW STREAMS")[1].splitlines()]
    assert [name, "stopped"] in shown  # beside streams of other tests
    for table in ("shell_events", "shell_copy"):
        spark.sql(f"DROP TABLE {table}")


def test_a_command_without_rows_says_that_it_is_done(spark) -> None:
    text = "-- Settings\nSET TIME ZONE 'UTC'; CREATE TEMPORARY VIEW nothing AS SELECT 1; DROP VIEW nothing"
    done, printed = run(spark, text)
    assert done
    assert printed.splitlines()[-4:] == ["test.sql:2: done in TIME", "", "test.sql:2: done in TIME", ""]


# the window clauses' own errors, Spark's at planning, Spark's at parsing, Spark's while running
FAILURES = [
    (
        "SELECT 1 AS one;\n\nSELECT k, count(*)\nFROM events\nWINDOW ASSIGN TUMBLINK(ts, '1 minute') GROUP BY k",
        "winsql: test.sql:3: statement 2 failed\n",
        "  at line 5, column 15:\n    WINDOW ASSIGN TUMBLINK(ts, '1 minute') GROUP BY k;\n                  ^^^^^^^^\n",
    ),
    (
        "SELECT 1 AS one;\nSELECT nope\nFROM events",
        "winsql: test.sql:2: statement 2 failed\n[UNRESOLVED_COLUMN.WITH_SUGGESTION] ",
        "  at line 2, column 8:\n    SELECT nope\n           ^^^^\n",
    ),
    (
        "SELECT 1 AS one;\n\n  SELECT 1\n  FROM events WHERE v = = 1",
        "winsql: test.sql:3: statement 2 failed\n[PARSE_SYNTAX_ERROR] ",
        "  at line 4, column 25:\n      FROM events WHERE v = = 1;\n                            ^\n",
    ),
    (
        "SELECT 1 AS one;\nSELECT v, assert_true(v < 4) FROM events",
        "winsql: test.sql:2: statement 2 failed\n[USER_RAISED_EXCEPTION] '(v < 4)' is not true!",
        "\n\n  2 | SELECT v, assert_true(v < 4) FROM events\n",
    ),
]


@pytest.mark.parametrize(("text", "start", "inside"), FAILURES, ids=["window", "planning", "parsing", "running"])
def test_a_failure_names_the_statement_and_its_place_in_the_file(
    spark, events, text: str, start: str, inside: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done, printed = run(spark, f"{text};\nSELECT 'never'")
    error = capsys.readouterr().err
    assert not done
    assert error.startswith(start)
    assert inside in error
    assert "Traceback" not in error
    assert "\tat " not in error
    assert printed == "test.sql:1\n\none\n---\n  1\n\n1 row in TIME\n\n"
    # the session stays usable
    assert run(spark, "SELECT 2 AS two", silent=True) == (True, "two\n---\n  2\n")


# -------------------------------------------------------------- its own process


def winsql(*argv: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "winsql.shell.cli", "--conf", "spark.sql.shuffle.partitions=2", *argv]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.slow
@pytest.mark.spark
def test_the_command_runs_its_scripts_in_order(tmp_path: Path) -> None:
    (tmp_path / "init.sql").write_text(EVENTS, encoding="utf-8")
    (tmp_path / "run.sql").write_text(f"{PER_MINUTE} ORDER BY 2;", encoding="utf-8")
    result = winsql(
        "-S", "--master", "local[1]", "--database", "default", "-d", "file=run", "-i", str(tmp_path / "init.sql"),
        "-e", "SELECT 'a;b' AS x /* ; */; SELECT 2 AS y",
        "-f", str(tmp_path / "run.sql"), "-f", "-", stdin="SELECT 3 AS z",
    )  # fmt: skip
    assert result.stdout == (
        "x\n---\na;b\n"
        "y\n-\n2\n"
        "k  window_start         total\n-  -------------------  -----\n"
        "a  2024-01-01 00:00:00      3\na  2024-01-01 00:01:00      4\n"
        "z\n-\n3\n"
    )
    assert result.returncode == 0, result.stderr
    assert "note: 1 row has a NULL event time and belongs to no window" in result.stderr


@pytest.mark.slow
@pytest.mark.spark
def test_the_command_fails_with_the_statement_that_fails() -> None:
    state_store = "spark.sql.streaming.stateStore.providerClass"
    result = winsql("-e", f"SET {state_store}", "-f", "-", stdin="SELECT 1 AS x;\nSELECT\n  oops;\nSELECT 2 AS y")
    assert result.returncode == 1
    assert "\nx\n-\n1\n" in result.stdout
    assert "\ny\n" not in result.stdout
    assert f"{state_store}  org.apache.spark.sql.execution.streaming.state.RocksDB" in result.stdout
    assert "winsql: <stdin>:2: statement 2 failed\n[UNRESOLVED_COLUMN" in result.stderr
    assert "  at line 3, column 3:\n      oops;\n      ^^^^\n" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
@pytest.mark.spark
def test_a_jvm_that_is_killed_is_one_error_without_traces_of_python(tmp_path: Path) -> None:
    script = tmp_path / "run.sql"
    script.write_text("SELECT 1;\n!kill -9 $(pgrep -P $PPID java);\nSELECT 2;\n", encoding="utf-8")
    result = winsql("--master", "local[1]", "-f", str(script))
    assert "statement 3 failed\nthe connection to Spark was lost: " in result.stderr
    assert "Traceback" not in result.stderr
    assert result.returncode == 1
