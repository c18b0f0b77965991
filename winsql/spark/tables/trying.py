"""Whether what a statement asks for can be made and written: tried before OR REPLACE deletes what is there, and before
a table keeps options with which nobody can read it."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pyspark.sql import SparkSession
from pyspark.sql.types import StructField, StructType

from winsql.errors import WindowPlanError
from winsql.spark.tables.catalog import table_statement
from winsql.spark.tables.connectors import SPARK_ERRORS, spark_message
from winsql.spark.tables.files import Place
from winsql.spark.tables.folders import TRIED, delete
from winsql.syntax import Name


def tried_name(name: Name) -> Name:
    """A new name beside that of a table, under which it is tried whether it can be made."""
    return name._replace(parts=(*name.parts[:-1], f"{_tried(name)}{uuid.uuid4().hex[:8]}"))


def drop_tried(spark: SparkSession, name: Name) -> None:
    """Drop what was tried for a table by a process that was killed meanwhile. The caller has the stream's claim."""
    beside = name._replace(parts=name.parts[:-1])
    with suppress(*SPARK_ERRORS):  # a catalog that does not list its tables, or a database that is not there
        for found in spark.sql(f"SHOW TABLES IN {beside} LIKE '{_tried(name)}*'").collect():
            spark.sql(f"DROP TABLE IF EXISTS {name._replace(parts=(*beside.parts, found.tableName))}")


def _tried(name: Name) -> str:
    """How the names begin that are tried for a table; a catalog may take no long ones."""
    return f"winsql_tried_{hashlib.sha256(str(name).lower().encode()).hexdigest()[:8]}_"


def require_made(spark: SparkSession, name: Name, place: Place) -> None:
    """Raises WindowPlanError where Spark does not make a table like the new one, or writes no row of NULLs into it.

    It is made under another name, in the folder of the table of that name, and dropped again.
    """
    tried = str(tried_name(name))
    folder = f"{place.path}/{TRIED}"
    text, arguments = table_statement(spark, tried, place.schema, place.format, options=place.options, path=folder)
    try:
        with _told():
            spark.sql(text, args=arguments or None)
            spark.sql(f"INSERT INTO {tried} VALUES ({', '.join(['NULL'] * len(place.schema))})")
    finally:
        spark.sql(f"DROP TABLE IF EXISTS {tried}")
        delete(spark, folder)


def require_written(spark: SparkSession, place: Place) -> None:
    """Raises WindowPlanError where Spark does not write a row of NULLs as the files of a folder."""
    folder = f"{place.path}/{TRIED}"
    schema = StructType([StructField(column.name, column.dataType) for column in place.schema])
    nothing = spark.createDataFrame([(None,) * len(schema)], schema)
    try:
        with _told():
            nothing.write.mode("overwrite").format(place.format).options(**place.options).save(folder)
    finally:
        delete(spark, folder)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except SPARK_ERRORS as error:
        raise WindowPlanError(
            f"what the statement would make cannot be written: {spark_message(error)}",
            rule="before anything is kept or deleted, Spark makes and writes a table or files like the new ones",
            hint="mend the option, or the column, that the message is about; nothing has been changed",
        ) from None
