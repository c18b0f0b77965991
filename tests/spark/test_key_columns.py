"""Which columns tell results of windows apart: those of an upsert without the option key."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from streaming import Source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FUNCTION = "TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '10' SECOND))"
TUMBLING = "FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds')"
SESSION = "FROM events WINDOW ASSIGN SESSION(ts, '10 seconds')"


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        (f"SELECT k, window_start AS `w s`, sum(v) AS s {TUMBLING} GROUP BY k", ("k", "w s")),
        (f"SELECT upper(k) AS u, window_end, sum(v) AS s {TUMBLING} GROUP BY upper(k)", ("u", "window_end")),
        (f"SELECT window_start, sum(v) AS s {TUMBLING}", ("window_start",)),
        (f"SELECT sum(v) AS s {TUMBLING}", None),
        (f"SELECT window_start, sum(v) AS s {TUMBLING} GROUP BY k", None),
        (f"SELECT concat(k, 'x') AS k, window_start, sum(v) AS s {TUMBLING} GROUP BY k", None),
        (f"SELECT k, window_start, window_end AS e, sum(v) AS s {SESSION} GROUP BY k", ("k", "window_start", "e")),
        (f"SELECT k, window_start, sum(v) AS s {SESSION} GROUP BY k", None),
        ("SELECT k, sum(v) AS s FROM events WINDOW ASSIGN GLOBAL() TRIGGER COUNT(1) GROUP BY k", ("k",)),
        ("SELECT k, sum(v) AS s FROM events WINDOW ASSIGN COUNT(3) GROUP BY k", None),
        (f"SELECT k, v, window_start {TUMBLING}", None),
        (f"SELECT k, window_start AS a, sum(v) AS s FROM {FUNCTION} GROUP BY k, window_start, window_end", ("k", "a")),
        ("SELECT k, v FROM events", None),
    ],
)
def test_keys(session: SparkSession, events: Source, query: str, keys: tuple[str, ...] | None) -> None:
    from winsql.spark.planned_statement import parse
    from winsql.spark.tables.for_each_batch import batches_of

    assert batches_of(session, parse(session, query, None), None).keys == keys
