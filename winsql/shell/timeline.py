"""`winsql timeline -e SQL -o FILE`: draw what the windows of a query do with the first rows of its table.

Of several statements the last one is drawn; those before it run, so that a script may make its tables first.

Exit code 0: the picture is written. 1: a statement failed. 2: the command line is wrong, or a file cannot be read or
written.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from winsql.shell.files import Unreadable
from winsql.shell.options import add_session, add_sources, seconds
from winsql.shell.script import Script, read_script

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def main(argv: Sequence[str]) -> int:
    """Entry point of the command; returns the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    if not options.sources:
        parser.error("one of -e and -f is needed")
    try:
        scripts = [read_script(name) for name in options.init]
        scripts += [read_script("-e", value) if is_text else read_script(value) for is_text, value in options.sources]
    except Unreadable as error:
        print(f"winsql timeline: {error}", file=sys.stderr)
        return 2
    if not scripts[-1].statements:
        parser.error("there is no statement to draw")
    return _with_session(options, scripts)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="winsql timeline",
        description="Draw what the windows of a query do with the first rows of its table, as if they came in one by "
        "one. Of several statements the last one is drawn; those before it run.",
    )
    add_sources(parser)
    add_session(parser)
    add = parser.add_argument
    add("-o", "--output", metavar="FILE", required=True, type=_picture,
        help="where to: FILE.html, a page, or FILE.svg, the picture")  # fmt: skip
    add("--delay", metavar="SECONDS", type=seconds, default=0.0,
        help="how far the watermark stays behind the newest event time (default: 0)")  # fmt: skip
    add("--rows", metavar="N", type=_count, default=200, help="rows that are read at most (default: 200)")
    add("--keys", metavar="N", type=_count, default=8, help="keys that are drawn at most (default: 8)")
    return parser


def _picture(name: str) -> str:
    """The argument of an option that is the file of a picture."""
    if os.path.splitext(name)[1].lower() not in ("", ".html", ".svg"):
        raise argparse.ArgumentTypeError(f"expected FILE.html or FILE.svg, got {name!r}")
    return name


def _count(text: str) -> int:
    """The argument of an option that is how many at most."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a number, 1 or more, got {text!r}")
    return int(text)


def _with_session(options: argparse.Namespace, scripts: Sequence[Script]) -> int:
    from winsql.shell.launch import SESSION_ERRORS, quiet_streams, start_session
    from winsql.shell.run import Output, run_scripts

    try:
        spark = start_session(options.master, dict(options.conf), options.remote)
        quiet_streams()
        if options.database is not None:
            spark.catalog.setCurrentDatabase(options.database)
    except SESSION_ERRORS as error:
        print(f"winsql timeline: the session cannot begin: {error}", file=sys.stderr)
        return 1
    last = scripts[-1]
    before = [*scripts[:-1], replace(last, statements=last.statements[:-1])]
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        quiet = Output(silent=True, out=nowhere, variables=dict(options.define))
        try:
            done = run_scripts(spark, before, quiet)
            return _draw(spark, last, options) if done else 1
        finally:
            spark.stop()


def _draw(spark: SparkSession, script: Script, options: argparse.Namespace) -> int:
    import winsql
    from winsql.shell.failure import STATEMENT_ERRORS, describe
    from winsql.shell.run import with_values
    from winsql.spark.extension.function_pack import load_functions

    statement = script.statements[-1]
    try:
        statement = with_values(spark, statement, dict(options.define))
        load_functions(spark, statement.text)
        picture = winsql.timeline(
            spark, statement.text, delay=timedelta(seconds=options.delay), rows=options.rows, keys=options.keys
        )
    except STATEMENT_ERRORS as error:
        print(f"winsql timeline: {script.name}: {describe(error, statement, script.text)}", file=sys.stderr)
        return 1
    try:
        picture.save(options.output)
    except OSError as error:
        print(f"winsql timeline: {options.output}: {error.strerror}", file=sys.stderr)
        return 2
    return 0
