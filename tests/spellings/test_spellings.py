"""Equivalent spellings of queries over windows: each gives on a stream the rows that it gives on a table.

`spellings.sql` holds them, a title and a statement each. In them T is a tumbling window of the events, U of some of
them, H a hopping one, E the events themselves. On a table Spark runs most of them; on a stream all are winsql's. They
go through `spark.sql` of a registered session.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from sampling import some
from streaming import Event, Source, rows_of, run

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAR = 1_000_000.0
DELAY = 8
PARTS, QUERIES = 6, 3
LAST_ROW = ("2024-01-12", "'end'", "'-1'")
"""What tells the rows of the last event, whose windows end on tables only."""
SHORT = {
    "T": "TABLE(TUMBLE(TABLE events_{t}, DESCRIPTOR(ts), INTERVAL '30' SECONDS))",
    "U": "TABLE(TUMBLE(TABLE (SELECT * FROM events_{t} WHERE n % 5 < 3), DESCRIPTOR(ts), INTERVAL '30' SECONDS))",
    "H": "TABLE(HOP(TABLE events_{t}, DESCRIPTOR(ts), INTERVAL '10' SECONDS, INTERVAL '30' SECONDS))",
    "E": "events_{t}",
}
VIEWS = {
    "rows": "SELECT * FROM T",
    "results": "SELECT k AS name, count(*) AS c, window_end AS `the end` FROM T GROUP BY window_start, window_end, k",
    "nested": "SELECT k AS name, n AS number, window_end AS `the end` FROM rows_{t} WHERE v > 1",
    "again": "SELECT name, c, `the end` AS e FROM results_{t} WHERE c > 1",
}
"""Views, made as tables and as streams: `rows_{t}`."""
_NAMES = re.compile(r"(?<=(?i:FROM|JOIN) )[TUHE]\b|(?<=, )[TUHE](?= [a-z]\b| `[A-Z]`)|(?<=\()[TUHE](?=\)| [a-z]\b)")


def spellings() -> dict[str, str]:
    """The statements by their titles."""
    text = f"\n{(Path(__file__).parent / 'spellings.sql').read_text()}"
    blocks = [block.partition("\n") for block in text.split("\n# ")[1:]]
    found = {title: statement.strip() for title, _, statement in blocks}
    assert len(found) == len(blocks)
    return found


def filled(statement: str, kind: str) -> str:
    """A statement over tables or streams."""
    return _NAMES.sub(lambda match: SHORT[match.group()], statement).replace("{t}", kind)


def events(count: int = 160) -> list[list[Event]]:
    """Rows out of order within the watermark's delay, with NULL keys and equal times, in two micro-batches."""
    rng = random.Random(11)
    rows: list[Event] = []
    for number in range(count):
        time = float(rng.randrange(150))
        rows.append((rng.choice(["a", "b", "c", None]), time, float(rng.randrange(6)), number))
    rows.sort(key=lambda row: row[1] + rng.uniform(0, DELAY - 1))
    return [rows[:80], [*rows[80:], ("end", FAR, 0.0, -1)]]


@pytest.fixture
def names(spark: SparkSession) -> Iterator[None]:
    """A table to look names up in; one shuffle partition, as there are many operators in a query."""
    winsql.register(spark)
    spark.sql("CREATE TEMP VIEW names AS SELECT * FROM VALUES ('a', 'A'), ('b', 'B') AS t(id, label)")
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    yield
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    spark.catalog.dropTempView("names")
    winsql.unregister(spark)


def together(spark: SparkSession, statements: dict[str, str], kind: str) -> DataFrame:
    """The rows of several statements, each with its title, so that they share the micro-batches of one query.

    The names of the columns come first in each row, as another case is not another name.
    """
    frames = []
    for title, statement in statements.items():
        frame = spark.sql(filled(statement, kind))
        titled = F.lit(", ".join(frame.columns).lower().replace(f"events_{kind}", "events"))
        names = [f"column_{number}" for number in range(len(frame.columns))]
        texts = [F.coalesce(F.col(name).cast("string"), F.lit("NULL")) for name in names]
        frames.append(frame.toDF(*names).select(F.lit(title).alias("title"), F.array(titled, *texts).alias("row")))
    return reduce(DataFrame.unionAll, frames)


@pytest.mark.slow
@pytest.mark.parametrize("part", some(range(PARTS)))
def test_a_stream_gives_the_rows_of_a_table(spark: SparkSession, names: None, tmp_path: Path, part: int) -> None:
    source = Source(tmp_path / "in")
    source.put(*events())
    source.stream(spark, "events_stream", f"{DELAY} seconds")
    source.table(spark, "events_table")
    for name, text in VIEWS.items():
        for kind in ("table", "stream"):
            spark.sql(f"CREATE OR REPLACE TEMP VIEW {name}_{kind} AS {filled(text, kind)}")
    statements = dict(list(spellings().items())[part::PARTS])
    titles = list(statements)
    groups = [{title: statements[title] for title in titles[n::QUERIES]} for n in range(QUERIES)]
    expected = rows_of(together(spark, statements, "table"))
    found = run([together(spark, group, "stream") for group in groups], tmp_path / "checkpoints")
    got = Counter(row for rows in found for row in rows)
    wanted = Counter({row: n for row, n in expected.items() if not any(last in row[1] for last in LAST_ROW)})
    differing = {row[0] for row in (got - wanted) + (wanted - got)}
    assert not differing, {
        t: (rows_titled(wanted, t) - rows_titled(got, t), rows_titled(got, t) - rows_titled(wanted, t))
        for t in differing
    }
    assert {row[0] for row in wanted} == set(titles)


def rows_titled(rows: Counter[tuple[str, ...]], title: str) -> Counter[tuple[str, ...]]:
    """The rows of one statement."""
    return Counter({row: n for row, n in rows.items() if row[0] == title})
