"""Mutated statements over tables and streams, in a session and as the shell tells their errors.

Each is a DataFrame, or an error of winsql's or Spark's without names made up by winsql.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import winsql
from winsql.errors import WinsqlError
from winsql.shell.failure import STATEMENT_ERRORS, describe
from winsql.shell.script import split
from winsql.syntax.text.source import Source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SPELLINGS = Path(__file__).resolve().parents[1] / "spellings" / "spellings.sql"
_QUERIES = ("SELECT", "WITH", "FROM", "(")


def check_mutated(spark: SparkSession, count: int, seed: int) -> list[str]:
    """What is wrong, with the statement. Only queries are given to the session: they change nothing."""
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW t AS SELECT 'a' AS k, TIMESTAMP'2024-01-01' AS ts, 1.0D AS v, 1 AS n, 's' AS s, "
        "INTERVAL '3' SECOND AS g"
    )
    for other in ("u", "names", "events_table"):
        spark.sql(f"CREATE OR REPLACE TEMP VIEW {other} AS SELECT *, k AS id, s AS label FROM t")
    _put_stream(spark)
    rng, statements, wrong = random.Random(seed), _statements(), []
    for number in range(count):
        text = _mutated(rng, statements)
        if not text.upper().startswith(_QUERIES):
            continue
        problem = _problem(spark, text)
        if problem is not None:
            wrong.append(f"mutated {seed} {number}: {problem[:1000]}\n  {text}")
    return wrong


def _put_stream(spark: SparkSession) -> None:
    """`events_stream` with the columns of `events_table`; no query over it is started."""
    rate = spark.readStream.format("rate").load().withWatermark("timestamp", "1 second")
    table = spark.table("events_table").schema
    columns = [
        f"CAST({'timestamp' if column.name == 'ts' else 'NULL'} AS {column.dataType.simpleString()}) AS {column.name}"
        for column in table
    ]
    rate.selectExpr(*columns).createOrReplaceTempView("events_stream")


def _problem(spark: SparkSession, text: str) -> str | None:
    """What is wrong with what a session says, or with what the shell makes of it."""
    said = []
    try:
        for statement in split(text):
            try:
                _ = winsql.sql(spark, statement.text).schema
            except STATEMENT_ERRORS as error:
                said += [str(error), describe(error, statement, text)]
    except WinsqlError as error:  # a string that is not closed
        said.append(str(error))
    except Exception as error:  # noqa: BLE001 - none of them may come
        return f"{type(error).__name__} {error}"
    return next((message for message in said if "windowed__" in message or "Traceback" in message), None)


def _statements() -> list[list[str]]:
    """The tokens of valid statements."""
    from chaos.hostile import scenes
    from spellings.test_spellings import filled, spellings

    texts = [scene.statement.replace("hostile", "t") for scene in scenes(150, 0)]
    texts += [filled(statement, kind) for statement in spellings().values() for kind in ("table", "stream")]
    return [[source.text[token.start : token.end] for token in source.tokens] for source in map(Source, texts)]


def _mutated(rng: random.Random, statements: list[list[str]]) -> str:
    tokens = list(rng.choice(statements))
    for _ in range(rng.randint(1, 4)):
        if len(tokens) < 2:
            break
        index, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        change = rng.choice(("drop", "repeat", "swap", "cut", "move", "graft", "replace"))
        if change == "drop":
            del tokens[index]
        elif change == "repeat":
            tokens.insert(index, tokens[index])
        elif change == "swap":
            tokens[index], tokens[other] = tokens[other], tokens[index]
        elif change == "cut":
            del tokens[max(index, 1) :]
        elif change == "move":
            tokens.insert(other, tokens.pop(index))
        elif change == "replace":
            tokens[index] = rng.choice(rng.choice(statements))
        else:
            donor = rng.choice(statements)
            begin = rng.randrange(len(donor))
            tokens[index:index] = donor[begin : begin + rng.randint(1, 6)]
    return " ".join(tokens)
