"""The columns of a statement's result that tell results of windows apart: its keys and those that name the window."""

from __future__ import annotations

from winsql.model.assigners import CountWindows
from winsql.model.query import WINDOW_END, WINDOW_START, Form, WindowQuery
from winsql.spark.planned_statement import PlannedStatement


def key_columns(planned: PlannedStatement) -> tuple[str, ...] | None:
    """The keys of GROUP BY and the window's bounds, by their names in the result, if it has them all.

    None where it leaves out one of them, or where the statement as a whole is no windowed query with GROUP BY.
    """
    index = planned.statement.whole_query()
    query = None if index is None else planned.planned[index].query
    if query is None or query.form is not Form.AGGREGATE:
        return None
    keys = [_named(query, key.column) for key in query.keys]
    bounds = [_named(query, WINDOW_START), _named(query, WINDOW_END)]
    known = [name for name in bounds if name is not None]
    assigner = query.spec.assigner
    if not assigner.is_global and len(known) < (1 if assigner.has_one_size else 2):
        return None
    if isinstance(assigner, CountWindows) or None in keys or not (keys or known):
        return None
    return (*(key for key in keys if key is not None), *known)


def _named(query: WindowQuery, column: str) -> str | None:
    """The name of a column in the result; None where the result does not have it as it is."""
    return next((returned.name for returned in query.returned if returned.column == column), None)
