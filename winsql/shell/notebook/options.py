"""The options on the line of %%winsql."""

from __future__ import annotations

import argparse
import re
import shlex
from typing import NoReturn

from winsql.shell.options import seconds


class BadOptions(Exception):
    """The line cannot be read; the text says why and shows the options."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadOptions(f"{message}\n{self.format_usage()}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="%%winsql", add_help=False)
    add = parser.add_argument
    add("--view", metavar="NAME", help="keep the result of the last statement as a temporary view")
    add("--stream", action="store_true", help="start a query that reads a stream, and show its rows while it runs")
    add("--once", action="store_true", help="with --stream: take what is there, and end")
    add("--for", dest="seconds", metavar="SECONDS", type=seconds, help="with --stream: stop it after so long")
    add("--rows", metavar="N", type=int, default=50, help="rows shown of each result (default: 50)")
    add("--timeline", action="store_true", help="draw the windows of the last statement over the first rows")
    add("--delay", metavar="SECONDS", type=seconds, default=0.0,
        help="with --timeline: how far the watermark stays behind")  # fmt: skip
    return parser


def parse_options(text: str) -> argparse.Namespace:
    """The options of a line; raises BadOptions."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadOptions(f"{error}\n{_parser().format_usage()}") from None
    options = _parser().parse_args(words)
    if options.rows < 1:
        raise BadOptions(f"--rows must be at least 1, got {options.rows}")
    given = {word.partition("=")[0] for word in words if word.startswith("--")}
    for one, other in _NEEDS.items():
        if one in given and other not in given:
            raise BadOptions(f"{one} needs {other}")
    for one, other in _APART:
        if {one, other} <= given:
            raise BadOptions(f"{one} keeps no result: leave out {other}, or write it in a cell of its own")
    return options


_NEEDS = {"--once": "--stream", "--for": "--stream", "--delay": "--timeline"}
_APART = (("--timeline", "--stream"), ("--timeline", "--view"), ("--stream", "--view"))


def split_line(text: str) -> tuple[str, str]:
    """The options at the beginning of a line, and the SQL after them."""
    match = _OPTIONS.match(text)
    assert match is not None
    rest = text[match.end() :]
    unknown = _OPTION.match(rest)  # to SQL a comment to the end of the line
    return (text, "") if unknown else (match.group(), rest)


_OPTION = re.compile(r"--\w")
_OPTIONS = re.compile(r"(?:\s*--(?:stream|once|timeline)\b|\s*--(?:view|for|rows|delay)(?:\s+|=)\S+)*\s*")
