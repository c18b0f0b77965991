"""The rows of a window table function that a SELECT reads as they come, before they get their windows.

Then the query is one over what the function reads, with its windows, as of `FROM t WINDOW ASSIGN TUMBLING(ts, size)`:
rows are kept once however many windows they are in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from winsql.model.query import WindowQuery
from winsql.syntax.functions.calls import FunctionCall, bind_function, function_at
from winsql.syntax.parts import Part, Select
from winsql.syntax.relations import read_relation
from winsql.syntax.source import Source
from winsql.syntax.tree.records import Reading

__all__ = ["filtered_function", "function_rows", "read_function"]


def function_rows(source: Source, reading: Reading, select: Select) -> FunctionCall | None:
    """The function that is all that a SELECT reads, whose windows its WHERE leaves alone; None where there is none."""
    body = select.sections[Part.FROM].body
    call = function_at(source, reading.relations[0].first) if len(reading.relations) == 1 else None
    if call is None:
        return None
    relation = read_relation(source, body.first, body.stop)
    if relation.extent != body or relation.body != call.extent or relation.has_columns:
        return None
    where = select.body(Part.WHERE)
    reads_windows = where is not None and any(token in where.indexes for token in reading.meanings)
    return None if reads_windows else call


def read_function(source: Source, select: Select, call: FunctionCall) -> WindowQuery:
    """The query over what the function reads, with its windows, under the name that the function has here."""
    body = select.sections[Part.FROM].body
    relation = read_relation(source, body.first, body.stop)
    function = bind_function(source, call)
    alias = "" if relation.name is None else f" AS {relation.name_sql(source)}"
    return replace(function, source=f"{function.source}{alias}")


def filtered_function(select: Select, call: FunctionCall) -> Callable[[Source, Any], WindowQuery]:
    """Binds the function over those rows alone that the WHERE of the SELECT keeps.

    So Flink has the sessions of a SELECT that groups by them: rows that WHERE drops hold no session together.
    """

    def bind(source: Source, _: Any) -> WindowQuery:
        where = select.sections[Part.WHERE].body
        return replace(read_function(source, select, call), where=source.verbatim(where))

    return bind
