"""The page around the picture: the statement, what the marks mean, and all firings as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from winsql.model.base import MAX_TIME
from winsql.picture.drawing import Names
from winsql.picture.layout import Axis
from winsql.picture.trace import END, Firing, Trace

_STYLE = """
.winsql { font: 14px ui-sans-serif, system-ui, sans-serif; color: #24292f; background: white; max-width: 1000px }
.winsql pre { background: #f6f8fa; padding: 10px; overflow-x: auto } .winsql svg { max-width: 100%; height: auto }
.winsql table { border-collapse: collapse; font-size: 12px }
.winsql th, .winsql td { padding: 3px 9px; text-align: left }
.winsql tr { border-bottom: 1px solid #d0d7de } .winsql p { margin: 6px 0 } .winsql i { font-style: normal }
.winsql span { white-space: nowrap; margin-right: 12px }
"""
_LEGEND = (
    ("#0969da", "●", "row"),
    ("#cf222e", "✕", "late row: too late for all its windows"),
    ("#0969da", "|", "row in a window"),
    ("#cf222e", "|", "row that the evictor took out"),
    ("#bf8700", "▲", "early firing"),
    ("#1a7f37", "▲", "on time"),
    ("#cf222e", "▲", "late firing"),
    ("#8250df", "▲", "firing of a window without end"),
    ("#8250df", "|", "watermark after a row"),
)
_COLUMNS = ("when", "", "window", "pane_index", "pane_timing", "rows", "evicted", "results")


def page(text: str, svg: str, trace: Trace, axis: Axis, names: Names, notes: Iterable[str]) -> str:
    """A page that needs nothing but itself: no script, nothing from elsewhere."""
    legend = " ".join(f'<span><i style="color:{color}">{mark}</i> {what}</span>' for color, mark, what in _LEGEND)
    heads = [head or names.key or "key" for head in _COLUMNS]
    rows = [_cells(firing, axis, names) for firing in trace.firings]
    late = ", ".join(f"#{row.number + 1}" for row in trace.rows if row.is_late)
    parts = [
        f"<pre>{escape(text.strip())}</pre>",
        svg,
        f"<p>{legend}</p>",
        *(f"<p>{escape(note)}</p>" for note in notes),
        f"<p>Late rows: {late or 'none'}. Firings, in order:</p>",
        _table(heads, rows),
    ]
    head = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>winsql timeline</title><style>{_STYLE}'
    return f'{head}</style></head><body><div class="winsql">{"".join(parts)}</div></body></html>\n'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(firing: Firing, axis: Axis, names: Names) -> list[str]:
    window = firing.window
    bounds = f"{axis.label(window.start)} – {axis.label(window.end)}" if window.end <= MAX_TIME else ""
    return [
        "end of input" if firing.moment == END else f"row #{firing.moment + 1}",
        names.keys[firing.key],
        bounds,
        str(firing.index),
        "" if firing.timing is None else firing.timing.value,
        _numbers(firing.rows),
        _numbers(firing.evicted),
        names.results[firing.number],
    ]


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(f"#{number + 1}" for number in numbers)
