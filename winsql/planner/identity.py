"""The identity of a query's state: what may not change between runs on one checkpoint."""

from __future__ import annotations

import re

from winsql.model.query import (
    FIRST_ROWS,
    INTERNAL_PREFIX,
    KEPT_TYPES,
    KEY_GROUPS,
    PREFIX_OF_0_1_0,
    RESULTS_OF_CHANGES,
    WINDOWS_OF_ROWS,
    ZONE_OF_WINDOWS,
    WindowQuery,
)
from winsql.model.window_functions import SortKey, Ties, WindowFunctions
from winsql.planner.facts import Facts
from winsql.planner.streaming import StreamPlan
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.policy_text import render_policy
from winsql.syntax.text.quoting_settings import quoting_settings


def identity(query: WindowQuery, facts: Facts, plan: StreamPlan) -> dict[str, str]:
    """Its parts by name, as canonical SQL text. WHERE and the source are none of them: they may change, as rows may."""
    keys = zip(query.keys, facts.keys, strict=True)
    operands = zip(query.operands, facts.operands, strict=True)
    carried = [*(column.sql for column in query.payload), *(call.sql for call in query.trigger_aggregates)]
    return {
        **{clause.words: clause.identity(query) for clause in CLAUSES if clause.identity is not None},
        **_zone(query),
        **_windows_of_rows(query, facts),
        **_changes(query),
        "the type of the time": "" if facts.time is None else facts.time.type_name,
        "the keys": ", ".join(f"{_line(key.text)} {fact.type_name}" for key, fact in keys),
        "the operands": ", ".join(f"{_line(operand.sql)} {fact.type_name}" for operand, fact in operands),
        "the aggregates": ", ".join(_line(call.sql) for call in query.aggregates),
        "what is carried": ", ".join(map(_line, carried)).replace(INTERNAL_PREFIX, PREFIX_OF_0_1_0),
        **_kept_types(facts),
        **_sides(query, facts),
        KEY_GROUPS: str(plan.key_groups),
        "their spread over partitions": "even",
        "the clock": plan.mode.value,
        **quoting_settings(query.text, query.settings),
    }


def windows_identity(query: WindowQuery) -> str:
    """What the windows of a table function are."""
    return " in ".join([render_policy(query.spec.assigner), *_zone(query).values()])


def first_rows_identity(over: WindowFunctions) -> dict[str, str]:
    """For a ranking whose other rows are left out before the state: which rows the state has."""
    (call,) = over.calls
    order = [*map(_sort_key, call.order), *(["the last to arrive"] if over.ties is Ties.LAST_ARRIVED else [])]
    return {FIRST_ROWS: f"{call.name} up to {over.most} by {', '.join(order)}"}


def _sort_key(key: SortKey) -> str:
    direction = "DESC" if key.is_descending else "ASC"
    return f"{_line(key.written)} {direction} NULLS {'FIRST' if key.nulls_first else 'LAST'}"


def _kept_types(facts: Facts) -> dict[str, str]:
    """The types of what accumulators have read and of what is carried; numbers are kept alike whatever their width."""
    read = [_OF_EVERY_WIDTH.get(fact.type_name, fact.type_name) for fact in facts.read]
    types = [*read, *(fact.type_name for fact in facts.carried)]
    return {KEPT_TYPES: ", ".join(types)} if types else {}


_OF_EVERY_WIDTH = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), "integer"),
    **dict.fromkeys(("float", "double"), "floating point"),
}


def _windows_of_rows(query: WindowQuery, facts: Facts) -> dict[str, str]:
    """For rows that are grouped once more when their windows end: which windows these are."""
    known = () if facts.stream is None else facts.stream.windows_of_rows
    return {WINDOWS_OF_ROWS: "; ".join(known)} if known and query.spec.is_of_moments else {}


def _zone(query: WindowQuery) -> dict[str, str]:
    """The zone, for windows that follow its clocks; the state of other windows has never had this part."""
    time = query.spec.assigner.time
    return {} if time is None or time.zone is None else {ZONE_OF_WINDOWS: time.zone}


def _changes(query: WindowQuery) -> dict[str, str]:
    """What the rows of a changelog mean, as the statement says it, and its results, which it takes back as sent."""
    changes = None if query.emit is None else query.emit.changes
    if changes is None:
        return {}
    results = _line(f"{query.head} {query.tail}").replace(INTERNAL_PREFIX, PREFIX_OF_0_1_0)
    return {"the changes": changes.name, RESULTS_OF_CHANGES: results}


def _sides(query: WindowQuery, facts: Facts) -> dict[str, str]:
    """The rows of a join's sides, which are what its state keeps: rows are paired after the operator."""
    join = query.join
    if join is None or facts.sides is None:
        return {}
    left, right = facts.sides
    return {
        "the left side": f"{join.left.name} {left.row_type}",
        "the right side": f"{join.right.name} {right.row_type}",
    }


def _line(sql: str) -> str:
    """The text with one blank in the place of several, but in strings and quoted names."""
    return _BLANKS.sub(lambda found: found["quoted"] or " ", sql).strip()


_BLANKS = re.compile(r"""(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)|\s+""", re.DOTALL)
