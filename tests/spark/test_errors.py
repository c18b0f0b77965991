"""Bad input on data and on types: a winsql error that names statement, policy and key; the session stays usable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from pyspark.errors import PySparkException

import winsql
from winsql import Decision, WindowDataError, WindowPlanError, WindowSpecError
from winsql.model.registry import AGGREGATES, APPLY_FUNCTIONS, EVICTORS, TRIGGERS
from winsql.spark.messages.failure import translate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Breaking(winsql.Trigger):
    """Raises at the second row of a window."""

    NAME = "BREAKING"

    def on_element(self, row: Any, timestamp: int, ctx: Any) -> Decision:
        if ctx.get("seen"):
            raise KeyError("no such thing")
        ctx.put("seen", True)
        return Decision.CONTINUE


@dataclass(frozen=True, slots=True)
class Tearing(winsql.Evictor):
    """Raises always."""

    NAME = "TEARING"

    def keep(self, rows: Any, window: Any) -> Any:
        return rows[0] / 0


@dataclass(frozen=True, slots=True)
class Vague(winsql.Trigger):
    """Returns a word instead of a decision."""

    NAME = "VAGUE"

    def on_element(self, row: Any, timestamp: int, ctx: Any) -> Any:
        return "fire"


@dataclass(frozen=True, slots=True)
class Silent(winsql.Evictor):
    """Returns nothing, as an evictor may that has changed the rows in place."""

    NAME = "SILENT"

    def keep(self, rows: Any, window: Any) -> Any:
        rows.clear()


class Refusing:
    """An aggregate that cannot add."""

    def create_accumulator(self) -> int:
        return 0

    def add(self, accumulator: int, value: Any) -> int:
        raise ValueError(f"cannot add {value}")

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, accumulator: int, other: int) -> int:
        return accumulator + other


def _wrong_columns(key: Any, window: Any, rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"n": [1], "extra": [2]})


def _wrong_type(key: Any, window: Any, rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"n": ["one"]})


def _too_great(key: Any, window: Any, rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"n": [1 << 70]})


def _no_frame(key: Any, window: Any, rows: pd.DataFrame) -> Any:
    return len(rows)


def _wrong_time(key: Any, window: Any, rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"at": ["noon"]})


def _nothing(key: Any, window: Any, rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame()


def _raising(key: Any, window: Any, rows: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"n": [rows["nothing"].sum()]})


@pytest.fixture(scope="module", autouse=True)
def _registered(spark: SparkSession) -> Iterator[None]:
    from pyspark.cloudpickle import register_pickle_by_value, unregister_pickle_by_value

    module = __import__(__name__)
    register_pickle_by_value(module)  # a worker cannot import the tests
    winsql.register_trigger("breaking", Breaking)
    winsql.register_evictor("tearing", Tearing)
    winsql.register_trigger("vague", Vague)
    winsql.register_evictor("silent", Silent)
    winsql.register_aggregate("refusing", Refusing(), "BIGINT")
    functions = {"wrong_columns": _wrong_columns, "wrong_type": _wrong_type, "no_frame": _no_frame, "raising": _raising}
    functions |= {"nothing": _nothing, "too_great": _too_great}
    for name, function in functions.items():
        winsql.register_apply_function(name, function, "n INT")
    winsql.register_apply_function("wrong_time", _wrong_time, "at TIMESTAMP")
    spark.sql(
        "SELECT timestamp_micros(id * 1000000) AS ts, concat('k', id % 2) AS k, id AS v, id = 3 AS b FROM range(10)"
    ).createOrReplaceTempView("events")
    yield
    TRIGGERS.remove("breaking")
    EVICTORS.remove("tearing")
    TRIGGERS.remove("vague")
    EVICTORS.remove("silent")
    AGGREGATES.remove("refusing")
    for name in [*functions, "wrong_time"]:
        APPLY_FUNCTIONS.remove(name)
    unregister_pickle_by_value(module)


def data_error(spark: SparkSession, text: str) -> WindowDataError:
    """The error of an action, found in Spark's exception; afterwards the session works."""
    frame = winsql.sql(spark, text)
    with pytest.raises(PySparkException) as caught:
        frame.collect()
    error = translate(caught.value, text)
    assert isinstance(error, WindowDataError), caught.value
    assert str(error) == str(translate(caught.value)), "the message is complete without the statement, too"
    assert spark.range(3).count() == 3
    return error


GAP = "make_dt_interval(0, 0, 0, 5 - v)"
DATA_ERRORS = [
    (
        f"histogram_numeric(v, 2) FROM events WINDOW ASSIGN SESSION(ts, {GAP}) GROUP BY k",
        ["SESSION: the gap", "k = k"],
        GAP,
    ),
    (f"sum(v) FROM events WINDOW ASSIGN SESSION(ts, {GAP}) GROUP BY k", ["SESSION: the gap", "k = 'k"], GAP),
    (
        f"sum(v) FROM events WINDOW ASSIGN SESSION(ts, {GAP}) TRIGGER COUNT(9) GROUP BY k",
        ["SESSION: the gap", "k = 'k"],
        GAP,
    ),
    (
        "sum(v) FROM events WINDOW ASSIGN GLOBAL() TRIGGER breaking() GROUP BY k",
        ["BREAKING", "KeyError", "no such thing"],
        None,
    ),
    (
        "sum(v) FROM events WINDOW ASSIGN GLOBAL() TRIGGER COUNT(2) EVICT tearing() GROUP BY k",
        ["TEARING", "TypeError"],
        None,
    ),
    (
        "sum(v) FROM events WINDOW ASSIGN GLOBAL() TRIGGER vague() GROUP BY k",
        ["VAGUE: it returned 'fire'", "k = 'k"],
        None,
    ),
    (
        "sum(v) FROM events WINDOW ASSIGN GLOBAL() TRIGGER COUNT(2) EVICT silent() GROUP BY k",
        ["SILENT: keep returned something else than rows", "k = 'k"],
        None,
    ),
    ("refusing(v) FROM events WINDOW ASSIGN COUNT(2) GROUP BY k", ["REFUSING", "cannot add"], None),
    (
        "sum(v) FROM events WINDOW ASSIGN GLOBAL() TRIGGER WHEN(1 / (COUNT(*) - 2) > 5) GROUP BY k",
        ["WHEN", "division"],
        None,
    ),
    ("* FROM events WINDOW ASSIGN COUNT(3) PARTITION BY k APPLY wrong_columns", ["wrong_columns", "n, extra"], None),
    ("* FROM events WINDOW ASSIGN COUNT(3) PARTITION BY k APPLY wrong_type", ["wrong_type", "column n"], None),
    ("* FROM events WINDOW ASSIGN COUNT(3) PARTITION BY k APPLY too_great", ["too_great", "column n"], None),
    ("* FROM events WINDOW ASSIGN COUNT(3) PARTITION BY k APPLY wrong_time", ["wrong_time", "column at"], None),
    ("* FROM events WINDOW ASSIGN COUNT(3) PARTITION BY k APPLY no_frame", ["no_frame", "int instead"], None),
    ("* FROM events WINDOW ASSIGN COUNT(3) PARTITION BY k APPLY raising", ["raising", "KeyError", "nothing"], None),
]


def test_a_frame_without_columns_has_no_rows(spark: SparkSession) -> None:
    frame = winsql.sql(spark, "SELECT * FROM events WINDOW ASSIGN COUNT(3) PARTITION BY k APPLY nothing")
    assert frame.columns == ["n"]
    assert frame.collect() == []


@pytest.mark.parametrize(("query", "words", "place"), DATA_ERRORS, ids=[query for query, _, _ in DATA_ERRORS])
def test_data_errors(spark: SparkSession, query: str, words: list[str], place: str | None) -> None:
    text = f"SELECT {'k, ' if 'GROUP' in query else ''}{query}"
    error = data_error(spark, text)
    for word in words:
        assert word in error.problem
    assert "(key: k = " in error.problem
    assert error.span is not None
    assert error.span.text(text) == (place or "SELECT")


def test_error_in_a_command_is_raised_as_it_is(spark: SparkSession) -> None:
    text = (
        "CREATE TABLE never USING parquet AS SELECT * FROM events WINDOW ASSIGN COUNT(3) PARTITION BY k APPLY raising"
    )
    with pytest.raises(WindowDataError, match="raising"):
        winsql.sql(spark, text)
    spark.sql("DROP TABLE IF EXISTS never")


TYPE_ERRORS = [
    ("TUMBLING(v, '1 second')", "v", "the time of TUMBLING is of type BIGINT"),
    ("SESSION(k, '1 second')", "k", "the time of SESSION is of type STRING"),
    ("COUNT(3, time => v)", "v", "the time of COUNT is of type BIGINT"),
    ("SESSION(ts, v)", "v", "SESSION: the gap v is of type BIGINT"),
    ("SESSION(ts, make_interval(0, 0, 0, v))", "make_interval(0, 0, 0, v)", "is of type INTERVAL"),
    ("GLOBAL() TRIGGER DELTA(k, 3)", "k", "DELTA: k is of type STRING"),
    ("GLOBAL() TRIGGER COUNT(3) EVICT DELTA(ts, 3)", "ts", "DELTA: ts is of type TIMESTAMP"),
    ("GLOBAL() TRIGGER WHEN(v + 1)", "v + 1", "WHEN: v + 1 is of type BIGINT"),
    ("GLOBAL() TRIGGER WHEN(sum(v) > 1 AND v + 1)", "v + 1", "WHEN: v + 1 is of type BIGINT"),
    ("GLOBAL() TRIGGER WHEN(max(v))", "max(v)", "WHEN: max(v) is of type BIGINT"),
    ("GLOBAL() TRIGGER WHEN(max(ts) > DATE'2030-01-01')", "max(ts) > DATE'2030-01-01'", "> over TIMESTAMP and DATE"),
    (
        "GLOBAL() TRIGGER WHEN(max(ts) > min(ts) + INTERVAL 1 MONTH)",
        "min(ts) + INTERVAL 1 MONTH",
        "+ over TIMESTAMP and INTERVAL MONTH",
    ),
    ("GLOBAL() TRIGGER WHEN(hll_sketch_agg(v) > X'01')", "hll_sketch_agg(v)", "WHEN cannot use hll_sketch_agg(v)"),
]


@pytest.mark.parametrize(("clauses", "place", "problem"), TYPE_ERRORS, ids=[clauses for clauses, _, _ in TYPE_ERRORS])
def test_types_are_checked_before_anything_runs(spark: SparkSession, clauses: str, place: str, problem: str) -> None:
    text = f"SELECT sum(v) AS total FROM events WINDOW ASSIGN {clauses}"
    with pytest.raises(WindowSpecError) as caught:
        winsql.sql(spark, text)
    assert problem in caught.value.problem
    assert caught.value.rule is not None
    assert caught.value.hint is not None
    assert caught.value.span is not None
    assert caught.value.span.text(text) == place


def test_keys_need_an_order(spark: SparkSession) -> None:
    text = "SELECT map(k, v) AS m, count(*) FROM events WINDOW ASSIGN {} GROUP BY map(k, v)"
    assert winsql.sql(spark, text.format("TUMBLING(ts, '1 hour')")).count() == 10
    with pytest.raises(WindowSpecError, match="cannot be a key"):
        winsql.sql(spark, text.format("COUNT(1)"))


def test_what_arrow_cannot_carry(spark: SparkSession) -> None:
    with pytest.raises(WindowPlanError, match="INTERVAL"):
        winsql.sql(spark, "SELECT make_interval(v) AS i FROM events WINDOW ASSIGN COUNT(1) PARTITION BY k")


def test_months_travel_as_numbers(spark: SparkSession) -> None:
    source = "(SELECT id % 2 AS k, CAST(id AS INTERVAL MONTH) AS m FROM range(4))"
    text = f"SELECT k, string(max(m)) FROM {source} WINDOW ASSIGN COUNT(2) GROUP BY k"
    assert sorted(map(tuple, winsql.sql(spark, text).collect())) == [
        (0, "INTERVAL '2' MONTH"),
        (1, "INTERVAL '3' MONTH"),
    ]


def test_what_spark_cannot_resolve_is_unknown(spark: SparkSession) -> None:
    for window in ("TUMBLING(ts, '1 hour')", "COUNT(3)"):
        with pytest.raises(WindowSpecError, match="there is no column nothing"):
            winsql.sql(spark, f"SELECT sum(nothing) FROM events WINDOW ASSIGN {window}")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT v + 1 AS more, more > 2 AS many, count(*) FROM events {} GROUP BY ALL",
        "SELECT v + 1 AS more, sum(more) AS s FROM events {} GROUP BY v",
        "SELECT v + 1 AS more FROM events WHERE more > 2 {}",
        "SELECT v + 1 AS More, count(*) FROM events {} EVICT DELTA(more, 1) GROUP BY v",
        "SELECT v + 1 AS more, count(*) FROM events {} TRIGGER WHEN(`more` > 1) GROUP BY v",
    ],
)
def test_the_name_of_an_item_where_rows_are_read(spark: SparkSession, statement: str) -> None:
    with pytest.raises(WindowSpecError, match=r"there is no column `?more") as raised:
        winsql.sql(spark, statement.format("WINDOW ASSIGN TUMBLING(ts, '1 hour')"))
    assert raised.value.hint == "write v + 1 in its place"
    assert raised.value.span is not None


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT {}, count(*) AS n FROM {} TUMBLING(ts, '1 hour') GROUP BY {}",
        "SELECT {}, count(*) AS n FROM {} COUNT(3) GROUP BY {}",
        "SELECT collect_list({}) AS s FROM {} TUMBLING(ts, '1 hour')",
        "SELECT max({}) AS s FROM {} COUNT(3)",
        "SELECT {} AS s FROM {} COUNT(3)",
    ],
)
def test_strings_of_two_collations(spark: SparkSession, statement: str) -> None:
    mixed, source = "concat(k, l)", "(SELECT *, k COLLATE UTF8_LCASE AS l FROM events) WINDOW ASSIGN"
    with pytest.raises(WindowPlanError, match=r"concat\(k, l\)\)? has no certain collation") as raised:
        winsql.sql(spark, statement.format(mixed, source, mixed))
    assert raised.value.span is not None
    assert winsql.sql(spark, f"SELECT max(length({mixed})) AS n FROM {source} COUNT(3)").count()


def test_other_errors_are_not_ours(spark: SparkSession) -> None:
    assert translate(ValueError("x")) is None
    with pytest.raises(PySparkException) as caught:
        spark.sql("SELECT raise_error('mine')").collect()
    assert translate(caught.value) is None
