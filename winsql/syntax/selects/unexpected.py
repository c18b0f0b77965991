"""Words of a SELECT that Spark's grammar does not have there: a misspelled clause, one without BY, a missing comma."""

from __future__ import annotations

from winsql.errors import WindowSyntaxError
from winsql.syntax.text.near_words import begins_name, ends_operand, near_phrase
from winsql.syntax.text.parts import TAIL, Part, Select, beside, outside_brackets
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import AFTER_OPERANDS


def first_unexpected(source: Source, select: Select) -> WindowSyntaxError | None:
    """The error for the first of these words in Spark's parts of a SELECT."""
    sections = (section for part in (Part.SELECT, Part.FROM, *TAIL) if (section := select.get(part)) is not None)
    found = (_unexpected(source, index) for section in sections for index in outside_brackets(source, section.body))
    return next((error for error in found if error is not None), None)


def missing_comma(source: Source, index: int) -> WindowSyntaxError | None:
    """The error for a call after a complete item, as in `SELECT k count(*)`; None for other words."""
    is_call = begins_name(source, index) and source.at(index + 1).is_symbol("(") and ends_operand(source, index - 1)
    if not is_call or source.at(index).is_word("SETS") or source.partner[index + 1] is None:
        return None
    clauses = [n for n in beside(source, index, *_WITH_COMMAS, *_WITHOUT_COMMAS) if n < index]
    if not clauses or not source.at(clauses[-1]).is_word(*_WITH_COMMAS):
        return None
    call = Extent(index, source.closing(index + 1) + 1)
    hint = f"write a comma before {source.written(call)}"
    return source.syntax_error("a comma is missing", call, rule="items are separated by commas", hint=hint)


def _unexpected(source: Source, index: int) -> WindowSyntaxError | None:
    """The error for `GROUP BY k LIMT 3`, `t GRUOP BY k`, `t ORDER k` and `SELECT k count(*)`; None for other words."""
    if not ends_operand(source, index - 1):
        return None
    if source.at(index).is_word(*_BEFORE_BY):
        return _without_by(source, index) if _begins_operand(source, index + 1) else None
    return _misspelled(source, index) or missing_comma(source, index)


def _without_by(source: Source, index: int) -> WindowSyntaxError:
    word = source.at(index).upper
    return source.syntax_error(f"{word} is not expected here", index, rule=_RULE, hint=f"write {word} BY")


def _misspelled(source: Source, index: int) -> WindowSyntaxError | None:
    near = near_phrase(source, index, _PHRASES) if begins_name(source, index) else None
    if near is None or source.words(index, *near.split()):
        return None
    extent = Extent(index, index + len(near.split()))
    if not _begins_operand(source, extent.stop):
        return None
    shown = " ".join(source.at(n).upper for n in extent.indexes)
    return source.syntax_error(f"{shown} is not expected here", extent, rule=_RULE, hint=f"did you mean {near}?")


def _begins_operand(source: Source, index: int) -> bool:
    """A literal, or a name that begins no clause."""
    token = source.at(index)
    return token.is_literal or (begins_name(source, index) and not token.is_word(*_CLAUSES))


_PHRASES = [part.words for part in TAIL if part is not Part.WINDOWS]
_BEFORE_BY = {words.removesuffix(" BY") for words in _PHRASES if words.endswith(" BY")}
_CLAUSES = AFTER_OPERANDS | {words.split()[0] for words in _PHRASES}
_WITH_COMMAS = ("SELECT", "GROUP", "ORDER")
_WITHOUT_COMMAS = ("FROM", "WHERE", "HAVING", "ON", "QUALIFY", "LIMIT")
_RULE = "after a complete expression or relation comes an operator, a comma or a clause"
