"""The errors for a WINDOW ASSIGN in the wrong place."""

from __future__ import annotations

from winsql.errors import WindowSyntaxError
from winsql.syntax.text.parts import beside
from winsql.syntax.text.source import Extent, Source

__all__ = ["PLACE", "after_the_end", "misplaced"]

_FORM = "write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k"
_NOT_FIRST = "write SELECT ... FROM ..., not FROM ... SELECT ..."
_ONE_INSERT = "write a statement for each: INSERT INTO a SELECT ... FROM t WINDOW ASSIGN ..."
_AFTER_ITEMS = "write it after the items: FROM ... SELECT ... WINDOW ASSIGN ..."
PLACE = "window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ..."


def misplaced(source: Source, opener: int, problem: str) -> WindowSyntaxError:
    """The error for a WINDOW ASSIGN where none can be."""
    hint = _FORM
    if _from_first(source, opener):
        has_select = any(index < opener for index in beside(source, opener, "SELECT"))
        hint = _NOT_FIRST if has_select else _AFTER_ITEMS
        if any(index < opener for index in beside(source, opener, "INSERT")):
            hint = _ONE_INSERT
    return source.syntax_error(problem, Extent(opener, opener + 2), rule=PLACE, hint=hint)


def _from_first(source: Source, opener: int) -> bool:
    group = source.group[opener]
    return source.at(next(i for i in range(group + 1, opener + 1) if source.group[i] == group)).is_word("FROM")


def after_the_end(source: Source, stop: int, opener: int, *, is_branch: bool) -> WindowSyntaxError:
    """The error for a WINDOW ASSIGN after its SELECT, which ends at `stop` and may be a branch of a set operation."""
    end = source.at(stop)
    if end.is_symbol("|>"):
        problem, hint = "WINDOW ASSIGN cannot come after |>", "put the windowed SELECT into a subquery or before |>"
    elif is_branch:
        problem = "WINDOW ASSIGN comes after a clause of the whole set operation"
        hint = "ORDER BY and LIMIT after a UNION belong to all of it: put the window clauses before them"
    else:
        problem = "WINDOW ASSIGN comes after the end of its SELECT"
        hint = "put the window clauses before it"
    return source.syntax_error(problem, Extent(opener, opener + 2), rule=PLACE, hint=hint)
