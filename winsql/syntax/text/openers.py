"""Words without which a text has nothing of winsql's: looked for in every statement, so that Spark's own stay cheap.

Letters are compared in upper case, as Spark compares keywords. The words may be parts of longer ones: to look closer
is the reader's work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["holds_all", "holds_any", "matches"]


def holds_all(text: str, words: Iterable[str]) -> bool:
    """Whether every one of these upper-case words is somewhere in the text."""
    upper = text.upper()
    return all(word in upper for word in words)


def holds_any(text: str, words: Iterable[str]) -> bool:
    """Whether one of these upper-case words is somewhere in the text."""
    upper = text.upper()
    return any(word in upper for word in words)


def matches(text: str, pattern: re.Pattern[str]) -> bool:
    """Whether a pattern of upper-case letters matches somewhere; fast where it begins with a letter."""
    return pattern.search(text.upper()) is not None
