"""`exit`, `source` and `!` in scripts, as for spark-sql. No Spark: the statements here are not SQL."""

from __future__ import annotations

import io
from pathlib import Path
from typing import cast

import pytest
from pyspark.sql import SparkSession

from winsql.shell import run
from winsql.shell.interactive.loop import _obey, _run
from winsql.shell.interactive.starting import Starting
from winsql.shell.interactive.state import Shell
from winsql.shell.script import Statement, read_script


@pytest.fixture(autouse=True)
def no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def say(spark: SparkSession, statement: Statement, heading: str | None, output: run.Output) -> None:
        print(statement.text, file=output.out)

    monkeypatch.setattr(run, "run_statement", say)


def _script(text: str) -> tuple[bool, str]:
    out = io.StringIO()
    done = run.run_scripts(cast(SparkSession, None), [read_script("s.sql", text)], run.Output(out=out))
    return done, out.getvalue()


@pytest.mark.parametrize("word", ["exit", "QUIT", "/* enough */ Exit", "-- enough\nquit"])
def test_exit_ends_the_script_without_an_error(word: str) -> None:
    assert _script(f"SELECT 1; {word};\nSELECT 2") == (True, "SELECT 1\n")


def test_names_that_only_begin_so_are_left_to_spark() -> None:
    script = "exit 1; quitting; source; sources a; SELECT exit; a!"
    assert _script(script) == (True, script.replace("; ", "\n") + "\n")


def test_source_runs_a_file_of_its_own_statements(tmp_path: Path) -> None:
    inner, outer = tmp_path / "in ner.sql", tmp_path / "outer.sql"
    inner.write_text("SELECT 2; SELECT 3", encoding="utf-8")
    outer.write_text(f"source {inner}; SELECT 4", encoding="utf-8")
    expected = "".join(f"SELECT {number}\n" for number in range(1, 6))
    assert _script(f"SELECT 1; SOURCE {outer};\nSELECT 5") == (True, expected)


def test_exit_in_a_file_ends_the_scripts_around_it(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("SELECT 2; exit; SELECT 3", encoding="utf-8")
    assert _script(f"source {tmp_path}/a.sql; SELECT 4") == (True, "SELECT 2\n")


def test_a_file_that_cannot_be_read_or_reads_itself_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _script("SELECT 1;\nsource no-such.sql;\nSELECT 2") == (False, "SELECT 1\n")
    said = "winsql: s.sql:2: statement 2 failed\ncannot read no-such.sql: No such file or directory\n"
    assert capsys.readouterr().err.startswith(said)
    (tmp_path / "a.sql").write_text(f"source {tmp_path}/b.sql", encoding="utf-8")
    (tmp_path / "b.sql").write_text(f"source {tmp_path}/a.sql", encoding="utf-8")
    assert _script(f"source {tmp_path}/a.sql") == (False, "")
    assert f"a.sql reads itself: {tmp_path}/a.sql reads {tmp_path}/b.sql reads" in capsys.readouterr().err


def test_a_command_of_the_system_runs_and_may_fail(capsys: pytest.CaptureFixture[str]) -> None:
    assert _script("SELECT 1; !echo 'a;b'; ! exit 3; SELECT 2") == (False, "SELECT 1\na;b\n")
    assert "s.sql:1: statement 3 failed\nexit code 3\n" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["SELECT 1; exit;", "source {folder}/a.sql;", "\\i {folder}/a.sql"])
def test_exit_leaves_the_shell(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("SELECT 1; quit; SELECT 2", encoding="utf-8")
    out = io.StringIO()
    shell = Shell(Starting(lambda errors: cast(SparkSession, object())), run.Output(out=out), _run)
    shell.starting.begin()
    _obey(shell, text.format(folder=tmp_path))
    assert (shell.is_over, out.getvalue()) == (True, "SELECT 1\n")
