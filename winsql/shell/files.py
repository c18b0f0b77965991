"""Reads the files that a command names."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["STDIN", "Unreadable", "read_text", "shown_name"]

STDIN = "-"


class Unreadable(Exception):
    """A file cannot be read, or not be cut into statements; `str` says which and why."""


def read_text(name: str) -> str:
    """The text of a UTF-8 file, of standard input for `-`; line ends stay as they are. Raises Unreadable."""
    try:
        raw = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Unreadable(f"cannot read {name}: not UTF-8 text at byte {error.start}") from None


def shown_name(name: str) -> str:
    """The name that messages use."""
    return "<stdin>" if name == STDIN else name
