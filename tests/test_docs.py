"""The README does what it says: its statements run, its outputs are theirs, its links and make targets exist."""

from __future__ import annotations

import io
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from winsql.model.registry import TRIGGERS, WINDOW_FUNCTIONS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


class Block(NamedTuple):
    line: int
    language: str
    text: str


def blocks() -> Iterator[Block]:
    """The fenced blocks of the README, in order."""
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        yield Block(README.count("\n", 0, match.start()) + 1, match.group(1), match.group(2))


def printed(spark, text: str) -> str:
    """What `winsql -S` prints for the statements in `text`, on either stream."""
    from winsql.shell.run import Output, run_scripts
    from winsql.shell.script import Script, split

    out = io.StringIO()
    run_scripts(spark, [Script("README.md", text, tuple(split(text)))], Output(out=out, silent=True))
    return out.getvalue()


def test_every_example_runs_and_prints_what_the_readme_shows(
    spark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = ""
    for block in blocks():
        if block.language == "sql":
            output = printed(spark, block.text)
            error = capsys.readouterr().err
            assert error == "", f"README.md:{block.line}\n{error}"
        elif block.language == "python":
            module = tmp_path / f"readme_{block.line}.py"
            module.write_text(block.text, encoding="utf-8")
            # as a script: Spark ships classes of __main__ to its workers by value
            runpy.run_path(str(module), init_globals={"spark": spark}, run_name="__main__")
        elif block.language == "text":
            assert output == block.text, f"README.md:{block.line}"
    for view in ("t", "readings"):
        assert spark.catalog.dropTempView(view)
    for table in ("clicks", "clicks_per_minute", "late_clicks", "clicks_kept", "clicks_kept_late"):
        spark.sql(f"DROP TABLE {table}")
    TRIGGERS.remove("rise")
    WINDOW_FUNCTIONS.remove("jumps")


def test_the_error_shown_is_the_error_given(spark) -> None:
    from winsql import WinsqlError, sql

    statement, message = re.search(r"^```sql wrong\n(.*?)^```\n+```error\n(.*?)^```$", README, re.M | re.S).groups()
    with pytest.raises(WinsqlError) as caught:
        sql(spark, statement.rstrip("\n"))
    assert f"{caught.value}\n" == message


def test_relative_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_paths_named_in_the_text_exist() -> None:
    paths = re.findall(r"(?<![\w/])((?:examples|sql|tests|tools|winsql)/[\w./-]*\w)", README)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_make_targets_named_in_the_text_exist() -> None:
    targets = set(re.findall(r"\bmake ([a-z]+)", README))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"demo", "test"} <= targets
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_options_of_the_command_named_in_the_text_exist(capsys: pytest.CaptureFixture[str]) -> None:
    from winsql.shell.cli import main
    from winsql.shell.commands import COMMANDS

    used = re.findall(r"^winsql (.*?)(?:  #.*)?$", README, re.MULTILINE)
    assert used
    for words in map(str.split, used):
        with pytest.raises(SystemExit):
            main([*words[: words[0] in COMMANDS], "--help"])
        known = set(re.findall(r"(?<!\w)--?[a-zA-Z]+", capsys.readouterr().out))
        assert [word for word in words if re.fullmatch(r"--?[a-zA-Z]+", word) and word not in known] == []
