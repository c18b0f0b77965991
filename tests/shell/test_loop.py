"""What the interactive shell does with files that results go to. No Spark."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import pytest
from pyspark.sql import SparkSession

from winsql.shell.interactive.loop import _obey
from winsql.shell.interactive.starting import Starting
from winsql.shell.interactive.state import Shell
from winsql.shell.pager import page
from winsql.shell.run import Output


def _print(shell: Shell, text: str) -> bool:
    print(text, file=shell.output.out, flush=True)
    return True


def _shell() -> Shell:
    return Shell(Starting(lambda errors: cast(SparkSession, object())), Output(out=sys.stdout), _print)


@pytest.mark.parametrize("command", ["\\o /dev/full", "SELECT 1 \\g /dev/full", "\\s /dev/full"])
def test_a_full_disk_does_not_end_the_shell(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    shell = _shell()
    shell.history = lambda: ["SELECT 1"]
    for text in (command, "SELECT 2"):
        _obey(shell, text)
    assert "No space left on device" in capsys.readouterr().err
    _obey(shell, "\\o")
    capsys.readouterr()
    _obey(shell, "SELECT 3")
    assert capsys.readouterr() == ("SELECT 3\n", "")


def test_results_go_to_a_file_of_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = _shell()
    monkeypatch.setenv("HOME", str(tmp_path))
    for text in ("\\o ~/x.csv", "SELECT 1", "\\o"):
        _obey(shell, text)
    assert (tmp_path / "x.csv").read_text(encoding="utf-8") == "SELECT 1\n"


@pytest.mark.parametrize("command", ["\\o {}", "\\i {}", "SELECT 1 \\g {}", "\\s {}", "\\e {}"])
def test_names_that_name_no_file_do_not_end_the_shell(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    shell = _shell()
    for name, problem in (
        ("~no_such_user/x", "no home folder is known for ~no_such_user"),
        ("a\0b", "a NUL character"),
    ):
        _obey(shell, command.format(name))
        assert problem in capsys.readouterr().err
        _obey(shell, "SELECT 2")
        assert capsys.readouterr() == ("SELECT 2\n", "")


def test_a_command_of_the_system_with_a_nul_does_not_end_the_shell(capsys: pytest.CaptureFixture[str]) -> None:
    _obey(_shell(), "\\! echo a\0b")
    assert capsys.readouterr() == ("", "a command of the system has no NUL character in it\n\n")


@pytest.mark.parametrize("variable", ["VISUAL", "EDITOR"])
@pytest.mark.parametrize(("value", "problem"), [("vi 'x", "No closing quotation: vi 'x"), (" ", "it is blank")])
def test_an_editor_that_is_no_command(
    variable: str, value: str, problem: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv(variable, value)
    _obey(_shell(), "\\e")
    assert capsys.readouterr().err == f"${variable} is no command: {problem}\n\n"


@pytest.mark.parametrize("value", ["less 'x", " "])
def test_text_is_shown_where_the_pager_is_no_command(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGER", value)
    page("text", sys.stdout)
    assert capsys.readouterr().out == "text\n"
