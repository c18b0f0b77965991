"""`${name}` in statements, as spark-sql has it.

The name may have one of spark-sql's prefixes: `hivevar:`, `hiveconf:`, `spark:`, `sparkconf:` mean the same as none,
`env:` is the environment. What has another prefix stays, for Spark to read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace

from winsql.errors import Span, WindowSyntaxError
from winsql.shell.script import Shift, Statement
from winsql.syntax.text.tokens import tokenize

__all__ = ["substitute"]

# Spark's own, in ConfigReader
_REFERENCE = re.compile(r"\$\{(?:(\w+?):)?(\S+?)\}")
_OWN = frozenset({None, "hivevar", "hiveconf", "spark", "sparkconf"})


def substitute(statement: Statement, lookup: Callable[[str], str | None], *, is_complete: bool = False) -> Statement:
    """The statement with the values of its variables; it still knows the places of its words in the script.

    A name without a value stays. With `is_complete` it raises WindowSyntaxError instead: Spark would take it for an
    empty text.
    """
    if "${" not in statement.text:
        return statement
    parts, shifts, position, length = [], [], 0, 0
    for match in _REFERENCE.finditer(statement.text):
        value = _value(match, lookup)
        if value is None:
            if is_complete:
                _require_value(statement, match)
            continue
        parts += [statement.text[position : match.start()], value]
        begin = length + match.start() - position
        shifts.append(Shift(begin, begin + len(value), match.start(), match.end()))
        position, length = match.end(), begin + len(value)
    text = "".join(parts) + statement.text[position:]
    return replace(statement, text=text, shifts=tuple(shifts))


def _require_value(statement: Statement, match: re.Match[str]) -> None:
    """Raises for a variable of our own without a value, unless it is in a comment."""
    prefix, name = match.groups()
    is_read = any(token.start < match.end() and match.start() < token.end for token in tokenize(statement.text))
    if not is_read or not (prefix == "env" or prefix in _OWN):
        return
    where = f"set {name} in the environment" if prefix == "env" else f"write -d {name}=VALUE, or SET {name} = VALUE"
    raise WindowSyntaxError(
        f"the variable {match[0]} has no value",
        rule="a variable has a value before a statement reads it",
        hint=f"{where}; SET spark.sql.variable.substitute = false leaves ${{...}} as it is",
        source=statement.text,
        span=Span(*match.span()),
    )


def _value(match: re.Match[str], lookup: Callable[[str], str | None]) -> str | None:
    prefix, name = match.groups()
    if prefix == "env":
        return os.environ.get(name)
    return lookup(name) if prefix in _OWN else None
