"""APPLY: a registered apply function over the rows of a firing; used in Python workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.functions import ApplyFunction, CoGroupFunction
from winsql.runtime.arrays import empty
from winsql.spark.workers.errors import explained
from winsql.spark.workers.pandas_values import column_of, local_time, series_of, value_of
from winsql.spark.workers.task import NamedFirings


@dataclass(frozen=True, slots=True)
class AppliedFunction:
    """Calls the function as `function(key, window, rows)` and checks what it returns; a co-group's function gets
    `(key, window, left, right)`.

    schema   Arrow schema of what the function is registered to return
    zone     the session's time zone: as in Spark's own pandas functions, TIMESTAMP values are local times without zone,
             at any depth
    """

    name: str
    function: ApplyFunction | CoGroupFunction
    schema: pa.Schema
    zone: str

    def __call__(self, firings: NamedFirings, firing: int, rows: pa.RecordBatch) -> pa.RecordBatch:
        with explained(firings.task, firings, firing):
            start, end = firings.bounds(firing)
            window = (self._local(start, firings), self._local(end, firings))
            try:
                key = tuple(value_of(value, self.zone) for value in firings.key_values(firing))
                frames = self._frames(rows)
            except (UnicodeDecodeError, pa.ArrowException) as error:
                raise self._unreadable(error) from error
            return self._checked(self._called(key, window, frames))

    def _called(self, key: tuple[Any, ...], window: tuple[Any, Any], frames: list[pd.DataFrame]) -> Any:
        try:
            return self.function.function(key, window, *frames)
        except (Exception, SystemExit) as error:
            raise WindowDataError(f"APPLY {self.name} failed: {type(error).__name__}: {error}") from error

    def _checked(self, result: Any) -> pa.RecordBatch:
        if not isinstance(result, pd.DataFrame):
            raise self._error(f"it returned {type(result).__name__} instead of a pandas.DataFrame")
        wanted = self.schema.names
        if result.shape == (0, 0):  # as Spark's own pandas functions may return it
            return empty(self.schema)
        if len(result.columns) != len(wanted) or set(result.columns) != set(wanted):
            given = ", ".join(map(str, result.columns)) or "none"
            raise self._error(f"it returned the columns {given}, registered are {', '.join(wanted)}")
        columns = [self._column(result[field.name], field) for field in self.schema]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)

    def _column(self, values: Any, field: pa.Field) -> pa.Array:
        try:
            return column_of(values, field.type, self.zone)
        except (pa.ArrowException, ArithmeticError, ValueError, TypeError) as error:
            raise self._error(f"column {field.name} is not {field.type}: {error}") from error

    def _unreadable(self, error: Exception) -> WindowDataError:
        return WindowDataError(
            f"APPLY {self.name}: pandas cannot have the rows or their key: {error}",
            rule="a function in Python gets strings that are UTF-8",
            hint="hand it the bytes of others, CAST(text AS BINARY)",
        )

    def _error(self, problem: str) -> WindowDataError:
        return WindowDataError(
            f"APPLY {self.name}: {problem}",
            rule="an apply function returns a pandas.DataFrame with the columns and types it is registered with",
        )

    def _frames(self, rows: pa.RecordBatch) -> list[pd.DataFrame]:
        """The rows of the source, which arrive as one column of structs; for a co-group the rows of each side, which
        arrive as the number of the side and a column of structs per side."""
        if rows.num_columns == 1:
            return [self._frame(rows.column(0))]
        side = rows.column(0).to_numpy(zero_copy_only=False)
        return [self._frame(rows.column(1 + number).filter(pa.array(side == number))) for number in (0, 1)]

    def _frame(self, row: pa.StructArray) -> pd.DataFrame:
        columns = [series_of(column, self.zone) for column in row.flatten()]
        frame: pd.DataFrame = pd.concat(columns, axis=1)
        frame.columns = pd.Index([row.type.field(i).name for i in range(row.type.num_fields)])
        return frame

    def _local(self, instant: int | None, firings: NamedFirings) -> Any:
        return None if instant is None else local_time(instant, firings.task.window_type, self.zone)
