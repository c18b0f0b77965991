"""LATERAL joins with conditions: on streams Spark runs them with their conditions apart."""

from __future__ import annotations

import pytest

from winsql.syntax import parse_statement

APART = "LEFT SEMI JOIN (SELECT true) ON"


@pytest.mark.parametrize(
    ("joins", "expected"),
    [
        ("JOIN LATERAL explode(xs) AS e(x) ON x > 0", f"JOIN LATERAL explode(xs) AS e(x) {APART} x > 0"),
        ("inner join lateral (SELECT 1) e ON(x > 0)", f"inner join lateral (SELECT 1) e {APART}(x > 0)"),
        ("JOIN LATERAL explode(xs) e ON e.col AND true", f"JOIN LATERAL explode(xs) e {APART} e.col AND true"),
        ("JOIN LATERAL explode(xs) ON TRUE JOIN b", f"JOIN LATERAL explode(xs) {APART} TRUE JOIN b"),
        ("LEFT OUTER JOIN LATERAL explode(xs) ON true", None),
        ("left join lateral explode(xs) e ON x > 0", None),
        ("|> JOIN LATERAL f(xs) e ON x > 0 |> LIMIT 1", f"|> JOIN LATERAL f(xs) e |> {APART} x > 0 |> LIMIT 1"),
        (", LATERAL explode(xs) AS e(x) JOIN b ON x > 0", None),
        ("LATERAL VIEW explode(xs) e AS x", None),
    ],
)
def test_conditions_apart(joins: str, expected: str | None) -> None:
    function = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR))"
    statement = parse_statement(f"FROM {function} AS a {joins}")
    assert statement.has_lateral_conditions() == (expected is not None)
    apart = statement.with_lateral_conditions_apart()
    assert apart.replace({0: "t"}).endswith(f" AS a {expected or joins}")
    assert not apart.has_lateral_conditions()
