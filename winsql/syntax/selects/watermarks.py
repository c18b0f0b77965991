"""`WATERMARK time [AS name] DELAY OF interval`, after a relation or in CREATE STREAMING VIEW."""

from __future__ import annotations

from winsql.syntax.expressions.items import column_path, quoted
from winsql.syntax.text.parts import outside_brackets
from winsql.syntax.text.source import Extent, Source

__all__ = ["delay_of", "watermark_column"]


def delay_of(source: Source, index: int, stop: int) -> int | None:
    """Where the DELAY OF is that belongs to the WATERMARK at `index`; None where that word is a name."""
    after = outside_brackets(source, Extent(index + 1, stop))
    return next((place for place in after if source.words(place, "DELAY", "OF")), None)


def watermark_column(
    source: Source, time: Extent, *, is_qualified: bool = True, rule: str | None = None
) -> tuple[str, str]:
    """The column of `time [AS name]` as SQL, and the items that have it: `*`, and the time where it is computed.

    is_qualified   whether a relation's name may be before a column; else what has dots is a field

    Raises WindowSyntaxError for an expression without a name.
    """
    if column_path(source, time) is not None and (is_qualified or len(time.indexes) == 1):
        return quoted(source.name(time.stop - 1)), "*"
    name = time.stop - 1
    if len(time.indexes) < 3 or not source.words(name - 1, "AS") or not source.at(name).is_name:
        hint = "write WATERMARK expression AS name DELAY OF ..., or a column"
        raise source.syntax_error("the column of a watermark needs a name", time, rule=rule, hint=hint)
    column = quoted(source.name(name))
    return column, f"*, {source.verbatim(Extent(time.first, name - 1))} AS {column}"
