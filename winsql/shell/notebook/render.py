"""HTML of a notebook cell: a result as a table, a plan as a diagram. Text from elsewhere is always escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from winsql.planner.explain import Description
from winsql.shell.formats import Column, Kind

_STYLE = """<style>
.winsql-table { border-collapse: collapse; font-size: 12px } .winsql-table td, .winsql-table th { padding: 3px 10px }
.winsql-table td { text-align: left; white-space: pre-wrap } .winsql-table th { text-align: left }
.winsql-table .number { text-align: right } .winsql-table .null { color: #8c959f }
.winsql-table tr { border-bottom: 1px solid #d0d7de } .winsql-note { color: #57606a; font-size: 12px; margin: 4px 0 }
.winsql-plan { display: flex; flex-wrap: wrap; align-items: stretch; gap: 4px; font-size: 12px; margin: 8px 0 }
.winsql-plan div { border: 1px solid #54aeff; border-radius: 6px; padding: 6px 10px; max-width: 260px }
.winsql-plan b { display: block; color: #57606a; font-weight: normal } .winsql-plan span { align-self: center }
.winsql-plan code { white-space: pre-wrap }
</style>"""


def table(columns: Sequence[Column], rows: Sequence[Sequence[str | None]], note: str) -> str:
    """The rows, and a note below them."""
    head = "".join(f"<th{_right(column)}>{escape(column.name)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, columns, row))}</tr>" for row in rows)
    grid = f'<table class="winsql-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>' if columns else ""
    return f"{_STYLE}{grid}{line(note)}"


def line(text: str) -> str:
    """A note of one line."""
    return f'<p class="winsql-note">{escape(text)}</p>'


def diagram(descriptions: Sequence[Description], sql: str) -> str:
    """What EXPLAIN WINDOW says: the way of a row from left to right, the other facts as a table, the SQL folded."""
    parts = [_STYLE]
    for description in descriptions:
        parts.append(line(f"Windowed query at line {description.line}, column {description.column}"))
        parts.append(_flow(description))
        parts.append(_facts([fact for fact in description.facts if fact[0] not in _STEPS]))
    parts.append(f"<details><summary>SQL handed to Spark</summary><pre>{escape(sql)}</pre></details>")
    return "".join(parts)


_STEPS = ("join", "left", "right", "assigner", "trigger", "evictor", "a firing returns", "then")
"""The facts that are boxes of the diagram, in order; the others say why."""


def _flow(description: Description) -> str:
    facts = dict(description.facts)
    boxes = [] if description.reads is None else [_box("reads", description.reads)]
    boxes += [_box(name, facts[name]) for name in _STEPS if name in facts]
    arrow = "<span>&#8594;</span>"
    return f'<div class="winsql-plan">{arrow.join(boxes)}</div>'


def _box(name: str, text: str) -> str:
    return f"<div><b>{escape(name)}</b><code>{escape(text)}</code></div>"


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts)
    return f'<table class="winsql-table"><tbody>{rows}</tbody></table>'


def _right(column: Column) -> str:
    return ' class="number"' if column.kind is Kind.NUMBER else ""


def _cell(column: Column, value: str | None) -> str:
    return '<td class="null">NULL</td>' if value is None else f"<td{_right(column)}>{escape(value)}</td>"
