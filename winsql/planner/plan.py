"""The plan of a windowed query on a bounded table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Strategy(Enum):
    """What runs the windows."""

    WINDOW = "Spark's window()"
    SESSION_WINDOW = "Spark's session_window()"
    EXPLODE = "Spark's aggregation over exploded windows"
    PROJECTION = "Spark's own expressions, row by row"
    JOIN = "Spark's join on keys and windows"
    ACCUMULATORS = "winsql's operator with one accumulator per aggregate and window"
    KEPT_ROWS = "winsql's operator over kept rows"
    SPARK_AGGREGATES = "winsql's operator over kept rows, Spark's aggregates per firing"
    ROWS = "winsql's operator, handing out the rows of its windows"
    CO_GROUP = "winsql's operator over both inputs, handing out the rows of each side"
    APPLY = "winsql's operator and a registered apply function"

    @property
    def is_native(self) -> bool:
        """Whether the plan is SQL text that Spark runs alone."""
        return self in _NATIVE


_NATIVE = frozenset({Strategy.WINDOW, Strategy.SESSION_WINDOW, Strategy.EXPLODE, Strategy.PROJECTION, Strategy.JOIN})


@dataclass(frozen=True, slots=True)
class Plan:
    """A strategy, and what EXPLAIN says of it.

    reason      why it was taken
    not_native  why Spark alone could not do it; None: it can
    state       what is kept per window
    row_order   what the order of rows costs, where Spark's aggregation has to be told of it
    """

    strategy: Strategy
    reason: str
    not_native: str | None
    state: str
    row_order: str | None = None
