"""What each spelling is planned as on a stream, in a few lines: without Spark, so that all are looked at each time.

Where a plan changes, `test_spellings.py` tells whether its rows are still those of the table; then `--update-golden`
writes the plans.
"""

from __future__ import annotations

from pathlib import Path

from on_streams import on_streams
from test_spellings import filled, spellings

from winsql.errors import WinsqlError
from winsql.model.query import WindowJoin, WindowQuery
from winsql.syntax import parse_statement

PLANS = Path(__file__).with_name("stream_plans.txt")


def test_each_spelling_has_the_plan_that_it_had(update_golden: bool) -> None:
    found = {title: _plan(statement) for title, statement in spellings().items()}
    if update_golden:
        PLANS.write_text("\n".join(f"# {title}\n{plan}" for title, plan in found.items()) + "\n")
    blocks = (block.partition("\n") for block in f"\n{PLANS.read_text()}".rstrip("\n").split("\n# ")[1:])
    kept = {title: plan for title, _, plan in blocks}
    assert {title: plan for title, plan in found.items() if kept.get(title) != plan} == {}
    assert list(kept) == list(found)


def _plan(statement: str) -> str:
    """A line for each query, the inner ones first; the table of names is the only one that is no stream."""
    try:
        planned = on_streams(parse_statement(filled(statement, "stream")), {"names"})
    except WinsqlError as error:  # of views, which nobody knows here
        return f"refused: {error.problem}"
    return "\n".join(map(_line, planned.queries))


def _line(query: WindowQuery) -> str:
    parts = {
        "where": query.where or "",
        "keys": ", ".join(key.sql for key in query.keys),
        "aggregates": ", ".join(call.sql for call in query.aggregates),
        "ends": ", ".join(end.sql for end in query.ends),
        "join": "" if query.join is None else _join(query.join),
        "tail": query.tail,
    }
    return " ".join("; ".join([query.head, *(f"{name} {text}" for name, text in parts.items() if text)]).split())


def _join(join: WindowJoin) -> str:
    how = "CO_GROUP" if join.how is None else join.how.name
    sides = ", ".join(f"{side.name} {side.time}" for side in (join.left, join.right))
    return f"{how} of {sides} by {join.keys} on {join.condition}"
