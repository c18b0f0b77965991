"""Folders for temporary files go with their processes, also with killed ones; nothing else is deleted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from winsql.spark.temporary_folder import temporary_folder

MAKE = "from winsql.spark.temporary_folder import temporary_folder; print(temporary_folder(), flush=True); input()"


def _of_process(places: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process with a folder of its own, and that folder, two hours old."""
    process = subprocess.Popen(
        [sys.executable, "-c", MAKE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(places), "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert process.stdout is not None
    folder = Path(process.stdout.readline().strip())
    _age(folder)
    return process, folder


def _age(folder: Path) -> None:
    then = folder.stat().st_mtime - 7200
    os.utime(folder, (then, then))


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_folder_of_a_killed_process_goes(places: Path) -> None:
    process, folder = _of_process(places)
    (folder / "code.zip").write_bytes(b"code")
    _age(folder)
    assert temporary_folder().is_dir()
    assert folder.is_dir()  # its process lives
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert folder.is_dir()
    temporary_folder()
    assert not folder.exists()


def test_a_process_that_ends_deletes_its_folder(places: Path) -> None:
    process, folder = _of_process(places)
    process.communicate("\n")
    assert not folder.exists()


def test_what_is_not_left_over_stays(places: Path) -> None:
    young, old = places / "winsql-code-young", places / "winsql-code-without_lock"
    linked, link, file = places / "elsewhere", places / "winsql-code-link", places / "winsql-code-file"
    for folder in (young, old, linked):
        folder.mkdir()
    for folder in (young, linked):
        (folder / ".lock").touch()
    for folder in (old, linked):
        _age(folder)
    link.symlink_to(linked)
    file.touch()
    temporary_folder()
    assert all(path.exists() for path in (young, old, linked / ".lock", link, file))
