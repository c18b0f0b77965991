"""Rules on the two inputs of a window join; each refusal names its place in the statement."""

from __future__ import annotations

import re

from winsql.errors import Span, WindowPlanError, WindowSpecError, WinsqlError
from winsql.model.query import JoinSide, WindowJoin, WindowQuery
from winsql.planner.facts import ColumnFact, Sides


def check_sides(query: WindowQuery, sides: Sides) -> None:
    """Refuse times and keys that do not compare as rows of one relation; raises WindowSpecError.

    A window brings rows together by the common type of both keys. `=` may compare in another type, as it does for a
    STRING and a number: rows that are equal by it would not meet.
    """
    join = _join(query)
    left, right = sides
    if left.time is not None and right.time is not None and left.time.type_name != right.time.type_name:
        raise _refused(
            query,
            query.time_span or join.span,
            f"the times are of different types: {join.left.time} is {_type(left.time)} and "
            f"{join.right.time} is {_type(right.time)}",
            "the times of a window join are of one type, so that both sides have the same windows",
            _time_hint(query, join.right, _type(left.time)),
        )
    for key, texts, facts in zip(query.keys, join.keys, zip(left.keys, right.keys, strict=True), strict=True):
        if not _meet(*facts):
            first, second = map(_without_side, texts)
            tables = (" of the left table", " of the right one") if first != texts[0] else ("", "")
            raise _refused(
                query,
                key.span,
                f"the keys are of different types: {first}{tables[0]} is {_type(facts[0])} and {second}{tables[1]} is "
                f"{_type(facts[1])}",
                "the keys of a window join are of one type, or both numbers, or both dates or timestamps",
                f"convert one of them, for instance with CAST({second} AS {_type(facts[0])})",
            )


def check_streaming_sides(query: WindowQuery, sides: Sides, watermark_policy: str) -> None:
    """Refuse a table beside a stream, a stream without watermark, and a watermark that one side does not wait for.

    `watermark_policy` is Spark's setting for queries over several watermarks. Raises WindowPlanError.
    """
    join = _join(query)
    for side, facts in zip((join.left, join.right), sides, strict=True):
        if not facts.is_streaming:
            raise _plan_error(
                query,
                side.span,
                f"{side.name} is a table and the other side of the join a stream",
                "the sides of a window join are both tables or both streams: rows of a table have no watermark",
                f"read {side.name} as a stream too, or join it without WINDOW: FROM stream JOIN {side.name} ON ...",
            )
        if query.spec.assigner.is_event_time and not facts.has_watermark and facts.upstream is None:
            raise _plan_error(
                query,
                side.span,
                f"the stream {side.name} has no watermark",
                "windows of event time on a stream close when the watermark of both sides passes them",
                _watermark_hint(side),
            )
    if query.spec.assigner.is_event_time and watermark_policy.lower() != "min":
        raise _plan_error(
            query,
            join.span,
            f"the session follows the {watermark_policy} of several watermarks",
            "the watermark of a window join is the smaller one, or rows of the slower side would be late",
            "run first: SET spark.sql.streaming.multipleWatermarkPolicy=min",
        )


def check_names(query: WindowQuery) -> None:
    """Raises WindowPlanError for sides whose names Spark would not find where the operator hands out the rows."""
    join = _join(query)
    sides = (join.left, join.right) if query.settings.case_sensitive else ()
    name = next((side.name for side in sides if side.name != side.name.lower()), None)
    if name is not None:
        raise _plan_error(
            query,
            join.span,
            f"{name} needs a name in lower case here",
            "with spark.sql.caseSensitive = true this join, which winsql's operator runs, finds its inputs by names in "
            "lower case only, for Spark's LATERAL VIEW makes such names",
            f"write AS {name.lower()}, and {name.lower()} before its columns",
        )


def dotted_name(query: WindowQuery) -> WinsqlError | None:
    """The error for a side whose name has a dot in it; None where there is none."""
    join = _join(query)
    name = next((side.name for side in (join.left, join.right) if "." in side.name), None)
    if name is None:
        return None
    return _plan_error(
        query,
        join.span,
        f"{name} needs a name without a dot here",
        "in winsql's operator ON runs inside a lambda function whose variables have the names of the inputs: Spark "
        "finds none that has a dot in it",
        "write AS and another name after it",
    )


def no_lambda(query: WindowQuery, message: str) -> WinsqlError:
    """The error for an ON that Spark can compute in a join, but not where the operator hands out the rows."""
    join = _join(query)
    return _plan_error(
        query,
        join.condition_span or join.span,
        f"ON cannot be computed per window: {message}",
        "in winsql's operator ON runs inside a lambda function over the rows of a window",
        "compute it as a column of one side, FROM (SELECT ..., f(v) AS w FROM a) AS x, or, for an inner join, put that "
        "part into WHERE",
    )


def _join(query: WindowQuery) -> WindowJoin:
    assert query.join is not None
    return query.join


_INSTANTS = frozenset({"date", "timestamp", "timestamp_ntz"})
_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")
_MAX_DIGITS = 38


def _meet(left: ColumnFact, right: ColumnFact) -> bool:
    """Whether `=` and UNION ALL bring the two types to the same one."""
    if left.type_name == right.type_name or "void" in (left.type_name, right.type_name):
        return True
    if left.is_number and right.is_number:
        return _fits(left, right)
    return left.type_name in _INSTANTS and right.type_name in _INSTANTS


def _fits(left: ColumnFact, right: ColumnFact) -> bool:
    """Whether the common type of two numbers keeps all digits of decimals."""
    shapes = [_DECIMAL.fullmatch(fact.type_name) for fact in (left, right)]
    decimals = [(int(shape[1]), int(shape[2])) for shape in shapes if shape is not None]
    if len(decimals) < len(shapes):
        return True
    whole = max(digits - scale for digits, scale in decimals)
    return whole + max(scale for _, scale in decimals) <= _MAX_DIGITS


def _type(fact: ColumnFact) -> str:
    name = fact.type_name
    return name if ":" in name else name.upper()  # the fields of a struct keep their case


def _without_side(text: str) -> str:
    """A key of a call, whose tables the statement does not name."""
    return re.sub(r"`(left|right)`\.", "", text)


def _time_hint(query: WindowQuery, side: JoinSide, wanted: str) -> str:
    """How to give a side's time another type: DESCRIPTOR, in calls of table functions, takes columns only."""
    time = side.time or "ts"
    if _join(query).condition_span is not None or side.time_column is None:
        return f"convert one of them, for instance with CAST({time} AS {wanted})"
    table = f"TABLE(SELECT *, CAST({side.time_column} AS {wanted}) AS converted FROM {side.sql})"
    return f"convert one of them in its table, for instance write {table}, and converted in DESCRIPTOR"


def _watermark_hint(side: JoinSide) -> str:
    column = side.time_column or "ts"
    return (
        f"write STREAM name WATERMARK {column} DELAY OF INTERVAL 10 SECONDS AS {side.name}, or call "
        f'.withWatermark("{column}", "10 seconds") on the DataFrame'
    )


def _refused(query: WindowQuery, span: Span, problem: str, rule: str, hint: str) -> WinsqlError:
    return WindowSpecError(problem, rule=rule, hint=hint).located(query.text, span)


def _plan_error(query: WindowQuery, span: Span, problem: str, rule: str, hint: str) -> WinsqlError:
    return WindowPlanError(problem, rule=rule, hint=hint).located(query.text, span)
