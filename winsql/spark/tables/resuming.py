"""Whether a stream may go on: the rows that exist and its checkpoint must belong together.

A micro-batch is noted in the checkpoint before its rows are written. Rows of a micro-batch that the checkpoint does not
know would be computed again, in other micro-batches, and stay beside the new ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.reachable import reachable_place
from winsql.spark.tables.catalog import Table
from winsql.spark.tables.folders import batches_in, has_files, newest_begun
from winsql.spark.tables.newest import written_and_done


@dataclass(frozen=True, slots=True)
class Found:
    """What exists of a stream.

    written      numbers of the folders with rows, or late rows, of a micro-batch
    has_rows     whether there are rows, in such folders or elsewhere
    begun        number of the latest micro-batch that the checkpoint knows; None where it knows none
    has_remains  whether the checkpoint has anything else
    lost         a folder, and the newest micro-batch whose rows have been there, where it ends before that
    """

    written: frozenset[int]
    has_rows: bool
    begun: int | None
    has_remains: bool
    lost: tuple[str, int] | None = None


def look(spark: SparkSession, table: Table, late: Table | None) -> Found:
    """What exists of the stream of a table."""
    places = {name: found.location for name, found in (("rows", table), ("late rows", late)) if found is not None}
    numbers = {name: batches_in(spark, place) for name, place in places.items()}
    written = frozenset().union(*numbers.values())
    begun = newest_begun(spark, table.checkpoint)
    has_rows = bool(written) or any(has_files(spark, place) for place in places.values())
    noted = _noted(spark, table, numbers)
    lost = next(
        ((places[name], number) for name, number in noted.items() if number > max(numbers[name], default=-1)), None
    )
    return Found(written, has_rows, begun, begun is None and has_files(spark, table.checkpoint), lost)


def _noted(spark: SparkSession, table: Table, names: Iterable[str]) -> dict[str, int]:
    """The newest micro-batches that the checkpoint knows to be in the tables, as far as it knows any."""
    assert table.record is not None
    place = reachable_place(spark, table.checkpoint)
    found = {} if place is None else {name: written_and_done(place, name, table.record.first_batch) for name in names}
    return {name: number for name, number in found.items() if number is not None}


def first_batch(found: Found, table: Table, *, appends: bool) -> int:
    """The number of the folder of the first micro-batch of the checkpoint.

    `appends`: rows may stay where the checkpoint is gone. Raises WindowPlanError when the stream would repeat rows.
    """
    assert table.record is not None
    first = table.record.first_batch
    if found.begun is not None:
        newest = max(found.written, default=first) - first
        if newest > found.begun:
            raise _older(table, newest, found.begun)
        if found.lost is not None and not appends:
            raise _lost(table, *found.lost)
        return first
    if not found.has_rows:
        return first
    if not appends:
        raise _gone(table)
    if found.has_remains:
        raise _damaged(table)
    return max(found.written, default=-1) + 1


_RULE = "a checkpoint knows what has been read; without it rows that are in the table would be computed and kept again"
_COPY = "put the checkpoint back from a copy"
_ANEW = "write CREATE OR REPLACE STREAMING TABLE to begin anew without the rows"
_APPEND = "OPTIONS (resume 'append') to keep them and read the sources from their start"


def _gone(table: Table) -> WindowPlanError:
    return WindowPlanError(
        f"the table has rows and its checkpoint {table.checkpoint} is gone",
        rule=_RULE,
        hint=f"{_COPY}, {_ANEW}, or {_APPEND}",
    )


def _damaged(table: Table) -> WindowPlanError:
    return WindowPlanError(
        f"the checkpoint {table.checkpoint} has lost its offsets, not everything",
        rule="resume 'append' begins with an empty checkpoint",
        hint=f"{_COPY}, or delete what is left of it and run the statement again",
    )


def _older(table: Table, newest: int, begun: int) -> WindowPlanError:
    return WindowPlanError(
        f"the table has the rows of micro-batch {newest}, its checkpoint {table.checkpoint} ends with {begun}",
        rule=_RULE,
        hint=f"{_COPY} that is as new as the rows, or {_ANEW}",
    )


def _lost(table: Table, place: str, newest: int) -> WindowPlanError:
    return WindowPlanError(
        f"{place} has lost the rows of micro-batch {newest}, which the checkpoint {table.checkpoint} knows",
        rule="a checkpoint knows what has been read: rows of before are not computed again, and would be missing",
        hint=f"put the files back from a copy that is as new as the checkpoint, {_ANEW}, or OPTIONS (resume 'append') "
        "to go on without what is gone",
    )
