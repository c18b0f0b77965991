"""Parameters of a statement inside window clauses: their values where they are known, any value where they are not."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from winsql.errors import WindowSpecError, WinsqlError
from winsql.model.parameters import Parameters
from winsql.model.triggers import CountTrigger, DeltaTrigger
from winsql.shell.fmt import format_script
from winsql.syntax import parse_statement
from winsql.syntax.mistakes import find_mistakes

MINUTE = 60_000_000


def one(text: str, given: Any) -> Any:
    """The one query of a statement."""
    (query,) = parse_statement(text, parameters=Parameters(given)).queries
    return query


@pytest.mark.parametrize("value", ["10 minutes", timedelta(minutes=10), "INTERVAL 600 seconds"])
@pytest.mark.parametrize("marker", [":size", "?"])
@pytest.mark.parametrize("clause", ["WINDOW ASSIGN TUMBLING(ts, {})", "WINDOW ASSIGN SESSION(ts, {})"])
def test_a_length(clause: str, marker: str, value: Any) -> None:
    given = [value] if marker == "?" else {"size": value}
    assigner = one(f"SELECT k, count(*) FROM t {clause.format(marker)} GROUP BY k", given).spec.assigner
    assert getattr(assigner, "size", None) or assigner.gap == 10 * MINUTE


@pytest.mark.parametrize("value", [10, "10"])
def test_the_number_of_an_interval(value: Any) -> None:
    query = one("SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL :n MINUTES) GROUP BY k", {"n": value})
    assert query.spec.assigner.size == 10 * MINUTE


def test_each_marker_has_its_own_value_wherever_it_stands() -> None:
    text = (
        "SELECT ?, count(*) FROM t WHERE v > ? STATE TTL ? WINDOW ASSIGN TUMBLING(ts, ?, - ?) TRIGGER COUNT(?) "
        "ALLOWED LATENESS ? GROUP BY k HAVING count(*) > ?"
    )
    given = ["x", 1, "1 day", "10 minutes", "2 minutes", 7, "3 minutes", 8]
    statement = parse_statement(text, parameters=Parameters(given))
    (query,) = statement.queries
    spec = query.spec
    assert (spec.assigner.size, spec.assigner.offset) == (10 * MINUTE, -2 * MINUTE)  # type: ignore[attr-defined]
    assert (spec.trigger, spec.allowed_lateness, query.spec.state_ttl) == (CountTrigger(7), 3 * MINUTE, 1440 * MINUTE)
    arguments = statement.arguments(given)
    assert isinstance(arguments, dict)
    left = [name for name in arguments if f":{name}" in f"{query.where} {statement.replace({0: 'r'})}"]
    assert [arguments[name] for name in left] == ["x", 1, 8]


def test_numbers_and_flags() -> None:
    text = "SELECT k, count(*) FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER DELTA(v, :most, signed => :signed) GROUP BY k"
    for most in (2.5, Decimal("2.5")):
        trigger = one(text, {"most": most, "signed": True}).spec.trigger
        assert isinstance(trigger, DeltaTrigger)
        assert (trigger.threshold, trigger.signed) == (2.5, True)


CALL = "SELECT k FROM {}(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(x, y), TUMBLING(:size){})"


def test_functions_over_tables() -> None:
    query = one(
        "SELECT * FROM HOP(TABLE t, DESCRIPTOR(ts), :slide, SIZE => :size)", {"slide": "5 minutes", "size": "1 hour"}
    )
    assert (query.spec.assigner.slide, query.spec.assigner.size) == (5 * MINUTE, 60 * MINUTE)
    query = one(CALL.format("window_join", ", join_type => :how"), {"size": "1 hour", "how": "left anti"})
    assert query.join.how.name == "ANTI"


WRONG = [
    ("TUMBLING(ts, :p)", 10, "the parameter :p is 10, which is no length of time"),
    ("TUMBLING(ts, :p)", True, "the parameter :p is True, which is no length of time"),
    ("TUMBLING(ts, :p)", None, "the parameter :p is NULL"),
    ("TUMBLING(ts, :p)", "10 s", "the parameter :p is '10 s': s is not a unit of time: SECOND is meant"),
    ("TUMBLING(ts, :p)", "soon", "the parameter :p is 'soon': this interval is not complete"),
    ("TUMBLING(ts, :p)", "0 seconds", "this size cannot be used"),
    ("TUMBLING(ts, INTERVAL :p MINUTES)", "x", "x is not a number"),
    ("SESSION(ts, :p)", ["1 hour"], "which is no length of time"),
    ("COUNT(:p)", "10", "n must be an integer, and the parameter :p is '10'"),
    ("COUNT(:p)", 1.5, "n must be an integer, and the parameter :p is 1.5"),
    ("COUNT(:p)", True, "n must be an integer, and the parameter :p is True"),
    ("COUNT(:p)", 0, "this n cannot be used"),
    ("GLOBAL(ts) TRIGGER DELTA(v, :p)", "1", "threshold must be a number, and the parameter :p is '1'"),
    ("GLOBAL(ts) TRIGGER DELTA(v, :p)", float("nan"), "threshold must be a number"),
    ("GLOBAL(ts) TRIGGER DELTA(v, 1, signed => :p)", 1, "signed must be TRUE or FALSE, and the parameter :p is 1"),
]


@pytest.mark.parametrize(("clause", "value", "problem"), WRONG)
def test_a_wrong_value_is_refused_where_the_parameter_stands(clause: str, value: Any, problem: str) -> None:
    text = f"SELECT k, count(*) FROM t WINDOW ASSIGN {clause} GROUP BY k"
    with pytest.raises(WinsqlError) as caught:
        one(text, {"p": value})
    assert problem in caught.value.problem
    assert caught.value.span is not None
    assert ":p" in caught.value.span.text(text)
    assert caught.value.hint


@pytest.mark.parametrize("given", [None, {}, [], {"other": "10 minutes"}])
@pytest.mark.parametrize("marker", [":size", "?"])
def test_a_parameter_without_a_value_is_refused(marker: str, given: Any) -> None:
    with pytest.raises(WindowSpecError, match="has no value") as caught:
        one(f"SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, {marker}) GROUP BY k", given)
    assert "args=" in (caught.value.hint or "")
    assert "windowed__" not in str(caught.value)


@pytest.mark.parametrize("given", [None, ["10 minutes"], {"p": 1}])
def test_so_is_a_marker_outside_of_the_clauses(given: Any) -> None:
    text = "SELECT k, count(*), ? + ? FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"
    with pytest.raises(WindowSpecError, match=r"the parameter \? at position [12] has no value"):
        one(text, given)


CLAUSES = [
    "TUMBLING(ts, :size, INTERVAL 5 MINUTES)",
    "TUMBLING(ts, ?, ?)",
    "SLIDING(ts, :size, INTERVAL 5 MINUTES, :offset)",
    "SLIDING(ts, '1 hour', ?)",
    "CUMULATING(ts, :size, INTERVAL 10 MINUTES)",
    "CUMULATING(ts, '1 hour', :step, offset => INTERVAL 5 MINUTES)",
    "SESSION(ts, INTERVAL ? MINUTES)",
    "COUNT(5, ?)",
    "GLOBAL(ts) TRIGGER ANY(COUNT(:n), DELTA(v, ?, signed => :s), WHEN(sum(v) > :x)) EVICT COUNT(?) AFTER",
]


@pytest.mark.parametrize("clause", CLAUSES)
def test_where_only_the_text_is_known_any_value_may_come(clause: str) -> None:
    text = f"SELECT k, count(*)\nFROM t\nWINDOW ASSIGN {clause.replace(' TRIGGER', chr(10) + 'TRIGGER')}\nGROUP BY k"
    text = text.replace(" EVICT", "\nEVICT")
    assert find_mistakes(text) == []
    assert format_script(text) == text


@pytest.mark.parametrize(
    "call", [CALL.format("window_join", ", join_type => ?"), CALL.format("co_group", ", apply => :f")]
)
def test_so_in_calls(call: str) -> None:
    assert find_mistakes(call) == []


def test_what_is_wrong_whatever_the_values_is_said_without_them() -> None:
    (error,) = find_mistakes("SELECT k, count(*) FROM t WINDOW ASSIGN COUNT(:n) TRIGGER COUNT(:m) GROUP BY k")
    assert error.problem == "TRIGGER cannot be used with WINDOW ASSIGN COUNT"
    (error,) = find_mistakes("SELECT k, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL :n s) GROUP BY k")
    assert "SECOND is meant" in error.problem
