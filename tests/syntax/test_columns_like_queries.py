"""Columns called `table` and `values`, which are also words that begin a query."""

from __future__ import annotations

import pytest
from on_streams import last_on_streams

from winsql.errors import WindowSpecError
from winsql.syntax import parse_statement

WINDOW = "FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')"


@pytest.mark.parametrize("name", ["table", "values"])
@pytest.mark.parametrize("item", ["upper({})", "({} = 1)", "({}[0] + 1)", "coalesce({}, 1)", "({}::int)"])
def test_they_are_keys(item: str, name: str) -> None:
    query = parse_statement(f"SELECT {item.format(name)} AS a {WINDOW} GROUP BY {name}").query(0, {})
    key = "windowed__key_0"
    assert query.head == f"SELECT {item.format(key)} AS a"


@pytest.mark.parametrize("name", ["table", "values"])
@pytest.mark.parametrize("item", ["({} IS NULL)", "({} NOT IN (1, 2))", "({} BETWEEN 1 AND 2)"])
def test_a_condition_is_no_query(item: str, name: str) -> None:
    query = parse_statement(f"SELECT {item.format(name)} AS a {WINDOW} GROUP BY {name}").query(0, {})
    assert "(windowed__key_0 " in query.head


@pytest.mark.parametrize("name", ["table", "values", "using", "when", "exists"])
def test_names_of_columns_are_known_on_streams(name: str) -> None:
    left, right = (
        f"(SELECT k AS {name}, window_end FROM TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), '1 hour')))" for t in "tu"
    )
    query = last_on_streams(f"SELECT a.* FROM {left} a JOIN {right} b USING (window_end, {name})")
    assert query.head == f"SELECT a.window_end, a.{name}, a.* EXCEPT (`window_end`, `{name}`)"


@pytest.mark.parametrize("item", ["size(values)", "(table.x)"])
def test_they_must_be_keys_beside_aggregates(item: str) -> None:
    with pytest.raises(WindowSpecError, match="is neither a key nor inside an aggregate"):
        parse_statement(f"SELECT {item}, count(*) {WINDOW} GROUP BY k")


@pytest.mark.parametrize("query", ["VALUES 1", "VALUES (1), (2)", "VALUES -1", "VALUES 'a'", "TABLE u", "TABLE `in`"])
def test_queries_are_queries(query: str) -> None:
    found = parse_statement(f"SELECT k IN ({query}) AS a, count(*) AS n {WINDOW} GROUP BY k").query(0, {})
    assert found.head.startswith(f"SELECT windowed__key_0 IN ({query}) AS a")
