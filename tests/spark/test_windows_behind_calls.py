"""Windows of a stream behind IDENTIFIER, EXECUTE IMMEDIATE and functions that return tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Rows, Source

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

GROUPS = "SELECT window_end, sum(c) AS c FROM {} GROUP BY {}window_end"
TUMBLE = "TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '10' SECONDS)"
ENDLESS = "this query groups rows of a stream in groups that never end"


@pytest.fixture
def counted(session: SparkSession, events: Source) -> Iterator[SparkSession]:
    """The session with a view `counted`, whose rows are windows of a stream, and `rows_in`, whose rows have windows."""
    events.put([("a", 1, 1.0, 0), ("b", 2, 1.0, 0), ("a", 3, 1.0, 0)], [("a", 30, 1.0, 0)])
    windows = "FROM events WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 SECONDS) GROUP BY k"
    winsql.sql(session, f"CREATE TEMPORARY VIEW counted AS SELECT k, window_end, count(*) AS c {windows}")
    winsql.sql(session, f"CREATE TEMPORARY VIEW rows_in AS SELECT * FROM TABLE({TUMBLE})")
    yield session
    session.catalog.dropTempView("counted")
    session.catalog.dropTempView("rows_in")


@pytest.mark.parametrize(
    ("relation", "qualifier"),
    [
        ("IDENTIFIER('counted')", ""),
        ("IDENTIFIER('COUNTED')", "counted."),
        ("identifier('coun' || 'ted') AS x", "x."),
        ("IDENTIFIER(:name)", ""),
    ],
)
def test_a_view_by_its_name_as_text(counted: SparkSession, tmp_path: Path, relation: str, qualifier: str) -> None:
    """It has the windows of the view; after a name that is one string, the name is that of the relation, too."""
    text = GROUPS.format(relation, qualifier)
    rows = Rows(tmp_path)
    frame = winsql.sql(counted, text, args={"name": "counted"} if ":" in relation else None)
    rows.start(frame, tmp_path / "checkpoint", availableNow=True).awaitTermination()
    assert [row[1] for row in rows.taken()] == ["3"]


@pytest.mark.parametrize("relation", ["counted", "rows_in", f"TABLE({TUMBLE})"])
def test_a_key_by_its_name_as_text(counted: SparkSession, relation: str) -> None:
    text = f"SELECT count(*) FROM {relation} GROUP BY IDENTIFIER('window_end')"
    with pytest.raises(WindowPlanError, match=ENDLESS) as caught:
        winsql.sql(counted, text)
    assert caught.value.hint == "write the column's name itself in the place of IDENTIFIER(...)"


def test_a_function_that_returns_windows(counted: SparkSession) -> None:
    columns = "k STRING, window_end TIMESTAMP, c BIGINT"
    counted.sql(f"CREATE TEMPORARY FUNCTION counted_of() RETURNS TABLE ({columns}) RETURN SELECT * FROM counted")
    for relation in ("counted_of()", "counted_of() AS x", "(SELECT * FROM counted_of())"):
        with pytest.raises(WindowPlanError, match=ENDLESS) as caught:
            winsql.sql(counted, GROUPS.format(relation, ""))
        assert "temporary view" in (caught.value.hint or "")
    assert winsql.sql(counted, "SELECT k, c FROM counted_of()").isStreaming
    assert winsql.sql(counted, "SELECT id, count(*) FROM range(2) GROUP BY id").count() == 2
    counted.sql("DROP TEMPORARY FUNCTION counted_of")


@pytest.mark.parametrize("view", ["counted", "rows_in"])
def test_execute_immediate_over_a_view(counted: SparkSession, view: str) -> None:
    """Spark reads its text alone."""
    text = f"  EXECUTE IMMEDIATE 'SELECT DISTINCT window_end FROM {view}'"
    with pytest.raises(WindowPlanError, match="EXECUTE IMMEDIATE cannot group") as caught:
        winsql.sql(counted, text)
    assert caught.value.span is not None
    assert caught.value.span.text(text) == "EXECUTE IMMEDIATE"
    assert winsql.sql(counted, f"EXECUTE IMMEDIATE 'SELECT * FROM {view}'").isStreaming
