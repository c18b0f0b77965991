"""Paths of the local file system, which Spark shows with their scheme."""

from __future__ import annotations

import posixpath
import re


def place_of(path: str) -> str:
    """A path in one form: as Hadoop reads it, without `//`, `.` and `..`, and without the scheme that Spark shows for
    the local file system."""
    found = _PARTS.fullmatch(re.sub(r"^file:/+", "/", path))
    assert found is not None
    where = re.sub(r"/+", "/", found["where"])
    return found["system"] + (posixpath.normpath(where).rstrip("/") if where else "")


_PARTS = re.compile(r"(?P<system>[A-Za-z][\w+.-]*:(?://[^/]*)?|)(?P<where>.*)", re.DOTALL)


def local_place(path: str, default: str) -> str | None:
    """A path of the local file system without its scheme; None for others. `default` is the default file system."""
    is_local = path.startswith("file:") or (path.startswith("/") and default.startswith("file:"))
    return place_of(path) if is_local else None
