"""The file of Spark's Java classes: who writes it, who reads it, and what is left alone. No JVM."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from winsql.shell.class_cache import class_options

MAGIC = bytes.fromhex("a8ab0bf0")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.touch()
    (tmp_path / "java" / "lib" / "server").mkdir(parents=True)
    (tmp_path / "java" / "lib" / "server" / "classes.jsa").touch()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    monkeypatch.setenv("WINSQL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def written(options: str) -> Path:
    return Path(options.split('"')[1].removeprefix("-XX:ArchiveClassesAtExit="))


def test_a_shell_writes_the_file_and_the_next_command_reads_it(cache: Path) -> None:
    assert class_options("", writes=False) == ""
    new = written(class_options("-Xmx2g", writes=True))
    new.write_bytes(bytes(4) + b"not written to its end")
    assert written(class_options("", writes=True)) == new
    new.write_bytes(MAGIC + b"all")
    (cache / "spark-0123456789abcdef.jsa").write_bytes(MAGIC)  # of another Spark
    (cache / "mine.jsa").write_bytes(MAGIC)
    (path,) = (new.with_name(new.name.split(".")[0] + ".jsa"),)
    for _ in range(2):
        assert class_options("", writes=True).endswith(f' "-XX:SharedArchiveFile={path}"')
        assert sorted(cache.iterdir()) == sorted([cache / "mine.jsa", path])


def test_what_was_never_finished_goes_after_a_while(cache: Path) -> None:
    new = written(class_options("", writes=True))
    new.write_bytes(bytes(8))
    os.utime(new, (0, 0))
    class_options("", writes=True)
    assert list(cache.iterdir()) == []


def test_nothing_is_said_to_a_jvm_that_has_a_file_of_its_own_or_no_folder(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert class_options("-XX:SharedArchiveFile=/mine.jsa", writes=True) == ""
    cache.write_text("a file", encoding="utf-8")
    assert class_options("", writes=True) == ""
    (cache.parent / "java" / "lib" / "server" / "classes.jsa").unlink()
    monkeypatch.setenv("WINSQL_CACHE", str(cache.parent / "other"))
    assert class_options("", writes=True) == ""
    monkeypatch.setenv("WINSQL_CACHE", "")
    assert class_options("", writes=True) == ""


def test_files_of_the_user_stay(cache: Path) -> None:
    new = written(class_options("", writes=True))
    new.write_bytes(MAGIC)
    mine, earlier = cache / "spark-mine.jsa", cache / f"spark-{'0f' * 8}.jsa"
    for path in (mine, earlier):
        path.touch()
    class_options("", writes=True)
    assert mine.exists()
    assert not earlier.exists()
