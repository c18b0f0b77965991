"""What users have registered is checked before a query runs: types, and whether workers can have it."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException

import winsql
from winsql import WindowPlanError, WindowSpecError
from winsql.model.registry import AGGREGATES, APPLY_FUNCTIONS, CO_GROUP_FUNCTIONS, EVICTORS, TRIGGERS
from winsql.spark.messages.failure import translate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCK = threading.Lock()


class Total:
    """An aggregate, with something beside it."""

    def __init__(self, held: Any = None) -> None:
        self.held = held

    def create_accumulator(self) -> int:
        return 0

    def add(self, accumulator: int, value: Any) -> int:
        return accumulator + value

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, accumulator: int, other: int) -> int:
        return accumulator + other


@dataclass(frozen=True)
class Named(winsql.Trigger):
    """A trigger with a parameter that refuses all numbers but one."""

    n: int = winsql.parameter(winsql.Kind.INTEGER)

    def __post_init__(self) -> None:
        {1: None}[self.n]

    def on_element(self, row: Any, timestamp: int, ctx: Any) -> Any:
        return winsql.Decision.FIRE


@dataclass(frozen=True)
class Locking(winsql.Trigger):
    """A trigger that reads a lock of its module."""

    def on_element(self, row: Any, timestamp: int, ctx: Any) -> Any:
        with LOCK:
            return winsql.Decision.FIRE


@dataclass(frozen=True)
class Halving(winsql.Evictor):
    """An evictor that reads a lock of its module."""

    def keep(self, rows: Any, window: Any) -> Any:
        with LOCK:
            return rows


TYPES = {"no_type": "FLOATING", "two_types": "INT) , (SELECT 1", "columns": "a INT, b INT", "not_null": "INT NOT NULL"}
SCHEMAS = {"no_type": "n FLOATING", "no_columns": "INT", "same": "a INT, a STRING", "nearly_same": "a INT, A INT"}


@pytest.fixture(scope="module", autouse=True)
def _registered(spark: SparkSession) -> Iterator[None]:
    from pyspark.cloudpickle import register_pickle_by_value, unregister_pickle_by_value

    module = sys.modules[__name__]
    register_pickle_by_value(module)  # a worker cannot import the tests
    for name, returns in TYPES.items():
        winsql.register_aggregate(name, Total(), returns)
    winsql.register_aggregate("held", Total(LOCK), "BIGINT")
    winsql.register_aggregate("months", Total(), "INTERVAL YEAR TO MONTH")
    for name, returns in SCHEMAS.items():
        winsql.register_apply_function(name, len, returns)
        winsql.register_co_group_function(name, len, returns)
    winsql.register_apply_function("locked", lambda key, window, rows: LOCK, "n INT")
    winsql.register_trigger("named", Named)
    winsql.register_trigger("locking", Locking)
    winsql.register_evictor("halving", Halving)
    rows = "SELECT timestamp_micros(id * 1000000) AS ts, concat('k', id % 2) AS k, id AS v FROM range(10)"
    spark.sql(rows).createOrReplaceTempView("checked_rows")
    yield
    for registry in (AGGREGATES, APPLY_FUNCTIONS, CO_GROUP_FUNCTIONS, EVICTORS, TRIGGERS):
        for name in (*TYPES, *SCHEMAS, "held", "months", "locked", "named", "locking", "halving"):
            registry.remove(name)
    unregister_pickle_by_value(module)


def refused(spark: SparkSession, text: str, problem: str, place: str) -> None:
    with pytest.raises((WindowSpecError, WindowPlanError), match=problem) as caught:
        winsql.sql(spark, text)
    error = caught.value
    assert error.hint is not None
    assert error.span is not None
    assert error.span.text(text) == place


WINDOW = "FROM checked_rows WINDOW ASSIGN COUNT(2)"
GLOBAL = "FROM checked_rows WINDOW ASSIGN GLOBAL()"


@pytest.mark.parametrize("name", TYPES)
def test_the_type_of_an_aggregate(spark: SparkSession, name: str) -> None:
    problem = rf"the aggregate {name.upper()} is registered with '.*', which is no type"
    refused(spark, f"SELECT k, {name}(v) AS x {WINDOW} GROUP BY k", problem, f"{name}(v)")


@pytest.mark.parametrize("call", ["sum(v)", "IF(v > 1, 1, 2)", "coalesce(v, 0)", "`median`(v)"])
def test_an_aggregate_with_the_name_of_a_function_of_sparks(spark: SparkSession, call: str) -> None:
    name = call.partition("(")[0].strip("`")
    winsql.register_aggregate(name, Total(), "BIGINT")
    try:
        problem = f"{name.upper()} is a function of Spark's, and a registered aggregate too"
        refused(spark, f"SELECT k, {call} AS x {WINDOW} GROUP BY k", problem, call)
    finally:
        AGGREGATES.remove(name)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_columns_of_a_function(spark: SparkSession, name: str) -> None:
    problem = rf"the function {name} is registered with '.*', which is no schema"
    refused(spark, f"SELECT * {WINDOW} PARTITION BY k APPLY {name}", problem, "SELECT")
    side = "TABLE(checked_rows) PARTITION BY k"
    call = f"co_group({side}, {side}, DESCRIPTOR(ts, ts), TUMBLING('1 hour'), apply => '{name}')"
    refused(spark, f"SELECT * FROM {call}", problem, "co_group")


@pytest.mark.parametrize("returns", ["", "  ", None, int])
@pytest.mark.parametrize(
    "register", [winsql.register_aggregate, winsql.register_apply_function, winsql.register_co_group_function]
)
def test_registered_without_a_type(register: Any, returns: Any) -> None:
    with pytest.raises(WindowSpecError, match="typeless is registered with"):
        register("typeless", Total if register is not winsql.register_aggregate else Total(), returns)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        (f"k, held(v) AS x {WINDOW} GROUP BY k", "the aggregate HELD"),
        (f"k, held(v) FILTER (WHERE v > 1) AS x {WINDOW} GROUP BY k", "the aggregate HELD"),
        (f"k, sum(v) AS x {GLOBAL} TRIGGER WHEN(held(v) > 2) GROUP BY k", "the aggregate HELD"),
        (f"k, sum(v) AS x {GLOBAL} TRIGGER locking() GROUP BY k", "the trigger LOCKING"),
        (f"k, sum(v) AS x {GLOBAL} TRIGGER COUNT(2) EVICT halving() GROUP BY k", "the evictor HALVING"),
        (f"* {WINDOW} PARTITION BY k APPLY locked", "the function locked"),
    ],
)
def test_what_workers_cannot_have(spark: SparkSession, query: str, name: str) -> None:
    refused(spark, f"SELECT {query}", rf"{name} cannot be sent to Spark's workers: cannot pickle", "SELECT")


def test_a_parameter_that_a_class_refuses(spark: SparkSession) -> None:
    text = "SELECT sum(v) AS x FROM checked_rows WINDOW ASSIGN GLOBAL() TRIGGER named(9)"
    with pytest.raises(WindowSpecError, match="NAMED: KeyError: 9") as caught:
        winsql.sql(spark, text)
    assert caught.value.span is not None
    assert caught.value.span.text(text) == "named(9)"


def test_calls_that_cannot_be_computed(spark: SparkSession) -> None:
    for call, hint in (("held(DISTINCT v)", "leave out DISTINCT"), ("months(v)", "a type that Arrow has")):
        with pytest.raises(WindowSpecError, match="cannot be computed") as caught:
            winsql.sql(spark, f"SELECT {call} AS x {WINDOW}")
        assert caught.value.hint is not None
        assert hint in caught.value.hint


def test_an_aggregate_beside_windows(spark: SparkSession) -> None:
    text = f"SELECT held(x) FROM (SELECT sum(v) AS x {WINDOW}) AS w"
    refused(spark, text, "held is an aggregate over the rows of windows", "held")


MODULE = """
from dataclasses import dataclass
import winsql

@dataclass(frozen=True)
class Elsewhere(winsql.Trigger):
    def on_element(self, row, timestamp, ctx):
        return winsql.Decision.FIRE
"""


def test_a_module_that_workers_lack(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trigger_of_a_user.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    winsql.register_trigger("elsewhere", importlib.import_module("trigger_of_a_user").Elsewhere)
    text = f"SELECT k, sum(v) AS x {GLOBAL} TRIGGER elsewhere() GROUP BY k"
    with pytest.raises(PySparkException) as caught:
        winsql.sql(spark, text).collect()
    TRIGGERS.remove("elsewhere")
    error = translate(caught.value, text)
    assert isinstance(error, WindowPlanError)
    assert error.problem == "Spark's workers have no module trigger_of_a_user"


def test_names_in_the_plan(spark: SparkSession) -> None:
    window = "FROM checked_rows WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    text = f"SELECT k, max(v) AS x {window} TRIGGER named(1) GROUP BY k"
    plan = winsql.explain(spark, text)
    assert "Spark has no NAMED trigger" in plan
    assert "the trigger NAMED has no columnar form" in plan
    winsql.register_aggregate("plain_total", Total(), "BIGINT")
    plan = winsql.explain(spark, f"SELECT k, plain_total(v) AS x {WINDOW} GROUP BY k")
    AGGREGATES.remove("plain_total")
    assert "an aggregate (PLAIN_TOTAL) has no columnar form" in plan
