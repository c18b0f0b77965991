"""Which rows of a DataFrame another has, with maps and variants in them, which Spark itself does not compare."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, MapType, StructType, VariantType

from winsql.spark.relation import types_in
from winsql.syntax.expressions.items import quoted


def has_rows(one: DataFrame, other: DataFrame, schema: StructType) -> bool:
    """Whether a DataFrame has all rows of the other one, as often, in any order; `schema` is that of both."""
    columns = [_comparable(F.col(quoted(field.name)), field.dataType).alias(field.name) for field in schema]
    return other.select(*columns).exceptAll(one.select(*columns)).isEmpty()


def rows_beside(one: DataFrame, other: DataFrame, schema: StructType) -> DataFrame | None:
    """The rows that a DataFrame has beside those of the other one; None where Spark does not compare them."""
    return None if _has_incomparable(schema) else one.exceptAll(other)


def _comparable(value: Column, data_type: DataType) -> Column:
    """Maps as arrays of their entries in order of the keys, variants as JSON, nested ones too."""
    if not _has_incomparable(data_type):
        return value
    if isinstance(data_type, VariantType):
        return F.to_json(value)
    if isinstance(data_type, ArrayType):
        item = data_type.elementType
        return F.transform(value, lambda found: _comparable(found, item))
    if isinstance(data_type, MapType):
        entry = StructType().add("key", data_type.keyType).add("value", data_type.valueType)
        return F.array_sort(F.transform(F.map_entries(value), lambda found: _fields(found, entry)))
    assert isinstance(data_type, StructType)
    return F.when(value.isNotNull(), _fields(value, data_type))


def _fields(value: Column, data_type: StructType) -> Column:
    parts = (_comparable(value.getField(field.name), field.dataType) for field in data_type)
    return F.struct(*(part.alias(f"part{number}") for number, part in enumerate(parts)))


def _has_incomparable(data_type: DataType) -> bool:
    return any(isinstance(kind, (MapType, VariantType)) for kind in types_in(data_type))
