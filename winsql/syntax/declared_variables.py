"""Session variables that a script declares, for tools that have no session to ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.syntax.text.source import Source, is_qualified_variable


def declared_variables(text: str, settings: ParserSettings = DEFAULTS) -> Iterator[str]:
    """The names, upper case, of `DECLARE [OR REPLACE] [VARIABLE | VAR] name {, name} ...`; none for others."""
    source = Source(text, settings=settings)
    if not source.words(0, "DECLARE"):
        return
    index = 3 if source.words(1, "OR", "REPLACE") else 1
    is_named = source.at(index).is_word("VARIABLE", "VAR") and source.at(index + 1).is_name
    index += is_named
    while source.at(index).is_name:
        end = source.path_end(index)
        yield source.at(end - 1).upper
        if not source.at(end).is_symbol(","):
            return
        index = end + 1


def is_declared(name: str, declared: Collection[str], settings: ParserSettings = DEFAULTS) -> bool:
    """Whether a name, as written in SQL, is one of these variables or says itself that it is one."""
    return Source(name, settings=settings).tokens[0].upper in declared or is_qualified_variable(name)
