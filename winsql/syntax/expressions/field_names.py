"""Where Spark names a field after the expression that gives it: STRUCT(a, b), (a, b) and ARRAYS_ZIP(a, b).

A column gives its own name to the field; any other expression gives `col` and its position. In a rewritten query a
column of winsql's takes the place of the expression, and the field must keep the name that the user expects.
"""

from __future__ import annotations

from winsql.syntax.expressions.items import column_path, quoted
from winsql.syntax.text.parts import brackets_around, is_query_start
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import INFIX, PREFIX


def with_field_name(source: Source, extent: Extent, text: str) -> str:
    """`text`, which replaces the expression at `extent`, with an alias that keeps the name of the field.

    Where no field is named after the expression, the text is returned as it is.
    """
    bracket, place = _list_around(source, extent)
    if bracket is None or place is None:
        return text
    inside = source.unwrapped(extent)
    name = None if column_path(source, inside) is None else quoted(source.name(inside.stop - 1))
    if source.at(bracket - 1).is_name and source.at(bracket - 1).upper == "ARRAYS_ZIP":
        return f"coalesce({text})" if name is None else f"struct({text} AS {name}).{name}"
    return f"{text} AS {name or f'col{place + 1}'}" if _is_struct(source, bracket) else text


def _list_around(source: Source, extent: Extent) -> tuple[int | None, int | None]:
    """The bracket of the list that an expression is an element of, and its place there."""
    for bracket in brackets_around(source, extent.first):
        if not source.at(bracket).is_symbol("(") or is_query_start(source, bracket + 1):
            break
        inside = Extent(bracket + 1, source.closing(bracket))
        parts = source.split(inside)
        if len(parts) > 1 or source.at(bracket - 1).is_name:
            found = (n for n, part in enumerate(parts) if source.unwrapped(part) == source.unwrapped(extent))
            return bracket, next(found, None)
        if source.unwrapped(inside) != source.unwrapped(extent):
            break
    return None, None


def _is_struct(source: Source, bracket: int) -> bool:
    """Whether the bracket makes a struct: STRUCT(...), or `(a, b)` that is neither before nor after IN."""
    before, after = source.at(bracket - 1), source.at(source.closing(bracket) + 1)
    if before.is_name and before.upper == "STRUCT":
        return not source.at(bracket - 2).is_symbol(".") or source.at(bracket - 3).is_word("BUILTIN")
    has_comma = len(source.split(Extent(bracket + 1, source.closing(bracket)))) > 1
    if after.is_word("IN") or after.is_symbol("->") or not has_comma:
        return False
    if after.is_word("NOT") and source.words(source.closing(bracket) + 2, "IN"):
        return False
    if source.at(source.group[bracket] - 1).is_word("SETS", "ROLLUP", "CUBE"):
        return False
    return not before.is_name or before.is_word(*_BEFORE_ROWS)


_BEFORE_ROWS = (INFIX | PREFIX | {"BY"}) - {"IN", "OVER", "AS", "ON", "USING", "EXISTS", "FROM", "JOIN"}
_BEFORE_ROWS -= {"COLLATE", "LIKE", "ILIKE", "RLIKE", "REGEXP"}
"""Words before a bracket that do not make a call of it."""
