"""LATE INTO on streams: the windowed SELECT must be the whole statement, and take each firing by itself.

The operator returns late rows and firings together, as Spark streams one result. They are separated inside each
micro-batch, where the SELECT over the firings runs too: clauses that look at several rows (ORDER BY, DISTINCT, another
aggregation) would see one micro-batch only.
"""

from __future__ import annotations

from winsql.errors import Span, WindowSpecError
from winsql.syntax.expressions.references import aggregates_in
from winsql.syntax.joins.clause import read_join
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.stream_statements.names import end_of_statement
from winsql.syntax.text.parts import COUNTS, SORTS, Part, Select
from winsql.syntax.text.source import Extent, Source

_RULE = "with LATE INTO the statement is one windowed SELECT over a stream, which takes each firing by itself"
_HINT = "put the rest into a second statement that reads the result of this one"
_ACROSS_ROWS = (*SORTS, *COUNTS, Part.QUALIFY, Part.WINDOWS)
_GROUPS = (Part.GROUP_BY, Part.HAVING)


def not_whole(source: Source, body: Span) -> WindowSpecError:
    """The error for a query that is no windowed SELECT as a whole."""
    place = whole_query(source, body)
    return source.spec_error("LATE INTO: whose late rows are meant is not clear", place, rule=_RULE, hint=_HINT)


def require_row_by_row(source: Source, select: Select) -> None:
    """Raises WindowSpecError when the SELECT compares, orders or groups its firings.

    Over a window join Spark groups, across firings.
    """
    head = select.sections[Part.SELECT].body
    is_join = read_join(source, select.sections[Part.FROM]) is not None
    for part in (*_ACROSS_ROWS, *(_GROUPS if is_join else ())):
        section = select.get(part)
        if section is not None:
            problem = f"{part.words} cannot be used with LATE INTO"
            raise source.spec_error(problem, section.extent, rule=_RULE, hint=_HINT)
    for aggregate in aggregates_in(source, head) if is_join else ():
        problem = "an aggregate over a window join cannot be used with LATE INTO"
        raise source.spec_error(problem, aggregate.extent, rule=_RULE, hint=_HINT)
    if source.at(head.first, head.stop).is_word("DISTINCT"):
        raise source.spec_error("DISTINCT cannot be used with LATE INTO", head.first, rule=_RULE, hint=_HINT)
    for index in head.indexes:
        if source.at(index).is_word("OVER") and source.at(index - 1).is_symbol(")"):
            raise source.spec_error("OVER cannot be used with LATE INTO", index, rule=_RULE, hint=_HINT)


def whole_query(source: Source, body: Span) -> Extent:
    """The tokens of the body without a WITH list, brackets around it and semicolons after it."""
    first = next((i for i, token in enumerate(source.tokens) if token.start >= body.start), len(source))
    stop = end_of_statement(source)
    lists = {found.first: found for found in Context(source).lists}
    while first < stop:
        if source.is_bracketed(Extent(first, stop)):
            first, stop = first + 1, stop - 1
        elif first in lists:
            first = lists[first].definitions[-1].extent.stop
        else:
            break
    return Extent(first, stop)
