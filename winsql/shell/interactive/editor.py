"""Reads input from the terminal: with prompt_toolkit, or line by line where it is not installed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from winsql.shell.blocks import statement_ends
from winsql.shell.interactive.commands import cut_ending, is_command
from winsql.syntax.text.tokens import TokenKind, tokenize

PROMPT = "winsql> "
CONTINUATION = "     -> "


class Editor(Protocol):
    """What the shell reads from; `advice` is told at the start."""

    advice: str

    def read(self) -> str:
        """One input: a command, or statements. Raises KeyboardInterrupt (Ctrl-C) and EOFError (Ctrl-D)."""

    def stop(self) -> None:
        """End the reading, now and later, as Ctrl-D does; for another thread."""

    def history(self) -> Sequence[str]:
        """What was typed, also in earlier shells, the oldest first."""


def is_complete(text: str) -> bool:
    """Whether Enter runs the text: a command, or statements of which the last one has its semicolon."""
    if not text.strip() or is_command(text):
        return True
    tokens = tokenize(text)
    if not tokens or any(token.kind is TokenKind.UNCLOSED for token in tokens):
        return False
    return len(tokens) - 1 in statement_ends(tokens) or cut_ending(text)[1] is not None


def history_path() -> Path | None:
    """The file of what was typed, $WINSQL_HISTORY or in the XDG state folder; None where it cannot be written."""
    base = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    try:
        path = Path(os.environ.get("WINSQL_HISTORY") or Path(base, "winsql", "history")).expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)  # SQL may hold what others must not read
        with path.open("a", encoding="utf-8"):
            return path
    except (OSError, RuntimeError):
        return None


class PlainEditor:
    """Line by line, with what Python's readline offers."""

    advice = "for completion, colours and editing of several lines: pip install 'winsql[shell]'"

    def __init__(self, ask: Callable[[str], str] = input) -> None:
        self._ask = ask
        self._typed: list[str] = []
        if find_spec("readline") is not None:
            import readline  # noqa: F401 - gives input() history and editing

    def read(self) -> str:
        text = self._ask(PROMPT)
        is_done = is_complete(text)
        while not is_done:
            text += "\n" + self._ask(CONTINUATION)
            # nothing else ends statements; each look reads all of the text again
            is_done = (";" in text or "\\" in text) and is_complete(text)
        self._typed.append(text)
        return text

    def stop(self) -> None:
        """Only Enter ends `input`, and the shell looks after it."""

    def history(self) -> Sequence[str]:
        return self._typed
