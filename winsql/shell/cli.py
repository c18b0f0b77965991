"""The `winsql` command: runs SQL from files, from the command line or from standard input.

Streams that still run at the end of the scripts are stopped, and named on standard error: AWAIT STREAM waits for one.

Exit code 0: every statement ran. 1: a statement failed, the ones after it did not run. 2: the command line is wrong.
130: interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import winsql
from winsql.errors import WinsqlError
from winsql.shell.commands import COMMANDS, run_command, summary
from winsql.shell.script import Script, split

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of the command; returns the exit code."""
    argv = sys.argv[1:] if argv is None else argv
    if argv and argv[0] in COMMANDS:
        return run_command(argv[0], argv[1:])
    parser = _parser()
    options = parser.parse_args(argv)
    if not options.sources:
        if sys.stdin.isatty():
            parser.print_help()
            return 2
        options.sources = [("file", "-")]
    try:
        return _run(options)
    except KeyboardInterrupt:
        print("\nwinsql: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output has gone, as in `winsql ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="winsql",
        description="Run Spark SQL with window clauses.",
        epilog="Without -e and -f the statements are read from standard input.\n\n"
        f"Other commands, each with its own --help:\n{summary()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("-f", dest="sources", metavar="FILE", action="append", type=lambda v: ("file", v),
        help="run the statements of FILE (- is standard input)")  # fmt: skip
    add("-e", dest="sources", metavar="SQL", action="append", type=lambda v: ("text", v),
        help="run the statements in SQL; -e and -f may be repeated and run in the order given")  # fmt: skip
    add("-i", dest="init", metavar="FILE", action="append", default=[],
        help="run FILE first and print nothing of it but errors")  # fmt: skip
    add("--master", metavar="URL", help="Spark master (default: Spark's own configuration, else local[*])")
    add("--conf", metavar="KEY=VALUE", action="append", default=[], type=_setting,
        help="a Spark setting; may be repeated")  # fmt: skip
    add("--rows", metavar="N", type=_row_limit, default=100,
        help="rows printed of each result, 0 = all (default: %(default)s)")  # fmt: skip
    add("-S", "--silent", action="store_true", help="print rows only: no titles, counts, times")
    add("--version", action="version", version=f"winsql {winsql.__version__}")
    return parser


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"expected KEY=VALUE, got {text!r}")
    return key, value


def _row_limit(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number of rows, 0 or more, got {text!r}")
    return int(text)


def _run(options: argparse.Namespace) -> int:
    try:
        first = [_read("file", name) for name in options.init]
        scripts = [_read(kind, value) for kind, value in options.sources]
    except _Unreadable as error:
        print(f"winsql: {error}", file=sys.stderr)
        return 1
    if not any(script.statements for script in [*first, *scripts]):
        return 0
    return _run_scripts(options, first, scripts)


class _Unreadable(Exception):
    """A script cannot be read or cut into statements."""


def _read(kind: str, value: str) -> Script:
    if kind == "text":
        name, text = "-e", value
    elif value == "-":
        name, text = "<stdin>", sys.stdin.read()
    else:
        name, text = value, _read_file(value)
    try:
        return Script(name, text, tuple(split(text)))
    except WinsqlError as error:
        raise _Unreadable(f"{name}: {error}") from None


def _read_file(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise _Unreadable(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise _Unreadable(f"cannot read {name}: not UTF-8 text at byte {error.start}") from None


def _run_scripts(options: argparse.Namespace, first: Sequence[Script], scripts: Sequence[Script]) -> int:
    # Spark is imported late: --help and unreadable scripts need none
    from winsql.shell.launch import SESSION_ERRORS, start_session
    from winsql.shell.run import Output, end_streams, run_scripts

    try:
        spark = start_session(options.master, dict(options.conf))
    except SESSION_ERRORS as error:
        print(f"winsql: Spark did not start: {error}", file=sys.stderr)
        print("  hint: Spark 4.3 needs Java 17 or 21, found by JAVA_HOME or else on the PATH", file=sys.stderr)
        return 1
    output = Output(limit=options.rows, silent=options.silent)
    try:
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            done = run_scripts(spark, first, Output(silent=True, out=nowhere)) and run_scripts(spark, scripts, output)
    finally:
        end_streams(spark)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
