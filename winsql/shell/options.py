"""The options of `winsql` itself."""

from __future__ import annotations

import argparse

from winsql.shell.commands import summary
from winsql.shell.formats import Format
from winsql.shell.metrics import DEFAULT_PORT, HOST
from winsql.shell.version import ShowVersions


def make_parser() -> argparse.ArgumentParser:
    """The parser; in what it returns `sources` is a list of (is_text, text or name of a file), or None."""
    parser = argparse.ArgumentParser(
        prog="winsql",
        description="Run Spark SQL with window clauses: statements of -e and -f, or of standard input; "
        "on a terminal without -e and -f an interactive shell.",
        epilog=f"Other commands, each with its own --help:\n{summary()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_sources(parser)
    add_session(parser)
    _add_output(parser)
    add_metrics(parser)
    parser.add_argument("--version", action=ShowVersions)
    return parser


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Options that say what runs: `sources`, `init` and `define`."""
    add = parser.add_argument
    add("-f", dest="sources", metavar="FILE", action="append", type=lambda value: (False, value),
        help="run the statements of FILE (- is standard input)")  # fmt: skip
    add("-e", dest="sources", metavar="SQL", action="append", type=lambda value: (True, value),
        help="run the statements in SQL; -e and -f may be repeated and run in the order given")  # fmt: skip
    add_init(parser)


def add_init(parser: argparse.ArgumentParser) -> None:
    """Options that say what runs before: `init` and `define`."""
    add = parser.add_argument
    add("-i", dest="init", metavar="FILE", action="append", default=[],
        help="run FILE first and print nothing of it but errors")  # fmt: skip
    add("-d", "--define", "--hivevar", dest="define", metavar="NAME=VALUE", action="append", default=[],
        type=definition, help="the value of ${NAME} in statements; may be repeated")  # fmt: skip


def add_session(parser: argparse.ArgumentParser, *, with_remote: bool = True) -> None:
    """Options that say on which Spark: `master`, `remote` (may be left out), `conf` and `database`."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--master", metavar="URL", help="Spark master (default: Spark's own configuration, or local[*])")
    if with_remote:
        where.add_argument("--remote", metavar="URL", help="a Spark Connect server, as in sc://localhost:15002")
    add = parser.add_argument
    add("--conf", metavar="KEY=VALUE", action="append", default=[], type=setting,
        help="a Spark setting; may be repeated")  # fmt: skip
    add("--database", metavar="NAME", help="the database whose tables need no qualification")


def add_metrics(parser: argparse.ArgumentParser) -> None:
    """Option `metrics_port`: None without it."""
    parser.add_argument("--metrics-port", metavar="N", type=port, nargs="?", const=DEFAULT_PORT,
        help=f"serve the streams on {HOST}, port N (default: {DEFAULT_PORT}): /metrics for Prometheus, and what winsql "
        "streams shows; 0 is any free one")  # fmt: skip


def seconds(text: str) -> float:
    """The argument of an option that is a number of seconds, at most a thousand years."""
    value = float(text)
    if not 0 <= value <= _THOUSAND_YEARS:
        raise argparse.ArgumentTypeError(f"expected a number of seconds, 0 or more, got {text!r}")
    return value


_THOUSAND_YEARS = 1000 * 366 * 86_400


def port(text: str) -> int:
    """The argument of an option that is a TCP port."""
    if not (text.isdecimal() and int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"expected a port, 0 to 65535, got {text!r}")
    return int(text)


def _add_output(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--output", metavar="FORMAT", type=_format, default=Format.TABLE,
        help=f"how rows are printed: {', '.join(f.value for f in Format)} (default: table)")  # fmt: skip
    add("--rows", metavar="N", type=_row_limit,
        help="rows printed of each result, 0 = all (default: 100 in a table, else all)")  # fmt: skip
    add("-S", "--silent", action="store_true",
        help="print results alone, names of columns and rows: no titles, counts, times")  # fmt: skip
    add("-v", "--verbose", action="store_true", help="print each statement before its result")


def definition(text: str) -> tuple[str, str]:
    """The argument of --define, NAME=VALUE."""
    return _pair(text, "NAME")


def setting(text: str) -> tuple[str, str]:
    """The argument of --conf, KEY=VALUE."""
    return _pair(text, "KEY")


def _pair(text: str, what: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"expected {what}=VALUE, got {text!r}")
    return name, value


def _row_limit(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number of rows, 0 or more, got {text!r}")
    return int(text)


def _format(text: str) -> Format:
    try:
        return Format(text.lower())
    except ValueError:
        known = ", ".join(f.value for f in Format)
        raise argparse.ArgumentTypeError(f"expected one of {known}, got {text!r}") from None
