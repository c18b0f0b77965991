"""`winsql streams`: the streams of another process, live on the terminal, as its --metrics-port tells of them.

The shell's \\streams shows those of its own session in the same table.

Exit code 0: looked once, or ended by Ctrl-C. 1: the process does not answer. 2: the command line is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from winsql.shell.metrics import DEFAULT_PORT, HOST, listing
from winsql.shell.sparkline import sparkline

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from rich.table import Table

_TIMEOUT = 60
"""Seconds: counting the windows of a large state takes a while."""
_KEPT = 20
"""How many rates of a stream are drawn."""
_WIDTH = 200
"""Characters of a line where there is no terminal."""


def main(argv: Sequence[str]) -> int:
    """Entry point of the command; returns the exit code."""
    options = _parser().parse_args(argv)
    if find_spec("rich") is None:
        print("winsql streams: rich is missing: pip install 'winsql[shell]'", file=sys.stderr)
        return 1
    try:
        show_streams(Watched(options.url, lambda: _asked(options.url)), None if options.once else options.every)
    except (OSError, ValueError) as error:
        print(f"winsql streams: {options.url} does not answer: {_reason(error)}", file=sys.stderr)
        print("  hint: start the process with winsql serve --metrics-port, or winsql --metrics-port", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="winsql streams",
        description="Show the streams of a process that runs with --metrics-port: rows per second, watermark and its "
        "lag, open windows, late rows, state and the last error. Ctrl-C ends it.",
    )
    add = parser.add_argument
    add("--url", default=f"http://{HOST}:{DEFAULT_PORT}", type=_url,
        help=f"of the process (default: http://{HOST}:{DEFAULT_PORT})")  # fmt: skip
    add("--every", metavar="SECONDS", type=_seconds, default=2.0, help="time between two looks (default: 2)")
    add("--once", action="store_true", help="look once and print, as it is where standard output is no terminal")
    return parser


def _url(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"expected http://host:port, got {text!r}")
    return text.rstrip("/")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"expected seconds, more than 0, got {text!r}")
    return seconds


def show_streams(watched: Watched, every: float | None) -> None:
    """Print the table, on a terminal again and again, `every` so many seconds, until Ctrl-C.

    Raises OSError, or ValueError for an answer that is none.
    """
    watched.look()
    if every is None or not sys.stdout.isatty():
        _print(watched)
    else:
        _live(watched, every)


def of_session(spark: SparkSession) -> Watched:
    """The streams of a session of this process."""
    from winsql.spark.tables.reports import reports_of

    def ask() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(listing(reports_of(spark), datetime.now(UTC)))["streams"]
        return found

    return Watched("this session", ask)


def _asked(url: str) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{url}/streams", timeout=_TIMEOUT) as answer:
        found = json.load(answer)
    streams = found.get("streams") if isinstance(found, dict) else None
    if not isinstance(streams, list) or not all(isinstance(stream, dict) and "name" in stream for stream in streams):
        raise ValueError("it is no process of winsql")
    return streams


class Watched:
    """Streams, and the rates that were seen; `ask` gives them as the listing of a process has them."""

    def __init__(self, title: str, ask: Callable[[], Sequence[Mapping[str, Any]]]) -> None:
        self._title = title
        self._ask = ask
        self._rates: dict[str, list[float]] = {}
        self.streams: list[dict[str, Any]] = []

    def look(self) -> None:
        """Ask again."""
        self._take(self._ask())

    def _take(self, streams: Sequence[Mapping[str, Any]]) -> None:
        """What was answered."""
        self.streams = [dict(stream) for stream in streams]
        for stream in self.streams:
            rates = self._rates.setdefault(str(stream["name"]), [])
            rates.append(float(stream.get("rows_per_second") or 0))
            del rates[:-_KEPT]

    def table(self, width: int) -> Table:
        """A row for each stream; where that is too wide, a line for each of its values."""
        from rich.table import Table

        rows = [self._cells(stream) for stream in self.streams]
        wide = _least_width(rows) <= width
        table = Table(title=f"{self._title}: {_count(len(rows))}", title_justify="left", show_header=wide)
        if wide:
            for name, justify in _COLUMNS.items():
                table.add_column(name, justify=justify, overflow="fold", no_wrap=name not in _FOLDED)  # type: ignore[arg-type]
            for row in rows:
                table.add_row(*row)
        else:
            table.add_column(no_wrap=True)
            table.add_column(overflow="fold")
            for row in rows:
                _add_lines(table, row)
        return table

    def _cells(self, stream: Mapping[str, Any]) -> list[str]:
        rate = stream.get("rows_per_second")
        drawn = sparkline(self._rates[str(stream["name"])])
        return [
            _plain(stream["name"]),
            _plain(stream.get("status")),
            _number(stream.get("batch")),
            "" if rate is None else f"{drawn} {rate:,.1f}",
            _plain(stream.get("watermark")).removesuffix("+00:00").replace("T", " "),
            _duration(stream.get("lag")),
            _number(stream.get("open_windows")),
            _number(stream.get("late_rows")),
            _size(stream.get("state_bytes")),
            _plain(stream.get("error")),
        ]


_COLUMNS = {
    "stream": "left",
    "status": "left",
    "batch": "right",
    "rows/s": "right",
    "watermark (UTC)": "left",
    "lag": "right",
    "open windows": "right",
    "late rows": "right",
    "state": "right",
    "error": "left",
}


_FOLDED = ("stream", "error")
_LEAST_FOLDED = 20  # characters of these that stay on one line


def _least_width(rows: Sequence[Sequence[str]]) -> int:
    """Of a table with columns, in which only some are folded."""
    from rich.cells import cell_len

    columns = zip(_COLUMNS, *rows, strict=True)
    widths = {name: max(map(cell_len, (name, *cells))) for name, *cells in columns}
    borders = 3 * len(widths) + 1
    return borders + sum(min(width, _LEAST_FOLDED) if name in _FOLDED else width for name, width in widths.items())


def _add_lines(table: Table, row: Sequence[str]) -> None:
    for name, cell in zip(_COLUMNS, row, strict=True):
        if cell:
            table.add_row(name, cell)
    table.add_section()


def _count(streams: int) -> str:
    return "1 stream" if streams == 1 else f"{streams} streams"


def _plain(value: Any) -> str:
    """Text of another process for a terminal: no markup, no control characters."""
    from rich.markup import escape

    text = "" if value is None else str(value)
    return escape("".join(letter if letter.isprintable() else " " for letter in text))


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _size(value: int | None) -> str:
    if value is None:
        return ""
    size, unit = float(value), "B"
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size /= 1024
    return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"


def _duration(seconds: float | None) -> str:
    """The two largest units: 3 d 4 h, 12 min 5 s."""
    if seconds is None:
        return ""
    rest = round(abs(seconds))
    parts: list[str] = []
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        if rest >= length or (unit == "s" and not parts):
            parts.append(f"{rest // length} {unit}")
            rest %= length
    return ("-" if seconds < 0 and parts != ["0 s"] else "") + " ".join(parts[:2])


def _print(watched: Watched) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    console.print(watched.table(console.width))


def _live(watched: Watched, every: float) -> None:
    from rich.live import Live

    with Live(auto_refresh=False, screen=False) as live:
        live.update(watched.table(live.console.width), refresh=True)
        while True:
            time.sleep(every)
            watched.look()
            live.update(watched.table(live.console.width), refresh=True)


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"{error.code} {error.reason}"
    return str(getattr(error, "reason", error))
