"""A table with columns of the names that windows have: with its name before them they are its own."""

from __future__ import annotations

import pytest

from winsql.syntax import parse_statement

WINDOW = "WINDOW ASSIGN TUMBLING(ts, '1 hour')"


@pytest.mark.parametrize("name", ["window_start", "window_end", "window_time"])
@pytest.mark.parametrize("relation", ["t", "T", "`t`"])
def test_a_key_is_not_the_window_column_of_its_name(name: str, relation: str) -> None:
    text = f"SELECT {relation}.{name} AS own, {name} AS windows FROM t GROUP BY t.{name.upper()} {WINDOW}"
    query = parse_statement(text).query(0, {})
    assert query.head == f"SELECT windowed__key_0 AS own, windowed__{name} AS windows"
    assert [key.sql for key in query.keys] == [f"t.{name.upper()}"]


def test_in_rows() -> None:
    text = f"SELECT t.window_start AS own, window_start AS windows FROM t {WINDOW} PARTITION BY t.window_start"
    assert parse_statement(text).query(0, {}).head == (
        "SELECT windowed__column_0 AS own, windowed__window_start AS windows"
    )


def test_other_columns_need_no_name_before_them() -> None:
    query = parse_statement(f"SELECT v AS one, t.v AS other FROM t GROUP BY t.v {WINDOW}").query(0, {})
    assert query.head == "SELECT windowed__key_0 AS one, windowed__key_0 AS other"


@pytest.mark.parametrize("clause", ["TRIGGER COUNT(2)", "WINDOW TRIGGER COUNT(2)", "EVICT COUNT(2)", ""])
@pytest.mark.parametrize("keys", [("window",), ("v", "window"), ("window", "v")])
def test_a_key_of_the_name_window(keys: tuple[str, ...], clause: str) -> None:
    rows = parse_statement(f"SELECT v FROM t {WINDOW} PARTITION BY {', '.join(keys)} {clause}").query(0, {})
    groups = parse_statement(f"SELECT count(*) AS c FROM t {WINDOW} GROUP BY {', '.join(keys)} {clause}").query(0, {})
    assert tuple(key.sql for key in rows.keys) == tuple(key.sql for key in groups.keys) == keys
    quoted = f"SELECT v FROM t {WINDOW} PARTITION BY {', '.join(f'`{key}`' for key in keys)} {clause}"
    assert rows.spec == groups.spec == parse_statement(quoted).query(0, {}).spec
