"""What to write for names that Spark's analysis does not find, where they were meant for winsql."""

from __future__ import annotations

from winsql.errors import WindowSyntaxError
from winsql.model.settings import ParserSettings
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES, signature
from winsql.syntax.selects.relations import begins_relation
from winsql.syntax.text.source import Extent, Source

__all__ = ["bare_window_function", "described_stream"]


def described_stream(text: str, settings: ParserSettings) -> WindowSyntaxError | None:
    """What to write for DESCRIBE STREAM s where there is no table `stream`; None for another statement."""
    source = Source(text, settings=settings)
    if not (source.at(0).is_word("DESCRIBE", "DESC") and source.words(1, "STREAM") and source.at(2).is_name):
        return None
    name = source.text[source.at(2).start :].rstrip("; \n")
    return source.syntax_error(
        "there is no table STREAM",
        Extent(0, 2),
        rule=f"to Spark this is the column {name} of a table STREAM",
        hint=f"write SHOW STREAM {name} for its micro-batches, or DESCRIBE {name} for the columns of its table",
    )


def bare_window_function(text: str, settings: ParserSettings) -> WindowSyntaxError | None:
    """What to write for `FROM TUMBLE(t, ts, INTERVAL '1' MINUTE)`, as other systems have it; None where none is."""
    source = Source(text, settings=settings)
    for place in source.places(*FUNCTION_NAMES):
        if source.at(place + 1).is_symbol("(") and begins_relation(source, place):
            name = source.at(place).upper
            return source.syntax_error(
                f"{name} needs a TABLE and a DESCRIPTOR",
                place,
                rule="a window table function gets TABLE name, and DESCRIPTOR(column) for the time of a row",
                hint=f"write {signature(name)}",
            )
    return None
