"""WINDOW JOIN on tables: by Spark alone and by the operator the same rows as hand-written SQL, and what is refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import pytest
from planned import both_ways, frame_of, rows_of

import winsql
from winsql.errors import WindowPlanError, WindowSpecError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LEFT = "k BIGINT, name STRING, ts TIMESTAMP, v INT, `odd ``name` STRUCT<f: INT>"
RIGHT = "k INT, name STRING, ts TIMESTAMP, w INT"
# clocks in New York go back on 2013-11-03 06:00 UTC
NIGHT = datetime(2013, 11, 3, 4)

WINDOWS = {
    "TUMBLING((x.ts, y.ts), '1 hour', INTERVAL '7' MINUTE)": (60, 60, 7),
    "SLIDING((x.ts, y.ts), '1 hour', '25 minutes')": (60, 25, 0),
    "SLIDING((x.ts, y.ts), '20 minutes', '1 hour', INTERVAL '-30' MINUTE)": (20, 60, -30),
}
CONDITIONS = [
    "x.k = y.k",
    "x.k = y.k AND upper(x.name) = upper(y.name)",
    "x.k <=> y.k AND x.v < y.w + `x`.`odd ``name`.f",
    "y.k IS NOT DISTINCT FROM x.k AND x.v < y.w",
]
TYPES = ["", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI"]


@pytest.fixture(scope="module")
def tables(spark: SparkSession) -> None:
    """Random rows with NULL keys, times and values, and duplicates."""
    pick = random.Random(4)

    def row(*rest: Any) -> tuple[Any, ...]:
        ts = NIGHT + timedelta(minutes=pick.randrange(300), microseconds=pick.choice([0, 0, 1, 999_999]))
        values = (pick.randrange(3), pick.choice("aAb"), ts, pick.randrange(9))
        return (*(None if pick.random() < 0.1 else value for value in values), *rest)

    left = [row((pick.randrange(-3, 3),)) for _ in range(60)]
    right = [row() for _ in range(50)]
    spark.createDataFrame(left + left[:5], LEFT).createOrReplaceTempView("lefts")
    spark.createDataFrame(right + right[:5], RIGHT).createOrReplaceTempView("rights")


def by_hand(how: str, condition: str, size: int, slide: int, offset: int) -> str:
    """Plain Spark SQL: each row once per window, found by trying all windows of the night, joined on the window."""
    first = int((NIGHT - datetime(1970, 1, 1)).total_seconds() // 60) - 2 * size
    first -= (first - offset) % slide
    minutes = f"SELECT explode(sequence({first}L, {first + 600}L, {slide}L)) AS minute"
    starts = f"(SELECT 60000000 * minute AS s FROM ({minutes}))"

    def side(table: str, name: str) -> str:
        inside = f"unix_micros(r.ts) >= s AND unix_micros(r.ts) < s + {size * 60_000_000}L"
        return f"(SELECT r.*, s FROM {table} r JOIN {starts} ON {inside}) AS {name}"

    right = "" if how in ("SEMI", "ANTI") else ", y.* EXCEPT (s)"
    start = "x.s" if how in ("SEMI", "ANTI") else "coalesce(x.s, y.s)"
    return (
        f"SELECT x.* EXCEPT (s){right}, {start} AS window_start, {start} + {size * 60_000_000}L AS window_end "
        f"FROM {side('lefts', 'x')} {how} JOIN {side('rights', 'y')} ON ({condition}) AND x.s = y.s"
    )


@pytest.mark.slow
def test_as_written_by_hand(spark: SparkSession, tables: None) -> None:
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    statements, plain = [], []
    try:
        for number, how in enumerate(TYPES):
            window, bounds = list(WINDOWS.items())[number % 3]
            condition = CONDITIONS[(number + number // 3) % 3]
            plain.append(spark.sql(by_hand(how, condition, *bounds)))
            statements.append(
                "SELECT *, unix_micros(window_start) AS window_start, unix_micros(window_end) AS window_end "
                f"FROM lefts AS x {how} WINDOW JOIN rights AS y ON {condition} WINDOW ASSIGN {window}"
            )
        expected = rows_of(plain)
        for (text, native, operator), wanted in zip(both_ways(spark, statements), expected, strict=True):
            assert native == wanted, text
            assert operator == wanted, text
            assert len(wanted) > 5, text
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.mark.slow
def test_native_and_operator_agree_elsewhere(spark: SparkSession) -> None:
    """CUMULATING, dates, local times, NaN and negative zero, keys of different widths, WHERE, aggregates of them."""
    spark.sql(
        "SELECT DATE'2020-02-28' + CAST(id % 5 AS INT) AS day, TIMESTAMP_NTZ'1969-12-31 23:00:00' + "
        "make_dt_interval(0, 0, 17 * id) AS ntz, "
        "element_at(array(0D, -0D, double('NaN'), 1D, NULL), CAST(id % 5 AS INT) + 1) AS d, "
        "CAST(id % 3 AS DECIMAL(5, 1)) AS p, id FROM range(24)"
    ).createOrReplaceTempView("mixed_rows")
    join = "FROM mixed_rows x {} WINDOW JOIN mixed_rows AS `Other one` ON {} WINDOW ASSIGN {}"
    other, bounds = "`other ONE`", "window_start, window_end, window_time, pane_index, pane_timing"
    times = f"(x.ntz, {other}.ntz)"
    statements = [
        f"SELECT *, {bounds} "
        + join.format("FULL", f"x.d = {other}.d", f"CUMULATING({times}, '1 hour', '20 minutes', INTERVAL '-5' MINUTE)"),
        f"SELECT x.id, {other}.p, {bounds} "
        + join.format("LEFT", f"x.p = {other}.id", f"SLIDING((x.day, {other}.day), '3 days', '2 days')"),
        "SELECT window_start, count(*), count(DISTINCT x.id), sum(id) "
        + join.replace("mixed_rows AS", "(SELECT d, ntz FROM mixed_rows) AS").format(
            "", f"x.d = {other}.d", f"TUMBLING({times}, '1 hour')"
        )
        + " WHERE x.id > 3 GROUP BY window_start HAVING count(*) > 1",
    ]
    for text, native, operator in both_ways(spark, statements):
        assert native == operator, text
        assert native, text


class Row(NamedTuple):
    """A row of either side."""

    second: int
    n: int
    key: int | None
    v: int | None
    is_right: bool


Pair = tuple[Row | None, Row | None]
Firings = Callable[[list[Row]], list[list[Row]]]


def sessions(gap: Callable[[Row], int]) -> Firings:
    def firings(rows: list[Row]) -> list[list[Row]]:
        found: list[list[Row]] = []
        end = -1
        for row in rows:
            if row.second > end:
                found.append([])
            found[-1].append(row)
            end = max(end, row.second + gap(row))
        return found

    return firings


def every(n: int, last: int) -> Firings:
    """At every n-th row the last ones."""
    return lambda rows: [rows[max(0, stop - last) : stop] for stop in range(n, len(rows) + 1, n)]


def last_of_windows(size: int, last: int) -> Firings:
    return lambda rows: [
        [row for row in rows if row.second // size == window][-last:]
        for window in sorted({row.second // size for row in rows})
    ]


# what a key's rows, in order of time, fire
FIRINGS: dict[str, Firings] = {
    "SESSION((x.ts, y.ts), '7 seconds')": sessions(lambda row: 7),
    "SESSION((x.ts, y.ts), make_dt_interval(0, 0, 0, 1 + coalesce(x.n, y.n) % 5))": sessions(lambda row: 1 + row.n % 5),
    "COUNT(3, time => (x.ts, y.ts))": every(3, last=3),
    "COUNT(5, 2, time => (x.ts, y.ts))": every(2, last=5),
    "GLOBAL((x.ts, y.ts)) TRIGGER COUNT(4)": every(4, last=1000),
    "TUMBLING((x.ts, y.ts), '20 seconds') EVICT COUNT(4)": last_of_windows(20, last=4),
}
MATCHES: dict[str, Callable[[Row, Row], bool]] = {
    "x.k = y.k": lambda x, y: x.key is not None and x.key == y.key,
    "x.k = y.k AND NOT x.v > y.v": lambda x, y: x.key is not None and None not in (x.v, y.v) and x.v <= y.v,  # type: ignore[operator]
    "x.k <=> y.k AND (x.v = y.v OR x.n < y.n)": lambda x, y: x.n < y.n or (x.v is not None and x.v == y.v),
}


def paired(rows: list[Row], how: str, firings: Firings, match: Callable[[Row, Row], bool]) -> Counter[str]:
    """The joined rows by plain Python."""
    found: Counter[str] = Counter()
    for key in {row.key for row in rows}:
        for firing in firings(sorted(row for row in rows if row.key == key)):
            left, right = ([row for row in firing if row.is_right == side] for side in (False, True))
            pairs = [(x, y) for x in left for y in right if match(x, y)]
            alone: list[tuple[Row | None, Row | None]] = [
                (x, None) for x in left if not any(match(x, y) for y in right)
            ]
            others: list[tuple[Row | None, Row | None]] = [
                (None, y) for y in right if not any(match(x, y) for x in left)
            ]
            rows_of_type: dict[str, list[tuple[Row | None, Row | None]]] = {
                "": [*pairs],
                "LEFT": [*pairs, *alone],
                "RIGHT": [*pairs, *others],
                "FULL": [*pairs, *alone, *others],
                "SEMI": [(x, None) for x in left if (x, None) not in alone],
                "ANTI": alone,
            }
            found.update("{" + ", ".join("null" if r is None else str(r.n) for r in p) + "}" for p in rows_of_type[how])
    return found


@pytest.mark.slow
def test_each_type_over_what_fires(spark: SparkSession) -> None:
    """Windows that only the operator has: sessions across the sides, counts, triggers and evictors, with NULL keys.

    Rows without a time come first where it only orders rows, and are left out elsewhere.
    """
    pick = random.Random(8)
    seconds = pick.sample(range(300), 90)
    rows = [
        Row(second, n, pick.choice([1, 2, None]), pick.choice([0, 1, 2, None]), is_right=n % 9 < 4)
        for n, second in enumerate(seconds)
    ]
    rows += [Row(-1, 90 + n, key, 1, is_right=n > 1) for n, key in enumerate((1, 2, None))]
    for name, is_right in (("fired_left", False), ("fired_right", True)):
        side = [row[:4] for row in rows if row.is_right == is_right]
        frame = spark.createDataFrame(side, "s BIGINT, n INT, k INT, v INT")
        frame.selectExpr("timestamp_seconds(nullif(s, -1)) AS ts", "n", "k", "v").createOrReplaceTempView(name)
    frames: list[DataFrame] = []
    wanted: list[tuple[str, Counter[str]]] = []
    for number, (window, firings) in enumerate(FIRINGS.items()):
        taken = [row for row in rows if row.second >= 0 or window.startswith(("COUNT", "GLOBAL"))]
        for how in (TYPES[number], TYPES[number - 2]):
            condition, match = list(MATCHES.items())[len(frames) % 3]
            other = "CAST(NULL AS INT)" if how in ("SEMI", "ANTI") else "y.n"
            text = f"FROM fired_left x {how} WINDOW JOIN fired_right y ON {condition} WINDOW ASSIGN {window}"
            frames.append(frame_of(spark, f"SELECT x.n, {other} AS m {text}", native=False))
            wanted.append((text, paired(taken, how, firings, match)))
    for (text, expected), found in zip(wanted, rows_of(frames), strict=True):
        assert found == expected, text
        assert len(expected) > 3, text


def test_triggers_and_evictors_see_both_sides(spark: SparkSession) -> None:
    spark.sql("SELECT 1 AS k, timestamp_seconds(id) AS ts, id AS n FROM range(4)").createOrReplaceTempView("four")
    spark.sql("SELECT 1 AS k, timestamp_seconds(id + 10) AS ts, id AS m FROM range(3)").createOrReplaceTempView("three")
    select = "SELECT x.n, y.m, pane_index FROM four x FULL WINDOW JOIN three y ON x.k = y.k WINDOW ASSIGN "
    pairs = {
        # rows 0 1 | 2 3 | 10 11 | 12 is left over
        "COUNT(2, time => (x.ts, y.ts))": ["0 None 0", "1 None 0", "2 None 1", "3 None 1", "None 0 2", "None 1 2"],
        # the evictor takes the left rows away before the only firing
        "TUMBLING((x.ts, y.ts), '1 minute') EVICT COUNT(2)": ["None 1 0", "None 2 0"],
        # nothing is left of the second firing
        "TUMBLING((x.ts, y.ts), '1 minute') TRIGGER PURGING(COUNT(4))": [f"{n} None 0" for n in range(4)],
        "GLOBAL((x.ts, y.ts)) TRIGGER WHEN(count(y.m) = 1 AND x.n IS NULL)": [f"{n} 0 0" for n in range(4)],
    }
    for policies, expected in pairs.items():
        rows = winsql.sql(spark, select + policies).collect()
        assert sorted(f"{row.n} {row.m} {row.pane_index}" for row in rows) == sorted(expected), policies


def test_co_group(spark: SparkSession, tables: None) -> None:
    """Both sides whole, as arrays and through a function; rows with a NULL key are a group too."""

    def count(key: Any, window: Any, left: Any, right: Any) -> Any:
        assert list(left.columns) == ["k", "name", "ts", "v", "odd `name"]
        return pd.DataFrame({"k": [key[0]], "at": [window[0]], "n": [len(left)], "w": [right["w"].sum()]})

    winsql.register_co_group_function("count_sides", count, returns="k BIGINT, at TIMESTAMP, n INT, w DOUBLE")
    call = (
        "FROM co_group(TABLE(lefts) PARTITION BY k, TABLE(rights) PARTITION BY k, DESCRIPTOR(ts, ts), "
        "TUMBLING(INTERVAL 2 HOURS)"
    )
    arrays = winsql.sql(
        spark,
        "SELECT k, window_start, size(left), coalesce(aggregate(transform(right, r -> r.w), 0D, (a, b) -> a + "
        f"coalesce(b, 0)), 0) {call})",
    )
    applied = winsql.sql(spark, f"SELECT k, at, n, w {call}, apply => 'count_sides')")
    by_hand = spark.sql(
        "SELECT k, date_trunc('hour', ts - make_dt_interval(0, hour(ts) % 2)), count(v1), CAST(coalesce(sum(w), 0) AS "
        "DOUBLE) FROM (SELECT k, ts, 1 AS v1, NULL AS w FROM lefts UNION ALL SELECT k, ts, NULL, w FROM rights) "
        "WHERE ts IS NOT NULL GROUP BY 1, 2"
    )
    wanted, *found = rows_of([by_hand, arrays, applied])
    assert found == [wanted, wanted]
    assert any(row.startswith("{null") for row in wanted)


def test_rows_without_time_are_counted(spark: SparkSession) -> None:
    spark.sql("SELECT 1 AS k, ts FROM VALUES (TIMESTAMP'2020-01-01'), (NULL), (NULL) AS t(ts)").createOrReplaceTempView(
        "some_times"
    )
    for policies in ("TUMBLING((x.ts, y.ts), '1 hour')", "SESSION((x.ts, y.ts), '1 hour')"):
        frame = winsql.sql(
            spark,
            f"SELECT * FROM some_times x FULL WINDOW JOIN some_times y ON x.k = y.k WINDOW ASSIGN {policies}",
        )
        assert frame.count() == 1
        frame.collect()
        assert winsql.metrics(frame) == {"null_event_time": 4}


def test_late_rows_of_tables_are_none(spark: SparkSession, tables: None) -> None:
    winsql.sql(
        spark,
        "SELECT * FROM lefts x WINDOW JOIN rights y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') "
        "LATE INTO late_pairs",
    )
    late = spark.table("late_pairs")
    assert late.columns == ["x", "y"]
    assert late.select("x.v", "y.w").count() == 0


REFUSED = {
    "x.name = y.k": (WindowSpecError, "x.name is STRING and y.k is INT", "CAST(y.k AS STRING)"),
    "x.k = y.k AND x.v > length(py(y.name))": (WindowPlanError, "Python UDF", "WHERE"),
}


@pytest.mark.parametrize("condition", REFUSED)
def test_refused_conditions(spark: SparkSession, tables: None, condition: str) -> None:
    spark.udf.register("py", lambda text: text, "string")
    kind, problem, hint = REFUSED[condition]
    with pytest.raises(kind) as caught:
        winsql.sql(
            spark,
            f"SELECT * FROM lefts x WINDOW JOIN rights y ON {condition} WINDOW ASSIGN SESSION((x.ts, y.ts), '1 hour')",
        )
    spark.sql("DROP TEMPORARY FUNCTION py")
    assert problem in str(caught.value)
    assert hint in str(caught.value.hint)


def test_names_in_upper_case_where_case_counts(spark: SparkSession, tables: None) -> None:
    text = "SELECT {0}.k FROM lefts AS {0} WINDOW JOIN rights AS {1} ON {0}.k = {1}.k "
    text += "WINDOW ASSIGN {2}(({0}.ts, {1}.ts), '1 hour')"
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        with pytest.raises(WindowPlanError, match="L needs a name in lower case here") as caught:
            winsql.sql(spark, text.format("L", "r", "SESSION"))
        assert caught.value.hint == "write AS l, and l before its columns"
        assert winsql.sql(spark, text.format("l", "r", "SESSION")).collect()
        assert winsql.sql(spark, text.format("L", "R", "TUMBLING")).collect()
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_names_with_dots(spark: SparkSession, tables: None) -> None:
    text = "SELECT x.v, `a.b`.w FROM lefts AS x LEFT WINDOW JOIN rights AS `a.b` ON x.k = `a.b`.k {} "
    text += "WINDOW ASSIGN SESSION((x.ts, `a.b`.ts), '1 hour')"
    with pytest.raises(WindowPlanError, match=r"`a\.b` needs a name without a dot here") as caught:
        winsql.sql(spark, text.format("AND x.v < `a.b`.w"))
    assert caught.value.hint == "write AS and another name after it"
    assert winsql.sql(spark, text.format("")).collect()


def test_session_variables_in_on(spark: SparkSession, tables: None) -> None:
    text = "SELECT x.v, y.w FROM lefts x LEFT WINDOW JOIN rights y ON x.k + session.shift = y.k AND y.w > {} "
    text += "WINDOW ASSIGN {}((x.ts, y.ts), '1 hour')"
    spark.sql("DECLARE OR REPLACE VARIABLE shift INT DEFAULT 0")
    for kind in ("TUMBLING", "SESSION"):
        found = winsql.sql(spark, text.format("system.session.shift + 1", kind)).collect()
        wanted = winsql.sql(spark, text.format("1", kind).replace("session.shift", "0")).collect()
        assert sorted(map(str, found)) == sorted(map(str, wanted)), kind
    with pytest.raises(WindowSpecError, match="ON: shift does not say which side") as caught:
        winsql.sql(spark, text.format("shift", "TUMBLING"))
    spark.sql("DROP TEMPORARY VARIABLE shift")
    assert caught.value.hint == "write x.shift or y.shift, or session.shift for the variable"


def test_refused_times(spark: SparkSession, tables: None) -> None:
    with pytest.raises(WindowSpecError, match=r"x\.ts is TIMESTAMP and date\(y\.ts\) is DATE"):
        winsql.sql(
            spark,
            "SELECT * FROM lefts x WINDOW JOIN rights y ON x.k = y.k "
            "WINDOW ASSIGN TUMBLING((x.ts, date(y.ts)), '1 hour')",
        )


def test_refused_times_of_calls(spark: SparkSession, tables: None) -> None:
    text = "SELECT count(*) FROM co_group({} PARTITION BY k, {} PARTITION BY k, DESCRIPTOR(ts, {}), TUMBLING('1 hour'))"
    dates = "TABLE(SELECT k, date(ts) AS day FROM rights)"
    with pytest.raises(WindowSpecError) as caught:
        winsql.sql(spark, text.format("TABLE lefts", dates, "right.day"))
    written = "TABLE(SELECT *, CAST(day AS TIMESTAMP) AS converted FROM (SELECT k, date(ts) AS day FROM rights))"
    assert written in str(caught.value.hint)
    assert winsql.sql(spark, text.format("TABLE lefts", written, "converted")).columns == ["count(1)"]


def test_mistakes_in_on_are_shown_where_they_are(spark: SparkSession, tables: None) -> None:
    """Whether Spark joins the tables or winsql's operator does."""
    for window in ("TUMBLING", "SESSION"):
        with pytest.raises(WindowSpecError, match=r"there is no column x\.nope\n  at line 1, column 63:") as caught:
            winsql.sql(
                spark,
                "SELECT x.v FROM lefts x WINDOW JOIN rights y ON x.k = y.k AND x.nope > 1 "
                f"WINDOW ASSIGN {window}((x.ts, y.ts), '1 hour')",
            )
        assert "windowed__" not in str(caught.value), window


@pytest.mark.parametrize("trigger", ["", "TRIGGER COUNT(2)"])
def test_a_window_column_that_is_no_key_is_shown_where_it_is(spark: SparkSession, tables: None, trigger: str) -> None:
    window = f"WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') {trigger}"
    join = "lefts x WINDOW JOIN rights y ON x.k = y.k"
    text = f"SELECT x.k, count(*) AS n,\n  window_end FROM {join} {window} GROUP BY x.k"
    with pytest.raises(WindowSpecError, match="window_end is neither a key nor inside an aggregate") as raised:
        winsql.sql(spark, text)
    assert "at line 2, column 3:" in str(raised.value)
    assert "add window_end to GROUP BY" in str(raised.value)


def test_a_pair_is_refused_where_no_times_stand(spark: SparkSession, tables: None) -> None:
    for assigned in (
        "SESSION((x.ts, y.ts), (x.v, y.w))",
        "TUMBLING((x.ts, y.ts), '1 hour') TRIGGER DELTA((x.v, y.w), 3)",
    ):
        with pytest.raises(WindowSpecError) as caught:
            winsql.sql(spark, f"SELECT * FROM lefts x WINDOW JOIN rights y ON x.k = y.k WINDOW ASSIGN {assigned}")
        assert "write COALESCE(x.v, y.v)" in str(caught.value.hint), assigned


def test_explained(spark: SparkSession, tables: None) -> None:
    text = winsql.explain(
        spark,
        "SELECT x.v FROM lefts x ANTI WINDOW JOIN rights y ON x.k = y.k AND x.v < y.w "
        "WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour') TRIGGER COUNT(2)",
    )
    lines = {name.strip(): rest.strip() for name, _, rest in (line.partition(":") for line in text.split("\n"))}
    assert lines["join"] == "ANTI WINDOW JOIN"
    assert (lines["left"], lines["right"]) == ("x: lefts", "y: rights")
    assert lines["condition"] == "x.k = y.k AND x.v < y.w"
    assert lines["keys"] == "x.k = y.k BIGINT"
    assert lines["not by Spark alone"] == "Spark has no COUNT trigger"
