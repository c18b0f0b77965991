"""Each word of winsql's, misspelled in five ways, is found, and the hint says the right one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from winsql.errors import WinsqlError
from winsql.syntax import parse_statement
from winsql.syntax.mistakes import find_mistakes
from winsql.syntax.text.vocabulary import words

STATEMENTS = (
    "SELECT k, count(*) FROM r WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) PARTITION BY k TRIGGER COUNT(3) "
    "EVICT COUNT(5) BEFORE ALLOWED LATENESS '1 hour' LATE INTO late STATE TTL '1 day'",
    "SELECT k, count(*) FROM r WINDOW ASSIGN SESSION(ts, INTERVAL 10 MINUTES) "
    "EMIT EARLY EVERY 10 ROWS ON TIME LATE EVERY '1 minute' AS UPSERT ACCUMULATING ALLOWED LATENESS '1 hour' "
    "GROUP BY k",
    "SELECT k, count(*) FROM r WINDOW ASSIGN SLIDING(ts, INTERVAL 10 MINUTES, INTERVAL 5 SECONDS) "
    "EMIT EARLY EVERY INTERVAL 10 SECONDS LATE ON ROW AS RETRACTIONS ALLOWED LATENESS '1 hour' GROUP BY k",
    "SELECT k FROM r WINDOW ASSIGN CUMULATING(ts, INTERVAL 1 HOUR, INTERVAL 5 MINUTES) "
    "TRIGGER PURGING(DELTA(v, 3, signed => true)) EVICT DELTA(v, 3) AFTER",
    "SELECT k FROM r WINDOW ASSIGN GLOBAL(ts) TRIGGER ANY(CONTINUOUS_EVENT_TIME('1 minute'), "
    "PROCESSING_TIMEOUT(COUNT(3), '1 minute', reset_on_record => true), END_OF_STREAM(), WHEN(sum(v) > 3))",
    "CREATE OR REPLACE STREAMING TABLE s USING parquet OPTIONS (path 'x') LATE INTO late AS SELECT k, count(*) "
    "FROM STREAM r WATERMARK ts DELAY OF INTERVAL 5 SECONDS WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k",
    "CREATE STREAM s INTO sqlite OPTIONS (path 'x') LATE INTO parquet OPTIONS (path 'z') AS SELECT k FROM r",
    "CREATE TEMPORARY STREAMING VIEW v USING rate OPTIONS (path 'x') WATERMARK timestamp DELAY OF INTERVAL 5 SECONDS",
    "SELECT * FROM a LEFT WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 hour')",
    "EXPLAIN WINDOW SELECT k FROM r WINDOW ASSIGN COUNT(3)",
    "AWAIT STREAM s FOR INTERVAL 5 SECONDS",
    *("SHOW STREAMS", "SHOW STREAM s", "STOP STREAM s", "ALTER STREAM s PAUSE", "ALTER STREAM s RESUME"),
    *("ALTER STREAMING TABLE s PAUSE", "ALTER STREAM s SET OPTIONS (path '1')", "DROP STREAM IF EXISTS s PURGE"),
    *("SHOW WINDOW STATE OF s", "SHOW STREAMING VIEWS", "DESCRIBE STREAMING VIEW v", "DROP STREAMING VIEW v"),
)
OTHERS = words(
    """
    ALTER AND ANY AS BY COUNT CREATE DESCRIBE DROP END EXISTS EXPLAIN FOR FROM GROUP HOUR IF INTERVAL INTO JOIN LATE
    LEFT ON OPTIONAL OR PARQUET PATH RATE REPLACE SELECT SET SHOW SQLITE SUM TABLE TEMPORARY TIMESTAMP TRUE USING VIEW
    """
)
"""Spark's, which Spark itself tells, and names."""


def slips(word: str) -> Iterator[str]:
    yield word[:2] + word[3:]
    yield word[0] + word[2] + word[1] + word[3:]
    yield f"{word}S"
    yield word[:-1]
    yield f"{word[:3]}{word[2:]}"


def cases() -> Iterator[tuple[str, str, str]]:
    for statement in STATEMENTS:
        blank = re.sub(r"'[^']*'", lambda found: "0" * len(found[0]), statement)
        for found in re.finditer(r"\b[A-Za-z_]{3,}\b", blank):
            word = found[0]
            is_relation = word == "STREAM" and statement[: found.start()].endswith("FROM ")  # the name of a table
            if word.upper() in OTHERS or is_relation:
                continue
            for slip in dict.fromkeys(slips(word)):
                # one row, one minute: right as well
                if slip.upper() not in (word.upper(), "ROW", "MINUTE", "SECOND", "STREAMS", "STREAM"):
                    yield word, slip, f"{statement[: found.start()]}{slip}{statement[found.end() :]}"


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_right_words_are_no_mistake(statement: str) -> None:
    assert find_mistakes(statement) == []


def test_a_slip_in_any_word_gets_the_right_word_in_the_hint() -> None:
    tried, untold = 0, []
    for word, slip, statement in cases():
        tried += 1
        if not any(word.upper() in (error.hint or "").upper() for error in find_mistakes(statement)):
            untold.append(f"{slip} for {word}: {statement}")
    assert tried > 400
    assert untold == []


@pytest.mark.parametrize(("before", "after"), [(0, 3000), (3000, 0), (3000, 3000), (1, 1)])
def test_of_a_very_long_line_what_is_around_the_place_is_shown(before: int, after: int) -> None:
    text = f"SELECT {'1, ' * before}k FROM t WINDOW ASSIGN TUMBLNG(ts, '1 minute') GROUP BY k{', 1' * after}"
    with pytest.raises(WinsqlError) as raised:
        parse_statement(text)
    _, position, line, carets, *_ = str(raised.value).split("\n")
    assert position == f"  at line 1, column {text.index('TUMBLNG') + 1}:"
    assert len(line) < 500
    assert line[carets.index("^") : carets.rindex("^") + 1] == "TUMBLNG"
    assert (line.startswith("    ..."), line.endswith("...")) == (before > 1000, after > 1000)
