"""What winsql reads from sqlglot's trees, held against Spark's own parser.

Of every query the relations, joins, CTEs, aliases, column references, set operations and subqueries have to be those
that Spark's unresolved plan names. Spark gets the statements as sqlglot does, window clauses cut out and winsql's
relations under one name each.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from compared_with_spark import LEFT_OUT, REFUSED, compare
from generated_queries import queries
from golden_cases import golden_cases
from passing import cases
from sqlglot.dialects.dialect import Dialect
from test_spellings import filled, spellings

from winsql.syntax.text.vocabulary import UNIT_FUNCTIONS, words

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

GENERATED = 1200


def statements() -> Iterator[tuple[str, str]]:
    """All statements that the tests have, with windows and without, each with a name."""
    for kind in ("identity", "rewrite", "plans", "stream_errors"):
        for case in golden_cases(kind):
            yield case.id, case.input
    for title, text in spellings().items():
        yield title, filled(text, "stream")
    for own in cases():
        for number, text in enumerate(own.statements):
            yield f"{own.id} {number}", text


def test_readings_are_those_of_spark(spark: SparkSession) -> None:
    found = compare(spark, statements())
    assert not found.different, "\n".join(found.different)
    assert found.alike > 900
    assert found.left_out.keys() == {REFUSED, *LEFT_OUT}
    assert found.left_out.pop(REFUSED) < 40
    assert found.left_out.pop("pipes") <= 69  # all queries with pipes, for which sqlglot's tree has SELECTs of its own
    assert found.left_out.total() < 20, found.left_out


def test_readings_of_generated_queries_are_those_of_spark(spark: SparkSession) -> None:
    found = compare(spark, ((f"query {n}", text) for n, text in enumerate(islice(queries(), GENERATED))))
    assert not found.different, "\n".join(found.different)
    assert (found.alike, found.left_out) == (GENERATED, {})


MISREAD = words(
    """
    ALL AND ANTI ANY ARRAY AS ASC ASOF BETWEEN CASE COLLATE CROSS CUBE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP
    CURRENT_USER DESC DISTINCT DIV ELSE END ESCAPE EXCEPT EXISTS FALSE FOR FROM FULL HAVING ILIKE IN INNER INSERT
    INTERSECT INTERVAL IS JOIN LATERAL LIKE LIMIT LIST LOCALTIME MERGE MINUS NATURAL NOT NULL OFFSET ON OR OUTER OVER
    OVERWRITE PARTITION PERCENT PIVOT QUALIFY RECURSIVE REGEXP RLIKE ROLLUP ROWS SELECT SEMI SERDEPROPERTIES
    SESSION_USER STREAM TABLESAMPLE THEN TRUE UNION UNPIVOT USING VALUES VIEW WHEN WHERE WITH
    """
)
"""Words that may be names to Spark, which sqlglot has a meaning for in some of the places where it takes names."""
PLACES = """
SELECT {0}, a FROM t
SELECT a, {0} FROM t
SELECT t.{0}, {0}.a, {0}.b.c, {0}.* FROM t
SELECT a {0}, b AS {0} FROM t
SELECT a + {0} * 2 FROM t WHERE {0} = 1 AND b > {0}
SELECT a FROM t GROUP BY b, {0} HAVING {0} ORDER BY {0}, c
SELECT a FROM {0} x JOIN {0} AS y ON x.{0} = y.a
SELECT a FROM {0}, u {0} WHERE x
SELECT a FROM t {0} JOIN u ON {0}.a = b
SELECT a FROM t JOIN u {0} ON {0}.a = b GROUP BY x
SELECT a FROM (SELECT b FROM t) {0}, (SELECT b FROM t) AS {0} ({0}, c)
SELECT {0}(a) FROM t
WITH {0} AS (SELECT a FROM t), x ({0}) AS (SELECT {0} FROM {0}) SELECT a FROM x
SELECT a FROM t JOIN u USING ({0}, b)
SELECT {0} FROM t LATERAL VIEW explode(a) {0} AS {0}
SELECT transform(a, {0} -> {0} + 1), CASE {0} WHEN 1 THEN {0} ELSE {0} END, b IN ({0}), {0} IN (1) FROM t
SELECT {0} BETWEEN {0} AND {0}, {0} IS NULL, CAST({0} AS INT), {0}::INT, {0}[0], -{0} FROM t
SELECT max({0}) OVER (PARTITION BY {0} ORDER BY {0}), count(DISTINCT {0}), sum({0}) FILTER (WHERE {0}) FROM t
SELECT * EXCEPT ({0}), max(a) OVER {0} FROM t WINDOW {0} AS (PARTITION BY b)
"""


@pytest.mark.slow
def test_words_are_names_where_they_are_to_spark(spark: SparkSession) -> None:
    """Words of all systems that sqlglot knows are names in Spark's queries, but those that it has a meaning for too."""
    keywords = Dialect.get_or_raise("databricks").tokenizer_class.KEYWORDS
    names = sorted({word for keyword in keywords for word in keyword.split() if word.isidentifier()} - MISREAD)
    texts = [place.format(name.lower()) for name in names for place in PLACES.strip().splitlines()]
    found = compare(spark, ((text, text) for text in texts))
    assert not found.different, "\n".join(found.different)
    assert found.alike > 4000
    assert found.left_out.total() < 100, found.left_out


WITH_GRAMMAR = words(
    """
    BETWEEN CASE CAST CEIL CURRENT_DATE CURRENT_PATH CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER EXTRACT FLOOR ILIKE IN
    INITCAP LIKE LOCALTIME PERCENTILE REGR_AVGX REGR_AVGY REGR_SXX REGR_SXY REGR_SYY RLIKE SESSION_USER STRUCT
    TRANSFORM TRY_CAST USER WHEN
    """
)
"""Functions that are operators, and those that sqlglot reads by a grammar which ends before what Spark would refuse.

That grammar also ends before the third argument of percentile, which Spark does not refuse.
"""


@pytest.mark.slow
def test_arguments_of_functions_are_all_read(spark: SparkSession) -> None:
    functions = {row[0].upper() for row in spark.sql("SHOW SYSTEM FUNCTIONS").collect() if row[0].isidentifier()}
    names = sorted(functions - WITH_GRAMMAR - UNIT_FUNCTIONS)
    arguments = ("", "a", "a, b", "a, b, c", "DISTINCT a", "'x', a")
    texts = [f"SELECT {name}({args}) FROM t" for name in names for args in arguments]
    found = compare(spark, ((text, text) for text in texts))
    assert not found.different, "\n".join(found.different)
    assert found.alike > 3000
    assert found.left_out.total() < 100, found.left_out
