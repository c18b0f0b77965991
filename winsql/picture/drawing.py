"""The picture as SVG: per key the rows on the axis of time, below them the windows with what fired and what went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from winsql.model.base import PaneTiming
from winsql.picture.layout import Axis, Bar, Lane
from winsql.picture.trace import END, Firing, Trace, TracedRow

WIDTH, GUTTER, RIGHT = 1000, 130, 20
TOP, ROW, BAR, GAP, BETWEEN = 64, 34, 22, 6, 18
CHARACTER = 6.2
"""Width of a character of the small font, about."""
_RULES = {
    "text": "font: 11px ui-sans-serif, system-ui, sans-serif; fill: #24292f",
    ".small": "font-size: 9px; fill: #57606a",
    ".key": "font-weight: 600",
    ".axis": "stroke: #d0d7de; stroke-width: 1",
    ".grid": "stroke: #d0d7de; stroke-width: 1; stroke-dasharray: 2 4",
    ".row": "fill: #0969da",
    ".late": "stroke: #cf222e; stroke-width: 2",
    ".window": "fill: #ddf4ff; stroke: #54aeff",
    ".unfired": "fill: #f6f8fa; stroke: #afb8c1; stroke-dasharray: 3 3",
    ".held": "stroke: #0969da; stroke-width: 1.5",
    ".evicted": "stroke: #cf222e; stroke-width: 1.5",
    ".EARLY": "fill: #bf8700",
    ".ON_TIME": "fill: #1a7f37",
    ".LATE": "fill: #cf222e",
    ".ANY": "fill: #8250df",
    ".watermark": "stroke: #8250df; stroke-width: 1.5",
    ".track": "fill: #fbefff",
}
_CLASS = "winsql-timeline"
_STYLE = "\n".join(f".{_CLASS} {selector} {{ {rule} }}" for selector, rule in _RULES.items())
"""Of this picture only: a style inside an SVG is one of the whole page that it is in."""


@dataclass(frozen=True, slots=True)
class Names:
    """Texts of the keys and, firing by firing, of the results: with the names of the calls, and the values alone."""

    key: str
    keys: dict[tuple[object, ...], str]
    results: list[str]
    labels: list[str]


def draw(trace: Trace, lanes: Sequence[Lane], axis: Axis, names: Names) -> str:
    """An SVG of WIDTH pixels; everything in it has a title that a pointer brings up."""
    tops, bottom = [], TOP
    for lane in lanes:
        tops.append(bottom)
        bottom += ROW + lane.levels * (BAR + GAP) + BETWEEN
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {bottom}", role="img")
    root.set("class", _CLASS)
    root.set("width", str(WIDTH))
    root.set("height", str(bottom))
    ET.SubElement(root, "style").text = _STYLE
    ET.SubElement(root, "rect", width="100%", height="100%", fill="white")
    _draw_axis(root, axis, bottom)
    _draw_watermark(root, trace, axis)
    for lane, top in zip(lanes, tops, strict=True):
        _draw_lane(root, lane, top, axis, names)
    return ET.tostring(root, encoding="unicode")


def _x(axis: Axis, instant: int) -> float:
    return round(GUTTER + axis.place(instant) * (WIDTH - GUTTER - RIGHT), 1)


def _row_x(axis: Axis, row: TracedRow) -> float:
    if not axis.is_time:
        return _x(axis, row.number)
    return _x(axis, axis.start if row.time is None else row.time)


def _text(parent: ET.Element, x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> None:
    attributes = {"x": str(round(x, 1)), "y": str(y), "text-anchor": anchor, **({"class": kind} if kind else {})}
    ET.SubElement(parent, "text", attributes).text = text


def _line(parent: ET.Element, kind: str, x1: float, y1: float, x2: float, y2: float) -> ET.Element:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return ET.SubElement(parent, "line", {"class": kind, **{name: str(value) for name, value in ends.items()}})


def _titled(element: ET.Element, title: str) -> ET.Element:
    ET.SubElement(element, "title").text = title
    return element


def _draw_axis(root: ET.Element, axis: Axis, bottom: int) -> None:
    free = float("-inf")
    for place, label in axis.ticks():
        x = round(GUTTER + place * (WIDTH - GUTTER - RIGHT), 1)
        _line(root, "grid", x, 20, x, bottom)
        half = len(label) * CHARACTER / 2
        if x - half > free and x + half < WIDTH:
            _text(root, x, 14, label)
            free = x + half + 6


def _draw_watermark(root: ET.Element, trace: Trace, axis: Axis) -> None:
    """The track of the watermark: a stroke where it was after each row that moved it, with the row's number."""
    if not axis.is_time:
        return
    y = 26
    _text(root, 8, y + 12, "watermark", "small", "start")
    ET.SubElement(
        root, "rect", {"class": "track"}, x=str(GUTTER), y=str(y), width=str(WIDTH - GUTTER - RIGHT), height="18"
    )
    free = float("-inf")
    for moment, watermark in trace.watermarks:
        x = _x(axis, watermark)
        mark = _line(root, "watermark", x, y, x, y + 18)
        _titled(mark, f"after row #{moment + 1} the watermark is {axis.label(watermark)}")
        if x > free:
            _text(root, x, y + 28, f"#{moment + 1}", "small")
            free = x + 24


def _draw_lane(root: ET.Element, lane: Lane, top: int, axis: Axis, names: Names) -> None:
    y = top + 20
    _line(root, "axis", GUTTER, y, WIDTH - RIGHT, y)
    _text(root, 8, y + 4, _short(names.keys[lane.key], GUTTER - 16), "key", "start")
    free = float("-inf")
    for row in sorted(lane.rows, key=lambda row: _row_x(axis, row)):
        x = _row_x(axis, row)
        _titled(_row_mark(root, row, x, y), _row_title(row, axis))
        if x > free:
            _text(root, x, y - 8, f"#{row.number + 1}", "small")
            free = x + 24
    for bar in lane.bars:
        _draw_bar(root, bar, top + ROW + bar.level * (BAR + GAP), axis, names)


def _row_mark(root: ET.Element, row: TracedRow, x: float, y: int) -> ET.Element:
    if not row.is_late:
        return ET.SubElement(root, "circle", {"class": "row", "cx": str(x), "cy": str(y), "r": "4"})
    path = f"M{x - 4} {y - 4}L{x + 4} {y + 4}M{x - 4} {y + 4}L{x + 4} {y - 4}"
    return ET.SubElement(root, "path", {"class": "late", "d": path})


def _row_title(row: TracedRow, axis: Axis) -> str:
    time = "no event time" if row.time is None else axis.label(row.time) if axis.is_time else f"time {row.time}"
    return f"row #{row.number + 1}, {time}" + (", too late for all its windows" if row.is_late else "")


def _draw_bar(root: ET.Element, bar: Bar, y: int, axis: Axis, names: Names) -> None:
    left = GUTTER if bar.is_endless else _x(axis, bar.window.start)
    right = WIDTH - RIGHT if bar.is_endless else _x(axis, bar.window.end)
    kind = "window" if bar.firings else "unfired"
    box = {"x": left, "y": y, "width": max(round(right - left - 2, 1), 2), "height": BAR}
    rect = ET.SubElement(root, "rect", {"class": kind, "rx": "3", **{n: str(v) for n, v in box.items()}})
    _titled(rect, _bar_title(bar, axis))
    gone = {number for firing in bar.firings for number in firing.evicted}
    for row in bar.rows:
        x = _row_x(axis, row)
        what = "evicted" if row.number in gone else "held"
        mark = _line(root, what, x, y + 2, x, y + 8)
        _titled(
            mark, f"row #{row.number + 1} came into this window" + (", and was evicted" if gone & {row.number} else "")
        )
    placed = sorted((_firing_x(bar, firing, axis, left, right), firing.number, firing) for firing in bar.firings)
    edges = [left, *(x for x, _, _ in placed), right]
    for (x, _, firing), before, after in zip(placed, edges, edges[2:], strict=False):
        _draw_firing(root, firing, x, y, axis, names)
        _label_firing(root, names.labels[firing.number], x, (before, after), y)


def _firing_x(bar: Bar, firing: Firing, axis: Axis, left: float, right: float) -> float:
    """A timer's firing is drawn at its time, a row's at the row."""
    by = next((row for row in bar.rows if row.number == firing.moment), None)
    if firing.timer is not None:
        x = _x(axis, min(firing.timer, axis.end))
    else:
        x = right if by is None else _row_x(axis, by)
    return round(min(max(x, left + 6), max(right - 8, left + 6)), 1)


def _draw_firing(root: ET.Element, firing: Firing, x: float, y: int, axis: Axis, names: Names) -> None:
    kind = "ANY" if firing.timing is None else firing.timing.value
    path = f"M{x - 4} {y + BAR - 3}L{x + 4} {y + BAR - 3}L{x} {y + 9}Z"
    result = names.results[firing.number]
    _titled(ET.SubElement(root, "path", {"class": kind, "d": path}), _firing_title(firing, result))


def _label_firing(root: ET.Element, label: str, x: float, edges: tuple[float, float], y: int) -> None:
    """The results beside the mark, where they fit between it and the next one; on its right if possible."""
    width = len(label) * CHARACTER + 14
    if not label or max(edges[1] - x, x - edges[0]) < width:
        return
    is_right = edges[1] - x >= width
    _text(root, x + 7 if is_right else x - 7, y + BAR - 4, label, "small", "start" if is_right else "end")


def _bar_title(bar: Bar, axis: Axis) -> str:
    if bar.is_endless:
        return "the window that never ends"
    return f"window from {axis.label(bar.window.start)} to {axis.label(bar.window.end)}, {len(bar.firings)} firings"


def _firing_title(firing: Firing, result: str) -> str:
    when = "at the end of the input" if firing.moment == END else f"after row #{firing.moment + 1}"
    timing = "" if firing.timing is None else f", {_TIMINGS[firing.timing]}"
    rows = ", ".join(f"#{number + 1}" for number in firing.rows) or "none"
    gone = f"; evicted: {', '.join(f'#{number + 1}' for number in firing.evicted)}" if firing.evicted else ""
    return f"firing {firing.index} {when}{timing}; rows: {rows}{gone}" + (f"; {result}" if result else "")


_TIMINGS = {PaneTiming.EARLY: "early", PaneTiming.ON_TIME: "on time", PaneTiming.LATE: "late"}


def _short(text: str, width: float) -> str:
    most = int(width / CHARACTER)
    return text if len(text) <= most else text[: most - 1] + "…"
