"""Starts the Spark session of a winsql command: quiet, on this machine unless told otherwise."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from threading import Thread, current_thread, main_thread
from types import FrameType
from typing import Any, NoReturn
from urllib.parse import urlsplit

from pyspark.errors import PySparkException
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from winsql.errors import WinsqlError
from winsql.shell.class_cache import class_options
from winsql.spark.java_source import compiled
from winsql.spark.versions.classic import launch_jvm, require_jvm, running_jvm
from winsql.spark.versions.java_errors import Py4JError
from winsql.spark.versions.lost_jvm import quiet_when_lost

# what start_session fails with: no fitting Java, a master that cannot be reached, a setting that Spark refuses
SESSION_ERRORS = (PySparkException, Py4JError, OSError, WinsqlError)

_QUIET = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
# the session is the command's own, and windows on streams need this store
_STATE = {
    "spark.sql.streaming.stateStore.providerClass": "org.apache.spark.sql.execution.streaming.state."
    "RocksDBStateStoreProvider",
}
# otherwise Spark adds up the size of its batch for Python anew with every row; a batch ends by its number of rows
_ROWS = {"spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1)}
_LOOPBACK = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}
# for tables and streams of one machine: each partition of a stream is a state store of its own; joins of tables whose
# partitions turn out to be small are hashed instead of sorted
_SMALL = {
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold": "64MB",
}
_JAVA_OPTIONS = "spark.driver.extraJavaOptions"


def start_session(
    master: str | None,
    conf: Mapping[str, str],
    remote: str | None = None,
    *,
    keeps_classes: bool = False,
    errors: int | None = None,
) -> SparkSession:
    """The session for `master` (None: what `conf` or Spark's own defaults say, local[*] in the end).

    `remote` is the address of a Spark Connect server. `conf` wins over everything set here. The session time zone
    stays what Spark takes from the user's machine. `keeps_classes` is for a JVM that may work on after the command:
    see `class_cache`. `errors` is a file descriptor for what the JVM writes to its standard error, None for our own.

    In the main thread, Ctrl-C raises KeyboardInterrupt from now on.
    """
    # pyspark logs every error of a query as JSON; the command prints it for people
    PySparkLogger.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    if remote is not None:
        _require_listener(remote)
        session = SparkSession.builder.remote(remote).config(map={**_STATE, **_ROWS, **conf}).getOrCreate()
    else:
        session = _classic(master or conf.get("spark.master"), conf, keeps_classes=keeps_classes, errors=errors)
        quiet_when_lost(session)
    if current_thread() is main_thread():
        take_interrupts()
    return session


def take_interrupts() -> None:
    """From now on Ctrl-C raises KeyboardInterrupt in the main thread, which must call this."""
    signal.signal(signal.SIGINT, _interrupt)


def _require_listener(remote: str) -> None:
    """Raises WinsqlError where nobody listens: the client of Spark Connect would try for ten minutes without a word."""
    try:
        address = urlsplit(remote)
        if address.scheme != "sc" or not address.hostname:
            return  # local[2], which starts a server; what is no address the client refuses
        host, port = address.hostname, address.port or _CONNECT_PORT
        socket.create_connection((host, port), timeout=_PATIENCE).close()
    except ValueError as error:
        raise WinsqlError(f"{remote} is no address of Spark Connect: {error}") from None
    except OSError as error:
        raise WinsqlError(
            f"nobody answers at {host}, port {port}: {error.strerror or error}",
            rule="--remote is the address of a Spark Connect server that runs",
            hint="start one with sbin/start-connect-server.sh of Spark, or look at the address",
        ) from None


_CONNECT_PORT = 15002
_PATIENCE = 5.0
"""Seconds for a server to take the connection."""


def import_meanwhile(module: str) -> None:
    """Import a module while Spark starts, which is mostly waiting for Java."""
    Thread(target=import_module, args=(module,), daemon=True).start()


def local_session(conf: Mapping[str, str]) -> SparkSession:
    """A session as the command's own, for a program that goes on after it: signals stay as they are."""
    return _classic(conf.get("spark.master"), conf)


def _classic(
    master: str | None, conf: Mapping[str, str], *, keeps_classes: bool = False, errors: int | None = None
) -> SparkSession:
    require_jvm()
    settings = _QUIET | _STATE | _ROWS
    is_local = master is None or master.startswith("local")
    if is_local:
        settings |= _LOOPBACK
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        # workers must see the packages that the driver sees, also when `python3` on the PATH is another one
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings |= conf
    if "SPARK_CONF_DIR" not in os.environ:  # who has a configuration folder has chosen their settings and logging
        settings = (_SMALL if is_local else {}) | settings
        given = settings.get(_JAVA_OPTIONS, "")
        classes = class_options(given, writes=keeps_classes) if is_local else ""
        settings[_JAVA_OPTIONS] = f"{_log_option()} {classes} {given}".strip()

    builder = SparkSession.builder.appName("winsql")
    if master is not None:
        builder = builder.master(master)
    is_running = running_jvm() is not None
    if errors is not None:
        launch_jvm({**({} if master is None else {"spark.master": master}), **settings}, errors)
    session = builder.config(map=dict(settings)).getOrCreate()
    if not is_running:
        _LOUD.append(running_jvm())
    return session


_LOUD: list[Any] = []
"""The JVM of this process, if it is the command's own and not quiet yet."""


def quiet_streams() -> None:
    """Let the command's own JVM leave out what Spark prints of the worker that begins a stateful query.

    Spark has no setting for it. It takes a moment, and a command without streams does without.
    """
    while _LOUD:
        _quiet_errors(_LOUD.pop())


def _quiet_errors(jvm: Any) -> None:
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    quiet = compiled(jvm, Path(__file__).with_name("QuietErrors.java"), loader)
    quiet.getMethod("install", None).invoke(None, None)


def _interrupt(signum: int, frame: FrameType | None) -> NoReturn:
    """Replaces PySpark's handler, which calls the JVM in the middle of another call and so fails with a long trace.

    The command ends at an interrupt and its JVM with it, so that no job is left to be cancelled. py4j would log the
    call that is cut off.
    """
    logging.disable(logging.CRITICAL)
    raise KeyboardInterrupt


def _log_option() -> str:
    path = Path(__file__).with_name("log4j2.properties")
    return f"-Dlog4j2.configurationFile={path.as_uri()}"
