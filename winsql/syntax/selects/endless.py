"""Queries over streams, and groups over windows of streams, that nothing ends."""

from __future__ import annotations

from winsql.errors import Span, WindowPlanError

GROUPED_BY_END = "rows of windows are grouped by window_end, which says when a group is complete"

WITHOUT_IDENTIFIER = "write the column's name itself in the place of IDENTIFIER(...)"
WITHOUT_FUNCTION = "make its query a temporary view, and read that: of a function the window columns are not known"


def endless_groups(end: str | None, *, is_starred: bool = False) -> WindowPlanError:
    """The error for groups over windows of a stream.

    end          the column to group by, None where there is none yet
    is_starred   whether it is in a `*` whose columns are not all known
    """
    if is_starred:
        what = "write the names of the columns in the place of *, and"
    else:
        what = "select window_end of the windows, and" if end is None else ""
    return WindowPlanError(
        "this query groups rows of a stream in groups that never end",
        rule=GROUPED_BY_END,
        hint=f"{what} add {end or 'it'} to GROUP BY or SELECT DISTINCT".strip()
        + "; running results are WINDOW ASSIGN GLOBAL() with EMIT",
    )


def endless_query(text: str, rule: str) -> WindowPlanError:
    """The error for a query that reads a stream where rows are read to their end."""
    return WindowPlanError(
        "this query reads a stream and has no end",
        rule=rule,
        hint="write CREATE STREAMING TABLE name AS ... to start it, and SELECT from that table",
        source=text,
        span=Span(0, len(text)),
    )
