"""Which argument of a policy call goes to which parameter."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from winsql.errors import WindowSyntaxError
from winsql.model.nearest import nearest
from winsql.model.policy import Kind, Parameter, Policy
from winsql.syntax.source import Extent, Source

__all__ = ["Argument", "assign_arguments", "signature", "split_arguments"]


@dataclass(frozen=True, slots=True)
class Argument:
    """`[name =>] value`; `name` is the index of the name's token."""

    name: int | None
    value: Extent

    def extent(self) -> Extent:
        return self.value if self.name is None else Extent(self.name, self.value.stop)


def split_arguments(source: Source, extent: Extent) -> list[Argument]:
    """The arguments between the brackets of a call."""
    arguments = []
    for part in source.split(extent):
        if part.is_empty:
            place = max(part.first - 1, 0)
            hint = "write the argument, or leave out the comma"
            raise source.syntax_error("an argument is missing here", Extent(place, place + 1), hint=hint)
        is_named = source.at(part.first, part.stop).is_name and source.at(part.first + 1, part.stop).is_symbol("=>")
        value = Extent(part.first + 2, part.stop) if is_named else part
        if value.is_empty:
            raise source.syntax_error("a value is missing behind =>", part, hint="write name => value, or leave it out")
        arguments.append(Argument(part.first if is_named else None, value))
    return arguments


def assign_arguments(
    source: Source, cls: type[Policy], name: str, arguments: list[Argument], call: Extent, known: Collection[str] = ()
) -> dict[str, list[Argument]]:
    """The arguments of each parameter that is given; one each, but several for a list of triggers.

    Parameters that are `known` from elsewhere are no parameters of the call.
    """
    parameters = {p.name: p for p in cls.parameters() if p.name not in known}
    positional = [p for p in parameters.values() if not p.named_only]
    bound: dict[str, list[Argument]] = {}
    is_named = False
    for argument in arguments:
        if argument.name is None:
            if is_named:
                rule = "positional arguments come before named ones"
                hint = f"write {', '.join(f'{p} => ...' for p in parameters if p not in bound)}"
                raise source.syntax_error(f"{name}: this argument needs its name", argument.value, rule=rule, hint=hint)
            if not positional:
                raise _too_many(source, name, parameters, argument, signature(cls, name, known))
            parameter = positional[0] if positional[0].kind is Kind.TRIGGERS else positional.pop(0)
        else:
            is_named = True
            parameter = _named(source, name, parameters, argument, signature(cls, name, known))
        if parameter.name in bound and not (parameter.kind is Kind.TRIGGERS and argument.name is None):
            hint = f"write {signature(cls, name, known)}, each argument once"
            raise source.syntax_error(f"{name}: {parameter.name} is given twice", argument.extent(), hint=hint)
        bound.setdefault(parameter.name, []).append(argument)
    for missing in parameters.values():
        if missing.required and missing.name not in bound:
            raise source.spec_error(
                f"{name}: {missing.name} is missing",
                call,
                rule=f"write {signature(cls, name, known)}",
                hint=f"{missing.name} is {missing.kind.value}",
            )
    return bound


def _too_many(
    source: Source, policy: str, parameters: dict[str, Parameter], argument: Argument, shown: str
) -> WindowSyntaxError:
    named = [f"{p.name} => ..." for p in parameters.values() if p.named_only]
    hint = f"write it as {' or '.join(named)}" if named else "leave it out"
    return source.syntax_error(f"{policy}: too many arguments", argument.value, rule=f"write {shown}", hint=hint)


def signature(cls: type[Policy], name: str, known: Collection[str] = ()) -> str:
    """How the policy is called: `TUMBLING(time, size [, offset])`; parameters that are `known` do not show."""
    text = ""
    for parameter in cls.parameters():
        if parameter.name in known:
            continue
        shown = f"{parameter.name} => ..." if parameter.named_only else parameter.name
        shown = f"{shown}, ..." if parameter.kind is Kind.TRIGGERS else shown
        shown = f", {shown}" if text else shown
        text += shown if parameter.required else f" [{shown}]"
    return f"{name}({text.strip()})"


def _named(source: Source, policy: str, parameters: dict[str, Parameter], argument: Argument, shown: str) -> Parameter:
    name = source.name(argument.name or 0).lower()
    parameter = parameters.get(name)
    if parameter is None:
        near = nearest(name, parameters)
        hint = f"did you mean {near}?" if near else f"parameters are {', '.join(parameters) or 'none'}"
        place = Extent(argument.name or 0, (argument.name or 0) + 1)
        raise source.spec_error(f"{policy} has no parameter {name}", place, rule=f"write {shown}", hint=hint)
    return parameter
