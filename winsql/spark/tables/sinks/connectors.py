"""Formats of Spark whose code is in a separate package: reported, with its name, before a stream starts."""

from __future__ import annotations

from winsql.errors import WindowPlanError
from winsql.spark.tables.connectors import SPARK_ERRORS, missing_connector
from winsql.spark.tables.sinks.protocol import Request


def require_connector(request: Request) -> None:
    """Raises WindowPlanError where the session has no code for the format, or for the driver of a JDBC address."""
    reader = request.spark.read.format(request.clause.format)
    is_jdbc = request.clause.format.lower() == "jdbc"
    try:
        frame = (reader.options(**request.clause.options) if is_jdbc else reader).load()
        _ = frame.schema  # Spark Connect looks for the format here
    except SPARK_ERRORS as error:
        missing = missing_connector(request.spark, request.clause.format, error)
        if missing is not None:
            raise missing.located(request.text, request.clause.span) from None
        found = str(error)
        if is_jdbc and ("No suitable driver" in found or "ClassNotFoundException" in found):
            raise _no_driver(request) from None


_DRIVERS = {
    "postgresql": "org.postgresql:postgresql",
    "mysql": "com.mysql:mysql-connector-j",
    "mariadb": "org.mariadb.jdbc:mariadb-java-client",
    "sqlserver": "com.microsoft.sqlserver:mssql-jdbc",
    "oracle": "com.oracle.database.jdbc:ojdbc11",
    "db2": "com.ibm.db2:jcc",
    "h2": "com.h2database:h2",
    "sqlite": "org.xerial:sqlite-jdbc",
}


def _no_driver(request: Request) -> WindowPlanError:
    given = request.option("driver")
    kind = (request.option("url") or "").removeprefix("jdbc:").partition(":")[0]
    package = _DRIVERS.get(kind.lower())
    own = ", or write INTO postgres, which needs none" if kind.lower() == "postgresql" else ""
    return request.refused(
        f"this session has no JDBC driver {given}" if given else f"this session has no JDBC driver for jdbc:{kind}",
        "drivers are in packages, which are given when a session starts",
        f"start it with spark.jars.packages, or --packages, {package or 'the package of the driver'}{own}",
    )
