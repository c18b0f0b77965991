"""`winsql serve`: Spark's Thrift server, whose clients (beeline, BI tools, anything with JDBC or ODBC) may use windows.

All clients share one session with the language and the function pack in it: what -i and --import make is there for
everybody, and so are the temporary views, the settings of SET and the database of USE of each of them.

Exit code 0: stopped by SIGINT or SIGTERM. 1: a statement of -i failed, or the server did not start or broke down.
2: the command line is wrong, or a file cannot be read. 130: interrupted before the server ran.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from types import FrameType, ModuleType
from typing import TYPE_CHECKING

from winsql.shell.check import import_modules
from winsql.shell.files import Unreadable
from winsql.shell.metrics import HOST, MetricsServer, serving_metrics
from winsql.shell.options import add_init, add_metrics, add_session, port, setting
from winsql.shell.script import Script, read_script

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_HOOK = "winsql_init"
_LOOK = 0.2
"""Seconds between two looks at whether the server shall stop."""
_LOOKS_PER_CHECK = 10


def main(argv: Sequence[str]) -> int:
    """Entry point of the command; returns the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    problem = _refused(options)
    if problem is not None:
        parser.error(problem)
    try:
        scripts = [read_script(name) for name in options.init]
    except Unreadable as error:
        print(f"winsql serve: {error}", file=sys.stderr)
        return 2
    try:  # Spark would find out as well, but later
        _listen(options.host, options.port)
    except OSError as error:
        print(f"winsql serve: {_where(options)}: {error.strerror}", file=sys.stderr)
        return 1
    except ValueError as error:  # Python cannot encode the name
        print(f"winsql serve: {_where(options)}: this is no name of a host: {error}", file=sys.stderr)
        return 1
    try:
        metrics = None if options.metrics_port is None else MetricsServer(options.metrics_port)
    except OSError as error:
        where = f"{HOST}, port {options.metrics_port}"
        print(f"winsql serve: cannot listen on {where}: {error.strerror}", file=sys.stderr)
        return 1
    try:
        return _with_session(options, scripts, metrics)
    except Unreadable as error:  # a module, which needs the session
        print(f"winsql serve: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nwinsql serve: interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="winsql serve",
        description="Start Spark's Thrift server with windows in its SQL, for beeline, BI tools and whatever else "
        "speaks JDBC or ODBC. All clients share one session: its temporary views, settings and current database. "
        "Ctrl-C or SIGTERM stops the server and the streams that clients have started.",
        epilog="Exit code 0: stopped; 1: a statement of -i failed, or the server; 2: wrong command line.",
    )
    add = parser.add_argument
    add("--port", metavar="N", type=port, default=10000,
        help="TCP port (default: 10000); 0 is any free one, which the line at the start tells")  # fmt: skip
    add("--host", metavar="ADDRESS", default="127.0.0.1",
        help="address to listen on (default: 127.0.0.1, for programs on this machine only)")  # fmt: skip
    add("--allow-remote", action="store_true",
        help="listen on a --host that other machines can reach; without authentication whoever reaches it may read "
        "and write what this process may, and run code")  # fmt: skip
    add("--hiveconf", metavar="KEY=VALUE", action="append", default=[], type=setting,
        help="a setting of the Thrift server, as in hive.server2.authentication=LDAP; may be repeated")  # fmt: skip
    add("--import", dest="imports", metavar="MODULE", action="append", default=[],
        help=f"a Python module that registers policies and functions: by being imported, and by its function "
        f"{_HOOK}(spark) if it has one, which is called before -i; may be repeated")  # fmt: skip
    add_metrics(parser)
    add_init(parser)
    add_session(parser, with_remote=False)
    return parser


def _refused(options: argparse.Namespace) -> str | None:
    """What is wrong with the options, if anything."""
    from winsql.spark.thrift_server import OWN_SETTINGS, SHARED

    if not options.allow_remote and not _is_loopback(options.host):
        return f"--host {options.host} may be reached from other machines: add --allow-remote if that is wanted"
    given = {key.removeprefix("spark.hadoop.").removeprefix("spark.") for key, _ in options.conf + options.hiveconf}
    for key in OWN_SETTINGS:
        if key in given:
            return f"{key} is set by --host and --port"
    if SHARED in dict(options.conf):
        return f"{SHARED} stays true: Spark would give clients sessions that do not know the language"
    return None


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listen(host: str, port: int) -> None:
    """Take the port and free it again; raises OSError when somebody has it, or the host is not this machine."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind, protocol) as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
        taken.listen()


def _where(options: argparse.Namespace) -> str:
    return f"cannot listen on {options.host}, port {options.port}"


def _with_session(options: argparse.Namespace, scripts: Sequence[Script], metrics: MetricsServer | None) -> int:
    from winsql.shell.launch import SESSION_ERRORS, quiet_streams, start_session
    from winsql.spark.thrift_server import SHARED, ThriftServer

    ThriftServer.forget_environment()
    hive = {f"spark.hadoop.{key}": value for key, value in options.hiveconf}
    try:
        spark = start_session(options.master, hive | dict(options.conf) | {SHARED: "true"})
        quiet_streams()
        if options.database is not None:
            spark.catalog.setCurrentDatabase(options.database)
    except SESSION_ERRORS as error:
        print(f"winsql serve: Spark did not start: {error}", file=sys.stderr)
        return 1
    try:
        with serving_metrics(metrics, spark):
            return _serve(spark, options, metrics) if _prepared(spark, options, scripts) else 1
    finally:
        _stop_streams(spark)
        spark.stop()


def _prepared(spark: SparkSession, options: argparse.Namespace, scripts: Sequence[Script]) -> bool:
    """Make what all clients shall find; False when a script fails, which has been told. Raises Unreadable."""
    import winsql
    from winsql.shell.run import Output, run_scripts

    winsql.register(spark)
    import_modules(options.imports)  # not before: PySpark's decorators of functions ask for a session
    for name in options.imports:
        _prepare_module(sys.modules[name], spark)
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        return run_scripts(spark, scripts, Output(silent=True, out=nowhere, variables=dict(options.define)))


def _prepare_module(module: ModuleType, spark: SparkSession) -> None:
    from winsql.spark.versions.by_value import send_by_value

    # Python workers need not find the file: what the module defines is sent to them
    send_by_value(module)
    hook = getattr(module, _HOOK, None)
    if hook is not None:
        hook(spark)


def _serve(spark: SparkSession, options: argparse.Namespace, metrics: MetricsServer | None) -> int:
    from winsql.spark.thrift_server import ThriftServer, ThriftServerFailed

    try:
        server = ThriftServer(spark, options.host, options.port)
    except ThriftServerFailed as error:
        print(f"winsql serve: {_where(options)}: {error}", file=sys.stderr)
        return 1
    with _signals() as received:
        told = "" if metrics is None else f"winsql serve: metrics at {metrics.url}/metrics\n"
        print(f"{told}winsql serve: {server.url}", flush=True)
        looks = 0
        while not received:
            time.sleep(_LOOK)
            looks += 1
            if looks % _LOOKS_PER_CHECK == 0 and not server.is_running:
                print("winsql serve: the server has broken down", file=sys.stderr)
                return 1
    server.stop()
    return 0


@contextmanager
def _signals() -> Iterator[list[int]]:
    """SIGINT and SIGTERM that came; after it the next one ends the process at once."""
    received: list[int] = []

    def note(signum: int, frame: FrameType | None) -> None:
        received.append(signum)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)
    try:
        yield received
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)


def _stop_streams(spark: SparkSession) -> None:
    from winsql.shell.failure import STATEMENT_ERRORS
    from winsql.spark.tables.statements import stop_streams

    try:
        for name in stop_streams(spark):
            print(f"winsql serve: stopped stream {name}, which still ran", file=sys.stderr)
    except STATEMENT_ERRORS as error:  # Spark has gone; what a stream has not finished it repeats when restarted
        print(f"winsql serve: streams could not be stopped: {error}", file=sys.stderr)
