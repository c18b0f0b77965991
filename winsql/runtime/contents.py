"""What a window holds and what a firing hands out: accumulators, rows, or both."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from winsql.model.base import ROW_ID, Row
from winsql.runtime.state import Pane

if TYPE_CHECKING:
    from winsql.runtime.aggregates import Aggregate


@dataclass(frozen=True, slots=True)
class Contents:
    """How the contents of a pane are kept.

    aggregates          give the result of a firing; with none, a firing hands out its rows
    trigger_aggregates  what WHEN reads; they follow the contents through purges, evictions and merges
    keep_rows           rows are kept (evictor, rows form, APPLY, holistic aggregates), and aggregates are computed
                        from them at each firing; otherwise each aggregate keeps an accumulator only
    """

    aggregates: tuple[Aggregate, ...] = ()
    trigger_aggregates: tuple[Aggregate, ...] = ()
    keep_rows: bool = True

    def incremental(self) -> tuple[Aggregate, ...]:
        """The aggregates that keep an accumulator per pane, results first."""
        return self.trigger_aggregates if self.keep_rows else self.aggregates + self.trigger_aggregates

    def merge(self, panes: list[Pane], into: Pane) -> None:
        """Unite the contents of the panes in `into`, in arrival order."""
        filled = sorted((p for p in panes if p.accumulators is not None), key=attrgetter("arrival"))
        if not filled:
            return
        into.rows = _merged_rows(filled)
        into.accumulators = filled[0].accumulators
        for pane in filled[1:]:
            into.accumulators = self._merged(into.accumulators, pane.accumulators)

    def replace_rows(self, pane: Pane, rows: list[Row]) -> None:
        """Put what an evictor left in place of the rows; accumulators are rebuilt if anything went."""
        if pane.rows is not None and len(rows) == len(pane.rows):
            return
        pane.rows = rows or None
        pane.accumulators = accumulate(self.incremental(), rows) if rows else None

    def result(self, pane: Pane) -> Any:
        """What a firing of the pane hands out: a tuple of aggregate results, or the list of rows."""
        if self.keep_rows:
            return self.result_of(pane.rows or [])
        return tuple(a.result(acc) for a, acc in zip(self.aggregates, pane.accumulators or (), strict=False))

    def result_of(self, rows: list[Row]) -> Any:
        """As `result`, of rows that an evictor has already chosen."""
        if not self.aggregates:
            return rows
        accumulators = accumulate(self.aggregates, rows)
        return tuple(a.result(acc) for a, acc in zip(self.aggregates, accumulators, strict=True))

    def trigger_results(self, pane: Pane) -> tuple[Any, ...]:
        """Present values of the trigger aggregates, for WHEN."""
        first = 0 if self.keep_rows else len(self.aggregates)
        accumulators = (pane.accumulators or [])[first:]
        return tuple(a.result(acc) for a, acc in zip(self.trigger_aggregates, accumulators, strict=True))

    def _merged(self, left: Any, right: Any) -> list[Any]:
        return [a.merge(x, y) for a, x, y in zip(self.incremental(), left, right, strict=True)]


def accumulate(aggregates: tuple[Aggregate, ...], rows: list[Row]) -> list[Any]:
    """One accumulator per aggregate over the rows."""
    accumulators = []
    for aggregate in aggregates:
        add, accumulator = aggregate.add, aggregate.create()
        for row in rows:
            accumulator = add(accumulator, row)
        accumulators.append(accumulator)
    return accumulators


def _merged_rows(panes: list[Pane]) -> list[Row] | None:
    """All rows in arrival order; Flink would concatenate them in the order of a hash set."""
    if len(panes) == 1:
        return panes[0].rows
    rows = [row for pane in panes for row in pane.rows or ()]
    rows.sort(key=itemgetter(ROW_ID))
    return rows or None
