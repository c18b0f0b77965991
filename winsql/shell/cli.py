"""The `winsql` command: an interactive shell, or SQL from files, from the command line or from standard input.

Streams that still run at the end are stopped, and named on standard error: AWAIT STREAM waits for one.

Exit code 0: every statement ran. 1: a statement failed, the ones after it did not run. 2: the command line is wrong.
130: interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from winsql.errors import WinsqlError
from winsql.shell.commands import COMMANDS, run_command
from winsql.shell.files import STDIN, Unreadable, told
from winsql.shell.metrics import HOST, MetricsServer, serving_metrics
from winsql.shell.options import make_parser

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from winsql.shell.run import Output
    from winsql.shell.script import Script


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the command; returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    _open_what_is_closed()
    try:
        code = run_command(argv[0], argv[1:]) if argv and argv[0] in COMMANDS else _run(make_parser().parse_args(argv))
        sys.stdout.flush()  # what cannot be written is told below, not when Python ends
        return code
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
        _drop_output()
        return 1
    except OSError as error:  # of our output too, as on a full disk
        print(f"winsql: {told(error)}", file=sys.stderr)
        _drop_output()
        return 1


def _open_what_is_closed() -> None:
    """Standard streams that the caller has closed, as `<&-` does: nothing comes from them, and nobody reads them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _drop_output() -> None:
    """What cannot be written: Python would fail with it once more when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
        first, scripts = _read([(False, name) for name in options.init]), _read(sources)
    except Unreadable as error:
        print(f"winsql: {error}", file=sys.stderr)
        return 1
    if not is_interactive and not any(script.statements for script in [*first, *scripts]):
        return 0
    try:
        metrics = None if options.metrics_port is None else MetricsServer(options.metrics_port)
    except OSError as error:
        print(f"winsql: cannot listen on {HOST}, port {options.metrics_port}: {error.strerror}", file=sys.stderr)
        return 1
    try:
        return (_talk if is_interactive else _run_scripts)(options, first, scripts, metrics)
    except _NotReady as error:
        if str(error):
            print(f"winsql: {error}", file=sys.stderr)
        return 1


def _read(sources: Sequence[tuple[bool, str]]) -> list[Script]:
    """Scripts from texts and files; raises Unreadable."""
    if not sources:
        return []
    from winsql.shell.script import read_script

    return [read_script("-e", value) if is_text else read_script(value) for is_text, value in sources]


class _NotReady(Exception):
    """There is no session to work with; `str` says why, '' where that was said already."""


def _run_scripts(
    options: argparse.Namespace, first: Sequence[Script], scripts: Sequence[Script], metrics: MetricsServer | None
) -> int:
    """Run scripts one after the other, to the first statement that fails; returns the exit code."""
    # Spark is imported late: --help and unreadable scripts need none
    from winsql.shell.launch import import_meanwhile

    import_meanwhile("winsql.shell.run")
    spark = _session(options)
    from winsql.shell.run import end_streams, run_scripts
    from winsql.shell.supervise import Cancelled

    output = _output(options)
    try:
        with _serving(metrics, spark):
            _prepare(spark, options, first, output)
            return 0 if run_scripts(spark, scripts, output) else 1
    except Cancelled as error:
        print(f"winsql: {error}", file=sys.stderr)
        return 130
    finally:
        end_streams(spark)


def _talk(
    options: argparse.Namespace, first: Sequence[Script], scripts: Sequence[Script], metrics: MetricsServer | None
) -> int:
    """The interactive shell: its prompt is there while Spark starts; returns the exit code."""
    from winsql.shell.interactive.starting import Starting
    from winsql.shell.launch import take_interrupts

    def start(errors: int) -> SparkSession:
        spark = _session(options, keeps_classes=True, errors=errors)
        served.enter_context(_serving(metrics, spark))
        _prepare(spark, options, first, replace(_output(options), watched=False))
        return spark

    starting = Starting(start)
    with ExitStack() as served:
        starting.begin()
        take_interrupts()
        from winsql.shell.interactive.loop import talk
        from winsql.shell.run import end_streams

        try:
            talk(starting, _output(options))
        finally:
            spark = starting.found()
            if spark is not None:
                end_streams(spark)
    return 0


def _session(options: argparse.Namespace, *, keeps_classes: bool = False, errors: int | None = None) -> SparkSession:
    """Start Spark; raises _NotReady."""
    from winsql.shell.launch import SESSION_ERRORS, start_session

    try:
        conf = dict(options.conf)
        return start_session(options.master, conf, options.remote, keeps_classes=keeps_classes, errors=errors)
    except SESSION_ERRORS as error:
        hint = _hint(error, options.remote)
        raise _NotReady(f"Spark did not start: {error}" + (f"\n  hint: {hint}" if hint else "")) from None


def _hint(error: Exception, remote: str | None) -> str | None:
    """What to do where Spark has not started."""
    from winsql.spark.versions.java_errors import Py4JError, Py4JJavaError

    if isinstance(error, ImportError):
        return "pip install 'winsql[connect]' has what a client of Spark Connect needs"
    if remote is not None or isinstance(error, WinsqlError | Py4JJavaError):
        return None
    if isinstance(error, Py4JError | ConnectionError):
        return "Spark's Java process has ended while it started, killed or out of memory; start again"
    return "Spark needs Java 17 or 21, found by JAVA_HOME or else on the PATH"


def _prepare(spark: SparkSession, options: argparse.Namespace, first: Sequence[Script], output: Output) -> None:
    """What goes before the first statement: --database and the scripts of -i. Raises _NotReady."""
    from winsql.shell.launch import SESSION_ERRORS
    from winsql.shell.run import run_scripts

    if options.database is not None:
        try:
            spark.catalog.setCurrentDatabase(options.database)
        except SESSION_ERRORS as error:
            raise _NotReady(f"--database: {error}") from None
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        if not run_scripts(spark, first, replace(output, silent=True, verbose=False, out=nowhere)):
            raise _NotReady("")


@contextmanager
def _serving(metrics: MetricsServer | None, spark: SparkSession) -> Iterator[None]:
    with serving_metrics(metrics, spark):
        if metrics is not None:
            print(f"winsql: metrics at {metrics.url}/metrics", file=sys.stderr)
        yield


def _output(options: argparse.Namespace) -> Output:
    from winsql.shell.run import Output

    return Output(
        limit=options.rows,
        silent=options.silent,
        form=options.output,
        verbose=options.verbose,
        watched=sys.stderr.isatty(),
        variables=dict(options.define),
    )


if __name__ == "__main__":
    sys.exit(main())
