"""The FROM bodies of window joins: what takes the place of `a WINDOW JOIN b ON ...` in the query around it.

The columns of both inputs come out under the inputs' names, as in the user's query, and the window columns under the
names that plans use; those of the right input only where the join returns rows of it. Names of inputs come quoted where
needed (`JoinSide.name`), and ON is put in as the user wrote it: in an operator's body the names of the inputs are
variables of lambda functions, so that `x.id` means the field of a row.
"""

from __future__ import annotations

import re

from winsql.model.joins import JoinType
from winsql.model.query import (
    INTERNAL_PREFIX,
    JOIN_LEFT,
    JOIN_RIGHT,
    PANE_INDEX,
    PANE_TIMING,
    WINDOW_END,
    WINDOW_START,
    WINDOW_TIME,
    JoinSide,
    WindowJoin,
    WindowQuery,
)
from winsql.planner.facts import ColumnFact, Facts
from winsql.planner.time_sql import epoch_sql, from_epoch_sql, instant_sql
from winsql.planner.window_sql import arithmetic

_LEFT_WINDOW = INTERNAL_PREFIX + "left_window"
_RIGHT_WINDOW = INTERNAL_PREFIX + "right_window"
_MATCH = INTERNAL_PREFIX + "match"


def analysis_sql(query: WindowQuery, context: str) -> str:
    """A query that Spark can analyse to check ON; it is never run. `context` is the WITH list in scope, or ''.

    ON is in it at the place that it has in the user's statement, so that Spark's errors name the right place.
    """
    join = query.join
    assert join is not None
    left, right = (f"{side.sql} AS {side.name}" for side in (join.left, join.right))
    if context:
        left, right = (
            f"({context}SELECT * FROM {side}) AS {of.name}" for side, of in ((left, join.left), (right, join.right))
        )
    select, place = "SELECT ", join.condition_span
    if place is not None:
        before = re.sub(r"[^\n]", " ", query.text[: place.start])
        start = query.span.start
        select = f"{before[:start]}SELECT{before[start + len('SELECT') :]}"
    return f"{select}{join.condition} FROM {left} CROSS JOIN {right}"


def operator_join_sql(join: WindowJoin, relation: str) -> str:
    """The pairs of each firing: `relation` has one row per firing, with the rows of both sides as two arrays.

    Generators and lambda functions do it within that row, so it needs no shuffle and no state, on streams too.
    """
    assert join.how is not None
    return f"{relation} AS {INTERNAL_PREFIX}firings {_pairs(join, join.how)}"


def _pairs(join: WindowJoin, how: JoinType) -> str:
    """Generators over both arrays; `keeps_left` and `keeps_right` hand out the rows of a side without a match."""
    left, right = join.left, join.right
    if not how.has_right:
        is_match = f"{'NOT ' if how.keeps_left else ''}{_exists(JOIN_RIGHT, right, join)}"
        return _view(left, f"filter({JOIN_LEFT}, {left.name} -> {is_match})")
    if how.keeps_left and how.keeps_right:
        return _full(join)
    if how.keeps_right:
        return f"{_view(right, JOIN_RIGHT)} {_view(left, _filtered(JOIN_LEFT, left, join), outer=True)}"
    return f"{_view(left, JOIN_LEFT)} {_view(right, _filtered(JOIN_RIGHT, right, join), outer=how.keeps_left)}"


def _full(join: WindowJoin) -> str:
    """Every left row with its partners, and one more element without a left row: the right rows without a partner."""
    match, left_row, partners = _MATCH, f"{_MATCH}_left", f"{_MATCH}_right"
    lonely = f"filter({JOIN_RIGHT}, {join.right.name} -> NOT {_exists(JOIN_LEFT, join.left, join)})"
    matched = (
        f"transform({JOIN_LEFT}, {join.left.name} -> struct({join.left.name} AS {left_row}, "
        f"{_filtered(JOIN_RIGHT, join.right, join)} AS {partners}))"
    )
    unmatched = f"array(struct(get({JOIN_LEFT}, -1) AS {left_row}, {lonely} AS {partners}))"
    matches = f"concat({matched}, filter({unmatched}, {match} -> size({match}.{partners}) > 0))"
    return (
        f"LATERAL VIEW inline({matches}) {match} AS {left_row}, {partners} "
        f"{_view(join.right, partners, outer=True)} {_view(join.left, f'array({left_row})')}"
    )


def _view(side: JoinSide, rows: str, *, outer: bool = False) -> str:
    """The rows of an array under the name of a side; with `outer` a row of NULLs for an empty one."""
    return f"LATERAL VIEW{' OUTER' if outer else ''} inline({rows}) {side.name}"


def _filtered(rows: str, side: JoinSide, join: WindowJoin) -> str:
    if join.keys_alone:
        return f"CASE WHEN {_keys_are_known(join)} THEN {rows} END"
    return f"filter({rows}, {side.name} -> ({join.condition}))"


def _exists(rows: str, side: JoinSide, join: WindowJoin) -> str:
    """Whether ON is true for some row; where it is NULL, there is no match."""
    if join.keys_alone:
        return f"({_keys_are_known(join)} AND size({rows}) > 0)"
    return f"exists({rows}, {side.name} -> coalesce({join.condition}, false))"


def _keys_are_known(join: WindowJoin) -> str:
    return " AND ".join(f"{INTERNAL_PREFIX}key_{n} IS NOT NULL" for n in range(len(join.keys)))


def native_join_sql(query: WindowQuery, facts: Facts) -> str:
    """A join of Spark's on ON and the window: each row of either side once per window it belongs to.

    Rows without a time belong to no window and are left out, so that outer joins do not return them.
    """
    join = query.join
    assert join is not None
    assert join.how is not None
    assert facts.time is not None
    fact = facts.time
    left = _with_windows(join.left, _LEFT_WINDOW, query, fact, is_kept=join.how.keeps_left)
    right = _with_windows(join.right, _RIGHT_WINDOW, query, fact, is_kept=join.how.keeps_right)
    window = _LEFT_WINDOW if join.how.has_left_in_each else f"coalesce({_LEFT_WINDOW}, {_RIGHT_WINDOW})"
    start, end = arithmetic(query.spec.assigner).bounds(window)
    columns = [
        f"{from_epoch_sql(start, fact)} AS {WINDOW_START}",
        f"{from_epoch_sql(end, fact)} AS {WINDOW_END}",
        f"{from_epoch_sql(f'{end} - 1L', fact)} AS {WINDOW_TIME}",
        f"0L AS {PANE_INDEX}",
        f"'ON_TIME' AS {PANE_TIMING}",
    ]
    return (
        f"{left} {join.how.sql} {right} ON ({join.condition}) AND {_LEFT_WINDOW} = {_RIGHT_WINDOW}\n"
        f"CROSS JOIN LATERAL (SELECT {', '.join(columns)})"
    )


def _with_windows(side: JoinSide, window: str, query: WindowQuery, fact: ColumnFact, *, is_kept: bool) -> str:
    """A side with the number of the window as a column.

    Where rows without a match come out, rows in no window are left out. Elsewhere their number is NULL, which meets
    nothing.
    """
    assert side.time is not None
    windows = arithmetic(query.spec.assigner).windows(epoch_sql(instant_sql(side.time, fact), fact))
    lateral = f"explode({windows.every}) AS {window}_list({window})"
    if windows.is_single and not is_kept:
        lateral = f"(SELECT {windows.first} AS {window})"
    return f"({side.sql} AS {side.name} CROSS JOIN LATERAL {lateral})"
