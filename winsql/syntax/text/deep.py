"""Statements that nest deeply: how deep they may, and room on Python's stack to read them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from winsql.syntax.text.brackets import depths_of
from winsql.syntax.text.source import Source

MAX_DEPTH = 250
"""How deep brackets may nest around and in a windowed SELECT; Spark's own parser goes on for a while."""
MAX_LEVELS = 2 * MAX_DEPTH
"""Levels of any kind that there is room for; `levels_of` counts them."""
_SHALLOW = 20
"""What fits into Python's own limit of 1,000 calls, whatever called winsql."""
_CALLS = 60
"""Calls within calls that reading one level takes at most, sqlglot's parser included."""
_PREFIX_OPERATORS = ("NOT", "!", "-", "+", "~")
_HINT = "put the inner part into a CTE or a view"

_lock = threading.Lock()
_open = 0
_limit = 0


def require_shallow(source: Source) -> None:
    """Raises WindowSyntaxError where brackets nest too deeply."""
    for index, depth in depths_of(source.group).items():
        if depth > MAX_DEPTH:
            raise source.syntax_error("brackets nest too deeply", index, rule=f"at most {MAX_DEPTH} levels", hint=_HINT)


@contextmanager
def room_for(source: Source) -> Iterator[None]:
    """Raise Python's recursion limit inside as the statement needs it, and restore it afterwards.

    Raises WindowSyntaxError where the statement nests too deeply even so.
    """
    levels = min(levels_of(source), MAX_LEVELS)
    if levels > _SHALLOW:
        _enter(levels)
    try:
        yield
    except RecursionError:
        raise source.syntax_error("this statement nests too deeply", 0, hint=_HINT) from None
    finally:
        if levels > _SHALLOW:
            _leave()


def levels_of(source: Source) -> int:
    """How many levels a reader goes down at most: brackets, CASE in CASE, operators right after one another."""
    cases = deepest = 0
    for index in source.places("CASE", "END"):
        cases = cases + 1 if source.at(index).upper == "CASE" else max(cases - 1, 0)
        deepest = max(deepest, cases)
    run = longest = 0
    for index in source.places(*_PREFIX_OPERATORS):
        run = run + 1 if source.at(index - 1).upper in _PREFIX_OPERATORS else 1
        longest = max(longest, run)
    return source.depth + deepest + longest


def _enter(levels: int) -> None:
    global _open, _limit
    with _lock:
        _limit = sys.getrecursionlimit() if _open == 0 else _limit
        _open += 1
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _limit + levels * _CALLS))


def _leave() -> None:
    global _open
    with _lock:
        _open -= 1
        if _open == 0:  # other threads may be deeper until all are done
            sys.setrecursionlimit(_limit)
