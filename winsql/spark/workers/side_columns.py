"""The rows of both inputs of a join in the same columns; used in Spark's Python workers.

A STRUCT per input, NULL in the rows of the other, costs every row the columns of both, and Spark's Arrow writer asks
each STRUCT for its size row by row. So on streams columns of equal type share one, and rows become STRUCTs only when
they leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from winsql.model.query import INTERNAL_PREFIX, JOIN_LEFT, JOIN_RIGHT


@dataclass(frozen=True, slots=True)
class SideColumns:
    """How the rows of both inputs share columns, which come after the input's number, 0 or 1.

    kinds    the types of the rows of the left and of the right input
    places   of each field of either: the shared column that holds it
    """

    kinds: tuple[pa.StructType, pa.StructType]
    places: tuple[tuple[int, ...], tuple[int, ...]]

    def names(self) -> list[str]:
        """The names of the shared columns."""
        return [f"{INTERNAL_PREFIX}shared_{place}" for place in range(1 + max(map(max, self.places)))]

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """A schema that has a STRUCT per input, with the shared columns instead."""
        types = {
            place: kind.field(number).type
            for kind, places in zip(self.kinds, self.places, strict=True)
            for number, place in enumerate(places)
        }
        shared = [pa.field(name, types[place]) for place, name in enumerate(self.names())]
        at = schema.get_field_index(JOIN_LEFT)
        fields = list(schema)
        return pa.schema([*fields[:at], *shared, *fields[at + 2 :]])

    def columns(self, side: int) -> list[int]:
        """Where the fields of an input's rows are, after its number."""
        return [1 + place for place in self.places[side]]

    def structs(self, side: int, columns: list[pa.Array]) -> pa.StructArray:
        """Rows of an input from the columns that `columns` names."""
        return pa.StructArray.from_arrays(columns, fields=list(self.kinds[side]))

    def shared(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        """Rows in shared columns; older state has a STRUCT per input instead."""
        at = rows.schema.get_field_index(JOIN_LEFT)
        if at < 0:
            return rows
        is_left = pc.equal(rows.column(at - 1), 0)
        columns: list[Any] = [None] * len(self.names())
        for name, places in zip((JOIN_RIGHT, JOIN_LEFT), reversed(self.places), strict=True):
            for field, place in zip(rows.column(name).flatten(), places, strict=True):
                other = columns[place]
                columns[place] = field if other is None else pc.if_else(is_left, field, other)
        arrays = [*rows.columns[:at], *columns, *rows.columns[at + 2 :]]
        names = [*rows.schema.names[:at], *self.names(), *rows.schema.names[at + 2 :]]
        return pa.RecordBatch.from_arrays(arrays, names=names)
