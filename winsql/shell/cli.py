"""The `winsql` command: an interactive shell, or SQL from files, from the command line or from standard input.

Streams that still run at the end are stopped, and named on standard error: AWAIT STREAM waits for one.

Exit code 0: every statement ran. 1: a statement failed, the ones after it did not run. 2: the command line is wrong.
130: interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from winsql.errors import WinsqlError
from winsql.shell.commands import COMMANDS, run_command
from winsql.shell.files import STDIN, Unreadable
from winsql.shell.metrics import HOST, MetricsServer, serving_metrics
from winsql.shell.options import make_parser
from winsql.shell.script import Script, read_script

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from winsql.shell.run import Output

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the command; returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        if argv and argv[0] in COMMANDS:
            return run_command(argv[0], argv[1:])
        return _run(make_parser().parse_args(argv))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyspark":
            raise
        return _without_spark(error)
    except WinsqlError as error:
        print(f"winsql: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nwinsql: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has gone, as in `winsql ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _without_spark(error: ModuleNotFoundError) -> int:
    """Say what is wrong with PySpark: it is missing, or it is one that winsql does not know."""
    try:
        import winsql.spark  # noqa: F401
    except WinsqlError as told:
        print(f"winsql: {told}", file=sys.stderr)
        return 1
    raise error


def _run(options: argparse.Namespace) -> int:
    is_interactive = options.sources is None and sys.stdin.isatty()
    sources = [] if is_interactive else options.sources or [(False, STDIN)]
    try:
        first = [read_script(name) for name in options.init]
        scripts = [read_script("-e", value) if is_text else read_script(value) for is_text, value in sources]
    except Unreadable as error:
        print(f"winsql: {error}", file=sys.stderr)
        return 1
    if is_interactive:
        return _with_session(options, first, _talk)
    if not any(script.statements for script in [*first, *scripts]):
        return 0
    return _with_session(options, first, lambda spark, output: _run_scripts(spark, scripts, output))


def _with_session(
    options: argparse.Namespace, first: Sequence[Script], work: Callable[[SparkSession, Output], bool]
) -> int:
    """Start Spark, run the scripts of -i and then the work, which says whether all went well."""
    try:
        metrics = None if options.metrics_port is None else MetricsServer(options.metrics_port)
    except OSError as error:
        print(f"winsql: cannot listen on {HOST}, port {options.metrics_port}: {error.strerror}", file=sys.stderr)
        return 1
    # Spark is imported late: --help and unreadable scripts need none
    from winsql.shell.launch import SESSION_ERRORS, import_meanwhile, start_session

    try:
        import_meanwhile("winsql.shell.run")
        keeps_classes = options.sources is None and sys.stdin.isatty()
        spark = start_session(options.master, dict(options.conf), options.remote, keeps_classes=keeps_classes)
    except SESSION_ERRORS as error:
        print(f"winsql: Spark did not start: {error}", file=sys.stderr)
        if isinstance(error, ImportError):
            print("  hint: pip install 'winsql[connect]' has what a client of Spark Connect needs", file=sys.stderr)
        elif options.remote is None and not isinstance(error, WinsqlError):
            print("  hint: Spark needs Java 17 or 21, found by JAVA_HOME or else on the PATH", file=sys.stderr)
        return 1
    from winsql.shell.run import Output, end_streams, run_scripts
    from winsql.shell.supervise import Cancelled

    if options.database is not None:
        try:
            spark.catalog.setCurrentDatabase(options.database)
        except SESSION_ERRORS as error:
            print(f"winsql: --database: {error}", file=sys.stderr)
            return 1
    output = Output(
        limit=options.rows,
        silent=options.silent,
        form=options.output,
        verbose=options.verbose,
        watched=sys.stderr.isatty(),
        variables=dict(options.define),
    )
    try:
        with open(os.devnull, "w", encoding="utf-8") as nowhere, serving_metrics(metrics, spark):
            if metrics is not None:
                print(f"winsql: metrics at {metrics.url}/metrics", file=sys.stderr)
            quiet = replace(output, silent=True, verbose=False, out=nowhere)
            done = run_scripts(spark, first, quiet) and work(spark, output)
    except Cancelled as error:
        print(f"winsql: {error}", file=sys.stderr)
        return 130
    finally:
        end_streams(spark)
    return 0 if done else 1


def _run_scripts(spark: SparkSession, scripts: Sequence[Script], output: Output) -> bool:
    from winsql.shell.run import run_scripts

    return run_scripts(spark, scripts, output)


def _talk(spark: SparkSession, output: Output) -> bool:
    from winsql.shell.interactive.loop import talk

    return talk(spark, output)


if __name__ == "__main__":
    sys.exit(main())
