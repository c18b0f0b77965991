"""What to write for what Spark does not read or find in statements that were meant for winsql."""

from __future__ import annotations

from winsql.errors import WindowSyntaxError
from winsql.model.settings import ParserSettings
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES, signature
from winsql.syntax.selects.relations import begins_relation
from winsql.syntax.text.near_words import begins_name, ends_operand
from winsql.syntax.text.parts import beside
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


def described_stream(text: str, settings: ParserSettings) -> WindowSyntaxError | None:
    """What to write for DESCRIBE STREAM s where there is no table `stream`; None for another statement."""
    source = Source(text, settings=settings)
    if not (source.at(0).is_word("DESCRIBE", "DESC") and source.words(1, "STREAM") and source.at(2).is_name):
        return None
    name = source.text[source.at(2).start :].rstrip("; \n")
    rule = f"to Spark this is the column {name} of a table STREAM"
    hint = f"write SHOW STREAM {name} for its micro-batches, or DESCRIBE {name} for the columns of its table"
    return source.syntax_error("there is no table STREAM", Extent(0, 2), rule=rule, hint=hint)


def missing_comma(source: Source, place: int) -> WindowSyntaxError | None:
    """The error for `SELECT k count(*)`: what Spark refuses at `place` is the call or, where it takes the function for
    an alias, its bracket."""
    found = next((n for n in range(len(source)) if source.at(n).start == place), 0)
    name = found - source.at(found).is_symbol("(")
    is_call = begins_name(source, name) and source.at(name + 1).is_symbol("(")
    if not is_call or not ends_operand(source, name - 1) or source.partner[name + 1] is None:
        return None
    clauses = [n for n in beside(source, name, *_WITH_COMMAS, *_WITHOUT_COMMAS) if n < name]
    if not clauses or not source.at(clauses[-1]).is_word(*_WITH_COMMAS):
        return None
    call = Extent(name, source.closing(name + 1) + 1)
    hint = f"write a comma before {source.written(call)}"
    return source.syntax_error("a comma is missing", call, rule="items are separated by commas", hint=hint)


_WITH_COMMAS = ("SELECT", "GROUP", "ORDER")
_WITHOUT_COMMAS = ("FROM", "WHERE", "HAVING", "ON", "QUALIFY", "LIMIT")


def bare_window_function(text: str, settings: ParserSettings) -> WindowSyntaxError | None:
    """What to write for `FROM TUMBLE(t, ts, INTERVAL '1' MINUTE)`, as other systems have it; None where none is."""
    source = Source(text, settings=settings)
    for place in source.places(*FUNCTION_NAMES):
        is_call = source.at(place + 1).is_symbol("(") and source.at(place + 2).kind is not TokenKind.NUMBER
        if is_call and begins_relation(source, place):
            name = source.at(place).upper
            rule = "a window table function gets TABLE name, and DESCRIPTOR(column) for the time of a row"
            hint = f"write {signature(name)}"
            return source.syntax_error(f"{name} needs a TABLE and a DESCRIPTOR", place, rule=rule, hint=hint)
    return None
