"""Pipes over windows: those that take several rows together are refused on streams, all others are Spark's."""

from __future__ import annotations

import pytest
from on_streams import on_streams

from winsql.errors import WindowSpecError
from winsql.syntax import parse_statement

CALL = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
RESULTS = "SELECT k, window_end, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"
RANKS = "row_number() OVER (PARTITION BY window_end ORDER BY k) AS r"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{RESULTS} |> WHERE n > 1 |> AGGREGATE sum(n) AS s GROUP BY window_end", "AGGREGATE after"),
        (f"{RESULTS} |> SELECT DISTINCT k, window_end", "SELECT DISTINCT after"),
        (f"{RESULTS} |> EXTEND {RANKS} |> WHERE r = 1", "OVER after"),
        (f"SELECT s FROM (FROM ({RESULTS}) |> AGGREGATE sum(n) AS s GROUP BY window_end)", "AGGREGATE after"),
        (f"WITH w AS ({RESULTS}) FROM w |> AGGREGATE sum(n) AS s", "AGGREGATE after"),
        (f"FROM {CALL} |> EXTEND {RANKS} |> WHERE r = 1", "OVER after"),
        (f"WITH w AS (SELECT * FROM {CALL}) FROM w |> SELECT k, {RANKS}", "OVER after"),
    ],
)
def test_pipes_that_take_rows_of_windows_together_are_refused(text: str, problem: str) -> None:
    with pytest.raises(WindowSpecError, match=rf"{problem} \|> cannot be used over windows of a stream"):
        on_streams(parse_statement(text))


@pytest.mark.parametrize(
    "text",
    [
        f"{RESULTS} |> WHERE n > 1 |> SELECT k, (SELECT max(x) FROM u |> AGGREGATE max(x) AS x) AS m",
        f"WITH w AS (FROM t |> AGGREGATE max(v) AS v GROUP BY k) {RESULTS} |> SELECT k, n",
        f"FROM {CALL} |> AGGREGATE count(*) AS n GROUP BY window_end",
        f"FROM {CALL} |> SELECT k, (SELECT max(count(*) OVER ()) FROM u) AS m",
    ],
)
def test_other_pipes_are_left_to_spark(text: str) -> None:
    assert len(on_streams(parse_statement(text)).queries) == 1
