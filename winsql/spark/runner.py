"""Hands SQL text to Spark with the statement's parameters and with DataFrames in the place of relations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from winsql.model.query import INTERNAL_PREFIX
from winsql.model.settings import ParserSettings
from winsql.planner.facts import Upstream
from winsql.spark.messages.original_text import handed
from winsql.spark.messages.places import Places
from winsql.spark.messages.shown_places import Shown
from winsql.spark.versions.connect_views import keep
from winsql.spark.versions.qualify import with_known_clauses
from winsql.syntax.selects.with_lists import without_unused
from winsql.syntax.text.compose import split_at
from winsql.syntax.text.openers import holds_any


def is_connect(owned: SparkSession | DataFrame) -> bool:
    """Whether a session or DataFrame belongs to Spark Connect; asking its class needs none of Connect's libraries."""
    return type(owned).__module__.startswith("pyspark.sql.connect.")


def relation_name(number: int) -> str:
    """The name of a DataFrame in a text."""
    return f"{INTERNAL_PREFIX}relation{number}"


# what a plan reads besides the relations of the statement, which are numbered from 0: the rows of firings and a
# relation without rows, the firings, and what an apply function returns
FIRED_ROWS, NO_ROWS, FIRED, RESULTS = (relation_name(1_000_000 + number) for number in range(4))

_SHUFFLE_PARTITIONS = 200
_IS_OWN = ContextVar("is_own", default=False)


def is_own() -> bool:
    """Whether Spark is running a text of winsql's own, which the `sql` of a registered session must hand on."""
    return _IS_OWN.get()


@contextmanager
def _own() -> Iterator[None]:
    token = _IS_OWN.set(True)
    try:
        yield
    finally:
        _IS_OWN.reset(token)


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs texts of one statement.

    arguments   named parameters, as for spark.sql
    context     text before every query: the WITH list that is in scope
    relations   name made by `relation_name` -> the DataFrame
    given_when  when the results of the windowed queries among these come, as seen by a query that reads all of them
    places      where the parts of its texts are in the statement, for errors; None: the texts are the statement's own
    windows_of_rows   identities of the windows of those relations that are rows of a stream with their windows
    """

    spark: SparkSession
    arguments: Mapping[str, Any] = field(default_factory=dict)
    context: str = ""
    relations: Mapping[str, DataFrame] = field(default_factory=dict)
    given_when: Upstream = Upstream.ANY_TIME
    places: Places | None = None
    windows_of_rows: tuple[str, ...] = ()

    @property
    def shuffle_partitions(self) -> int:
        """Their number in the session; Spark's default where a platform chooses it."""
        said = str(self.spark.conf.get("spark.sql.shuffle.partitions"))
        return int(said) if said.isdecimal() else _SHUFFLE_PARTITIONS

    def sql(self, query: str, **relations: DataFrame) -> DataFrame:
        """The query in its context; `relations` are known beside the statement's own."""
        if not self.context:
            return self.run(query, **relations)
        return self.run(without_unused(f"{self.context}{query}", self._settings), **relations)

    def without_unused_ctes(self, text: str) -> str:
        """A text for a stream without the CTEs that nothing reads any more."""
        is_stream = holds_any(text, ("WITH",)) and any(frame.isStreaming for frame in self.relations.values())
        return without_unused(text, self._settings) if is_stream else text

    @property
    def _settings(self) -> ParserSettings:
        return ParserSettings() if self.places is None else self.places.settings or ParserSettings()

    def knowing(self, written: Mapping[str, str]) -> Runner:
        """The same for a text with more columns of a plan; `written` is what the user wrote for them."""
        return self if self.places is None else replace(self, places=self.places.knowing(written))

    def for_spark(self, text: str, relations: Mapping[str, DataFrame] | None = None) -> str:
        """The statement, written with clauses that this version of Spark has."""
        known = replace(self, relations={**self.relations, **(relations or {})})
        return with_known_clauses(self.spark, text, known.run)

    def run(self, text: str, **relations: DataFrame) -> DataFrame:
        """A whole statement. DataFrames become views that last for this call only, as spark.sql(text, name=df) does."""
        text = self.for_spark(text, relations)
        known = {**self.relations, **relations}
        pieces = split_at(text, known) if known else [text]
        with handed(text, self.places), _own():
            frame = self._run(text, pieces, {name: known[name] for name in pieces[1::2]})
        if self.places is not None:
            _show_places(frame, text, pieces[::2], self.places)
        return frame

    def _run(self, text: str, pieces: list[str], used: dict[str, DataFrame]) -> DataFrame:
        if not used:
            return self.spark.sql(text, args=dict(self.arguments)) if self.arguments else self.spark.sql(text)
        plain = [piece.replace("{", "{{").replace("}", "}}") for piece in pieces[::2]]
        names = [f"{{{name}}}" for name in pieces[1::2]]
        shown = "".join(part for both in zip_longest(plain, names, fillvalue="") for part in both)
        frame = self.spark.sql(shown, args=dict(self.arguments) or None, **used)
        if is_connect(frame):
            keep(frame, used.values())
        return frame


def _show_places(frame: DataFrame, text: str, pieces: Sequence[str], places: Places) -> None:
    """Have errors of rows, which come later, show the statement; `pieces` are the parts of the text between names."""
    if is_connect(frame):
        from winsql.spark.versions.connect import show_on_connect  # it needs the client's libraries

        show_on_connect(frame.sparkSession, Shown(text, places))
    else:
        from winsql.spark.origins import move_origins  # it needs a JVM

        move_origins(frame, pieces, places)
