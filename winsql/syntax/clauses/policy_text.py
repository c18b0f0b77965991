"""Policies and durations as text: canonical, from the values of a query, or as written, with tidy blanks and case."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from winsql.errors import as_written
from winsql.model.base import Operand, TimeAttribute
from winsql.model.policy import Kind, Policy
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS, Registry
from winsql.syntax.expressions.function_calls import is_proctime
from winsql.syntax.text.parameters import Unknown
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.text.units import UNITS


def render_policy(policy: Policy) -> str:
    """A policy as SQL calls it; parameters that have their default are left out."""
    arguments = []
    is_positional = True
    for parameter in policy.parameters():
        value = getattr(policy, parameter.name)
        if not parameter.required and value == parameter.default and not isinstance(value, Unknown):
            is_positional = False
            continue
        text = value.text if isinstance(value, Unknown) else _RENDERERS.get(parameter.kind, str)(value)
        is_positional = is_positional and not parameter.named_only
        arguments.append(text if is_positional else f"{parameter.name} => {text}")
    return as_written(f"{_name(policy)}({', '.join(arguments)})")


def render_duration(micros: int) -> str:
    """A duration as an interval literal in the largest unit that divides it; an unknown parameter as it is."""
    if isinstance(micros, Unknown):
        return micros.text
    if micros == 0:
        return "INTERVAL 0 SECOND"
    unit, size = next((unit, size) for unit, size in reversed(UNITS.items()) if micros % size == 0)
    count = micros // size
    return f"INTERVAL {count} {unit}" if count >= 0 else f"INTERVAL '{count}' {unit}"


def _name(policy: Policy) -> str:
    """The name the policy is registered under; a user's class may have no NAME of its own."""
    registries: tuple[Registry[Any], ...] = (ASSIGNERS, TRIGGERS, EVICTORS)
    for registry in registries:
        if registry.find(policy.NAME) is type(policy):
            return policy.NAME
    names = (name for registry in registries for name in registry if registry.find(name) is type(policy))
    return next(names, policy.NAME or type(policy).__name__)


def _time(value: TimeAttribute) -> str:
    if not value.is_event:
        return "PROCTIME()"
    return value.expressions[0] if value.written is None else value.written


def _gap(value: int | Operand) -> str:
    return value.sql if isinstance(value, Operand) else render_duration(value)


_RENDERERS: dict[Kind, Callable[[Any], str]] = {
    Kind.TIME: _time,
    Kind.DURATION: render_duration,
    Kind.GAP: _gap,
    Kind.BOOLEAN: lambda value: str(value).upper(),
    Kind.NUMBER: repr,
    Kind.EXPRESSION: attrgetter("sql"),
    Kind.PREDICATE: attrgetter("sql"),
    Kind.TRIGGER: render_policy,
    Kind.TRIGGERS: lambda value: ", ".join(map(render_policy, value)),
}


# laid out


def lay_out_duration(source: Source, extent: Extent) -> str:
    """An interval literal, formatted; anything else as it is."""
    is_interval = source.at(extent.first, extent.stop).is_word("INTERVAL")
    return lay_out_words(source, extent) if is_interval else source.written(extent)


def lay_out_words(source: Source, extent: Extent) -> str:
    """Words of the grammar and literals, formatted; anything with something else in it as it is."""
    tokens = [source.at(index) for index in extent.indexes]
    if not all(token.kind in _LITERALS_AND_WORDS for token in tokens):
        return source.written(extent)
    return " ".join(t.upper if t.kind is TokenKind.WORD else source.text[t.start : t.end] for t in tokens)


_LITERALS_AND_WORDS = (TokenKind.WORD, TokenKind.NUMBER, TokenKind.STRING)


def call_end(source: Source, extent: Extent) -> int | None:
    """The index after the call `name(...)` at the beginning of the extent."""
    if not source.at(extent.first, extent.stop).is_name or not source.at(extent.first + 1, extent.stop).is_symbol("("):
        return None
    return source.closing(extent.first + 1) + 1


def lay_out_policy(source: Source, extent: Extent, registry: Registry[Any]) -> str:
    """A policy's call, formatted; anything else, which is a mistake, as it is."""
    if call_end(source, extent) != extent.stop:
        return source.written(extent)
    name = source.at(extent.first)
    shown = name.upper if source.text[name.start] != "`" else source.written(Extent(extent.first, extent.first + 1))
    cls = registry.find(source.name(extent.first))
    nests = cls is not None and any(p.kind in (Kind.TRIGGER, Kind.TRIGGERS) for p in cls.parameters())
    inside = source.split(Extent(extent.first + 2, extent.stop - 1))
    return f"{shown}({', '.join(_argument(source, argument, nests) for argument in inside)})"


def _argument(source: Source, extent: Extent, nests: bool) -> str:
    if source.at(extent.first, extent.stop).is_name and source.at(extent.first + 1, extent.stop).is_symbol("=>"):
        name = source.written(Extent(extent.first, extent.first + 1))
        return f"{name} => {_value(source, Extent(extent.first + 2, extent.stop), nests)}"
    return _value(source, extent, nests)


def _value(source: Source, extent: Extent, nests: bool) -> str:
    if extent.is_empty:
        return ""
    is_call = call_end(source, extent) == extent.stop
    if nests and is_call and source.name(extent.first) in TRIGGERS:
        return lay_out_policy(source, extent, TRIGGERS)
    if is_proctime(source, extent):
        return "PROCTIME()"
    return lay_out_duration(source, extent)
