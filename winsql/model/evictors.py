"""Evictors: which rows of a window a firing sees, and which it leaves behind.

The rules are those of Flink's `streaming.api.windowing.evictors`. Whether an evictor runs before or after the
firing is a matter of the query (EVICT ... BEFORE | AFTER), not of the evictor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from winsql.errors import WindowDataError
from winsql.model.base import TIMESTAMP, Operand, Row, Window
from winsql.model.columnar.evictors import EvictorForm, Near, Newest, Recent
from winsql.model.distance import distance, limit_for
from winsql.model.policy import Kind, Policy, parameter, require


class Evictor(Policy):
    """Base of all evictors."""

    __slots__ = ()

    def keep(self, rows: list[Row], window: Window) -> list[Row]:
        """The rows that stay, in order; `rows` are the window's contents in arrival order and must not be changed."""
        raise NotImplementedError

    def columnar(self) -> EvictorForm | None:
        """The same rule for columns of rows; None when the per-row operator must run it."""
        return None


@dataclass(frozen=True, slots=True)
class CountEvictor(Evictor):
    """COUNT(n): all but the last n rows, in arrival order, go."""

    NAME = "COUNT"
    SUMMARY = "drops all but the last n rows"
    n: int = parameter(Kind.INTEGER)

    def __post_init__(self) -> None:
        hint = "write how many of the last rows stay, as in COUNT(3)"
        require(self.n >= 0, self, "the number of rows must not be negative", parameter="n", hint=hint)

    def keep(self, rows: list[Row], window: Window) -> list[Row]:
        surplus = len(rows) - self.n
        return rows[surplus:] if surplus > 0 else rows

    def columnar(self) -> EvictorForm:
        return Newest(self.n)


@dataclass(frozen=True, slots=True)
class TimeEvictor(Evictor):
    """TIME(interval): rows at or before (newest event time - interval) go.

    Relative to the rows, not to the watermark or the clock. As in Flink, nothing happens when the first row has no
    event time, and a later row without one is an error.
    """

    NAME = "TIME"
    SUMMARY = "drops rows older than the newest row minus the interval"
    interval: int = parameter(Kind.DURATION)

    def __post_init__(self) -> None:
        hint = "write how much older than the newest row rows may be, as in TIME(INTERVAL 5 MINUTES)"
        require(self.interval >= 0, self, "the interval must not be negative", parameter="interval", hint=hint)

    def keep(self, rows: list[Row], window: Window) -> list[Row]:
        if not rows or rows[0][TIMESTAMP] is None:
            return rows
        times = [row[TIMESTAMP] for row in rows]
        if None in times:
            raise WindowDataError(
                "TIME: a row of the window has no event time",
                rule="an evictor by time needs a timestamp on every row",
                hint="leave rows without a time out with WHERE",
            )
        cutoff = max(times) - self.interval
        return [row for row in rows if row[TIMESTAMP] > cutoff]

    def columnar(self) -> EvictorForm:
        return Recent(self.interval)


@dataclass(frozen=True, slots=True)
class DeltaEvictor(Evictor):
    """DELTA(expr, threshold [, signed => true]): rows whose distance to the last row is the threshold or more go.

    The distance is `abs(last - row)`, or `last - row` when signed. A row whose expr is NULL has no distance and stays.
    """

    NAME = "DELTA"
    SUMMARY = "drops rows whose expression differs from the last row's by the threshold or more"
    expr: Operand = parameter(Kind.EXPRESSION)
    threshold: float = parameter(Kind.NUMBER)
    signed: bool = parameter(Kind.BOOLEAN, False, named_only=True)

    def keep(self, rows: list[Row], window: Window) -> list[Row]:
        if not rows:
            return rows
        values = [self.expr.of(row) for row in rows]
        kept = [self._stays(value, values[-1]) for value in values]
        return [row for row, stays in zip(rows, kept, strict=True) if stays]

    def columnar(self) -> EvictorForm:
        return Near(self.expr.slot, self.threshold, self.signed)

    def _stays(self, value: Any, last: Any) -> bool:
        if value is None or last is None:
            return True
        delta = distance(last, value, signed=self.signed)
        return not delta >= limit_for(delta, self.threshold)
