"""Sinks by the names of their formats; what has no name here is one of Spark's batch writers."""

from __future__ import annotations

from collections.abc import Callable

from winsql.spark.tables.formats import FORMATS
from winsql.spark.tables.sinks.catalog_table import catalog_table
from winsql.spark.tables.sinks.databases.build import postgres, sqlite
from winsql.spark.tables.sinks.folder import folder
from winsql.spark.tables.sinks.protocol import Request, Sink
from winsql.spark.tables.sinks.writers import writer

SINKS: dict[str, Callable[[Request], Sink]] = {
    **dict.fromkeys(FORMATS, folder),
    "sqlite": sqlite,
    "postgres": postgres,
    "postgresql": postgres,
}


def sink_of(request: Request) -> Sink:
    """The sink that a clause names; raises WindowPlanError where it cannot take the rows."""
    names: set[str] = set()
    for column in request.schema:
        if column.name.lower() in names:
            raise request.refused(
                f"two columns of {request.what} are called {column.name}",
                "the columns of a sink have names of their own",
                f"give one of them another name: ... AS {column.name}_2",
            )
        names.add(column.name.lower())
    if request.clause.table is not None:
        return catalog_table(request)
    return SINKS.get(request.clause.format.lower(), writer)(request)
