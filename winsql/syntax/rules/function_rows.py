"""The rows of a window table function that a SELECT reads as they come, before they get their windows.

Then the query is one over what the function reads, with its windows, as of `FROM t WINDOW ASSIGN TUMBLING(ts, size)`:
rows are kept once however many windows they are in. Between the two there may be subqueries that hand on all columns,
`(SELECT * FROM ... WHERE ...)`: they do the same to what the function reads.
"""

from __future__ import annotations

from dataclasses import replace

from winsql.model.query import WINDOW_COLUMNS, WindowQuery
from winsql.syntax.functions.table_function_calls import TableCall
from winsql.syntax.functions.window_table_functions import bind_function, function_at, has_named_data
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.selects.scanner import select_at
from winsql.syntax.text.parts import Part, Select, is_query_start
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.tree.records import Scope

__all__ = ["filters", "function_rows", "read_function"]


def function_rows(source: Source, scope: Scope, select: Select) -> TableCall | None:
    """The function that is all that a SELECT reads, whose windows its WHERE leaves alone; None where there is none."""
    call = _only_call(source, select.sections[Part.FROM].body) if len(scope.relations) == 1 else None
    where = select.body(Part.WHERE)
    reads_windows = where is not None and any(token in where.indexes for token in scope.meanings)
    return None if reads_windows or (call is not None and _needs_columns(source, select)) else call


def _needs_columns(source: Source, select: Select) -> bool:
    """Whether the windows must be columns of the rows: for a star in a call, or a subquery that names them."""
    for part, section in select.sections.items():
        index = section.body.first if part is not Part.FROM else section.body.stop
        while index < section.body.stop:
            if source.at(index).is_symbol("(") and is_query_start(source, index + 1):
                inside = range(index + 1, source.closing(index))
                if any(source.at(i).is_name and source.at(i).upper.lower() in WINDOW_COLUMNS for i in inside):
                    return True
                index = inside.stop
            is_inside = source.group[index] != source.group[section.body.first]
            if is_inside and source.at(index).is_symbol("*") and _is_star(source, index):
                return True
            index += 1
    return False


def _is_star(source: Source, index: int) -> bool:
    """Whether `*` in a call is all columns, and not a product or that of `count(*)`."""
    before = source.at(index - 1)
    counts = before.is_symbol("(") and source.at(index - 2).is_word("COUNT")
    return not counts and (before.is_symbol("(", ",", ".") or before.is_word("DISTINCT", "ALL"))


def _only_call(source: Source, body: Extent) -> TableCall | None:
    """The call that is all of a FROM body, but for subqueries around it."""
    relation = read_relation(source, body.first, body.stop)
    if relation.extent != body or relation.has_columns:
        return None
    call = function_at(source, relation.body.first)
    if call is not None:
        return call if call.extent == relation.body else None
    if not source.is_bracketed(relation.body):
        return None
    inside = Extent(relation.body.first + 1, relation.body.stop - 1)
    if not source.words(inside.first, "SELECT"):
        return _only_call(source, inside)
    select = select_at(source, inside.first)
    return _only_call(source, select.sections[Part.FROM].body) if _hands_on(source, select, inside) else None


def _hands_on(source: Source, select: Select, inside: Extent) -> bool:
    """Whether a subquery is `SELECT * FROM ... WHERE ...`, with nothing about windows in WHERE."""
    parts = select.sections.keys()
    if select.extent != inside or not {Part.SELECT, Part.FROM} <= parts <= {Part.SELECT, Part.FROM, Part.WHERE}:
        return False
    where = select.body(Part.WHERE)
    words = () if where is None else where.indexes
    listed = Extent(inside.first + 1, select.sections[Part.FROM].extent.first)
    return source.normal(listed) == ("*",) and not any(source.tokens[n].upper.lower() in WINDOW_COLUMNS for n in words)


def filters(source: Source, select: Select, call: TableCall) -> bool:
    """Whether the SELECT, or a subquery between it and the function, leaves out rows."""
    body = select.sections[Part.FROM].body
    between = [n for n in body.indexes if n not in call.extent.indexes]
    return Part.WHERE in select.sections or any(source.words(n, "WHERE") for n in between)


def read_function(source: Source, select: Select, call: TableCall) -> WindowQuery:
    """The query over what the function reads, with its windows, under the name that the function has here."""
    function = bind_function(source, call)
    span = source.span(call.extent)
    body = select.sections[Part.FROM].body
    after = source.at(call.extent.stop, body.stop)
    has_alias = after.is_name and not after.is_word("WHERE")
    table = f"(SELECT * FROM {function.source}\n)" if has_alias and has_named_data(source, call) else function.source
    edit = Edit(span.start, span.end, f"{table} AS" if has_alias and not after.is_word("AS") else table)
    return replace(function, source=source.verbatim(body, [edit]))
