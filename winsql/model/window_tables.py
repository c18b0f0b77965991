"""Tables of the session, views mostly, that have columns of windows: as the session tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["FindWindowTable", "WindowColumn", "WindowTable"]


@dataclass(frozen=True, slots=True)
class WindowColumn:
    """A column: its name, and which window column it is, by its name in `WINDOW_COLUMNS`; None for another one.

    is_time   whether it is the time that the windows of its rows go by
    """

    name: str
    role: str | None = None
    is_time: bool = False


@dataclass(frozen=True, slots=True)
class WindowTable:
    """A stream with columns of windows; `are_rows` where its rows come as they are read, not when windows end."""

    columns: tuple[WindowColumn, ...]
    are_rows: bool


FindWindowTable = Callable[[str], WindowTable | None]
"""What the session knows of a table by its name as SQL; None for one that is no stream, or has no such column."""
