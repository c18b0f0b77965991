"""What a worker does with the rows of one group: the function of `groupBy(...).applyInArrow`."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from winsql.spark.versions.number import Version, client_version


def on_group(function: Callable[[pa.Table], pa.Table]) -> Callable[[pa.Table], pa.Table]:
    """The function in the form that Spark needs: a plain function with types for its argument and result."""

    def of_group(rows: pa.Table) -> pa.Table:
        found = function(rows)
        large_texts = _wants_large_texts()
        schema = pa.schema([_field_as_declared(field, large_texts) for field in found.schema])
        columns = [
            pa.chunked_array([_cast(chunk, kind) for chunk in column.chunks], kind)
            for column, kind in zip(found.columns, schema.types, strict=True)
        ]
        return pa.table(columns, schema)

    return of_group


def _wants_large_texts() -> bool:
    """Whether Spark wants strings and binary values with 64-bit offsets from functions of groups, as it does since 4.3
    where the setting is on as they run; when the statement was planned it may have been off."""
    from pyspark import TaskContext

    context = TaskContext.get()
    said = None if context is None else context.getLocalProperty("spark.sql.execution.arrow.useLargeVarTypes")
    return str(said).strip().lower() == "true" and client_version() >= Version(4, 3)


def _cast(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """The values as another type of the same shape; the parts of a NULL variant are NULL, at which Arrow's own cast
    fails."""
    if array.type == kind:
        return array
    if pa.types.is_struct(kind):
        parts = [_cast(array.field(n), kind.field(n).type) for n in range(kind.num_fields)]
        return pa.StructArray.from_arrays(parts, fields=list(kind), mask=array.is_null())
    if pa.types.is_list(kind):
        values = _cast(array.values, kind.value_type)
        return pa.Array.from_buffers(kind, len(array), array.buffers()[:2], offset=array.offset, children=[values])
    return array.cast(kind)


def _as_declared(kind: pa.DataType, large_texts: bool) -> pa.DataType:
    """The type that Spark wants back: instants in UTC, which it hands out in the session's zone, and NULL allowed at
    any depth."""
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return pa.large_string() if large_texts else pa.string()
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return pa.large_binary() if large_texts else pa.binary()
    if pa.types.is_timestamp(kind):
        return kind if kind.tz is None else pa.timestamp(kind.unit, "UTC")
    if pa.types.is_struct(kind) and _is_variant_or_shape(kind):
        return pa.struct([field.with_type(_as_declared(field.type, False)) for field in kind])
    if pa.types.is_struct(kind):
        return pa.struct([_field_as_declared(field, large_texts) for field in kind])
    if pa.types.is_map(kind):
        key = kind.key_field.with_type(_as_declared(kind.key_type, large_texts))
        return pa.map_(key, _field_as_declared(kind.item_field, large_texts))
    if pa.types.is_list(kind):
        return pa.list_(_field_as_declared(kind.value_field, large_texts))
    return kind


def _field_as_declared(field: pa.Field, large_texts: bool) -> pa.Field:
    return field.with_type(_as_declared(field.type, large_texts)).with_nullable(True)


def _is_variant_or_shape(kind: pa.StructType) -> bool:
    """Spark's VARIANT, GEOMETRY and GEOGRAPHY: structs for Arrow, whose parts are never NULL or large."""
    return any(mark in (field.metadata or {}) for field in kind for mark in _MARKS)


_MARKS = (b"variant", b"geometry", b"geography")
"""Metadata of one of the parts."""
