"""Commands of streams that a session has started: text -> frozen records.

    command   = SHOW STREAM name | DROP STREAM [IF EXISTS] name [PURGE] | alter
    alter     = ALTER (STREAM | STREAMING TABLE) name (PAUSE | RESUME | SET OPTIONS "(" option {"," option} ")")

Names and options are those of CREATE STREAMING TABLE.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from winsql.errors import Span
from winsql.model.nearest import nearest
from winsql.syntax.stream_statements.names import Name, end_of_statement, read_last_name, read_name, require_end
from winsql.syntax.stream_statements.options import StreamTrigger, read_options, read_own, read_trigger
from winsql.syntax.text.source import Extent, Source


@dataclass(frozen=True, slots=True)
class ShowStream:
    """SHOW STREAM name."""

    name: Name


@dataclass(frozen=True, slots=True)
class DropStream:
    """DROP STREAM [IF EXISTS] name [PURGE]; `purges` its checkpoint."""

    name: Name
    if_exists: bool = False
    purges: bool = False


@dataclass(frozen=True, slots=True)
class PauseStream:
    """ALTER STREAM name PAUSE; `of_table` where it is called a streaming table."""

    name: Name
    of_table: bool = False


@dataclass(frozen=True, slots=True)
class ResumeStream:
    """ALTER STREAM name RESUME."""

    name: Name
    of_table: bool = False


@dataclass(frozen=True, slots=True)
class SetStreamOptions:
    """ALTER STREAM name SET OPTIONS (...).

    options   all but the trigger
    places    of the options, by their keys
    """

    name: Name
    of_table: bool = False
    trigger: StreamTrigger | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    places: Mapping[str, Span] = field(default_factory=dict)


CommandStatement: TypeAlias = ShowStream | DropStream | PauseStream | ResumeStream | SetStreamOptions


def read_command(source: Source) -> CommandStatement | None:
    """The command; None when the statement is another one. Raises WindowSyntaxError and WindowSpecError."""
    if source.words(0, "SHOW", "STREAM") and source.at(2).is_name:
        return ShowStream(read_last_name(source, 2))
    if source.words(0, "DROP", "STREAM"):
        return _drop(source)
    if source.words(0, "ALTER", "STREAM"):
        return _alter(source, 2, of_table=False)
    if source.words(0, "ALTER", "STREAMING", "TABLE"):
        return _alter(source, 3, of_table=True)
    return None


def _drop(source: Source) -> DropStream:
    if_exists = source.words(2, "IF", "EXISTS")
    name, stop = read_name(source, 4 if if_exists else 2, "the stream")
    purges = source.words(stop, "PURGE")
    _require_known(source, stop, ("PURGE",))
    require_end(source, stop + purges)
    return DropStream(name, if_exists, purges)


def _alter(source: Source, index: int, *, of_table: bool) -> CommandStatement:
    source.require_balance()
    name, index = read_name(source, index, "the stream")
    for word, kind in (("PAUSE", PauseStream), ("RESUME", ResumeStream)):
        if source.words(index, word):
            require_end(source, index + 1)
            return kind(name, of_table)
    if not source.words(index, "SET", "OPTIONS"):
        _require_known(source, index, _ACTIONS)
        place = min(index, end_of_statement(source) - 1)
        hint = "write PAUSE, RESUME or SET OPTIONS (...)"
        raise source.syntax_error("what shall become of the stream is missing", place, rule=_FORM, hint=hint)
    options, stop = read_options(source, index + 1)
    require_end(source, stop)
    if not options:
        extent = Extent(index, stop)
        raise source.syntax_error("SET OPTIONS names no option", extent, rule=_FORM, hint="write for instance trigger")
    own, others = read_own(source, options, {"trigger": ("trigger", read_trigger)})
    places = {option.key: source.span(option.part) for option in options}
    return SetStreamOptions(name, of_table, options=others, places=places, **own)


_ACTIONS = ("PAUSE", "RESUME", "SET OPTIONS")
_FORM = "write ALTER STREAM name PAUSE, RESUME or SET OPTIONS (...)"


def _require_known(source: Source, index: int, words: tuple[str, ...]) -> None:
    """Raises WindowSyntaxError for any other word at `index`."""
    token = source.at(index)
    if index >= end_of_statement(source) or token.is_word(*words):
        return
    shown = source.text[token.start : token.end]
    near = nearest(token.upper, words)
    hint = f"did you mean {near}?" if near else f"write {' or '.join(words)}"
    rule = "after the name comes " + " or ".join(words)
    raise source.syntax_error(f"{shown} is not allowed here", index, rule=rule, hint=hint)
