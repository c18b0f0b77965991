"""Shows text that a terminal has no room for through the user's pager."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from typing import TextIO

from winsql.shell.files import Unreadable, command_words
from winsql.shell.table import text_width

_LESS = "less -RFX"  # long lines wrap, and what fits is just printed


def page(text: str, out: TextIO) -> None:
    """Print the text; through $PAGER, or less, where `out` is a terminal with fewer lines and the pager is there."""
    command = _pager()
    if not out.isatty() or _fits(text) or shutil.which(command[0]) is None:
        print(text, file=out, flush=True)
        return
    out.flush()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's
    try:
        subprocess.run(command, input=f"{text}\n", encoding="utf-8", check=False)
    finally:
        signal.signal(signal.SIGINT, before)


def _pager() -> list[str]:
    """$PAGER, or less for one that is no command: what is shown may have taken long."""
    try:
        return command_words(os.environ.get("PAGER") or _LESS, "$PAGER")
    except Unreadable:
        return _LESS.split()


def _fits(text: str) -> bool:
    size = shutil.get_terminal_size()
    columns = max(size.columns, 1)
    return sum(max(1, -(-text_width(line) // columns)) for line in text.split("\n")) < size.lines
