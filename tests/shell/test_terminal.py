"""The interactive shell in a real terminal. One process for all tests, as it takes seconds to start."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal import Terminal

pytestmark = pytest.mark.spark

UP, TAB, CTRL_C, CTRL_D, CTRL_L, ENTER = "\x1b[A", "\t", "\x03", "\x04", "\x0c", "\r"
ENDLESS = "SELECT count(*) FROM range(1000000000000);"
EDITOR = """\
import sys
path = sys.argv[1]
text = open(path).read()
open(path, "w").write(text.replace("41", "42") or "SELECT 7 AS from_the_editor;")
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def starting(home: Path) -> Iterator[Terminal]:
    """A shell whose Java waits for the file `go`."""
    (home / "editor.py").write_text(EDITOR, encoding="utf-8")
    (home / "init.sql").write_text(
        "CREATE TEMP VIEW readings AS SELECT id AS meter, 10 * id AS peak FROM range(${meters})", encoding="utf-8"
    )
    java = home / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f'#!/bin/sh\nwhile [ ! -e "{home}/go" ]; do sleep 0.05; done\nexec "{_java()}" "$@"\n')
    java.chmod(0o700)
    warehouse = f"spark.sql.warehouse.dir={home}"
    command = [sys.executable, "-m", "winsql.shell.cli", "--master", "local[2]", "--conf", warehouse]
    terminal = Terminal(
        [*command, "-i", str(home / "init.sql"), "-d", "meters=3", "--conf", "spark.sql.shuffle.partitions=2"],
        {
            "JAVA_HOME": str(home / "java"),
            "XDG_STATE_HOME": str(home),
            "WINSQL_CACHE": "",
            "EDITOR": f"{sys.executable} {home / 'editor.py'}",
            "PAGER": "sed s/^/paged:/",
        },
    )
    yield terminal
    terminal.close()


def _java() -> str:
    given = os.environ.get("JAVA_HOME")
    found = f"{given}/bin/java" if given else shutil.which("java")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def early(starting: Terminal, home: Path) -> list[str]:
    """The screens before Java has begun, and the one after the statement that was typed meanwhile."""
    screens = [starting.wait_until(lambda screen: "\\? is help" in screen and screen.endswith("\nwinsql>"))]
    starting.type("SELECT 6 * 7 AS answer FROM readings WINDOW ASS" + TAB)
    screens.append(starting.wait_for("WINDOW ASSIGN"))
    starting.type(CTRL_C + "SELECT 1;" + ENTER)
    starting.wait_for("Spark is starting ...")
    starting.type(CTRL_C)
    screens.append(starting.wait_until(lambda screen: "interrupted" in screen and screen.endswith("\nwinsql>")))
    starting.type("SELECT sum(peak) AS total FROM readings;" + ENTER)
    screens.append(starting.wait_for("Spark is starting ..."))
    (home / "go").touch()
    screens.append(
        starting.wait_until(lambda screen: "1 row in" in screen and screen.endswith("\nwinsql>"), patience=300)
    )
    return screens


@pytest.fixture(scope="module")
def started(starting: Terminal, early: list[str]) -> Terminal:
    return starting


def test_the_prompt_is_there_while_spark_starts(early: list[str]) -> None:
    assert "SELECT 6 * 7 AS answer FROM readings WINDOW ASSIGN" in early[1]
    assert "Spark is starting" not in early[2]
    assert "Spark is starting" not in early[-1]
    assert "winsql> SELECT sum(peak) AS total FROM readings;\ntotal\n-----\n   30\n\n1 row in " in early[-1]


@pytest.fixture
def shell(started: Terminal) -> Terminal:
    """An empty screen with a prompt, whatever went before."""
    started.type(CTRL_C)
    started.wait_until(lambda screen: screen.endswith("\nwinsql>"))
    started.type(CTRL_L)
    started.wait_until(lambda screen: screen == "winsql>")
    return started


def run(shell: Terminal, keys: str, *texts: str) -> str:
    """The screen when the texts and a new prompt stand on it."""
    shell.type(keys + ENTER)
    return shell.wait_until(lambda screen: all(t in screen for t in texts) and screen.endswith("\nwinsql>"))


def test_a_statement_ends_with_its_semicolon(shell: Terminal) -> None:
    shell.type(f"SELECT meter, -- all; of them{ENTER}  'a;{ENTER}b' AS two{ENTER}FROM readings LIMIT 1")
    shell.wait_for("     -> FROM readings LIMIT 1")
    screen = run(shell, ";", "1 row")
    assert screen.startswith(
        "winsql> SELECT meter, -- all; of them\n     ->   'a;\n     -> b' AS two\n     -> FROM readings LIMIT 1;\n"
        "meter  two\n-----  -----\n    0  a;\\nb\n\n1 row in "
    )


def test_statements_have_colours_and_tab_completes(shell: Terminal) -> None:
    shell.type("select 'x', 1, mete" + TAB)
    shell.wait_for("select 'x', 1, mete")
    shell.type(CTRL_C)
    shell.wait_until(lambda screen: screen.endswith("\nwinsql>"))
    shell.type("SELECT 'x', r.pe")
    typed = "winsql> SELECT 'x', r.pe"
    for keys, completed in (
        (" FROM readi", " FROM readings"),
        (" AS r window ass", " AS r window assign"),
        (" TUM", " TUMBLING("),
        ("ts, 1) TRIGGER ANY(EV", "ts, 1) TRIGGER ANY(EVENT_TIME("),
        (")) EVI", ")) EVICT"),
        (" DEL", " DELTA("),
    ):
        shell.type(keys + TAB)
        typed += completed
        shell.wait_until(lambda screen, typed=typed: "".join(screen.split()).endswith("".join(typed.split())))
    assert {"green", "blue", "cyan", "magenta"} <= shell.colours
    shell.type(CTRL_C + "\\d rea" + TAB)
    shell.wait_for("winsql> \\d readings")


def test_columns_and_functions_are_completed(shell: Terminal) -> None:
    left = "\x1b[D" * len(" FROM readings r")
    shell.type("SELECT , r. FROM readings r" + left + "pea" + TAB)
    shell.wait_for("SELECT , r.peak FROM readings r")
    shell.type("\x1b[D" * len(", r.peak") + "posexplode_o" + TAB)
    shell.wait_for("SELECT posexplode_outer, r.peak FROM readings r")
    shell.type(CTRL_C)


def test_arrow_up_brings_back_what_was_typed(shell: Terminal, home: Path) -> None:
    run(shell, "SELECT 11 AS eleven;", "1 row")
    shell.type(CTRL_L + UP)
    shell.wait_until(lambda screen: screen == "winsql> SELECT 11 AS eleven;")
    shell.type(CTRL_C)
    history = home / "winsql" / "history"
    assert "SELECT 11 AS eleven;" in history.read_text()
    assert history.stat().st_mode & 0o777 == 0o600


def test_ctrl_c_cancels_the_statement_and_not_the_shell(shell: Terminal) -> None:
    shell.type(ENDLESS + ENTER)
    shell.wait_for("tasks,")  # the progress of the job
    shell.type(CTRL_C)
    screen = shell.wait_until(lambda screen: "cancelled after" in screen and screen.endswith("\nwinsql>"))
    assert "tasks," not in screen.replace("\n", " ").partition("cancelled after")[2]
    assert "  5\n" in run(shell, "SELECT 2 + 3 AS sum;", "1 row")


@pytest.mark.slow
def test_a_stream_that_is_awaited_shows_its_progress_and_goes_on(shell: Terminal) -> None:
    run(shell, "CREATE TABLE ticks (n INT) USING parquet; INSERT INTO ticks VALUES (1), (2);", "done in")
    run(shell, "CREATE STREAMING TABLE copied AS SELECT n FROM STREAM ticks;", "default.copied", "started")
    shell.type("AWAIT STREAM copied;" + ENTER)
    shell.wait_for("copied: micro-batch 0, 2 rows in it")
    shell.type(CTRL_C)
    shell.wait_until(lambda screen: "the stream goes on" in screen and screen.endswith("\nwinsql>"))
    run(shell, "SHOW STREAMS;", "default.copied", "waiting")
    run(shell, "STOP STREAM copied;", "stopped")


def test_a_failure_has_its_caret_and_the_rest_does_not_run(shell: Terminal) -> None:
    screen = run(shell, "SELECT 5 AS five; SELECT nope FROM readings; SELECT 6 AS six;", "42703")
    assert "five" in screen.partition("\n")[2]
    assert "six\n" not in screen
    caret = screen.index("^^^^")
    line = screen[:caret].count("\n")
    above, under = screen.split("\n")[line - 1 : line + 1]
    assert above[under.index("^") : under.rindex("^") + 1] == "nope"
    assert "red" in shell.colours
    assert "did you mean TUMBLING?" in run(shell, "SELECT 1 FROM readings WINDOW ASSIGN TUMBLNG(ts, 1);", "hint:")


@pytest.mark.slow
def test_the_log_does_not_repeat_a_failure(shell: Terminal) -> None:
    screen = run(shell, "CREATE TABLE shares USING parquet AS SELECT 1 / id AS share FROM range(9);", "SQLSTATE: 22012")
    assert "FileFormatWriter" not in screen
    assert screen.count("[DIVIDE_BY_ZERO]") == 1
    run(shell, "CREATE TABLE zeros USING parquet AS SELECT 0 AS n;", "done in")
    run(shell, "CREATE STREAMING TABLE failed AS SELECT 1 / n AS share FROM STREAM zeros;", "started")
    screen = run(shell, "AWAIT STREAM failed;", "SQLSTATE: 22012", "MicroBatchExecution")
    assert "Traceback" not in screen
    assert "at org.apache.spark" not in screen


def test_the_commands(shell: Terminal, home: Path) -> None:
    screen = run(shell, "\\?", "\\timing [on|off]", "Ctrl-D leaves")
    assert screen.count("\n  \\") >= 12
    assert "CREATE [OR REPLACE] STREAM [IF NOT EXISTS] name INTO sink" in run(
        shell, CTRL_L + "\\h create stream", "for example"
    )
    assert "peak      bigint" in run(shell, CTRL_L + "\\d readings;", "2 rows")
    assert re.search(r"readings +true", run(shell, CTRL_L + "\\d", "tableName"))
    assert "did you mean" not in run(shell, CTRL_L + "\\d no_such", "TABLE_OR_VIEW_NOT_FOUND")
    assert "\\? lists them" in run(shell, CTRL_L + "\\nonsense", "is no command of the shell")
    assert "Usage:" in run(shell, CTRL_L + "\\df upper", "Function:")


def test_switches(shell: Terminal, home: Path) -> None:
    run(shell, "\\timing", "timing is off")
    run(shell, "\\x on", "expanded display is on")
    screen = run(shell, CTRL_L + "SELECT 1 AS a, NULL AS long_name;", "1 row\n")
    assert "-[ row 1 ]" in screen
    assert "\na          1\nlong_name  NULL\n" in screen
    run(shell, CTRL_L + "\\x\r.timer on", "expanded display is off", "timing is on")
    run(shell, CTRL_L + ".mode json", "format is json")
    assert '[{"a": 1, "b": [1,null]}]' in run(shell, "SELECT 1 AS a, array(1, NULL) AS b;", "[{")
    run(shell, CTRL_L + "\\format table", "format is table")
    run(shell, CTRL_L + f"\\o {home / 'out.txt'}\rSELECT 8 AS eight;\r\\o\rSELECT 9 AS nine;", "   9\n")
    assert (home / "out.txt").read_text().startswith("eight\n-----\n    8\n\n1 row in ")


def test_the_latest_statement_runs_again(shell: Terminal, home: Path) -> None:
    run(shell, CTRL_L + "\\set three 3\rSELECT 2 + ${three} AS five \\g", "   5\n")
    run(shell, CTRL_L + f"\\g {home / 'five.txt'}\r\\! cat {home / 'five.txt'}", "   5\n")
    shell.type(CTRL_L + "\\watch 0.1" + ENTER)
    shell.wait_until(lambda screen: screen.count("   5\n") > 2)
    shell.type(CTRL_C)
    shell.wait_until(lambda screen: screen.endswith("\nwinsql>"))
    run(shell, CTRL_L + f"\\s {home / 'typed.sql'}\r\\! echo written", "\nwritten\n")
    assert "\nSELECT 2 + ${three} AS five \\g\n" in (home / "typed.sql").read_text()


def test_rows_of_a_session(shell: Terminal) -> None:
    run(shell, "\\rows 2", "2 rows of a result are shown")
    screen = run(shell, CTRL_L + "SELECT id FROM range(1000000000000);", "the first 2 rows")
    assert "\n 0\n 1\n… more rows (\\rows 0 shows all)\n" in screen
    run(shell, CTRL_L + "\\rows 100", "100 rows")
    run(shell, CTRL_L + ".headers off", "names of columns are off")
    assert "SELECT 'a', 1;\na  1\n" in run(shell, CTRL_L + "SELECT 'a', 1;", "1 row")
    run(shell, CTRL_L + ".headers on\r\\dt\r\\dv", "database", "viewName", "readings")


def test_a_row_that_is_too_wide_turns_to_lines(shell: Terminal) -> None:
    run(shell, "\\x auto", "expanded display is automatic")
    times = ", ".join(f"TIMESTAMP'2024-05-01 10:00:0{n}' AS t{n}" for n in range(6))
    assert "\nt5  2024-05-01 10:00:05\n" in run(shell, CTRL_L + f"SELECT {times};", "1 row")
    plan = run(shell, CTRL_L + "EXPLAIN WINDOW SELECT 1 FROM readings WINDOW ASSIGN COUNT(1);", "SQL handed to Spark")
    assert "…" not in plan


def test_a_file_is_read_and_a_statement_edited(shell: Terminal, home: Path) -> None:
    (home / "script.sql").write_text("-- From the file\nSELECT ${meters} AS meters;\nSELECT nope", encoding="utf-8")
    screen = run(shell, f".read {home / 'script.sql'}", "statement 2 failed")
    assert "-- From the file\n\nmeters\n------\n     3\n" in screen
    assert "cannot read no-such.sql" in run(shell, CTRL_L + "\\i no-such.sql", "No such file")
    run(shell, CTRL_L + "SELECT 41 AS answer;", "1 row")
    screen = run(shell, CTRL_L + "\\e", "    42\n")
    assert "SELECT 42 AS answer;\nanswer\n------\n    42\n" in screen


def test_what_does_not_fit_is_cut_or_paged(shell: Terminal) -> None:
    screen = run(shell, "SELECT repeat('x', 80) AS a, repeat('y', 80) AS b FROM range(2);", "2 rows")
    assert "paged:" not in screen
    assert re.search(r"^x{30,}…  y{30,}…$", screen, re.MULTILINE)
    screen = run(shell, CTRL_L + "SELECT * FROM range(60);", "60 rows")
    assert "paged:59\n" in screen
    run(shell, CTRL_L + "\\pager off", "pager is off")
    assert "paged:59\n" not in run(shell, "SELECT * FROM range(60);", "60 rows")


def test_ctrl_d_leaves(shell: Terminal) -> None:
    shell.type("help" + ENTER)
    shell.wait_for("Ctrl-D leaves")
    shell.type("SELECT 1" + ENTER + CTRL_C + CTRL_D)
    assert shell.exit_code() == 0
