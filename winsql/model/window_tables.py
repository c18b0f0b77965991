"""Columns of windows, and the tables of the session, views mostly, that have such columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """What a column says of the window that a row belongs to; the value is the name that it is made with."""

    START = "window_start"
    END = "window_end"
    TIME = "window_time"


@dataclass(frozen=True, slots=True)
class WindowColumn:
    """A column: its name, and what it says of windows; None for nothing.

    is_time   whether it is the time that the windows of its rows go by
    """

    name: str
    role: Role | None = None
    is_time: bool = False


@dataclass(frozen=True, slots=True)
class WindowTable:
    """A stream with columns of windows; `are_rows` where its rows come as they are read, not when windows end."""

    columns: tuple[WindowColumn, ...]
    are_rows: bool


FindWindowTable = Callable[[str], WindowTable | None]
"""Looks up a table of the session by its name as SQL, or what a call gives, by its text;
None for one that is no stream, or has no such column."""
