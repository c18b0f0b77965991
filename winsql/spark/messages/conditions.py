"""Spark's refusals of a WHERE or HAVING beside windows, for which it tells no place in the statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from pyspark.errors import PySparkException

from winsql.errors import WinsqlError
from winsql.model.query import WindowQuery
from winsql.spark.messages.hidden_names import said, written
from winsql.syntax.expressions.references import beyond_row
from winsql.syntax.selects.scanner import select_at
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source


def refused_condition(text: str, error: PySparkException, queries: Sequence[WindowQuery]) -> WinsqlError | None:
    """The error for what is no condition, or has a call with OVER; None where Spark's is about something else."""
    condition, told = error.getCondition() or "", error.getMessageParameters() or {}
    if not queries or not condition.endswith((_NO_BOOLEAN, _OVER)):
        return None
    source = Source(text, settings=queries[-1].settings)
    if condition.endswith(_OVER):
        calls = [n for part, body in _conditions(source) if part is Part.WHERE for n in _over_in(source, body)]
        return _with_over(source, calls[0]) if len(calls) == 1 else None
    found, asked = list(_conditions(source)), _bare(said(told.get("filter", ""), written(queries)))
    named = [one for one in found if _bare(source.verbatim(one[1])) == asked]
    chosen = named or found
    return _no_condition(source, *chosen[0], told.get("type", "").strip('"')) if len(chosen) == 1 else None


def not_of_rows(source: Source, select: Select | None) -> WinsqlError | None:
    """The error for an aggregate or the like in the WHERE of a windowed SELECT, of which Spark tells no place."""
    where = None if select is None else select.body(Part.WHERE)
    found = None if where is None else beyond_row(source, where, takes_subqueries=True)
    if found is None:
        return None
    what, extent = found
    rule, hint = "WHERE reads rows, before they are in windows", "filter windows with HAVING or in an outer SELECT"
    return source.spec_error(f"{what} cannot be in WHERE", extent, rule=rule, hint=hint)


def readable_selects(source: Source) -> Iterator[Select]:
    """The SELECTs of a statement, windowed or not, in order; those whose clauses cannot be read are left out."""
    for first in source.places("SELECT"):
        with suppress(WinsqlError):
            yield select_at(source, first)


def _conditions(source: Source) -> Iterator[tuple[Part, Extent]]:
    for select in readable_selects(source):
        bodies = ((part, select.body(part)) for part in (Part.WHERE, Part.HAVING))
        yield from ((part, body) for part, body in bodies if body is not None)


def _over_in(source: Source, body: Extent) -> Iterator[int]:
    return (index for index in source.places("OVER") if index in body.indexes)


def _bare(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter not in ' \n\t"`()')


def _no_condition(source: Source, part: Part, body: Extent, type_name: str) -> WinsqlError:
    written = source.verbatim(body)
    return source.spec_error(
        f"{written} is no condition: its type is {type_name}",
        body,
        rule=f"{part.words} takes what is true or false",
        hint=f"compare it, as in {written} > 0 or {written} IS NOT NULL",
    )


def _with_over(source: Source, over: int) -> WinsqlError:
    return source.spec_error(
        "a call with OVER cannot be in WHERE",
        over,
        rule="WHERE reads rows one by one, before OVER sees several",
        hint="make it a column first, and ask for that: FROM (SELECT *, ... OVER (...) AS n FROM t) AS x WHERE n = 1",
    )


_NO_BOOLEAN = "FILTER_NOT_BOOLEAN"
_OVER = "WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE"
