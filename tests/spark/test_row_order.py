"""Aggregates that depend on the order of rows see them by event time and arrival, on every plan of a bounded table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import pytest
from planned import frame_of, plan

import winsql
from winsql.errors import WindowPlanError
from winsql.model.aggregate_calls import AggregateCall
from winsql.planner.row_order import DEPENDING, Order, in_order
from winsql.syntax import parse_statement
from winsql.syntax.text.vocabulary import AGGREGATES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Row(NamedTuple):
    """A row of the table; `i` is its arrival."""

    k: str
    ts: int
    i: int
    v: int
    s: str | None


START = 1_704_067_200
ROWS = [Row("ab"[i % 2], i * 37 % 100 // 2, i, i % 3, None if i % 4 == 0 else f"s{i % 5}") for i in range(60)]
"""Times run neither with arrival nor without ties; a third of a window's values tie, too."""
TABLE = f"""
    SELECT IF(id % 2 = 0, 'a', 'b') AS k, timestamp_seconds({START} + id * 37 % 100 div 2) AS ts, CAST(id AS INT) AS i,
      CAST(id % 3 AS INT) AS v, IF(id % 4 = 0, NULL, concat('s', id % 5)) AS s
    FROM range(0, 60, 1, 4)"""

Aggregate = Callable[[list[Row]], Any]


def texts(rows: list[Row]) -> list[str]:
    return [row.s for row in rows if row.s is not None]


def once(values: list[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


CALLS: dict[str, Aggregate] = {
    "collect_list(i)": lambda rows: [row.i for row in rows],
    "array_agg(upper(s))": lambda rows: [text.upper() for text in texts(rows)],
    "collect_list(s) RESPECT NULLS": lambda rows: [row.s for row in rows],
    "collect_list(i) FILTER (WHERE v > 0)": lambda rows: [row.i for row in rows if row.v > 0],
    "collect_list(struct(v, i))": lambda rows: [(row.v, row.i) for row in rows],
    "transform(collect_list(map('i', i)), m -> m['i'])": lambda rows: [row.i for row in rows],
    "first(s)": lambda rows: rows[0].s,
    "first(s, true)": lambda rows: next(iter(texts(rows)), None),
    "first_value(s) IGNORE NULLS": lambda rows: next(iter(texts(rows)), None),
    "any_value(i)": lambda rows: rows[0].i,
    "last(s)": lambda rows: rows[-1].s,
    "last_value(s) IGNORE NULLS": lambda rows: next(iter(texts(rows)[::-1]), None),
    "last(DISTINCT i)": lambda rows: rows[-1].i,
    "listagg(s, '-')": lambda rows: "-".join(texts(rows)) or None,
    "string_agg(s) WITHIN GROUP (ORDER BY v DESC)": lambda rows: (
        "".join(texts(sorted(rows, key=lambda row: -row.v))) or None
    ),
    "listagg(DISTINCT s, '-')": lambda rows: "-".join(once(texts(rows))) or None,
    "CAST(listagg(DISTINCT encode(s, 'utf-8')) AS STRING)": lambda rows: "".join(once(texts(rows))) or None,
    "max_by(i, v)": lambda rows: max(rows, key=lambda row: (row.v, rows.index(row))).i,
    "min_by(i, v)": lambda rows: min(rows, key=lambda row: (row.v, -rows.index(row))).i,
    "max_by(i, v, 3)": lambda rows: [
        row.i for row in sorted(rows, key=lambda row: (row.v, rows.index(row)), reverse=True)[:3]
    ],
    "collect_set(v)": lambda rows: once([row.v for row in rows]),
    "collect_list(DISTINCT s)": lambda rows: once(texts(rows)),
    "collect_set(s) RESPECT NULLS": lambda rows: once([row.s for row in rows]),
    "array_agg(DISTINCT s) FILTER (WHERE v > 0) RESPECT NULLS": lambda rows: once([row.s for row in rows if row.v > 0]),
    "collect_set(struct(v))": lambda rows: once([(row.v,) for row in rows]),
    "count(*)": len,
}
Windows = Callable[[list[Row]], list[tuple[int, int, list[Row]]]]


def fixed(bounds: Callable[[int], list[tuple[int, int]]]) -> Windows:
    """The windows of a key's rows, each row in those that `bounds` gives for its time."""

    def windows(rows: list[Row]) -> list[tuple[int, int, list[Row]]]:
        found: dict[tuple[int, int], list[Row]] = {}
        for row in rows:
            for bound in bounds(row.ts):
                found.setdefault(bound, []).append(row)
        return [(*bound, held) for bound, held in found.items()]

    return windows


def sessions(rows: list[Row]) -> list[tuple[int, int, list[Row]]]:
    found: list[list[Row]] = []
    for row in rows:
        if found and row.ts <= found[-1][-1].ts + 1:
            found[-1].append(row)
        else:
            found.append([row])
    return [(held[0].ts, held[-1].ts + 1, held) for held in found]


WINDOWS: dict[str, Windows] = {
    "TUMBLING(ts, '20 seconds')": fixed(lambda t: [(t - t % 20, t - t % 20 + 20)]),
    "SLIDING(ts, '20 seconds', '10 seconds')": fixed(
        lambda t: [(t - t % 10 - d, t - t % 10 - d + 20) for d in (0, 10)]
    ),
    "CUMULATING(ts, '20 seconds', '10 seconds')": fixed(
        lambda t: [(t - t % 20, end) for end in (t - t % 20 + 10, t - t % 20 + 20) if t < end]
    ),
    "SESSION(ts, '1 second')": sessions,
    "SESSION(ts, MAKE_DT_INTERVAL(0, 0, 0, 1 + i - i))": sessions,
}


def expected(window: str, calls: list[Aggregate], rows: list[Row]) -> list[tuple[Any, ...]]:
    ordered = sorted(rows, key=lambda row: row.ts)  # stable: arrival decides on ties
    return sorted(
        (key, start, end, *(call(held) for call in calls))
        for key in ("a", "b")
        for start, end, held in WINDOWS[window]([row for row in ordered if row.k == key])
    )


def statement(window: str, calls: list[str], more: str = "", source: str = "ordered") -> str:
    bounds = f"unix_seconds(window_start) - {START}, unix_seconds(window_end) - {START}"
    items = ", ".join(f"{call} AS c{n}" for n, call in enumerate(calls))
    return f"SELECT k, {bounds}, {items} FROM {source} WINDOW ASSIGN {window} {more} GROUP BY k"


def found(rows: list[Any]) -> list[tuple[Any, ...]]:
    return sorted(tuple(plain(value) for value in row) for row in rows)


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(element) for element in value]
    return tuple(value) if isinstance(value, tuple) else value


@pytest.fixture
def ordered(spark: SparkSession) -> Iterator[SparkSession]:
    """The table, and three shuffle partitions for its keys."""
    spark.sql(TABLE).createOrReplaceTempView("ordered")
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "3")
    yield spark
    spark.conf.set("spark.sql.shuffle.partitions", str(before))


@pytest.mark.parametrize("native", [True, False], ids=["Spark", "operator"])
@pytest.mark.parametrize("window", WINDOWS)
def test_by_event_time_and_arrival(ordered: SparkSession, window: str, native: bool) -> None:
    calls = [name for name in CALLS if not ("SESSION" in window and "DISTINCT" in name)]  # those are never native
    rows = frame_of(ordered, statement(window, calls), native=native).collect()
    assert found(rows) == expected(window, [CALLS[name] for name in calls], ROWS)


def test_as_planned(ordered: SparkSession) -> None:
    """What is native as a whole, what the operator takes for a set, and accumulators by another trigger."""
    window = "TUMBLING(ts, '20 seconds')"
    sets = ["collect_set(v)", "collect_list(DISTINCT s)"]
    others = ["collect_list(i)", "last(s)", "max_by(i, v)", "min_by(i, v)"]
    for calls, more in ((others, ""), (sets, ""), (others + sets, "TRIGGER PURGING(EVENT_TIME())")):
        rows = winsql.sql(ordered, statement(window, calls, more)).collect()
        assert found(rows) == expected(window, [CALLS[name] for name in calls], ROWS), more
    assert plan(ordered, statement(window, sets), faster=True).plan.strategy.is_native is False


@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT"])
def test_a_set_has_no_negative_zero(ordered: SparkSession, kind: str) -> None:
    calls = ["collect_set(x)", "collect_list(DISTINCT x) FILTER (WHERE v < 2)", "collect_set(x) RESPECT NULLS"]
    source = f"(SELECT *, CAST(IF(v = 0, -0.0D, v) AS {kind}) AS x FROM ordered)"
    text = statement("TUMBLING(ts, '20 seconds')", calls, source=source)
    first, second = (sorted(map(str, frame_of(ordered, text, native=native).collect())) for native in (True, False))
    assert first == second
    assert "[-0.0" not in str(first)


@pytest.mark.parametrize("native", [True, False], ids=["Spark", "operator"])
def test_arrival_of_several_inputs(ordered: SparkSession, native: bool) -> None:
    """A union's first input arrives first; each of its partitions has a row with every time."""
    halves = (
        "(SELECT * FROM ordered WHERE i % 5 > 1 UNION ALL SELECT /*+ REPARTITION(1) */ * FROM ordered WHERE i % 5 < 2)"
    )
    arrived = [row for row in ROWS if row.i % 5 > 1] + [row for row in ROWS if row.i % 5 < 2]
    window, calls = "TUMBLING(ts, '20 seconds')", ["collect_list(i)", "max_by(i, v)"]
    text = statement(window, calls, source=halves)
    assert found(frame_of(ordered, text, native=native).collect()) == expected(
        window, [CALLS[name] for name in calls], arrived
    )


def test_what_nobody_knows_goes_by_rows_in_order(ordered: SparkSession) -> None:
    """A Python aggregate, and MODE where two values are as frequent, beside one that Spark computes per firing."""
    from pyspark.sql.functions import pandas_udf

    @pandas_udf("string")
    def joined_up(values: pd.Series) -> str:
        return "-".join(map(str, values))

    ordered.udf.register("joined_up", joined_up)
    window = "SLIDING(ts, '20 seconds', '10 seconds')"
    text = statement(window, ["joined_up(i)", "listagg(s)"])
    # Spark takes no aggregate of its own beside a Python one
    rows = winsql.sql(ordered, statement(window, ["joined_up(i)"])).collect()
    assert found(rows) == expected(window, [lambda rows: "-".join(str(row.i) for row in rows)], ROWS)
    assert "joined_up(i) may depend on the order of rows" in str(plan(ordered, text).plan.not_native)
    ordered.sql("DROP TEMPORARY FUNCTION joined_up")
    rows = winsql.sql(ordered, statement(window, ["mode(s)"])).collect()
    assert found(rows) == expected(window, [_mode], ROWS)


def _mode(rows: list[Row]) -> str | None:
    present = texts(rows)
    return max(once(present), key=present.count) if present else None


def test_a_condition_still_reaches_the_scan(ordered: SparkSession, tmp_path: Path) -> None:
    ordered.table("ordered").write.parquet(str(tmp_path / "rows"))
    text = f"SELECT first(s) FROM parquet.`{tmp_path}/rows` WHERE v = 1 WINDOW ASSIGN TUMBLING(ts, '20 seconds')"
    explained = winsql.sql(ordered, f"EXPLAIN {text}").collect()[0][0]
    assert "EqualTo(v,1)" in explained


def test_mistakes_are_shown_as_written(ordered: SparkSession) -> None:
    from pyspark.errors import AnalysisException

    for call in ("max_by(i)", "first(nothing)", "min_by(i, map(1, 2))", "first(s, 3)", "listagg(s, i)"):
        with pytest.raises((AnalysisException, winsql.WindowSpecError)) as caught:
            winsql.sql(ordered, f"SELECT {call} FROM ordered WINDOW ASSIGN TUMBLING(ts, '20 seconds')")
        assert "windowed__" not in str(caught.value), call


def test_a_permanent_view_keeps_the_order(ordered: SparkSession) -> None:
    ordered.sql("DROP VIEW IF EXISTS kept_order")
    ordered.sql("DROP TABLE IF EXISTS order_table")
    ordered.sql(f"CREATE TABLE order_table USING parquet AS {TABLE}")
    window, calls = "TUMBLING(ts, '20 seconds')", ["collect_list(i)", "first(s)", "collect_set(v)"]
    text = statement(window, calls, source="order_table")
    try:
        winsql.sql(ordered, f"CREATE VIEW kept_order (k, b, e, l, f, s) AS {text}")
        assert found(ordered.table("kept_order").collect()) == expected(window, [CALLS[name] for name in calls], ROWS)
        with pytest.raises(WindowPlanError, match="mode\\(v\\) may depend on the order of rows"):
            winsql.sql(
                ordered, "CREATE VIEW no_view AS SELECT mode(v) FROM order_table WINDOW ASSIGN TUMBLING(ts, '1 day')"
            )
    finally:
        ordered.sql("DROP VIEW IF EXISTS kept_order")
        ordered.sql("DROP TABLE order_table")


def test_explained(ordered: SparkSession) -> None:
    explained = winsql.sql(
        ordered, "EXPLAIN WINDOW SELECT sum(v), first(s) FROM ordered WINDOW ASSIGN TUMBLING(ts, '1 day')"
    ).collect()[0][0]
    assert "row order:        first(s) depends on the order of rows: Spark keeps event time and arrival" in explained


def test_the_table_of_aggregates() -> None:
    assert set(DEPENDING) <= AGGREGATES
    order = Order("o", "-o")
    assert in_order(_call("mode() WITHIN GROUP (ORDER BY v)"), "int", order) == "mode() WITHIN GROUP (ORDER BY v)"
    assert in_order(_call("first(v) FILTER (WHERE a OR b)"), "int", order) == "min_by(v, o) FILTER (WHERE (a OR b))"
    assert in_order(_call("MAX_BY(v, w)"), "int", order) == "max_by(v, struct(w, o)) FILTER (WHERE ((w) IS NOT NULL))"
    shown = "listagg(v, '-') WITHIN GROUP (ORDER BY w DESC, o) FILTER (WHERE (a))"
    sorted_call = _call("listagg(v, '-') WITHIN GROUP (ORDER BY w DESC) FILTER (WHERE a)")
    assert in_order(sorted_call, "string", order) == shown


def _call(text: str) -> AggregateCall:
    """The call in a windowed query."""
    (query,) = parse_statement(f"SELECT {text} FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)").queries
    (call,) = query.aggregates
    assert call.sql == text
    return call
