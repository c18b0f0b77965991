"""The rows of both inputs of a join on a stream as columns that they share: `winsql.spark.workers.side_columns`."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, MapType, StructField, StructType

from winsql.model.query import JOIN_LEFT, JOIN_RIGHT, JOIN_SIDE
from winsql.spark.workers.side_columns import SideColumns


def with_shared_columns(rows: DataFrame, schema: pa.Schema) -> tuple[DataFrame, pa.Schema, SideColumns | None]:
    """The rows of both inputs of a join, in columns that both share instead of a STRUCT per input; the schema of these
    rows in state; and how columns are shared. Where fields have equal names: the rows as they are, and None."""
    sides = _side_columns(rows, schema)
    if sides is None:
        return rows, schema, None
    names = rows.columns
    before, after = names[: names.index(JOIN_LEFT)], names[names.index(JOIN_RIGHT) + 1 :]
    return rows.select(*before, *_shared_columns(rows, sides), *after), sides.schema(schema), sides


def _side_columns(rows: DataFrame, schema: pa.Schema) -> SideColumns | None:
    left, right = _fields(rows)
    if any(len({field.name.lower() for field in fields}) < len(fields) for fields in (left, right)):
        return None
    # nested types also say what may be NULL inside, which may change before a query goes on
    free = {place: field.dataType for place, field in enumerate(left) if not isinstance(field.dataType, _NESTED)}
    width, places = len(left), []
    for field in right:
        place = next((place for place, kind in free.items() if kind == field.dataType), width)
        free.pop(place, None)
        places.append(place)
        width = max(width, place + 1)
    kinds = (schema.field(JOIN_LEFT).type, schema.field(JOIN_RIGHT).type)
    return SideColumns(kinds, (tuple(range(len(left))), tuple(places)))


_NESTED = (ArrayType, MapType, StructType)


def _shared_columns(rows: DataFrame, sides: SideColumns) -> list[Column]:
    columns: dict[int, Column] = {}
    for name, fields, places in zip((JOIN_LEFT, JOIN_RIGHT), _fields(rows), sides.places, strict=True):
        for field, place in zip(fields, places, strict=True):
            own = F.col(name).getField(field.name)
            left = columns.get(place)
            columns[place] = own if left is None else F.when(F.col(JOIN_SIDE) == 0, left).otherwise(own)
    return [columns[place].alias(name) for place, name in enumerate(sides.names())]


def _fields(rows: DataFrame) -> list[list[StructField]]:
    """The fields of the rows of either input."""
    found = []
    for name in (JOIN_LEFT, JOIN_RIGHT):
        kind = rows.schema[name].dataType
        assert isinstance(kind, StructType)
        found.append(list(kind.fields))
    return found
