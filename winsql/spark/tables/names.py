"""The full names of streams, which are those of their tables: catalog, database and name."""

from __future__ import annotations

import re

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.tables.notes import SESSION_CATALOG
from winsql.syntax import Name, Statement


def full_name(spark: SparkSession, name: Name, statement: Statement) -> Name:
    """The name with catalog and database; raises WindowPlanError where Spark's catalog takes no such name."""
    catalog, database = _place(spark, name, statement)
    full = Name((catalog, database, name.parts[-1]), name.span)
    for what, part in (("stream", full.parts[2]), ("database", full.parts[1])):
        if in_session_catalog(full) and not _PLAIN.fullmatch(part):
            raise WindowPlanError(
                f"{part!r} cannot be the name of a {what}",
                rule="names of streams and of their tables have letters of ASCII, digits and _, 200 of them at most",
                hint="choose another name",
                source=statement.text,
                span=name.span,
            )
    return full


_PLAIN = re.compile(r"[A-Za-z0-9_]{1,200}")
_FULL = 3


def in_session_catalog(name: Name) -> bool:
    """Whether a full name is one of the session's own catalog."""
    return name.parts[0] == SESSION_CATALOG


def shown_name(name: str) -> str:
    """A full name for people: without the session's catalog, quoted only where it must be."""
    parts = [part.replace("``", "`") for part in name[1:-1].split("`.`")]
    shown = parts[1:] if parts[0] == SESSION_CATALOG else parts
    return ".".join(part if part.isidentifier() else f"`{part}`" for part in shown)


def _place(spark: SparkSession, name: Name, statement: Statement) -> tuple[str, str]:
    """Catalog and database, as Spark finds them: the first of two parts is a catalog where there is one."""
    if len(name.parts) == _FULL:
        catalog, database = name.parts[0], name.parts[1]
    elif len(name.parts) == 1:
        catalog, database = spark.catalog.currentCatalog(), spark.catalog.currentDatabase()
    elif spark.conf.get(f"spark.sql.catalog.{name.parts[0]}", None) is not None:
        catalog, database = name.parts[0], ""
    else:
        catalog, database = spark.catalog.currentCatalog(), name.parts[0]
    if not database:
        raise WindowPlanError(
            f"{name.shown} is in no database",
            rule=f"tables of the catalog {catalog} are in databases",
            hint=f"write {catalog}.database.{name.parts[-1]}",
            source=statement.text,
            span=name.span,
        )
    return SESSION_CATALOG if catalog.lower() == SESSION_CATALOG else catalog, database
