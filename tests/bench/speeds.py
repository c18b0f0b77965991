"""Draws docs/speed.svg, the picture for readers, from the table of a run in docs/develop.md.

    python tests/bench/speeds.py

Bars are millions of input rows a second on a stream: the middle of winsql's and Spark's runs, the best of Flink's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parents[2] / "docs"
TITLES = {
    "tumbling": "tumbling windows",
    "sliding": "sliding, 10 windows per row",
    "sliding60": "sliding, 60 windows per row",
    "session": "sessions",
    "lateness": "tumbling, allowed lateness",
    "delta": "when a value has moved",
    "time_evictor": "every 10 rows, last 10 s",
    "sliding_count": "last 100 rows, at every row",
    "count": "count of 10",
    "continuous": "a result every 5 seconds",
    "join": "join of two streams",
}
"""The workloads as a reader calls them, in the order of the picture."""

_LEFT, _WIDTH, _TOP, _BAR, _GAP = 190, 440, 64, 9, 9
_COLORS = {"winsql": "#3f51b5", "Flink": "#e6526f", "Spark alone": "#9aa0a6"}
_TICKS = (2, 4, 6, 8)


class Speeds(NamedTuple):
    """Millions of rows a second; None where the engine cannot say the same."""

    workload: str
    winsql: float
    flink: float | None
    spark: float | None


def speeds(page: str, mode: str = "stream") -> list[Speeds]:
    """The numbers of a mode in the table of the page, in the order of the picture."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.split("\n") if f"| {mode} |" in line]
    found = {row[0]: Speeds(row[0], float(row[2]), _best(row[4]), _best(row[5])) for row in rows}
    return [found[workload] for workload in TITLES]


def _best(cell: str) -> float | None:
    return max(map(float, cell.split("/"))) if cell else None


def drawing(rows: Sequence[Speeds]) -> str:
    """An SVG document of a group of bars per workload."""
    block = 3 * _BAR + _GAP
    height = _TOP + block * len(rows) + 24
    scale = _WIDTH / max(number for row in rows for number in row[1:] if number)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {height}" width="700" height="{height}"'
        ' font-family="ui-sans-serif, system-ui, sans-serif" font-size="12" fill="#24292f" role="img">',
        "<title>Millions of rows a second on a stream, two cores</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="12" y="22" font-size="14" font-weight="600">Millions of rows a second on a stream, two cores</text>',
    ]
    for number, (engine, color) in enumerate(_COLORS.items()):
        left = _LEFT + number * 110
        parts.append(f'<rect x="{left}" y="36" width="10" height="10" fill="{color}"/>')
        parts.append(f'<text x="{left + 16}" y="45">{engine}</text>')
    for tick in _TICKS:
        x = _LEFT + tick * scale
        parts.append(f'<path d="M{x:.1f} {_TOP - 4}V{height - 20}" stroke="#e3e6ea"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 7}" text-anchor="middle" fill="#57606a">{tick:g}</text>')
    for number, row in enumerate(rows):
        parts += _group(row, _TOP + number * block, scale)
    return "\n".join([*parts, "</svg>", ""])


def _group(row: Speeds, top: float, scale: float) -> Iterator[str]:
    title = escape(TITLES[row.workload])
    yield f'<text x="{_LEFT - 10}" y="{top + 1.5 * _BAR + 4:g}" text-anchor="end">{title}</text>'
    for number, (speed, color) in enumerate(zip(row[1:], _COLORS.values(), strict=True)):
        if speed is not None:
            y, width = top + number * _BAR, speed * scale
            yield f'<rect x="{_LEFT}" y="{y}" width="{max(width, 1):.1f}" height="{_BAR - 1}" fill="{color}"/>'
            yield f'<text x="{_LEFT + width + 5:.1f}" y="{y + _BAR - 1}" font-size="9">{speed:.2f}</text>'


def main() -> None:
    """Write the picture."""
    page = (DOCS / "develop.md").read_text(encoding="utf-8")
    (DOCS / "speed.svg").write_text(drawing(speeds(page)), encoding="utf-8")


if __name__ == "__main__":
    main()
