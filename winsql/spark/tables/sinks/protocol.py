"""What a sink is: it takes the rows of micro-batches, and says what a repeated micro-batch does to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from winsql.errors import WindowPlanError
from winsql.spark.tables.registry import Guarantee
from winsql.syntax import SinkClause

__all__ = ["Delivery", "Request", "Run", "Sink", "Undo"]


Undo: TypeAlias = Callable[[], None]


class Sink(Protocol):
    """Where the rows of a stream, or its late rows, go.

    guarantee   what holds when a micro-batch is repeated
    fixed       what a restart may not change, for people too: never a secret
    checkpoint  where the checkpoint is if the statement names none; None: it must, unless it `is_passing`
    is_passing  whether nothing is kept: then a stream may begin anew each time
    is_streaming  whether only Spark's streaming writer knows the format
    folder      of rows that belong to the stream alone, micro-batch by micro-batch
    writes_to   the folder that files are written to; None where that is not known, or elsewhere
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

    def prepare(self, run: Run) -> Undo | None:
        """What comes before the stream starts; raises WinsqlErrors where the sink cannot take its rows.

        Returns what takes back what it has made, for a stream that does not start after all.
        """

    def write(self, rows: DataFrame, number: int) -> None:
        """Take the rows of a micro-batch; on Spark Connect in a process of the server."""

    def with_late(self, late: Sink) -> Callable[[DataFrame, DataFrame, int], None] | None:
        """Takes rows and late rows at once, in one transaction; None where there is no such thing."""


@dataclass(frozen=True, slots=True)
class Run:
    """The run of micro-batches that begins or goes on.

    stream    the stream's name
    identity  of its checkpoint: another one is another run
    anew      whether what an earlier checkpoint has written is done with
    kept      what `Sink.fixed` was when the run of the checkpoint began; None where there is no checkpoint yet
    """

    stream: str
    identity: str
    anew: bool
    kept: Mapping[str, str] | None


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

    def refused(self, problem: str, rule: str | None = None, hint: str | None = None) -> WindowPlanError:
        """An error at the place of the format."""
        return WindowPlanError(problem, rule=rule, hint=hint, source=self.text, span=self.clause.span)

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
        )


@dataclass(slots=True)
class Delivery:
    """Hands rows and late rows to their sinks; late rows first. `begun` is called before each micro-batch."""

    rows: Sink
    late_rows: Sink | None
    begun: Callable[[], None] | None = None

    def __call__(self, rows: DataFrame, late_rows: DataFrame | None, number: int) -> None:
        if self.begun is not None:
            self.begun()
        if self.late_rows is None or late_rows is None:
            self.rows.write(rows, number)
            return
        both = self.rows.with_late(self.late_rows)
        if both is not None:
            both(rows, late_rows, number)
            return
        self.late_rows.write(late_rows, number)
        self.rows.write(rows, number)
