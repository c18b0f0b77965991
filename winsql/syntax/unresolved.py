"""What to write for what Spark does not read or find in statements that were meant for winsql."""

from __future__ import annotations

from winsql.errors import WindowSyntaxError
from winsql.model.settings import ParserSettings
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES, signature
from winsql.syntax.selects.relations import begins_relation
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
