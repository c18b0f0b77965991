"""`${name}` in statements of scripts, as spark-sql has it: see `winsql.spark.variable_values`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from winsql.errors import Span, WindowSyntaxError
from winsql.shell.script import Shift, Statement
from winsql.spark.variable_values import REFERENCE, is_variable_of_ours, value_of
from winsql.syntax.text.tokens import TokenKind, tokenize


def substitute(statement: Statement, lookup: Callable[[str], str | None], *, is_complete: bool = False) -> Statement:
    """The statement with the values of its variables; it still knows the places of its words in the script.

    A name without a value stays, also in a value. With `is_complete` it raises WindowSyntaxError instead: Spark would
    take it for an empty text. A name whose value leads back to it raises that always.
    """
    if "${" not in statement.text:
        return statement
    parts, shifts, position, length = [], [], 0, 0
    for match in REFERENCE.finditer(statement.text):
        value = value_of(match, lookup)
        if value is None:
            if is_complete:
                _require_value(statement, match, match)
            continue
        for inner in REFERENCE.finditer(value) if is_complete else ():
            _require_value(statement, match, inner)
        parts += [statement.text[position : match.start()], value]
        begin = length + match.start() - position
        shifts.append(Shift(begin, begin + len(value), match.start(), match.end()))
        position, length = match.end(), begin + len(value)
    text = "".join(parts) + statement.text[position:]
    return replace(statement, text=text, shifts=tuple(shifts))


def unknown_in(text: str) -> tuple[list[Span], bool]:
    """The places of names without a value, and whether one of them is more than a part of a string."""
    tokens = tokenize(text) if "${" in text else []
    found, may_be_anything = [], False
    for match in REFERENCE.finditer(text) if tokens else ():
        read = [token for token in tokens if token.start < match.end() and match.start() < token.end]
        found += [Span(*match.span())] if read else []
        may_be_anything |= any(token.kind is not TokenKind.STRING for token in read)
    return found, may_be_anything


def _require_value(statement: Statement, written: re.Match[str], missing: re.Match[str]) -> None:
    """Raises for a variable of our own without a value, which is `written` or in its value; not within a comment."""
    prefix, name = missing.groups()
    is_read = any(token.start < written.end() and written.start() < token.end for token in tokenize(statement.text))
    if not is_read or not is_variable_of_ours(missing):
        return
    where = f"set {name} in the environment" if prefix == "env" else f"write -d {name}=VALUE, or SET {name} = VALUE"
    holder = "" if missing is written else f" in the value of {written[0]}"
    raise WindowSyntaxError(
        f"the variable {missing[0]}{holder} has no value",
        rule="a variable has a value before a statement reads it",
        hint=f"{where}; SET spark.sql.variable.substitute = false leaves ${{...}} as it is",
        source=statement.text,
        span=Span(*written.span()),
    )
