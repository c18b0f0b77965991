"""The syntax layer against Spark itself: its lexer, its list of aggregates, its parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from golden_cases import golden_cases
from pyspark.errors import ParseException

from winsql.syntax import parse_statement
from winsql.syntax.selects.relations import NO_ALIAS
from winsql.syntax.text.tokens import TokenKind, tokenize
from winsql.syntax.text.vocabulary import AGGREGATES, GENERATORS, QUERY_STARTS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

TEXTS = [
    "SELECT a, `b``c`, 'it''s', 'a\\'b', \"d\"\"e\", \"f\\\"g\", r'h\\', R\"i\\\" FROM t",
    "1 1L 2S 3Y 1.5 .5 1. 1e5 1.5e-3 2.5BD 1D 1F 1.5f 10l",
    "a1 1a 1_a _1 t.1a a.b.c 1e5x x1e5",
    "a /* b /* c */ d */ e /*/**/*/ f /**/ g /*+ h */ i",
    "a -- b /* c\nd -- e \\\nf\ng --\nh",
    "a<=>b a<>b a!=b a==b a<=b a>=b a||b a|b a&b a^b ~a !a a<<b a>>b a>>>b a->b a=>b a::b a:b a|>b a?b ??",
    "größe 価格 Σx naïve",
    "x'1F' X'ab' date'2020-01-01' b'1'",
    "$$ body WINDOW ASSIGN $$ $tag$ a $$ b $tag$ c",
    "a;b ; c",
    "'open",
    "a ` b",
    "'a' 'b' \"c\"'d'",
    "-- only a comment",
    "a /* /*+ no hint inside */ b",
    "@ # \\ { } [ ] ( ) , . * / % + -",
]


def sparks_tokens(spark: SparkSession, text: str) -> list[str]:
    """Texts of the tokens of Spark's lexer that are neither white space nor comments."""
    jvm: Any = spark._jvm
    stream = jvm.org.antlr.v4.runtime.CharStreams.fromString(text)
    parser = jvm.org.apache.spark.sql.catalyst.parser
    lexer = parser.SqlBaseLexer(parser.UpperCaseCharStream(stream))
    lexer.removeErrorListeners()
    found = [t for t in lexer.getAllTokens() if t.getChannel() == 0]
    return [text[t.getStartIndex() : t.getStopIndex() + 1] for t in found]


def our_tokens(text: str) -> list[str]:
    return cut([text[t.start : t.end] for t in tokenize(text)])


def cut(tokens: list[str]) -> list[str]:
    """In a type, `>>` is two tokens to Spark."""
    return [part for token in tokens for part in (token if set(token) == {">"} else [token])]


def joined(tokens: list[str]) -> list[str]:
    """A dollar-quoted body is three tokens to Spark and one to us."""
    result: list[str] = []
    closing = None
    for token in cut(tokens):
        if closing is not None:
            result[-1] += token
            closing = None if token == closing else closing
        else:
            result.append(token)
            closing = token if token.startswith("$") and token.endswith("$") and len(token) > 1 else None
    return result


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_are_sparks(spark: SparkSession, text: str) -> None:
    assert our_tokens(text) == joined(sparks_tokens(spark, text))


@pytest.mark.slow
def test_tokens_of_all_statements_are_sparks(spark: SparkSession) -> None:
    for kind in ("identity", "rewrite", "errors"):
        for case in golden_cases(kind):
            if any(token.kind is TokenKind.UNCLOSED for token in tokenize(case.input)):
                continue
            assert our_tokens(case.input) == joined(sparks_tokens(spark, case.input)), case.title


def functions(spark: SparkSession, group: str) -> set[str]:
    jvm_session: Any = spark._jsparkSession
    registry = jvm_session.sessionState().functionRegistry()
    names = registry.listFunction().iterator()
    found = set()
    while names.hasNext():
        name = names.next()
        if registry.lookupFunction(name).get().getGroup() == group:
            found.add(name.funcName().upper())
    return found


def test_aggregates_are_sparks(spark: SparkSession) -> None:
    of_variants = {name for name in functions(spark, "variant_funcs") if name.endswith("_AGG")}
    assert (functions(spark, "agg_funcs") | of_variants) - {"GROUPING", "GROUPING_ID"} == AGGREGATES


def test_generators_are_sparks(spark: SparkSession) -> None:
    assert functions(spark, "generator_funcs") | {"JSON_TUPLE"} == GENERATORS


def test_rewritten_statements_are_sql(spark: SparkSession) -> None:
    """Spark's parser accepts every rewritten statement, and every projection of a source in its context."""
    jvm_session: Any = spark._jsparkSession
    parser = jvm_session.sessionState().sqlParser()
    for case in golden_cases("rewrite"):
        if "{df}" in case.input or "APPLY" in case.input.upper():
            continue
        statement = parse_statement(case.input, lambda name: name in ("MY_UDAF", "GEOMETRIC_MEAN"))
        relations: dict[int, str] = {}
        for index in range(len(statement.queries)):
            query = statement.query(index, relations)
            columns = [f"{key.sql} AS {key.column}" for key in query.keys]
            columns += [f"{column.sql} AS {column.column}" for column in query.payload]
            columns += [operand.sql for operand in query.operands]
            columns += [part for call in query.aggregates for part in call.arguments] or ["1"]
            where = f" WHERE {query.where}" if query.where else ""
            parser.parsePlan(
                f"{statement.context(index, relations)}SELECT {', '.join(columns)} FROM {query.source}{where}"
            )
            if query.join is not None:
                sides = " JOIN ".join(f"{side.sql} AS {side.name}" for side in (query.join.left, query.join.right))
                condition = query.join.condition or "true"
                parser.parsePlan(f"{statement.context(index, relations)}SELECT 1 FROM {sides} ON {condition}")
            relations[index] = f"(SELECT * FROM r{index})"
        parser.parsePlan(statement.replace(relations))


def test_words_that_are_no_aliases_are_sparks(spark: SparkSession) -> None:
    jvm_session: Any = spark._jsparkSession
    parser = jvm_session.sessionState().sqlParser()
    for word in NO_ALIAS - {"AS"}:
        with pytest.raises(ParseException):
            parser.parsePlan(f"SELECT * FROM t {word}")
    for word in (*AGGREGATES, *QUERY_STARTS - NO_ALIAS, "WINDOW", "ASOF", "STREAM", "OUTER", "VERSION", "PIVOT"):
        parser.parsePlan(f"SELECT * FROM t {word}")


def test_contexts_mean_what_the_statement_means(spark: SparkSession) -> None:
    """CTEs that hide others and recursive ones give the same rows in a context of their own."""
    cases = {
        "WITH a AS (SELECT 1 AS x), b AS (SELECT x + 10 AS y FROM a) SELECT * FROM "
        "(WITH a AS (SELECT x + 1 AS x FROM a) SELECT * FROM a, b {})": [(2, 11)],
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3), "
        "o AS (SELECT max(i) AS m FROM n) "
        "SELECT * FROM (WITH n AS (SELECT sum(i) AS i FROM n) SELECT * FROM n, o {})": [(6, 3)],
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3) "
        "SELECT * FROM (WITH m AS (SELECT max(i) AS x FROM n) SELECT * FROM m, n {})": [(3, 1), (3, 2), (3, 3)],
    }
    for text, rows in cases.items():
        statement = parse_statement(text.format("WINDOW ASSIGN COUNT(1)"))
        query = statement.query(0, {})
        sql = f"{statement.context(0, {})}SELECT * FROM {query.source}"
        assert sorted(tuple(row) for row in spark.sql(sql).collect()) == rows
        assert sorted(tuple(row) for row in spark.sql(text.format("")).collect()) == rows
