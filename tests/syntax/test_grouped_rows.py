"""HAVING, and EXISTS among the items, that ask other windows of streams about groups."""

from __future__ import annotations

import pytest
from on_streams import last_on_streams, on_streams

from winsql.errors import WindowSpecError
from winsql.model.joins import JoinType
from winsql.model.query import Form
from winsql.syntax import parse_statement

CALL = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
GROUPS = f"WITH g AS (SELECT k, sum(v) AS s, window_end FROM {CALL} GROUP BY k, window_end) "
SELECT = f"SELECT l.k, l.window_end, sum(v) AS s FROM {CALL} l GROUP BY l.k, l.window_start, l.window_end HAVING "
MAX = "(SELECT max(s) FROM g WHERE g.window_end = l.window_end)"
IN = "l.k IN (SELECT g.k FROM g WHERE g.window_end = l.window_end)"
EXISTS = "EXISTS (SELECT 1 FROM g WHERE g.window_end = l.window_end AND g.k = l.k)"


@pytest.mark.parametrize(
    ("having", "types"),
    [
        (f"sum(v) >= {MAX}", [JoinType.SEMI]),
        (f"s >= {MAX} AND count(*) > 1", [JoinType.SEMI]),
        (f"NOT {EXISTS}", [JoinType.ANTI]),
        (f"max(v) > 3 OR {EXISTS}", [JoinType.LEFT]),
        (f"sum(v) BETWEEN 1 AND {MAX}", [JoinType.SEMI]),
        (f"sum(v) > {MAX} AND {EXISTS}", [JoinType.SEMI, JoinType.SEMI]),
        ("sum(v) NOT IN (SELECT g.s FROM g WHERE g.window_end = l.window_end)", [JoinType.ANTI]),
    ],
)
def test_having_asks_as_where_does(having: str, types: list[JoinType]) -> None:
    queries = on_streams(parse_statement(GROUPS + SELECT + having)).queries
    assert [query.join.how for query in queries if query.join is not None] == types
    groups = next(query for query in queries if "l.k" in {key.sql for key in query.keys})
    assert (groups.form, groups.source) == (Form.AGGREGATE, "t AS l")


def test_rows_of_groups_have_keys_and_items_by_name_and_what_is_asked_about() -> None:
    queries = on_streams(parse_statement(f"{GROUPS}{SELECT}count(*) + max(v) >= {MAX} AND count(*) > 1")).queries
    names = "`k`, `window_start`, `window_end`, `s`, windowed__group_4, windowed__group_5"
    assert any(query.tail == f") AS l({names})" for query in queries)
    assert queries[-1].head.startswith("SELECT l.k AS `k`, windowed__window_end AS `window_end`, `s` AS `s` FROM (")
    assert queries[-1].tail == ") AS l WHERE TRUE AND l.windowed__group_4 > 1"


def test_a_table_that_is_asked_leaves_the_grouping_to_having() -> None:
    asked = CALL.replace("TABLE t", "TABLE u")
    text = f"{SELECT}sum(v) > (SELECT max(x.v) FROM {asked} x WHERE x.window_end = l.window_end)"
    queries = on_streams(parse_statement(text), ["u"]).queries
    assert [query.form for query in queries] == [Form.WINDOWED, Form.WINDOWED, Form.AGGREGATE]


def test_a_function_over_a_table_is_no_group_that_asks() -> None:
    statement = parse_statement(GROUPS + SELECT.replace("sum(v) AS s", "collect_list(v) AS s") + f"sum(v) >= {MAX}")
    places = [n for n, query in enumerate(statement.queries) if query.form is Form.WINDOWED]
    assert all(found is None or found[1].join is None for found in map(statement.grouped, places))


@pytest.mark.parametrize(
    ("text", "problem", "hint"),
    [
        (f"{SELECT.replace(' AS s', '')}sum(v) > {MAX}", "an item without a name", "write AS and a name"),
        (f"{SELECT.replace('sum(v) AS s', 'sum(v) AS k')}{IN}", "this subquery", "a SELECT around it"),
        (f"{SELECT.replace('SELECT', 'SELECT DISTINCT')}{IN}", "this subquery", "a SELECT around it"),
        (f"{SELECT.replace('BY l.k,', 'BY ROLLUP(l.k),')}{IN}", "this subquery", "a SELECT around it"),
        (f"{SELECT}sum(v) > (SELECT max(s) FROM g WHERE g.k = l.k)", "this comparison", "g.window_end"),
        (f"{SELECT.replace('l.k, l.window_end', 'v')}sum(v) > {MAX}", "v is neither a key", "GROUP BY"),
    ],
)
def test_what_groups_of_streams_cannot_ask(text: str, problem: str, hint: str) -> None:
    with pytest.raises(WindowSpecError, match=problem) as caught:
        last_on_streams(GROUPS + text)
    assert hint in (caught.value.hint or "")
