"""A statement as it is where what it reads turns out to be streams."""

from __future__ import annotations

from collections.abc import Container

from winsql.model.query import WindowQuery
from winsql.syntax import Statement, parse_statement


def on_streams(statement: Statement, tables: Container[str] = ()) -> Statement:
    """The statement where all its queries but those over the sources `tables` read streams."""
    index = 0
    while index < len(statement.queries):
        if statement.queries[index].source in tables:
            again = statement.on_table(index)
        else:
            again = statement.on_stream(index) or statement
        assert again.queries[:index] == statement.queries[:index], "what has been planned stays where it is"
        statement, index = (statement, index + 1) if again is statement else (again, index)
    return statement


def last_on_streams(text: str) -> WindowQuery:
    """The outermost query where all that the statement reads are streams."""
    return on_streams(parse_statement(text)).queries[-1]
