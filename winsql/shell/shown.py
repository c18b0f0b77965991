"""Scripts as messages may show them."""

from __future__ import annotations

from winsql.errors import WinsqlError
from winsql.shell.script import split
from winsql.syntax import hidden


def without_secrets(script: str, readable: str) -> str:
    """The script with an asterisk for each character of its statements' secrets.

    `readable` is the same text, character for character, as it is to be cut into statements.
    """
    try:
        places = [(statement.body, statement.end) for statement in split(readable)]
    except WinsqlError as error:  # something is not closed: it belongs to the last statement
        start = 0 if error.span is None else error.span.start
        *others, last = [(statement.body, statement.end) for statement in split(readable[:start])] or [(0, 0)]
        places = [*others, (last[0], len(readable))]
    letters = list(script)
    for begin, end in places:
        starred = hidden(readable[begin:end])
        for place, (before, after) in enumerate(zip(readable[begin:end], starred, strict=True), start=begin):
            if before != after:
                letters[place] = after
    return "".join(letters)
