"""The statements that winsql adds to Spark SQL: streams, commands of theirs, and views of their sources."""

from __future__ import annotations

from typing import TypeAlias

from winsql.errors import WinsqlError
from winsql.syntax.stream_statements.commands import CommandStatement, read_command
from winsql.syntax.stream_statements.into import CreateStreamInto
from winsql.syntax.stream_statements.secrets import hidden
from winsql.syntax.stream_statements.statements import CreateStream, StreamStatement, read_stream_statement
from winsql.syntax.stream_statements.views import ViewStatement, read_view_statement
from winsql.syntax.text.source import Extent, Source

AnyStreamStatement: TypeAlias = StreamStatement | ViewStatement | CommandStatement
CREATES = (CreateStream, CreateStreamInto)
"""Those with a query, whose windows EXPLAIN WINDOW shows."""


def read_own_statement(source: Source) -> AnyStreamStatement | None:
    """The statement; None when it is Spark's, or a windowed query. Raises WinsqlErrors, with secrets hidden."""
    try:
        found = _read(source)
        if found is None and source.words(0, "EXPLAIN"):
            _refuse_explained(source)
        return found
    except WinsqlError as error:
        error.source = hidden(source.text, source.settings)
        raise


def _read(source: Source) -> AnyStreamStatement | None:
    return read_stream_statement(source) or read_view_statement(source) or read_command(source)


_MODES = ("WINDOW", "EXTENDED", "CODEGEN", "COST", "FORMATTED")


def _refuse_explained(source: Source) -> None:
    """Raises WindowSyntaxError for EXPLAIN before a statement that it cannot explain."""
    mode = next((mode for mode in _MODES if source.words(1, mode)), "")
    first = 2 if mode else 1
    found = _after(source, first)
    if found is None:
        return
    said = f"EXPLAIN {mode}".rstrip()
    if isinstance(found, CREATES):
        rule, hint = "Spark does not know this statement, winsql runs it", "write EXPLAIN WINDOW instead"
    else:
        rule, hint = "EXPLAIN WINDOW shows how the windows of a query run", f"leave out {said}"
    raise source.syntax_error(f"{said} cannot be before this statement", Extent(0, first), rule=rule, hint=hint)


def _after(source: Source, first: int) -> AnyStreamStatement | None:
    """The statement of winsql's that begins at a token; None where none does."""
    try:
        return _read(Source(source.text[source.at(first).start :], settings=source.settings))
    except WinsqlError:
        return None
