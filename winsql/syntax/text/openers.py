"""A cheap look at every statement for words of winsql's, so that Spark's own statements cost nothing more.

Letters are compared in upper case, as Spark compares keywords. A word may be part of a longer one: readers look closer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


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
