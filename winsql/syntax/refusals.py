"""What is refused in any statement with windowed queries."""

from __future__ import annotations

from winsql.errors import WindowSpecError
from winsql.model.query import INTERNAL_PREFIX
from winsql.syntax.stream_statements.views import CreateStreamView
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import QUERY_STARTS


def refuse_own_names(source: Source) -> None:
    """Raises WindowSpecError for a name with the prefix of winsql's own."""
    if INTERNAL_PREFIX.upper() not in source.text.upper():
        return
    for index, token in enumerate(source.tokens):
        if token.is_name and token.upper.startswith(INTERNAL_PREFIX.upper()):
            rule = f"names that begin with {INTERNAL_PREFIX} are winsql's own"
            hint = "use another name; window columns are window_start, window_end, window_time"
            raise source.spec_error(f"{source.name(index)} cannot be used", index, rule=rule, hint=hint)


def windows_in_view(source: Source, window: Extent, view: CreateStreamView) -> WindowSpecError:
    """The error for a window in CREATE STREAMING VIEW."""
    rule = "it says what a source gives; windows are over it"
    hint = f"write them in a query that reads it, FROM STREAM {view.name.shown}"
    return source.spec_error("a streaming view has no windows", window, rule=rule, hint=hint)


def refuse_scripts(source: Source) -> None:
    """Raises WindowSyntaxError for more than one statement."""
    has_label = source.at(0).is_name and source.at(1).is_symbol(":")
    if source.at(2 if has_label else 0).is_word("BEGIN"):
        rule, hint = "winsql plans one statement at a time", "run the statements of BEGIN ... END one by one"
        raise source.syntax_error("a windowed SELECT cannot be used in a SQL script", 0, rule=rule, hint=hint)
    for index in source.places(";"):
        if index + 1 < len(source) and not source.at(index + 1).is_symbol(";"):
            hint = "run the statements one by one; winsql -f runs a file of them"
            rule = "one statement at a time"
            raise source.syntax_error("a second statement begins here", index + 1, rule=rule, hint=hint)


def refuse_defaults(source: Source, query: Extent) -> None:
    """Raises WindowSyntaxError for a query in the DEFAULT of a variable or a column."""
    bracket = source.group[query.first]
    is_default = source.words(0, "DECLARE")
    while bracket >= 0 and not is_default and source.at(0).is_word("CREATE", "ALTER"):
        is_default = _comes_after_default(source, bracket)
        bracket = source.group[bracket]
    if is_default:
        rule = "Spark keeps the text of a DEFAULT, and allows no subqueries in it"
        hint = "leave out DEFAULT, and write SET VAR name = (SELECT ...) after it for a variable"
        raise source.syntax_error("a DEFAULT cannot have a windowed subquery", query, rule=rule, hint=hint)


def _comes_after_default(source: Source, index: int) -> bool:
    """Whether DEFAULT is before it in a list of columns: no part of a name, and before no query of a CREATE ... AS."""
    beside = [n for n in range(index) if source.group[n] == source.group[index]]
    first = max((n for n in beside if source.at(n).is_symbol(",")), default=-1)
    words = [n for n in beside if n > first]
    if any(source.at(n).is_word("AS", *QUERY_STARTS - {"TABLE"}) for n in words):
        return False
    dots = {n for place in words if source.at(place).is_symbol(".") for n in (place - 1, place + 1)}
    return any(source.at(n).is_word("DEFAULT") and n not in dots for n in words)
