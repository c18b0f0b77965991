"""What CREATE statements of streams and their sources share: clauses in any order, each once, and a query after AS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from winsql.errors import Span, WinsqlError
from winsql.syntax.stream_statements.names import end_of_statement
from winsql.syntax.stream_statements.secrets import hidden
from winsql.syntax.text.near_words import near_word
from winsql.syntax.text.parts import is_query_start
from winsql.syntax.text.source import Source
from winsql.syntax.text.vocabulary import QUERY_STARTS

ClauseReader: TypeAlias = Callable[[Source, int], tuple[dict[str, Any], int]]
"""Reads the clause whose words are at an index: its values by their names, and the index after it."""


def read_clauses(
    source: Source, index: int, readers: Mapping[tuple[str, ...], ClauseReader], form: str, hints: Mapping[str, str]
) -> tuple[dict[str, Any], int]:
    """The values of the clauses up to AS or the end of the statement, and the index after them.

    form    how the statement is written, for errors
    hints   what to write for words that it does not have
    """
    found: dict[str, Any] = {}
    while index < end_of_statement(source) and not source.words(index, "AS"):
        read = next((read for words, read in readers.items() if source.words(index, *words)), None)
        if read is None:
            raise not_allowed(source, index, form, hints, [words[0] for words in readers])
        values, stop = read(source, index)
        if values.keys() & found.keys():
            hint = "leave one of them out"
            raise source.syntax_error("this clause is given twice", index, rule=f"write {form}", hint=hint)
        found |= values
        index = stop
    return found, index


def query_after(source: Source, index: int, form: str, hint: str = "write AS SELECT ... FROM ...") -> Span:
    """The query after the AS at `index`, up to the end of the text; raises WindowSyntaxError where it is missing."""
    if index >= end_of_statement(source):
        place = max(index - 1, 0)
        raise source.syntax_error("the query is missing", place, rule=f"write {form}", hint="add AS SELECT ...")
    if not is_query_start(source, index + 1):
        hint = near_word(source.at(index + 1), QUERY_STARTS) or hint
        raise source.syntax_error("AS needs a query", index, rule=f"write {form}", hint=hint)
    return Span(source.at(index + 1).start, len(source.text))


def not_allowed(source: Source, index: int, form: str, hints: Mapping[str, str], known: Iterable[str]) -> WinsqlError:
    """The error for a token in the place of one of the words that are known."""
    token = source.at(index)
    shown = hidden(source.text, source.settings)[token.start : token.end]
    hint = hints.get(token.upper) or near_word(token, known)
    if source.words(index, "WITH") and source.at(index + 1).is_symbol("("):
        hint = "write OPTIONS (...)"
    elif hint is None and is_query_start(source, index):
        hint = "write AS before the query"
    return source.syntax_error(f"{shown} is not allowed here", index, rule=f"write {form}", hint=hint)
