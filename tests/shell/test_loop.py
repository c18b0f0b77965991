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
