"""What Tab offers at a place, and when Enter runs what was typed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from winsql.model.settings import ParserSettings
from winsql.shell.interactive.colours import coloured
from winsql.shell.interactive.completion import complete
from winsql.shell.interactive.editor import PlainEditor, history_path, is_complete


@dataclass(frozen=True)
class Catalog:
    """A session with one table of two columns in each of two databases."""

    def tables(self, database: str | None = None) -> list[str]:
        return ["orders" if database is None else "old_orders"]

    def databases(self) -> list[str]:
        return ["default", "past year"]

    def columns(self, table: str) -> list[str]:
        return {"orders": ["amount", "order date"], "past year.old_orders": ["amount_then"]}.get(
            table.replace("`", "").replace('"', ""), []
        )

    def functions(self) -> list[str]:
        return ["abs", "sum"]

    def settings(self) -> ParserSettings:
        return ParserSettings(double_quoted_identifiers=True)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("SELECT * FROM o|", ["orders"]),
        ("SELECT * FROM |", ["orders", "default", "`past year`", "STREAM", "TABLE", "IF EXISTS", "IF NOT EXISTS"]),
        ("SELECT * FROM `past year`.|", ["old_orders"]),
        ("SELECT am| FROM orders", ["amount"]),
        ("SELECT am| FROM `past year`.old_orders", ["amount_then"]),
        ("SELECT am| FROM other", []),
        ("SELECT o.| FROM orders AS o JOIN other p", ["amount", "`order date`"]),
        ("SELECT p.| FROM orders AS o JOIN other p", []),
        ("SELECT orders.a| FROM orders", ["amount"]),
        ("SELECT su|", ["sum"]),
        ("sel|", ["select"]),
        ("SEL|", ["SELECT"]),
        ("SELECT 1 FROM t WINDOW ASSIGN S|", ["SESSION(", "SLIDING("]),
        ("SELECT 1 FROM t window assign s|", ["session(", "sliding("]),
        ("SELECT 1 FROM t WINDOW ASSIGN COUNT(3) TRIGGER P|", ["PROCESSING_TIME(", "PROCESSING_TIMEOUT(", "PURGING("]),
        ("FROM t TRIGGER ANY(COUNT(3), E|", ["EMIT(", "END_OF_STREAM(", "EVENT_TIME("]),
        ("FROM t TRIGGER PURGING(D|", ["DELTA("]),
        ("FROM t EMIT EA|", ["EARLY EVERY"]),
        ("FROM t TRIGGER PROCESSING_TIMEOUT(COUNT(1), INTERV|", ["interval => ", "INTERVAL"]),
        ("FROM t TRIGGER DELTA(ab|", ["abs"]),
        ("FROM t EVICT T|", ["TIME("]),
        ("FROM t ALLO|", ["ALLOWED LATENESS", "ALLOWED"]),
        ("FROM t window a|", ["assign"]),
        ("EXPLAIN W|", ["WINDOW"]),
        ("SHOW S|", ["SCHEMAS", "STREAMING VIEWS", "STREAMS", "STREAM"]),
        ("show t|", ["tables", "tblproperties", "table extended like"]),
        ("SHOW TABLES F|", ["FALSE", "FILTER", "FOLLOWING", "FOR", "FROM", "FULL", "FUNCTION", "FUNCTIONS"]),
        ("SELECT am|", ["amount"]),
        ('SELECT "a| FROM "past year".old_orders', []),
        ('SELECT am| FROM "past year".old_orders', ["amount_then"]),
        ("FROM t WINDOW ASSIGN TUMBLING(si|", ["size => "]),
        ("FROM t WINDOW ASSIGN COUNT(3, sl|", ["slide => "]),
        ("FROM t WINDOW ASSIGN COUNT(3, 1, tim|", ["time => ", "time", "timestamp", "timestamp_ntz"]),
        ("FROM t WINDOW ASSIGN SLIDING(ts, size => INTERVAL 1 HOUR, si|", []),
        ("FROM t TRIGGER ANY(EVENT_TIME(), PROCESSING_TIME(), DELTA(thr|", ["threshold => "]),
        ("SELECT COUNT(sl|", []),
        ("FROM t GROUP BY abs(amount) ab|", []),
        ("FROM t WHERE amount = ab|", ["abs"]),
        ("SELECT 'SEL|", []),
        ("SELECT 'one am|", []),
        ("SELECT amount, window_|", ["window_start", "window_end", "window_time"]),
        ("SELECT pane|", ["pane_index", "pane_timing"]),
        ("SELECT 1 -- SEL|", ["SELECT"]),  # harmless: nobody presses Tab in a comment
        (r"\ti|", ["timing", "timer"]),
        (".for|", ["format"]),
        (r"\format j|", ["json"]),
        (r"\d o|", ["orders"]),
    ],
)
def test_completions(typed: str, expected: list[str]) -> None:
    before = typed.partition("|")[0]
    found = complete(before, typed.replace("|", ""), Catalog())
    assert [completion.text for completion in found] == expected
    assert all(before.endswith(before[len(before) - c.replaces :]) for c in found)


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("", True),
        ("  \n", True),
        ("SELECT 1", False),
        ("SELECT 1;", True),
        ("SELECT 1; -- and\n", True),
        ("SELECT 1; SELECT 2", False),
        ("BEGIN SELECT 1;", False),
        ("BEGIN SELECT 1; END;", True),
        ("SELECT ';", False),
        ("SELECT `a;", False),
        ("SELECT 1 /* ;", False),
        ("SELECT 1 -- ;", False),
        ("SELECT $$ a;", True),  # an open $$ is no quote to Spark either
        ("SELECT $$ a; $$", False),
        ("-- a comment", False),
        (r"\d t", True),
        (".read x.sql", True),
        ("quit", True),
        ("EXIT ;", True),
        ("help", True),
        ("helper", False),
    ],
)
def test_enter_runs_what_is_complete(text: str, complete: bool) -> None:
    assert is_complete(text) is complete


def test_colours_cover_all_of_a_text() -> None:
    text = "SELECT 'a;', 1 /* c */ FROM t WINDOW ASSIGN tumbling(ts, 1) -- d\nWHERE 'open"
    parts = list(coloured(text))
    assert "".join(part for _, part in parts) == text
    classes = {part.strip(): style for style, part in parts}
    assert classes["SELECT"] == classes["ASSIGN"] == "class:keyword"
    assert classes["'a;'"] == "class:string"
    assert classes["1"] == "class:number"
    assert classes["/* c */"] == classes["-- d"] == "class:comment"
    assert classes["tumbling"] == "class:policy"
    assert classes["'open"] == "class:unclosed"


def test_without_the_extra_the_shell_reads_line_by_line_and_says_what_is_missing() -> None:
    lines = iter(["SELECT 1,", "';", "';", "\\q"])
    asked = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(lines)

    editor = PlainEditor(ask)
    assert "pip install 'winsql[shell]'" in editor.advice
    assert [editor.read(), editor.read()] == ["SELECT 1,\n';\n';", "\\q"]
    assert asked == ["winsql> ", "     -> ", "     -> ", "winsql> "]


def test_the_history_is_in_the_state_folder_or_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WINSQL_HISTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_path() == tmp_path / "winsql" / "history"
    monkeypatch.setenv("WINSQL_HISTORY", str(tmp_path / "winsql" / "history" / "in a file"))
    assert history_path() is None


def test_long_statements_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []

    def look(text: str) -> bool:
        looks.append(text)
        return is_complete(text)

    monkeypatch.setattr("winsql.shell.interactive.editor.is_complete", look)
    lines = ["INSERT INTO t VALUES", *(f"({n})," for n in range(500)), "(1);"]
    typed = iter(lines)
    assert PlainEditor(lambda prompt: next(typed)).read() == "\n".join(lines)
    assert len(looks) == 2
    typed = iter(["SELECT 1", "\\g", "SELECT 1; /*", "*/"])
    editor = PlainEditor(lambda prompt: next(typed))
    assert [editor.read(), editor.read()] == ["SELECT 1\n\\g", "SELECT 1; /*\n*/"]


def test_there_is_no_history_where_no_home_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINSQL_HISTORY", "~no_such_user/history")
    assert history_path() is None
