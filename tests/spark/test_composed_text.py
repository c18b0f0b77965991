"""Text of the user's means the same inside text of winsql's: conditions, keys and names at its edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from planned import rows_of

import winsql
from winsql.errors import WindowSyntaxError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TUMBLING = "TUMBLING(ts, INTERVAL 10 MINUTES)"
ASSIGNERS = (
    TUMBLING,
    "SLIDING(ts, INTERVAL 10 MINUTES, INTERVAL 10 MINUTES)",
    "SESSION(ts, INTERVAL 5 MINUTES)",
    "CUMULATING(ts, INTERVAL 10 MINUTES, INTERVAL 10 MINUTES)",
    f"{TUMBLING} TRIGGER PURGING(EVENT_TIME())",
)
RELATIONS = (
    "composed where",
    "composed AS c",
    "(SELECT * FROM composed)",
    "composed, composed_one",
    "composed CROSS JOIN composed_one",
    "composed, LATERAL explode(array(1))",
    "composed NATURAL JOIN composed_one",
    "composed TABLESAMPLE (100 PERCENT)",
    "composed LATERAL VIEW explode(array(1)) t",
)
CONDITIONS = ("ok", "(ok)", "`ok`", "((ok)) -- all\n", "ok /* all */", "(ok) OR (v < 0)", "(values)", "v = 1 OR v < 0")


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    spark.sql(
        "SELECT *, ok AS `values`, k AS distinct, v AS all FROM VALUES ('a', TIMESTAMP'2024-01-01 00:01:00', true, 1),"
        " ('a', TIMESTAMP'2024-01-01 00:02:00', false, 2), ('b', TIMESTAMP'2024-01-01 00:03:00', NULL, 3)"
        " AS x(k, ts, ok, v)"
    ).createOrReplaceTempView("composed")
    spark.sql("SELECT 7 AS c").createOrReplaceTempView("composed_one")
    yield spark
    spark.catalog.dropTempView("composed")
    spark.catalog.dropTempView("composed_one")


def check(spark: SparkSession, wanted: dict[str, list[str]]) -> None:
    """Each statement has these rows, a row as text."""
    found = rows_of([winsql.sql(spark, text) for text in wanted])
    assert dict(zip(wanted, found, strict=True)) == {text: Counter(rows) for text, rows in wanted.items()}


@pytest.mark.parametrize("assigner", ASSIGNERS)
def test_where_filters(session: SparkSession, assigner: str) -> None:
    select = "SELECT k, count(*) AS n FROM {} WHERE {} WINDOW ASSIGN {} GROUP BY k"
    relations, conditions = (RELATIONS, CONDITIONS) if assigner == TUMBLING else (RELATIONS[::3], CONDITIONS[:2])
    wanted = {select.format(relation, "ok", assigner): ["{a, 1}"] for relation in relations}
    wanted |= {select.format("composed", condition, assigner): ["{a, 1}"] for condition in conditions}
    wanted[select.format("composed", "true", assigner)] = ["{a, 2}", "{b, 1}"]
    check(session, wanted)


@pytest.mark.parametrize("assigner", [TUMBLING, f"{TUMBLING} TRIGGER PURGING(EVENT_TIME())"])
def test_clauses_after_the_window_filter(session: SparkSession, assigner: str) -> None:
    select = f"SELECT k, bool_or(ok) AS bo FROM composed WINDOW ASSIGN {assigner} GROUP BY k"
    havings = ("bool_or(ok)", "bo", "(bo)", "(bool_or(ok))", "((bo)) -- so", "bo AND (bool_or(ok))", "(count(*) = 2)")
    wanted = {f"{select} HAVING {having}": ["{a, true}"] for having in havings}
    ranked = select.replace(" FROM", ", row_number() OVER (ORDER BY k) = 1 AS f FROM")
    wanted |= {f"{ranked} QUALIFY {condition}": ["{a, true, true}"] for condition in ("f", "(f)", "(f) AND (bo)")}
    wanted[f"{select} ORDER BY (k) LIMIT (1)"] = ["{a, true}"]
    wanted[f"SELECT ok FROM composed WHERE (ok) WINDOW ASSIGN {assigner} ORDER BY (ok) LIMIT (1)"] = ["{true}"]
    wanted[f"{select} -- the end"] = ["{a, true}", "{b, null}"]
    check(session, wanted)


@pytest.mark.parametrize("assigner", [TUMBLING, f"{TUMBLING} TRIGGER PURGING(EVENT_TIME())"])
def test_keys(session: SparkSession, assigner: str) -> None:
    select = f"SELECT {{}} AS key, count(*) AS n FROM composed WINDOW ASSIGN {assigner} GROUP BY {{}}"
    wanted = {
        "distinct": ["{a, 2}", "{b, 1}"],
        "`all`": ["{1, 1}", "{2, 1}", "{3, 1}"],
        "(k, v)": ["{{a, 1}, 1}", "{{a, 2}, 1}", "{{b, 3}, 1}"],
        "((k, v))": ["{{a, 1}, 1}", "{{a, 2}, 1}", "{{b, 3}, 1}"],
        "v > 1 OR v IS NULL": ["{false, 1}", "{true, 2}"],
        "-1": ["{-1, 3}"],
    }
    texts = {select.format(f"({key})", key): rows for key, rows in wanted.items()}
    texts[select.format("count(DISTINCT all)", "all, distinct")] = ["{1, 1}", "{1, 1}", "{1, 1}"]
    texts[select.format("max(all)", "k")] = ["{2, 2}", "{3, 1}"]
    texts[select.format("first(v)", "distinct").replace("count(*)", "last(v)")] = ["{1, 2}", "{3, 3}"]
    texts[f"SELECT DISTINCT (k), 1 AS one FROM composed WINDOW ASSIGN {assigner} GROUP BY k, v"] = ["{a, 1}", "{b, 1}"]
    texts[f"SELECT 'windowed__relation0 {{}}' AS s, count(*) AS n FROM composed WINDOW ASSIGN {assigner}"] = [
        "{windowed__relation0 {}, 3}"
    ]
    check(session, texts)


@pytest.mark.parametrize("assigner", [TUMBLING, f"{TUMBLING} TRIGGER PURGING(EVENT_TIME())"])
def test_a_parameter_is_no_position(session: SparkSession, assigner: str) -> None:
    text = f"SELECT :p AS p, count(*) AS n FROM composed WINDOW ASSIGN {assigner} GROUP BY k, :p"
    for value in (1, "x", None):
        assert Counter(map(tuple, winsql.sql(session, text, {"p": value}).collect())) == {(value, 2): 1, (value, 1): 1}


@pytest.mark.parametrize("how", ["", "LEFT", "FULL"])
def test_where_after_a_window_join(session: SparkSession, how: str) -> None:
    select = f"SELECT x.v, y.v AS w FROM composed x {how} WINDOW JOIN composed y ON x.k = y.k AND (y.ok)"
    wanted = {}
    for assigner in ("TUMBLING((x.ts, y.ts), INTERVAL 10 MINUTES)", "SESSION((x.ts, y.ts), INTERVAL 5 MINUTES)"):
        for condition in ("x.ok", "(x.ok)", "((x.ok))", "(x.ok) -- so\n"):
            wanted[f"{select} WHERE {condition} WINDOW ASSIGN {assigner}"] = ["{1, 1}"]
    check(session, wanted)


def test_a_lateral_view_without_a_name(session: SparkSession) -> None:
    """Spark would take WHERE for its name, and filter nothing."""
    text = f"SELECT count(*) FROM composed LATERAL VIEW explode(array(1)) WHERE ok WINDOW ASSIGN {TUMBLING}"
    with pytest.raises(WindowSyntaxError, match="this LATERAL VIEW has no name"):
        winsql.sql(session, text)
