"""The golden corpus gives the same under every bundle of settings: rows, or the condition of an error.

Each statement runs under two of the five bundles, by its place; a setting that changes what Spark itself makes of the
statement is left out of its bundles.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from golden_cases import golden_cases
from sampling import some
from session_settings import SETTINGS, as_text, settings

import winsql
from winsql.errors import WinsqlError
from winsql.model.registry import APPLY_FUNCTIONS, CO_GROUP_FUNCTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUICK = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
ZONE, NTZ = "spark.sql.session.timeZone", "spark.sql.timestampType"
CASE, RESERVED = "spark.sql.caseSensitive", "spark.sql.ansi.enforceReservedKeywords"
ANSI = "spark.sql.ansi.enabled"
QUOTED = "spark.sql.ansi.doubleQuotedIdentifiers"
DEPENDS_ON = {
    "aggregates: keys by position, alias, expression and qualified name": {ZONE},
    "aggregates: GROUP BY ALL": {ZONE},
    "aggregates: fields named after expressions": {CASE},
    "aggregates: subqueries in the select list": {ANSI},
    "join_calls: keys with their side, and keys that read no column": {RESERVED},
    "join_calls: in CTEs, subqueries and set operations": {RESERVED},
    "join_relations: what may stand between a table and its alias": {RESERVED},
    "join_relations: words that are names here": {RESERVED},
    "statements: keywords as names": {RESERVED},
    "statements: an alias EMIT before ON": {RESERVED},
    "window_functions: a stream with its watermark, and a session's keys": {CASE},
    "window_functions: other functions of these names": {RESERVED},
    "statements: names in other scripts and quotes": {CASE},
    "aggregates: window columns, bare and in expressions": {ZONE},
    "aggregates: the same aggregate is computed once": {CASE},
    "aggregates: generators over aggregates": {RESERVED},
    "aggregates: ANY and SOME after LIKE": {RESERVED},
    "join_calls: a co-group": {RESERVED},
    "join_calls: all options": {CASE, RESERVED},
    "join_calls: processing time and a dynamic gap": {RESERVED},
    "join_clauses: a time that reads no column belongs to its place": {NTZ},
    "join_clauses: tables called left and right": {RESERVED},
    "rows: operands of policies share slots": {CASE},
    "statements: everything around stays as it is": {QUOTED},
    "window_functions: one key without brackets, the clock": {CASE},
}
COMMAND = re.compile(r"\b(CREATE|INSERT|MERGE|EXPLAIN)\b")
UNSTABLE = re.compile(r"\brand\(|\bPROC|\bcurrent_|\bnow\(|\bTABLESAMPLE\b|\bLIMIT \d", re.IGNORECASE)
"""Rows differ from run to run: their columns are compared."""
CASES = [case for kind in ("identity", "rewrite") for case in golden_cases(kind) if not COMMAND.search(case.input)]

# fmt: off
NUMBERS = ["v", "w", "a", "b", "e", "g", "h", "id", "order_id", "amount", "delay", "price", "x", "y"]
TEXTS = ["k", "i", "j", "c", "carrier", "origin", "dest", "tail", "item", "supplier", "name", "`a.b`", "`größe`"]
TABLES = [
    "t", "a", "b", "c", "u", "x", "y", "z", "orders", "payments", "kafka", "Bid", "names", "stats", "allowed", "window",
    "left", "right", "events", "stream", "`my table`", "`my a`",
]
# fmt: on

Outcome = Counter[str] | str


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    """The tables of the corpus, each of 14 rows over an hour or so with a column for every name in it."""

    def fit(key: tuple[object, ...], window: object, rows: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"slope": [float(len(rows))], "points": [{"x": 1, "y": 2}]})

    def pair_up(key: tuple[object, ...], window: object, left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"n": [len(left)], "odd one": ["x"]})

    winsql.register_apply_function("fit", fit, "slope DOUBLE, points STRUCT<x: INT, y: INT>")
    winsql.register_co_group_function("pair_up", pair_up, "n INT, `odd one` STRING")
    before = {table.tableName for table in spark.sql("SHOW TABLES").collect()}
    for place, name in enumerate(TABLES):
        spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW {name} AS {table_sql(181 + place % 2 * 120)}")
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW flights AS {table_sql(181, 'CAST(id % 4 + 1 AS INT)')}")
    with settings(spark, QUICK):
        yield spark
    for made in {table.tableName for table in spark.sql("SHOW TABLES").collect()} - before:
        spark.catalog.dropTempView(made)
    APPLY_FUNCTIONS.remove("fit")
    CO_GROUP_FUNCTIONS.remove("pair_up")


def table_sql(step: int, gap: str = "make_dt_interval(0, 0, CAST(id % 4 + 1 AS INT))") -> str:
    time = f"timestamp_micros(1710136800000000L + id * {step}000000)"  # from 2024-03-11 06:00 UTC, 02:00 in New York
    columns = dict.fromkeys(("ts", "bidtime", "zeit", "timestamp", "t"), time)
    columns |= {name: f"CAST(id * {2 * n + 3} % 11 AS INT)" for n, name in enumerate(NUMBERS)}
    columns |= {name: f"substr('abc', CAST(id * {n % 2 + 1} % 3 + 1 AS INT), 1)" for n, name in enumerate(TEXTS)}
    columns |= {
        "s": "named_struct('a', named_struct('b', id % 5), 'x', named_struct('y', id % 3))",
        "r": "named_struct('z', id % 2)",
        "gap": gap,
        "u": f"{time} + INTERVAL 1 MINUTE",
        "d": "'2024-03-11'",
        "xs": "array(1, id)",
        "ys": "array('p', 'q')",
        "zs": "array(named_struct('q', 1))",
        "arr": "array('', 'x')",
    }
    return f"SELECT {', '.join(f'{sql} AS {name}' for name, sql in columns.items())} FROM range(42)"


def outcome(spark: SparkSession, number: int) -> Outcome:
    """What a case gives: rows as text, columns where rows are not stable, or the condition of an error."""
    try:
        frame = winsql.sql(spark, CASES[number].input)
        if UNSTABLE.search(CASES[number].input):
            return str(frame.columns)
        return Counter(row.row for row in as_text(frame, number).collect())
    except WinsqlError as error:
        return type(error).__name__
    except Exception as error:  # noqa: BLE001 - Spark has several kinds; some conditions are in their text only
        condition = re.search(r"\[([A-Z_.]+)\]", str(error))
        return condition[1] if condition else type(error).__name__


def outcomes(spark: SparkSession, expected: dict[int, Outcome], numbers: list[int]) -> dict[int, Outcome]:
    """What these cases give, those that are to give rows in one query."""
    rows = [number for number in numbers if isinstance(expected[number], Counter)]
    frames = [as_text(winsql.sql(spark, CASES[number].input), number) for number in rows]
    found: dict[int, Outcome] = {number: outcome(spark, number) for number in numbers if number not in rows}
    counters: dict[int, Counter[str]] = {number: Counter() for number in rows}
    for number, row in reduce(lambda left, right: left.unionAll(right), frames).collect() if frames else ():
        counters[number][row] += 1
    return {**found, **counters}


@pytest.fixture(scope="module")
def expected(session: SparkSession) -> dict[int, Outcome]:
    return {number: outcome(session, number) for number in range(len(CASES))}


@pytest.mark.slow
def test_most_of_the_corpus_gives_rows(expected: dict[int, Outcome]) -> None:
    rows = [number for number, found in expected.items() if isinstance(found, Counter) and found]
    assert len(rows) > 85, {CASES[number].id: found for number, found in expected.items() if number not in rows}


@pytest.mark.slow
@pytest.mark.parametrize("bundle", some(SETTINGS))
def test_the_corpus_gives_the_same(session: SparkSession, expected: dict[int, Outcome], bundle: str) -> None:
    place = list(SETTINGS).index(bundle)
    own = [number for number in range(len(CASES)) if (number - place) % 5 in (0, 2)]
    left_out = {frozenset(DEPENDS_ON.get(CASES[number].id, ())) for number in own}
    wrong = {}
    for names in left_out:
        given = {name: value for name, value in SETTINGS[bundle].items() if name not in names}
        numbers = [number for number in own if DEPENDS_ON.get(CASES[number].id, set()) == names]
        with settings(session, given):
            found = outcomes(session, expected, numbers)
        wrong |= {n: (CASES[n].id, expected[n], found[n]) for n in numbers if found[n] != expected[n]}
    assert not wrong
