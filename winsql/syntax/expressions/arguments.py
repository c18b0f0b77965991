"""Which argument of a call goes to which parameter."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

from winsql.errors import WinsqlError
from winsql.model.nearest import nearest
from winsql.model.policy import Kind, Parameter, Policy
from winsql.syntax.text.intervals import interval_end
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.text.vocabulary import INFIX, PREFIX, words


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
            raise source.syntax_error("a value is missing after =>", part, hint="write name => value, or leave it out")
        arguments.append(Argument(part.first if is_named else None, value))
    return arguments


class Callee(Protocol):
    """What is called, and the errors for its arguments."""

    def parameter(self, name: int) -> str:
        """The parameter that a token names; raises where there is none of that name."""

    def takes(self, places: list[str], argument: Argument) -> str:
        """The parameter that an argument without a name goes to, taken out of those that are free."""

    def unnamed(self, argument: Argument, bound: Collection[str]) -> WinsqlError:
        """The error for an argument without a name after one that has one."""

    def too_many(self, argument: Argument) -> WinsqlError: ...

    def twice(self, parameter: str, argument: Argument) -> WinsqlError: ...


def bind_arguments(
    callee: Callee, arguments: Iterable[Argument], places: Iterable[str], several: Collection[str] = ()
) -> dict[str, list[Argument]]:
    """Which argument goes to which parameter. Those in `several` take any number of arguments without a name.

    places   the parameters that arguments without a name may go to, in order
    """
    free = list(places)
    bound: dict[str, list[Argument]] = {}
    is_named = False
    for argument in arguments:
        if argument.name is not None:
            is_named, parameter = True, callee.parameter(argument.name)
        elif is_named:
            raise callee.unnamed(argument, bound)
        elif not free:
            raise callee.too_many(argument)
        else:
            parameter = callee.takes(free, argument)
        if parameter in bound and (parameter not in several or argument.name is not None):
            raise callee.twice(parameter, argument)
        bound.setdefault(parameter, []).append(argument)
    return bound


def assign_arguments(
    source: Source, cls: type[Policy], name: str, arguments: list[Argument], call: Extent, known: Collection[str] = ()
) -> dict[str, list[Argument]]:
    """The arguments that are given, by the policy's parameters: one each, any number for a list of triggers.

    Parameters that are `known` from elsewhere cannot be given in the call.
    """
    parameters = {p.name: p for p in cls.parameters() if p.name not in known}
    several = {p.name for p in parameters.values() if p.kind is Kind.TRIGGERS}
    policy = _Policy(source, cls, name, parameters, several, known)
    for argument in arguments:
        _refuse_words(policy, argument.value)
    bound = bind_arguments(policy, arguments, (p.name for p in parameters.values() if not p.named_only), several)
    for missing in parameters.values():
        if missing.required and missing.name not in bound:
            require_commas(source, name, arguments)
            problem, hint = f"{name}: {missing.name} is missing", f"{missing.name} is {missing.kind.value}"
            raise source.spec_error(problem, call, rule=policy.rule, hint=hint)
    return bound


def _refuse_words(policy: _Policy, value: Extent) -> None:
    """Raises for ksqlDB's `SIZE 5 MINUTES`, `ADVANCE BY 1 MINUTE`, `GRACE PERIOD 1 HOUR`."""
    source = policy.source
    said = next((said for said in _HINTS_FOR_WORDS if source.words(value.first, *said)), None)
    if said is None or source.at(value.first + len(said), value.stop).kind is not TokenKind.NUMBER:
        return
    raise source.syntax_error(
        f"{policy.name}: {' '.join(said)} is not expected here", value, rule=policy.rule, hint=_HINTS_FOR_WORDS[said]
    )


_LENGTH = "write the time of the rows and intervals alone, as in ts, INTERVAL 5 MINUTES"
_HINTS_FOR_WORDS = {
    ("SIZE",): _LENGTH,
    ("ADVANCE", "BY"): _LENGTH,
    ("GRACE", "PERIOD"): "write ALLOWED LATENESS INTERVAL 1 MINUTE after the brackets",
}


def require_commas(source: Source, callee: str, arguments: Iterable[Argument]) -> None:
    """Raises WindowSyntaxError for two arguments without a comma between them, where one is missing."""
    for value in (argument.value for argument in arguments):
        index = interval_end(source, value.first, value.stop)
        place = next((n for n in range(max(index, value.first + 1), value.stop) if _begins_next(source, n)), None)
        if place is not None:
            next_one = source.verbatim(Extent(place, value.stop))
            hint = f"write a comma before {next_one}"
            raise source.syntax_error(f"{callee}: a comma is missing", place, rule=COMMAS, hint=hint)


def _begins_next(source: Source, index: int) -> bool:
    """Whether an argument begins at a token, after one that is complete."""
    token, before = source.at(index), source.at(index - 1)
    ends = before.is_symbol(")") or (before.is_name and not before.is_word(*_ASKING))
    return ends and (token.is_literal or token.is_word("INTERVAL", "DESCRIPTOR"))


_ASKING = INFIX | PREFIX | words("INTERVAL DATE TIMESTAMP TIMESTAMP_NTZ TIMESTAMP_LTZ X TABLE")
"""Words after which a value belongs to the same argument."""
COMMAS = "arguments are separated by commas"


_NO_CONDITIONS = frozenset(Kind) - {Kind.EXPRESSION, Kind.PREDICATE, Kind.BOOLEAN}
"""What no comparison can be."""


@dataclass(frozen=True, slots=True)
class _Policy:
    """A policy as a `Callee`."""

    source: Source
    cls: type[Policy]
    name: str
    parameters: dict[str, Parameter]
    several: Collection[str]
    known: Collection[str]

    @property
    def shown(self) -> str:
        """How it is called."""
        return signature(self.cls, self.name, self.known)

    @property
    def rule(self) -> str:
        return f"write {self.shown}"

    def parameter(self, name: int) -> str:
        given = self.source.name(name).lower()
        if given in self.parameters:
            return given
        near = nearest(given, self.parameters)
        hint = f"did you mean {near}?" if near else f"parameters are {', '.join(self.parameters) or 'none'}"
        raise self.source.spec_error(f"{self.name} has no parameter {given}", name, rule=self.rule, hint=hint)

    def takes(self, places: list[str], argument: Argument) -> str:
        first = argument.value.first
        name = self.source.name(first).lower() if self.source.at(first).is_name else ""
        is_equation = self.source.at(first + 1, argument.value.stop).is_symbol("=")
        if is_equation and name in self.parameters and self.parameters[places[0]].kind in _NO_CONDITIONS:
            value = self.source.verbatim(Extent(first + 2, argument.value.stop))
            raise self.source.syntax_error(
                f"{self.name}: {name} = ... is a comparison", first + 1, rule=self.rule, hint=f"write {name} => {value}"
            )
        return places[0] if places[0] in self.several else places.pop(0)

    def unnamed(self, argument: Argument, bound: Collection[str]) -> WinsqlError:
        free = ", ".join(f"{name} => ..." for name in self.parameters if name not in bound)
        return needs_name(self.source, self.name, argument, f"write {free}")

    def too_many(self, argument: Argument) -> WinsqlError:
        named = [f"{p.name} => ..." for p in self.parameters.values() if p.named_only]
        hint = f"write it as {' or '.join(named)}" if named else "leave it out"
        return self.source.syntax_error(f"{self.name}: too many arguments", argument.value, rule=self.rule, hint=hint)

    def twice(self, parameter: str, argument: Argument) -> WinsqlError:
        hint = f"write {self.shown}, each argument once"
        return self.source.syntax_error(f"{self.name}: {parameter} is given twice", argument.extent(), hint=hint)


def needs_name(source: Source, callee: str, argument: Argument, hint: str) -> WinsqlError:
    """The error for an argument without a name after one that has one."""
    rule = "positional arguments come before named ones"
    return source.syntax_error(f"{callee}: this argument needs its name", argument.value, rule=rule, hint=hint)


def signature(cls: type[Policy], name: str, known: Collection[str] = ()) -> str:
    """How the policy is called: `TUMBLING(time, size [, offset])`; without those that are `known`."""
    text = ""
    for parameter in cls.parameters():
        if parameter.name in known:
            continue
        shown = f"{parameter.name} => ..." if parameter.named_only else parameter.name
        shown = f"{shown}, ..." if parameter.kind is Kind.TRIGGERS else shown
        shown = f", {shown}" if text else shown
        text += shown if parameter.required else f" [{shown}]"
    return f"{name}({text.strip()})"
