"""Keys whose names are also words of the grammar, or of a lambda's variables, are read only where columns are meant."""

from __future__ import annotations

import pytest

from winsql.syntax import parse_statement


def head(items: str, keys: str) -> str:
    """The select list of a windowed query over its keys and aggregates."""
    text = f"SELECT {items} FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY {keys}"
    return parse_statement(text).query(0, {}).head


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ("max(ts) > DATE '2024-01-01'", "date"),
        ("max(ts) > TIMESTAMP '2024-01-01'", "timestamp"),
        ("count(*) = X'1F'", "x"),
        ("count(*) + INTERVAL 1 DAY", "interval"),
        ("extract(day FROM max(ts))", "day"),
        ("trim(leading FROM max(v))", "leading"),
        ("trim(BOTH 'x' FROM max(v))", "both"),
        ("rank() OVER (PARTITION BY 1 ORDER BY max(v))", "partition"),
        ("sum(max(v)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)", "rows"),
        ("sum(max(v)) OVER (ORDER BY 1 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)", "unbounded"),
        ("max(v) > 1 IS NOT UNKNOWN", "unknown"),
        ("CASE WHEN max(v) > 1 THEN 1 END", "`case`"),
        ("TRUE AND max(v) > 1", "`true`"),
        ("mask(max(v), upperChar => 'X')", "upperChar"),
        ("transform(array(max(v)), k -> k + 1)", "k"),
        ("transform(array(max(v)), (k) -> k + 1)", "k"),
        ("transform(array(max(v)), `k` -> `k` + 1)", "k"),
        ("aggregate(array(max(v)), 0, (k, n) -> k + n)", "k"),
    ],
)
def test_words_are_no_keys(item: str, key: str) -> None:
    assert "windowed__key" not in head(f"{item} AS a", key)


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ("(rows BETWEEN 1 AND 3)", "rows"),
        ("abs(rows - 1)", "rows"),
        ("trim(leading)", "leading"),
        ("trim(k FROM max(v))", "k"),
        ("substring(k FROM 2)", "k"),
        ("date > DATE '2024-01-01'", "date"),
        ("partition + 1", "partition"),
        ("unknown IS UNKNOWN", "unknown"),
        ("`true`", "`true`"),
    ],
)
def test_columns_are_keys(item: str, key: str) -> None:
    assert head(f"{item} AS a", key).count("windowed__key_0") == 1


def test_a_key_is_read_beside_a_variable_of_its_name() -> None:
    text = head("transform(array('z'), k -> concat(k, t.k)) AS a", "k")
    assert text == "SELECT transform(array('z'), k -> concat(k, windowed__key_0)) AS a"


def test_an_expression_over_a_variable_is_no_key() -> None:
    text = head("transform(array(1), x -> k + x) AS a, k + x AS b", "k + x, k")
    assert text == "SELECT transform(array(1), x -> windowed__key_1 + x) AS a, windowed__key_0 AS b"


@pytest.mark.parametrize(("item", "other"), [("trim(x FROM k)", "x"), ("substring(x FROM 2)", "x"), ("x - 1", "x")])
def test_columns_before_from_are_columns(item: str, other: str) -> None:
    """They must be keys or aggregated, as any column."""
    with pytest.raises(Exception, match=f"{other} is neither a key nor inside an aggregate"):
        head(f"{item} AS a, count(*) AS n", "k")
