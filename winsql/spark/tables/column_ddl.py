"""The columns of a table as CREATE TABLE has them."""

from __future__ import annotations

from pyspark.sql.types import ArrayType, DataType, MapType, StructField, StructType, TimestampType, UserDefinedType

from winsql.errors import WindowPlanError
from winsql.syntax.expressions.items import quoted


def column_ddl(schema: StructType) -> str:
    """`name type, ...`, in words that mean the same whatever the session's `spark.sql.timestampType` is.

    A column may be NULL whatever the schema says; fields within it are as they are there. Raises WindowPlanError for a
    type of the user's own, which SQL cannot name.
    """
    return ", ".join(f"{quoted(column.name)} {_type(column.dataType)}" for column in schema)


def _type(data_type: DataType) -> str:
    if isinstance(data_type, UserDefinedType):
        raise WindowPlanError(
            f"no table can hold a column of the type {data_type.simpleString()}",
            rule="columns of tables are of types of SQL, and this is one of the user's own",
            hint="leave the column out, or write CREATE STREAM name INTO parquet, whose files hold it",
        )
    if isinstance(data_type, TimestampType):
        return "TIMESTAMP_LTZ"
    if isinstance(data_type, ArrayType):
        return f"ARRAY<{_type(data_type.elementType)}>"
    if isinstance(data_type, MapType):
        return f"MAP<{_type(data_type.keyType)}, {_type(data_type.valueType)}>"
    if isinstance(data_type, StructType):
        return f"STRUCT<{', '.join(map(_field, data_type))}>"
    return data_type.simpleString()


def _field(field: StructField) -> str:
    return f"{quoted(field.name)}: {_type(field.dataType)}{'' if field.nullable else ' NOT NULL'}"
