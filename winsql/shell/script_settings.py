"""The settings that a script gives its own later statements, for tools that have no session to ask."""

from __future__ import annotations

import re

from winsql.model.settings import ANSI, BACKSLASHES, DOUBLE_QUOTES, ParserSettings
from winsql.shell.script import Statement

_CASE = "spark.sql.caseSensitive"
_NEW = {ANSI: True, DOUBLE_QUOTES: False, BACKSLASHES: False, _CASE: False}
_KEYS = {key.lower(): key for key in _NEW}
_SET = re.compile(r"SET\s+`?([\w.]+)`?\s*=\s*`?(\w+)`?", re.IGNORECASE)
_ANY_SET = re.compile(r"SET\s+([\w.]+)\s*=\s*(.+)", re.IGNORECASE | re.DOTALL)
_RESET = re.compile(r"RESET(?:\s+`?([\w.]+)`?)?", re.IGNORECASE)


class ScriptSettings:
    """Those of a new session, and then what SET and RESET make of them.

    variables  what SET has given `${name}`
    """

    def __init__(self) -> None:
        self._values = dict(_NEW)
        self.variables: dict[str, str] = {}

    @property
    def parser(self) -> ParserSettings:
        """How the next statement is read."""
        known = self._values
        return ParserSettings(known[DOUBLE_QUOTES] and known[ANSI], known[BACKSLASHES], known[_CASE])

    def read(self, statement: Statement) -> None:
        """A statement has run."""
        text = statement.text[statement.body - statement.start :].strip()
        given, back, variable = _SET.fullmatch(text), _RESET.fullmatch(text), _ANY_SET.fullmatch(text)
        if variable is not None:
            self.variables[variable[1]] = variable[2].strip()
        if given is not None and given[1].lower() in _KEYS:
            self._values[_KEYS[given[1].lower()]] = given[2].lower() == "true"
        elif back is not None and back[1] is None:
            self._values = dict(_NEW)
            self.variables.clear()
        elif back is not None:
            self.variables.pop(back[1], None)
            if back[1].lower() in _KEYS:
                self._values[_KEYS[back[1].lower()]] = _NEW[_KEYS[back[1].lower()]]
