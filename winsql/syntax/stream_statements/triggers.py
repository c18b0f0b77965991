"""When micro-batches of a stream run: `OPTIONS (trigger '10 seconds')`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from winsql.model.nearest import nearest
from winsql.syntax.text.literals import read_duration, string_value
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

__all__ = ["StreamTrigger", "read_trigger"]


@dataclass(frozen=True, slots=True)
class StreamTrigger:
    """When micro-batches run: `interval` is the microseconds between their starts; None: once over all there is now."""

    interval: int | None


def read_trigger(source: Source, value: Extent) -> StreamTrigger:
    """The value of the option `trigger`; raises WindowSpecError and WindowSyntaxError."""
    token = source.at(value.first, value.stop)
    words = string_value(source, value.first) if token.kind is TokenKind.STRING else ""
    given = re.sub(r"[\s_-]+", " ", words.strip()).lower()
    if given in _NOW:
        return StreamTrigger(None)
    if not any(letter.isdigit() for letter in source.verbatim(value)):
        near = nearest(given, [*_NOW, "once"])
        rule = "a trigger is 'available now' or an interval between micro-batches such as '10 seconds'"
        hint = "write trigger 'available now'" if near else "leave it out to run micro-batches one after the other"
        raise source.spec_error(f"{words or 'this'} is no trigger of a stream", value, rule=rule, hint=hint)
    hint = "write for instance '10 seconds' or 'available now'"
    return StreamTrigger(read_duration(source, value, "trigger", hint_below_zero=hint))


_NOW = frozenset({"available now", "availablenow"})
