"""A folder of files: one folder in it for each micro-batch, which a repeated one replaces, as streaming tables have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.tables.files import BatchFiles, Place
from winsql.spark.tables.folders import BATCH, batches_in, qualified, require_plain
from winsql.spark.tables.formats import FORMATS, check_columns
from winsql.spark.tables.registry import Guarantee
from winsql.spark.tables.sinks.protocol import Request, Run, Sink
from winsql.spark.tables.trying import require_written


@dataclass(slots=True)
class Folder:
    """Writes micro-batches into a folder of its own.

    appends  whether the stream goes on without rows that are gone
    spark    None after the start: this object travels
    """

    folder: str | None
    files: BatchFiles
    fixed: Mapping[str, str]
    appends: bool
    spark: SparkSession | None = field(repr=False)
    guarantee: Guarantee = Guarantee.EXACTLY_ONCE
    is_passing: bool = False
    is_streaming: bool = False

    @property
    def checkpoint(self) -> str | None:
        """A place in the folder, under a name that is not read as data."""
        return f"{self.folder}/_checkpoint"

    @property
    def writes_to(self) -> str | None:
        return self.folder

    def check(self, run: Run) -> None:
        """Try what the rows are deleted for."""
        if self.spark is not None:
            require_written(self.spark, self.files.rows)

    def prepare(self, run: Run) -> None:
        if run.kept is None:
            self.check(run)
        if self.spark is not None and run.written is not None and not self.appends:
            self._require_rows(self.spark, run.written)
        self.spark = None

    def _require_rows(self, spark: SparkSession, written: int) -> None:
        """Raises WindowPlanError where the newest micro-batch is gone; older ones may be taken away."""
        path = self.files.rows.path
        if written > max(batches_in(spark, path), default=-1):
            raise WindowPlanError(
                f"path {path} has lost the rows of micro-batch {written}, which the checkpoint knows",
                rule="a checkpoint knows what has been read: earlier rows are not computed again, and would be missing",
                hint="put the files back from a copy that is as new as the checkpoint, begin anew with CREATE OR "
                "REPLACE STREAM, or add OPTIONS (resume 'append') to go on without what is gone",
            )

    def write(self, rows: DataFrame, number: int) -> bool:
        return bool(self.files.write(rows, None, number))

    def with_late(self, late: Sink) -> Callable[[DataFrame, DataFrame, int], None] | None:
        return None


def folder(request: Request) -> Sink:
    """The sink for parquet, orc, json and csv."""
    kept_as = FORMATS[request.clause.format.lower()]
    path = request.required("path", "/a/folder")
    try:
        require_plain(path, "path")
    except WindowPlanError as error:
        raise error.located(request.text, request.clause.span) from None
    path = qualified(request.spark, path)
    check_columns(request.schema, kept_as, request.what, request.text, request.clause.span)
    _require_no_batch(request)
    given = {key: v for key, v in request.clause.options.items() if key.lower() not in ("path", "resume")}
    options = kept_as.options_with(given)
    place = Place(path, kept_as.name, request.schema, options)
    fixed = {"format": kept_as.name, "path": path}
    return Folder(path, BatchFiles(place, None), fixed, request.appends(), request.spark)


def _require_no_batch(request: Request) -> None:
    """Raises WindowPlanError for a column that the numbers of micro-batches would hide from readers of the folder."""
    name = next((name for name in request.schema.names if name.lower() == BATCH), None)
    if name is not None:
        late = request.what == "the late rows"
        raise request.refused(
            f"a column of {request.what} is called {name}",
            f"Spark reads the number of the micro-batch as column {BATCH} from the names of the folders in the path",
            f"late rows have all columns of their relation: read FROM (SELECT {name} AS {name}_2, ... FROM ...)"
            if late
            else f"give it another name: ... AS {name}_2",
        )
