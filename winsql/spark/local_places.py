"""Paths of the local file system, which Spark shows with their scheme."""

from __future__ import annotations

import re

__all__ = ["local_place", "place_of"]


def place_of(path: str) -> str:
    """A path in one form: Spark shows those of the local file system with their scheme."""
    return re.sub(r"^file:/+", "/", path).rstrip("/")


def local_place(path: str, default: str) -> str | None:
    """A path of the local file system without its scheme; None for others. `default` is the default file system."""
    is_local = path.startswith("file:") or (path.startswith("/") and default.startswith("file:"))
    return place_of(path) if is_local else None
