"""Spark's Thrift server in the JVM of a classic session: clients of JDBC and ODBC share that session.

A session per client would not know the language: Spark makes those inside the JVM, where nobody registers them. So all
clients share one, which Spark must be told when the session is built (`SHARED`).
"""

from __future__ import annotations

import os
from typing import Any

from pyspark.sql import SparkSession

from winsql.spark.versions.classic import java_session, jvm_of
from winsql.spark.versions.java_errors import Py4JError, Py4JJavaError

SHARED = "spark.sql.hive.thriftServer.singleSession"
"""Static setting: all clients get the session that the server was started with."""

_HOST = "hive.server2.thrift.bind.host"
_PORTS = ("hive.server2.thrift.port", "hive.server2.thrift.http.port")
OWN_SETTINGS = (_HOST, *_PORTS)
"""Settings of Hive that `ThriftServer` makes itself."""

_DERBY_LOG = "derby.stream.error.file"
_ENVIRONMENT = ("HIVE_SERVER2_THRIFT_BIND_HOST", "HIVE_SERVER2_THRIFT_PORT", "HIVE_SERVER2_THRIFT_HTTP_PORT")


class ThriftServerFailed(Exception):
    """The server did not start; `str` says why."""


class ThriftServer:
    """The server, which accepts connections from its construction until `stop`."""

    def __init__(self, spark: SparkSession, host: str, port: int) -> None:
        """Start it on an address; port 0 is any free one. Raises ThriftServerFailed."""
        for key, value in ((_HOST, host), *((key, str(port)) for key in _PORTS)):
            spark.conf.set(key, value)
        jvm = jvm_of(spark)
        system = jvm.java.lang.System  # what Hive keeps for itself is in memory; its log would be in this folder
        system.setProperty(_DERBY_LOG, system.getProperty(_DERBY_LOG, os.devnull))
        launcher = jvm.org.apache.spark.sql.hive.thriftserver.HiveThriftServer2
        try:
            self._server = launcher.startWithSparkSession(java_session(spark), False)
        except Py4JError as error:
            raise ThriftServerFailed(_cause(error)) from error
        self._host = host
        self._port = self._front().getPortNumber()
        self._is_http = java_session(spark).sessionState().newHadoopConf().get("hive.server2.transport.mode") == "http"

    @staticmethod
    def forget_environment() -> None:
        """Drop variables that Hive would follow instead of the address given; before the JVM starts."""
        for name in _ENVIRONMENT:
            os.environ.pop(name, None)

    @property
    def url(self) -> str:
        """What a JDBC client connects to."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        suffix = "/;transportMode=http;httpPath=cliservice" if self._is_http else ""
        return f"jdbc:hive2://{host}:{self._port}{suffix}"

    @property
    def is_running(self) -> bool:
        """False when it has stopped without being told: Spark has ended, or its JVM has died."""
        try:
            return bool(self._server.getServiceState().toString() == "STARTED")
        except Py4JError:
            return False

    def stop(self) -> None:
        """Close all connections and free the port."""
        self._server.stop()

    def _front(self) -> Any:
        """The service that has the port: the last one of the server, which it starts when all others run."""
        services = self._server.getServices()
        return services[len(services) - 1]


def _cause(error: Py4JError) -> str:
    """The innermost reason, in Java's words."""
    if not isinstance(error, Py4JJavaError):
        return str(error)
    cause = error.java_exception
    while cause.getCause() is not None:
        cause = cause.getCause()
    return str(cause.getMessage() or cause.toString())
