"""Nothing of a statement is lost on streams: what a rule does not read is refused, or left to Spark."""

from __future__ import annotations

import pytest
from on_streams import on_streams

from winsql.errors import WinsqlError
from winsql.model.query import Form
from winsql.syntax import parse_statement

CALL = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
EQUAL = "l.k = r.k AND l.window_end = r.window_end"
ELSE = "something else beside the relations of this FROM"
FURTHER = "a join of windows with further relations"
ASKS = f"(SELECT 1 FROM {CALL} r WHERE {EQUAL})"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{CALL} l UNPIVOT (x FOR y IN (n, v)) JOIN {CALL} r ON {EQUAL}", ELSE),
        (f"{CALL} l JOIN {CALL} r PIVOT (sum(n) FOR k IN ('a')) ON {EQUAL}", ELSE),
        (f"{CALL} l TABLESAMPLE (5 ROWS) JOIN {CALL} r ON {EQUAL}", ELSE),
        (f"{CALL} l LATERAL VIEW explode(array(1)) e AS z JOIN {CALL} r ON {EQUAL}", FURTHER),
        (f"{CALL} l FOR UPDATE JOIN {CALL} r ON {EQUAL}", ELSE),
        (f"{CALL} l, , {CALL} r WHERE {EQUAL}", ELSE),
        (f"{CALL} l JOIN LATERAL (SELECT * FROM {CALL}) r ON {EQUAL}", ELSE),
        (f"{CALL} l UNPIVOT (x FOR y IN (n, v)) WHERE EXISTS {ASKS}", ELSE),
        (f"{CALL} l WHERE EXISTS (SELECT 1 FROM {CALL} r UNPIVOT (x FOR y IN (n, v)) WHERE {EQUAL})", ELSE),
        (f"{CALL} l TABLESAMPLE (5 ROWS) WHERE l.v > (SELECT avg(r.v) FROM {CALL} r WHERE {EQUAL})", ELSE),
        (f"d UNPIVOT (x FOR y IN (a, b)) JOIN {CALL} l ON d.id = l.k JOIN {CALL} r ON {EQUAL}", FURTHER),
        (f"d + 1 JOIN {CALL} l ON d.id = l.k JOIN {CALL} r ON {EQUAL}", FURTHER),
        (f"(d LEFT JOIN {CALL} l ON d.id = l.k) JOIN {CALL} r ON {EQUAL}", FURTHER),
        (f"(VALUES ('a')) AS d(id) JOIN {CALL} l ON d.id = l.k JOIN {CALL} r ON {EQUAL}", FURTHER),
        (f"{CALL} l OUTER JOIN {CALL} r ON {EQUAL}", "this type of join"),
        (f"{CALL} l LEFT INNER JOIN {CALL} r ON {EQUAL}", "this type of join"),
        (f"{CALL} l FULL CROSS JOIN {CALL} r ON {EQUAL}", "this type of join"),
        (f"{CALL} l JOIN {CALL} r USING (k, window_end,)", ELSE),
        (f"{CALL} l JOIN {CALL} r USING k, window_end", ELSE),
        (f"{CALL} l JOIN {CALL} r USING (k x, window_end)", ELSE),
        (f"{CALL} l JOIN {CALL} r USING ((k), window_end)", ELSE),
        (f"{CALL} l WHERE EXISTS (SELECT max(r.v) FROM {CALL} r WHERE {EQUAL})", "this EXISTS or IN"),
        (f"{CALL} l WHERE EXISTS (SELECT 1 FROM {CALL} r WHERE {EQUAL} LIMIT 0)", "this EXISTS or IN"),
        (f"{CALL} l WHERE EXISTS (SELECT 1 FROM {CALL} r WHERE {EQUAL} OFFSET 1)", "this EXISTS or IN"),
        (f"{CALL} l WHERE EXISTS (SELECT explode(array(r.v)) FROM {CALL} r WHERE {EQUAL})", "this EXISTS or IN"),
        (f"{CALL} l GROUP BY window_end, ROLLUP(l.k) HAVIN count(*) > 2", "ROLLUP ends before this"),
        (f"{CALL} l GROUP BY window_end, CUBE(l.k) + 1", "CUBE ends before this"),
        (f"{CALL} l GROUP BY window_end, CUBE(l.k,)", "a key is missing in CUBE"),
        (f"{CALL} l GROUP BY window_end, GROUPING SETS ((l.k),, ())", "a key is missing in GROUPING SETS"),
    ],
)
def test_what_no_rule_reads_is_refused(text: str, problem: str) -> None:
    with pytest.raises(WinsqlError, match=problem):
        on_streams(parse_statement(f"SELECT l.k FROM {text}"))


@pytest.mark.parametrize(
    ("window", "problem"),
    [
        ("(PARTITION BY window_end, ORDER BY v)", "a key of PARTITION BY is missing"),
        ("(ORDER BY k PARTITION BY window_end ORDER BY v)", "not in its place in a window"),
        ("(PARTITION BY k PARTITION BY window_end ORDER BY v)", "not in its place in a window"),
        ("(k PARTITION BY window_end ORDER BY v)", "not in its place in a window"),
        ("w", "there are two windows w"),
    ],
)
def test_windows_of_over_have_their_parts_once_and_in_order(window: str, problem: str) -> None:
    named = "WINDOW w AS (PARTITION BY window_end ORDER BY k), w AS (PARTITION BY window_end ORDER BY v)"
    with pytest.raises(WinsqlError, match=problem):
        on_streams(parse_statement(f"SELECT k, rank() OVER {window} AS r FROM {CALL} {named if window == 'w' else ''}"))


@pytest.mark.parametrize(
    "text",
    [
        f"FROM {CALL} l WHERE l.v > 6 |> WHERE EXISTS {ASKS} |> SELECT l.k",
        f"FROM {CALL} l WHERE l.v > 1 |> JOIN {CALL} r ON {EQUAL} |> SELECT l.k",
        f"FROM {CALL} l, {CALL} r WHERE l.v > 1 |> WHERE {EQUAL} |> SELECT l.k",
    ],
)
def test_a_where_before_the_first_pipe_is_left_to_spark(text: str) -> None:
    assert all(query.form is Form.WINDOWED for query in on_streams(parse_statement(text)).queries)


@pytest.mark.parametrize(
    "text",
    [
        f"{CALL} l CROSS JOIN {CALL} r WHERE {EQUAL}",
        f"({CALL} l LEFT OUTER JOIN {CALL} r USING (k, `window_end`))",
        f"{CALL} l JOIN {CALL} r ON {EQUAL} AND left(l.k, 1) = 'a'",
        f"VALUES ('a') AS d(id) JOIN {CALL} l ON d.id = l.k JOIN {CALL} r ON {EQUAL}",
        f"(d CROSS JOIN e), {CALL} l, {CALL} r WHERE {EQUAL}",
        f"(d JOIN {CALL} l ON d.id = l.k) JOIN {CALL} r ON {EQUAL}",
        f"(d INNER JOIN ({CALL} l CROSS JOIN e)), ({CALL} r) WHERE {EQUAL}",
        f"d JOIN {CALL} l ON d.id = l.k LEFT SEMI JOIN {CALL} r ON {EQUAL}",
        f"{CALL} l JOIN {CALL} r ON {EQUAL}, names d LATERAL VIEW explode(array(1)) e AS z",
        f"{CALL} l WHERE EXISTS (SELECT DISTINCT r.v FROM {CALL} r WHERE {EQUAL})",
        f"{CALL} l WHERE EXISTS (SELECT 1 FROM {CALL} r WHERE {EQUAL} ORDER BY r.v LIMIT 1)",
        f"{CALL} l WHERE (l.v, l.window_end) IN "
        f"(SELECT rank() OVER (PARTITION BY r.window_end ORDER BY r.v), r.window_end FROM {CALL} r)",
    ],
)
def test_joins_in_all_their_words(text: str) -> None:
    assert on_streams(parse_statement(f"SELECT l.k FROM {text}")).queries[-1].form is Form.JOIN


@pytest.mark.parametrize("words", ["UNPIVOT (x FOR y IN (n, v))", "PIVOT (sum(n) FOR k IN ('a'))"])
def test_words_after_a_function_are_no_alias(words: str) -> None:
    text = f"SELECT k, count(*) FROM {CALL} {words} GROUP BY k, window_start, window_end"
    for query in (parse_statement(text).queries[-1], on_streams(parse_statement(text)).queries[-1]):
        assert f"AS {words}" not in query.source
