"""A windowed query as canonical text: the clauses in the order of the language reference, arguments normalised.

What winsql does not own (select list, FROM body, WHERE, keys and everything behind them) stays as the user wrote it.
Reading the text again gives the same query, spans aside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from winsql.errors import as_written
from winsql.model.assigners import CountWindows, GlobalWindows
from winsql.model.base import Operand, TimeAttribute
from winsql.model.expressions import Predicate
from winsql.model.policy import Kind, Parameter, Policy
from winsql.model.query import WindowQuery
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS, Registry
from winsql.syntax.binder import partition_keys
from winsql.syntax.parameters import Unknown
from winsql.syntax.parts import Part, Select
from winsql.syntax.sites import find_sites
from winsql.syntax.source import Source
from winsql.syntax.units import UNITS

__all__ = ["render_duration", "render_policy", "render_query"]


def render_query(query: WindowQuery) -> str:
    """The windowed SELECT in canonical form, one clause per line.

    A call of a table function is shown as written, in a query that returns what it returns.
    """
    source = Source(query.text, settings=query.settings)
    site = next(site for site in find_sites(source) if source.span(site.extent) == query.span)
    select = site.select
    if select is None:
        return f"SELECT *\nFROM {source.text[slice(*query.span)]}"
    lines = [_verbatim(source, select, part) for part in _BEFORE]
    lines += _window_clauses(query, source, select)
    lines += [_verbatim(source, select, part) for part in _BEHIND]
    return as_written("\n".join(line for line in lines if line))


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
        arguments.append(text if is_positional else _named(parameter, text))
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


_BEFORE = (Part.SELECT, Part.FROM, Part.WHERE)
_BEHIND = (
    Part.GROUP_BY,
    Part.HAVING,
    Part.WINDOWS,
    Part.QUALIFY,
    Part.ORDER_BY,
    Part.CLUSTER_BY,
    Part.DISTRIBUTE_BY,
    Part.SORT_BY,
    Part.LIMIT,
    Part.OFFSET,
)


def _verbatim(source: Source, select: Select, part: Part) -> str:
    section = select.get(part)
    return f"{part.words} {source.verbatim(section.body)}" if section else ""


def _window_clauses(query: WindowQuery, source: Source, select: Select) -> list[str]:
    spec = query.spec
    keys = [source.verbatim(extent) for extent in partition_keys(source, select)]
    is_brought = isinstance(spec.assigner, CountWindows)
    shows_trigger = not is_brought and (isinstance(spec.assigner, GlobalWindows) or not spec.has_default_trigger)
    evictor = None if is_brought else spec.evictor
    return [
        f"WINDOW ASSIGN {render_policy(spec.assigner)}" + (f" PARTITION BY {', '.join(keys)}" if keys else ""),
        f"TRIGGER {render_policy(spec.trigger)}" if shows_trigger else "",
        f"EVICT {render_policy(evictor)}{' AFTER' if spec.evict_after else ''}" if evictor else "",
        f"ALLOWED LATENESS {render_duration(spec.allowed_lateness)}" if spec.allowed_lateness else "",
        f"LATE INTO {query.late_into}" if query.late_into else "",
        f"STATE TTL {render_duration(query.state_ttl)}" if query.state_ttl else "",
        f"APPLY {query.apply}" if query.apply else "",
    ]


def _named(parameter: Parameter, text: str) -> str:
    return f"{parameter.name} => {text}"


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


def _sql(value: Operand | Predicate) -> str:
    return value.sql


def _triggers(value: tuple[Policy, ...]) -> str:
    return ", ".join(map(render_policy, value))


_RENDERERS: dict[Kind, Callable[[Any], str]] = {
    Kind.TIME: _time,
    Kind.DURATION: render_duration,
    Kind.GAP: _gap,
    Kind.BOOLEAN: lambda value: str(value).upper(),
    Kind.NUMBER: repr,
    Kind.EXPRESSION: _sql,
    Kind.PREDICATE: _sql,
    Kind.TRIGGER: render_policy,
    Kind.TRIGGERS: _triggers,
}
