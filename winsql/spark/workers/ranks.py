"""Ranks rows in a worker: the rows of one window that are ranked together, as Arrow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from winsql.model.ranking import RankingFunction

__all__ = ["SortKeys", "ranker"]

_Array = npt.NDArray[Any]
SortKeys = Sequence[tuple[str, str]]
"""Columns to sort by, each with "ascending" or "descending"."""


def ranker(
    function: RankingFunction, keys: SortKeys, ties: SortKeys, columns: int, rank_column: str
) -> Callable[[pa.Table], pa.Table]:
    """What a worker does with the rows that are ranked together.

    keys      what rows are ranked by
    ties      what orders those that `keys` has equal, so that a repeated micro-batch gives the same
    columns   how many columns leave, before `rank_column`
    """

    def rank(rows: pa.Table) -> pa.Table:
        rows = rows.take(pc.sort_indices(rows, sort_keys=[*keys, *ties]))
        ranks = _NUMBERS[function](rows.num_rows, _begins(rows, [name for name, _ in keys]))
        kept = rows.select(range(columns))
        kept = kept.cast(pa.schema([field.with_type(_as_declared(field.type)) for field in kept.schema]))
        return kept.append_column(rank_column, pa.array(ranks.astype(np.int32)))

    return rank


def _as_declared(kind: pa.DataType) -> pa.DataType:
    """The type that Spark wants back: it hands out instants in the zone of the session, and takes them in UTC alone."""
    if pa.types.is_timestamp(kind):
        return kind if kind.tz is None else pa.timestamp(kind.unit, "UTC")
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(_as_declared(field.type)) for field in kind])
    if pa.types.is_map(kind):
        key, item = (field.with_type(_as_declared(field.type)) for field in (kind.key_field, kind.item_field))
        return pa.map_(key, item)
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_as_declared(kind.value_type)))
    return kind


def _begins(rows: pa.Table, names: list[str]) -> _Array:
    """Whether a row ranks after the one before it, and not equal to it."""
    begins = np.zeros(rows.num_rows, dtype=bool)
    begins[:1] = True
    for name in names:
        column = rows[name].combine_chunks()
        differs = pc.fill_null(pc.not_equal(column[1:], column[:-1]), False)
        begins[1:] |= differs.to_numpy(zero_copy_only=False)
    return begins


def _row_number(rows: int, begins: _Array) -> _Array:
    return np.arange(1, rows + 1)


def _rank(rows: int, begins: _Array) -> _Array:
    return np.maximum.accumulate(np.where(begins, np.arange(1, rows + 1), 0))


def _dense_rank(rows: int, begins: _Array) -> _Array:
    return np.cumsum(begins)


_NUMBERS: dict[RankingFunction, Callable[[int, _Array], _Array]] = {
    RankingFunction.ROW_NUMBER: _row_number,
    RankingFunction.RANK: _rank,
    RankingFunction.DENSE_RANK: _dense_rank,
}
