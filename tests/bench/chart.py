"""The picture of a run: a bar for each ratio to Flink on a logarithmic scale, with a mark where the target is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from bench.report import Row, Verdict

_BAR, _LEFT, _WIDTH, _TOP = 18, 170, 560, 50
_COLORS = {Verdict.MET: "#2e7d32", Verdict.FIRST_STEP: "#b58900", Verdict.MISSED: "#b23b3b"}
_TICKS = (0.01, 0.1, 0.5, 1, 2, 5, 10, 20, 40, 100)


def chart(rows: Sequence[Row], title: str) -> str:
    """An SVG document; rows without a ratio are left out."""
    shown = [row for row in rows if row.ratio is not None]
    ends = [number for row in shown for number in (row.ratio, row.target and row.target.goal) if number]
    low, high = min([0.5, *ends]) / 1.3, max([2, *ends]) * 1.5

    def x(ratio: float) -> float:
        return _LEFT + _WIDTH * math.log(ratio / low) / math.log(high / low)

    height = _TOP + _BAR * len(shown) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LEFT + _WIDTH + 80}" height="{height}"'
        ' font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="20" font-size="14">{escape(title)}</text>',
        '<text x="10" y="38" fill="#555">times the speed of Flink; the black mark is the target</text>',
    ]
    for tick in (tick for tick in _TICKS if low <= tick <= high):
        color = "#000" if tick == 1 else "#ddd"
        parts.append(f'<path d="M{x(tick):.1f} {_TOP}V{height - 25}" stroke="{color}"/>')
        parts.append(f'<text x="{x(tick):.1f}" y="{height - 10}" text-anchor="middle">{tick:g}x</text>')
    for number, row in enumerate(shown):
        parts += _bar(row, _TOP + number * _BAR, x(row.ratio or low), x)
    return "\n".join([*parts, "</svg>", ""])


def _bar(row: Row, top: float, end: float, x) -> list[str]:  # type: ignore[no-untyped-def]
    middle = top + _BAR / 2 + 4
    parts = [
        f'<text x="{_LEFT - 8}" y="{middle}" text-anchor="end">{escape(row.workload)}, {row.mode.value}</text>',
        f'<rect x="{_LEFT}" y="{top + 3}" width="{max(end - _LEFT, 1):.1f}" height="{_BAR - 6}"'
        f' fill="{_COLORS.get(row.verdict, "#888")}"/>',
        f'<text x="{_LEFT + _WIDTH + 8}" y="{middle}">{row.ratio:.2f}x</text>',
    ]
    if row.target is not None:
        mark = x(row.target.goal)
        parts.append(f'<path d="M{mark:.1f} {top + 1}v{_BAR - 2}" stroke="black" stroke-width="2"/>')
    return parts
