"""Spark's own statements give the same with `winsql.sql`, and with `spark.sql` of a session that winsql is in."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from java_objects import java_object
from passing import BASE, Case, Outcome, cases, make_base, outcome, put_away, settings_of
from sampling import some

import winsql
from winsql.errors import WinsqlError
from winsql.syntax import parse_statement
from winsql.syntax.text.tokens import Token, tokenize
from winsql.syntax.text.vocabulary import words

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CORPUS = list(cases())
TOPICS = sorted({case.topic for case in CORPUS})
STATEMENTS = [statement for case in CORPUS for statement in case.statements]
FAST = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
}
"""For queries of three rows."""
RECORDER = """
package another;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.parser.ParameterContext;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

public class Recorder extends org.apache.spark.sql.execution.SparkSqlParser {
  public List texts = new ArrayList();

  public String first() {
    return texts.isEmpty() ? null : (String) texts.get(0);
  }

  public void forget() {
    texts.clear();
  }

  public LogicalPlan parsePlan(String text) throws ParseException {
    texts.add(text);
    return super.parsePlan(text);
  }

  public LogicalPlan parsePlanWithParameters(String text, ParameterContext parameters) throws ParseException {
    texts.add(text);
    return super.parsePlanWithParameters(text, parameters);
  }
}
"""
"""A parser of Spark's that keeps the texts it is given."""


class Session:
    """A session and what it was like at first; `recorder` is its parser, and winsql is in front of it or not."""

    def __init__(self, spark: SparkSession, recorder: Any, is_taught: bool) -> None:
        from winsql.spark.extension.parser_hook import put_parser

        self.spark = spark.newSession()
        self.recorder = recorder
        put_parser(self.spark._jsparkSession.sessionState(), self.recorder)
        if is_taught:
            winsql.register(self.spark)
        for key, value in FAST.items():
            self.spark.conf.set(key, value)
        self.spark.sql("USE corpus")
        self.settings = settings_of(self.spark)

    def outcomes(self, case: Case, run: Callable[[SparkSession, str], DataFrame]) -> list[tuple[Outcome, str | None]]:
        """What each statement of a case gives, and the first text that Spark's parser has got."""
        try:
            return [self.outcome(lambda text=text: run(self.spark, text)) for text in case.statements]  # type: ignore[misc]
        finally:
            put_away(self.spark, self.settings)

    def outcome(self, run: Callable[[], DataFrame]) -> tuple[Outcome, str | None]:
        self.recorder.forget()
        found = outcome(run)
        return found, self.recorder.first()


@pytest.fixture(scope="module")
def sessions(spark: SparkSession) -> Iterator[tuple[Session, Session]]:
    """A session that winsql is not in, and one that it is in, beside each other in the database `corpus`."""
    make_base(spark)
    recorder = java_object(spark, "another.Recorder", RECORDER)
    plain, taught = Session(spark, recorder, False), Session(spark, recorder, True)
    yield plain, taught
    winsql.unregister(taught.spark)
    spark.sql("DROP DATABASE corpus CASCADE")


def sparks(spark: SparkSession, text: str) -> DataFrame:
    return spark.sql(text)


def test_the_corpus_is_large() -> None:
    assert len(CORPUS) > 300
    assert len(set(STATEMENTS)) > 600
    assert len({case.id for case in CORPUS}) == len(CORPUS)


@pytest.mark.parametrize("topic", TOPICS)
def test_nothing_is_taken_for_winsqls_own(topic: str) -> None:
    for text in (text for case in CORPUS if case.topic == topic for text in case.statements):
        statement = parse_statement(text)
        assert statement.is_plain, text
        assert statement.replace({}) == text


@pytest.mark.slow
@pytest.mark.parametrize("topic", some(TOPICS))
def test_the_same_with_and_without(sessions: tuple[Session, Session], topic: str) -> None:
    """Rows, schema, error with its place; and the text that reaches Spark's parser."""
    plain, taught = sessions
    for case in (case for case in CORPUS if case.topic == topic):
        expected = plain.outcomes(case, sparks)
        assert [received for _, received in expected] == list(case.statements)
        assert plain.outcomes(case, winsql.sql) == expected, case.title
        assert taught.outcomes(case, sparks) == expected, case.title


TEXTS = [
    "SELECT 1 AS window,\r\n  2 AS assign\r\nFROM one trigger\r\n",
    "SELECT 1 AS window\r  , 2 AS assign\r",
    "\tSELECT\t1\tAS\twindow\t;\t",
    "\ufeffSELECT 1 AS window",
    "SELECT\u30001\u3000AS\u3000window",
    "SELECT\u00a01 AS window",
    "SELECT 1\x0cAS\x0bwindow",
    "SELECT 'a\r\nb\tc\u3000d' AS `window\nassign`",
    "SELECT '🪟', nothing FROM one -- 窗口",
    "SELECT '🪟🪟',\r\n '窗' + window FROM one",
    "-- a comment\r\n/* window assign */ SELECT 1 AS a -- the end\r\n",
    "SELECT '" + "window assign " * 2000 + "' AS a",
    "SELECT \x00 AS window",
    "\n\n;\n",
]
"""Blanks, line ends and letters that files of cases do not hold well."""


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_texts_of_any_letters(sessions: tuple[Session, Session], text: str) -> None:
    plain, taught = sessions
    assert parse_statement(text).replace({}) == text
    expected = plain.outcome(lambda: plain.spark.sql(text))
    assert plain.outcome(lambda: winsql.sql(plain.spark, text)) == expected
    assert taught.outcome(lambda: taught.spark.sql(text)) == expected
    assert expected[1] == text


WITH_ARGUMENTS: list[tuple[str, Any]] = [
    ("SELECT :window + :assign AS n", {"window": 1, "assign": 2}),
    ("SELECT ?, ? AS window", [1, "é窗"]),
    ("SELECT k FROM events WHERE v > :trigger ORDER BY v LIMIT :late", {"trigger": 1, "late": 1}),
    ("SELECT IDENTIFIER(:column) FROM IDENTIFIER(:window) ORDER BY v", {"column": "k", "window": "events"}),
    ("SELECT ':window', `:assign`, :window /* :late */ FROM (SELECT 1 AS `:assign`) -- :into", {"window": 5}),
    ("WITH window AS (SELECT ? AS a) FROM window |> WHERE a > ? |> SELECT a", [2, 1]),
    ("VALUES (:window, array(:assign))", {"window": None, "assign": 1.5}),
    ("BEGIN DECLARE x INT = :window; SELECT x + :assign AS n; END", {"window": 1, "assign": 2}),
    ("EXECUTE IMMEDIATE 'SELECT ? AS window' USING :assign", {"assign": 1}),
    ("SELECT rank() OVER assign, :window FROM events WINDOW assign AS (ORDER BY v)", {"window": 1}),
    ("SELECT window(ts, :assign).start FROM events", {"assign": "1 hour"}),
    ("SELECT :window", {"assign": 1}),
    ("SELECT ?, ?", [1]),
    ("SELECT 1 AS window", {"assign": 1}),
    ("SELECT 1 AS window", []),
    ("SELECT nothing + :window", {"window": 1}),
]


@pytest.mark.parametrize(("text", "args"), WITH_ARGUMENTS, ids=[text for text, _ in WITH_ARGUMENTS])
def test_arguments(sessions: tuple[Session, Session], text: str, args: Any) -> None:
    plain, taught = sessions
    expected = plain.outcome(lambda: plain.spark.sql(text, args=args))
    assert plain.outcome(lambda: winsql.sql(plain.spark, text, args)) == expected
    assert taught.outcome(lambda: taught.spark.sql(text, args)) == expected
    assert winsql.rewrite(plain.spark, text, args) == text


ANYWHERE: list[tuple[str, Any]] = [
    ("SELECT window assign, trigger evict FROM words late WHERE window AND NOT assign ORDER BY into", None),
    ("SELECT assign.trigger FROM words window, words assign", None),
    ("SELECT sum(a) OVER assign FROM one WINDOW assign AS (ORDER BY a)", None),
    ("FROM one |> AS window |> SELECT a AS assign |> WHERE assign = :late", {"late": 1}),
    ("SELECT ?, '窗口', 'FROM t WINDOW ASSIGN COUNT(1)' AS `window assign` /* WINDOW ASSIGN */", [1]),
    ("BEGIN DECLARE window INT = 2; SELECT window AS assign; END", None),
    ("SHOW TABLES LIKE 'window assign'", None),
    ("SET window.assign = FROM t WINDOW ASSIGN COUNT(1)", None),
    ("EXPLAIN SELECT a FROM one window", None),
    ("SELECT /*+ WINDOW ASSIGN COUNT(1) */ a FROM one", None),
    ("SELECT nothing\r\n FROM one window", None),
    ("SELECT '窗口', a / (a - a) AS window FROM one", None),
    ("SELEC window assign", None),
    ("SELECT * FROM assign", None),
    ("SELECT 1 AS window; SELECT 2", None),
    ("DELETE FROM window assign WHERE assign.late", None),
]


def test_on_any_session(spark: SparkSession) -> None:
    """Here and on Spark Connect, where winsql is only in front of the session's `sql`."""
    plain: Any = type(spark).sql
    for name in ("words", "one"):
        plain(spark, f"SELECT * FROM {BASE[name]}").createOrReplaceTempView(name)
    expected = [outcome(lambda text=text, args=args: plain(spark, text, args)) for text, args in ANYWHERE]  # type: ignore[misc]
    winsql.register(spark)
    try:
        for (text, args), found in zip(ANYWHERE, expected, strict=True):
            assert outcome(lambda text=text, args=args: spark.sql(text, args)) == found, text  # type: ignore[misc]
            assert outcome(lambda text=text, args=args: winsql.sql(spark, text, args)) == found, text  # type: ignore[misc]
    finally:
        winsql.unregister(spark)
        for name in ("words", "one"):
            spark.catalog.dropTempView(name)
        spark.conf.unset("window.assign")


NAMES = sorted(
    words(
        "window assign trigger evict late into apply tumbling sliding cumulating session count global stream watermark "
        "allowed lateness state ttl join purging tumble hop cumulate window_join co_group table data descriptor streams"
    )
)
REFUSED = re.compile(
    r"window\s+(\w+\s+){0,2}join\b|window\s+(\w+\s+)?(tumbling|sliding|cumulating|session|count|global)\s*\(",
    re.IGNORECASE,
)
"""What is refused on purpose: a window join without its window, and a misspelled opener."""


def test_names_in_every_place(sessions: tuple[Session, Session]) -> None:
    """Whatever Spark's own parser takes is Spark's, with any of our words in the place of its names."""
    plain, _ = sessions
    parser = plain.spark._jsparkSession.sessionState().sqlParser()
    chance = random.Random(12)
    taken, wrong = 0, []
    for _round in range(2):
        for text in STATEMENTS:
            renamed = with_names(text, chance)
            if REFUSED.search(renamed) or "(TABLE" in renamed or not parses(parser, renamed):
                continue
            taken += 1
            if not is_plain(renamed):
                wrong.append(renamed)
    assert wrong == []
    assert taken > 600


def with_names(text: str, chance: random.Random) -> str:
    """The text with names (what is in lower case) replaced: each one by chance, or one by `window assign`."""
    tokens = tokenize(text)
    names = [n for n, t in enumerate(tokens) if t.is_name and (raw := text[t.start : t.end]) == raw.lower()]
    pair = chance.choice(names) if names and chance.random() < 0.5 else None
    parts, end = [], 0
    for index in names:
        token: Token = tokens[index]
        if index != pair and chance.random() < 0.6:
            continue
        name = "window assign" if index == pair else chance.choice(NAMES)
        parts += [text[end : token.start], name]
        end = token.end
    return "".join(parts) + text[end:]


def parses(parser: Any, text: str) -> bool:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        parser.parsePlan(text)
    except (Py4JJavaError, PySparkException):
        return False
    return True


def is_plain(text: str) -> bool:
    try:
        return parse_statement(text).is_plain
    except WinsqlError:
        return False
