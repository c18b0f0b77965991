"""The interface of sinks: a sink takes the rows of micro-batches, and says what a repeated micro-batch does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from winsql.errors import WindowPlanError
from winsql.spark.tables.newest import note_newest
from winsql.spark.tables.registry import Guarantee
from winsql.syntax import SinkClause

Undo: TypeAlias = Callable[[], None]


class Sink(Protocol):
    """Where the rows of a stream, or its late rows, go.

    guarantee   what happens to a micro-batch that is written again
    fixed       options that a restart may not change; people see them, so they are never secrets
    checkpoint  where the checkpoint is if the statement names none; None: it must name one, unless `is_passing`
    is_passing  whether the sink keeps nothing, so that a stream may start anew each time
    is_streaming  whether only Spark's streaming writer knows the format
    folder      that has the rows of this stream alone, by micro-batch; None where there is none
    writes_to   the folder that files are written to; None where it is not known, or the sink writes no files
    """

    @property
    def guarantee(self) -> Guarantee: ...
    @property
    def fixed(self) -> Mapping[str, str]: ...
    @property
    def checkpoint(self) -> str | None: ...
    @property
    def is_passing(self) -> bool: ...
    @property
    def is_streaming(self) -> bool: ...
    @property
    def folder(self) -> str | None: ...
    @property
    def writes_to(self) -> str | None: ...

    def check(self, run: Run) -> None:
        """Raises WinsqlErrors where the sink cannot begin anew, before anything of the earlier run is deleted."""

    def prepare(self, run: Run) -> Undo | None:
        """Get ready before the stream starts; raises WinsqlErrors where the sink cannot take its rows.

        Returns a function that undoes this if the stream does not start after all; None where there is nothing to undo.
        """

    def write(self, rows: DataFrame, number: int) -> bool | None:
        """Take the rows of a micro-batch; on Spark Connect in a process of the server.

        Returns whether the sink knows from now on that it has them; None where it does not tell.
        """

    def with_late(self, late: Sink) -> Callable[[DataFrame, DataFrame, int], bool | None] | None:
        """A function that writes rows and late rows in one transaction; None where both sinks have none in common."""


@dataclass(frozen=True, slots=True)
class Run:
    """The run of micro-batches that a start begins or continues.

    stream    the stream's name in lower case: a statement may write it in another case than the one before
    identity  of its checkpoint: another one is another run
    anew      whether the sink may forget the run of an earlier checkpoint
    kept      `Sink.fixed` as it was when the run began; None where there is no checkpoint yet
    newest    number of the newest micro-batch that the checkpoint knows; -1: it knows none; None: the run begins
    written   number of the newest one that is done and has rows in the sink; None where that is not known
    """

    stream: str
    identity: str
    anew: bool
    kept: Mapping[str, str] | None
    newest: int | None = None
    written: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What a sink is made for.

    stream   the stream's name
    what     "the result" or "the late rows"
    keys     the columns that tell its rows apart; None: not known
    """

    spark: SparkSession
    stream: str
    clause: SinkClause
    schema: StructType
    what: str
    keys: tuple[str, ...] | None
    text: str

    def refused(
        self, problem: str, rule: str | None = None, hint: str | None = None, *, option: str | None = None
    ) -> WindowPlanError:
        """An error at the place of the option, where one is named and given, or of the format."""
        place = self.clause.places.get((option or "").lower(), self.clause.span)
        return WindowPlanError(problem, rule=rule, hint=hint, source=self.text, span=place)

    def option(self, name: str) -> str | None:
        """An option by its name in any case."""
        return next((value for key, value in self.clause.options.items() if key.lower() == name), None)

    def required(self, name: str, example: str) -> str:
        """An option that must be there."""
        found = self.option(name)
        if found is not None and found.strip():
            return found
        raise self.refused(
            f"{self.clause.format} needs the option {name}",
            "OPTIONS say where the rows go",
            f"write OPTIONS ({name} '{example}')",
            option=name,
        )

    def appends(self) -> bool:
        """Whether the stream goes on without rows that are gone: resume 'append'."""
        given = self.option("resume")
        if given is None or given.strip().lower() == "append":
            return given is not None
        rule = "resume 'append' goes on where rows are gone that the checkpoint knows"
        hint = "write resume 'append', or leave it out"
        raise self.refused(f"{given} is no way to resume", rule, hint, option="resume")


@dataclass(slots=True)
class Delivery:
    """Hands rows and late rows to their sinks; late rows first. `begun` is called before each micro-batch.

    checkpoint  where the newest micro-batches with rows are noted; None: nowhere
    """

    rows: Sink
    late_rows: Sink | None
    begun: Callable[[], None] | None = None
    checkpoint: str | None = None

    def __call__(self, rows: DataFrame, late_rows: DataFrame | None, number: int) -> None:
        if self.begun is not None:
            self.begun()
        names = [name for name, is_known in self._write(rows, late_rows, number) if is_known]
        if names and self.checkpoint is not None:
            note_newest(self.checkpoint, number, names)

    def _write(self, rows: DataFrame, late_rows: DataFrame | None, number: int) -> Iterator[tuple[str, bool | None]]:
        if self.late_rows is not None and late_rows is not None:
            both = self.rows.with_late(self.late_rows)
            if both is not None:
                yield "rows", both(rows, late_rows, number)
                return
            yield "late rows", self.late_rows.write(late_rows, number)
        yield "rows", self.rows.write(rows, number)
