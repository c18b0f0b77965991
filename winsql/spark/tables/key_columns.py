"""Which columns of a statement's result tell the results of windows apart: its keys, and what names the window."""

from __future__ import annotations

from winsql.model.assigners import CountWindows
from winsql.model.query import WINDOW_END, WINDOW_START, Form, WindowQuery
from winsql.spark.planned_statement import PlannedStatement

__all__ = ["key_columns"]


def key_columns(planned: PlannedStatement) -> tuple[str, ...] | None:
    """The keys of GROUP BY and the window's bounds, where the result has them all, by their names there.

    None where the statement is no windowed query with GROUP BY as a whole, or leaves out one of them.
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
    """The name that the result has for a column; None where it is not in the result as it is."""
    return next((returned.name for returned in query.returned if returned.column == column), None)
