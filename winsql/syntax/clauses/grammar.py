"""The grammar of policies and values, which window clauses are made of (`winsql.syntax.clauses`).

    policy       = name ( [argument {, argument}] )             assigners, triggers, evictors: three registries
    argument     = [parameter =>] value
    value        = time | duration | gap | integer | number | boolean | expression | predicate | policy
    time         = expression | PROCTIME ( ) | ( expression , expression )      the pair only in a window join
    gap          = duration | expression
    duration     = [+|-] INTERVAL number unit {number unit} | [+|-] INTERVAL string unit [TO unit] | [+|-] string
    number       = [+|-] numeric literal
    duration, integer, number, boolean, and a number in an interval may be parameters: :name, ?
    expression   = any Spark expression, verbatim

Names are case-insensitive. Which values a policy takes, in which order and under which names is its own matter: the
grammar reads `Policy.parameters()` and has no list of policies.

The grammar of predicates, the conditions of WHEN, is in `winsql.syntax.expressions.predicates`, that of a FROM with a
window join in `winsql.syntax.joins.clause`. WHERE filters the rows before the window; in a window join, as in any join
of SQL, it filters the joined rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from winsql.errors import Span, WindowSpecError, WindowSyntaxError
from winsql.model.aggregate_calls import AggregateCall
from winsql.model.base import FIRST_OPERAND, Operand, TimeAttribute, TimeDomain
from winsql.model.nearest import nearest
from winsql.model.policy import Kind, Policy
from winsql.model.query import INTERNAL_PREFIX, OperandColumn
from winsql.model.registry import ASSIGNERS, TRIGGERS, Registry
from winsql.model.triggers import Trigger
from winsql.syntax.clauses.clause import Clause
from winsql.syntax.clauses.policy_text import call_end
from winsql.syntax.expressions.aggregate_calls import to_aggregate
from winsql.syntax.expressions.arguments import COMMAS, Argument, assign_arguments, split_arguments
from winsql.syntax.expressions.function_calls import Call, is_proctime
from winsql.syntax.expressions.predicates import parse_predicate
from winsql.syntax.expressions.references import beyond_row
from winsql.syntax.text.literals import (
    is_duration,
    read_boolean,
    read_duration,
    read_integer,
    read_number,
    string_value,
)
from winsql.syntax.text.near_words import is_policy, near_clause
from winsql.syntax.text.parameters import fitting
from winsql.syntax.text.parts import Section, words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

P = TypeVar("P", bound=Policy)


class PairOfTimes(Protocol):
    """Reads the two times of a window join, one of each side."""

    def read(self, parser: ClauseParser, extent: Extent, what: str) -> TimeAttribute:
        """The time of both sides together."""


@dataclass(slots=True)
class ClauseParser:
    """Parses the policies and values of one windowed SELECT, and collects what its policies read from rows.

    clauses     the window clauses, for hints
    operands    the expressions in the row slots; equal text shares a slot
    aggregates  the aggregate calls inside WHEN
    time_span   the place of the assigner's time; None where it has none
    pair        reads the times of a window join; None without one
    """

    source: Source
    pair: PairOfTimes | None = None
    clauses: Sequence[Clause] = ()
    operands: list[OperandColumn] = field(default_factory=list)
    aggregates: list[AggregateCall] = field(default_factory=list)
    time_span: Span | None = None
    _slots: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _calls: dict[tuple[str, ...], int] = field(default_factory=dict)
    _depth: int = 0

    # policies

    def parse_policy(self, extent: Extent, registry: Registry[type[P]], known: Mapping[str, Any] | None = None) -> P:
        """The policy that a call `name ( [argument {, argument}] )` gives; `known` values come from elsewhere."""
        source = self.source
        cls = self.policy_class(extent, registry)
        arguments = split_arguments(source, Extent(extent.first + 2, extent.stop - 1))
        policy = source.name(extent.first).upper()
        bound = assign_arguments(source, cls, policy, arguments, extent, known or ())
        values = dict(known or {}) | {name: self._value(cls, policy, name, given) for name, given in bound.items()}
        try:
            return fitting(cls, values)
        except WindowSpecError as error:
            given = bound.get(error.parameter or "")
            place = Extent(given[0].value.first, given[-1].value.stop) if given else extent
            raise error.located(source.text, source.span(place)) from None
        except (TypeError, ValueError, ArithmeticError) as error:
            raise source.spec_error(f"{policy}: {error}", extent) from error
        except Exception as error:  # a user's class may raise anything
            raise source.spec_error(f"{policy}: {type(error).__name__}: {error}", extent) from error

    def policy_class(self, extent: Extent, registry: Registry[type[P]]) -> type[P]:
        """The class of the policy whose call the extent is."""
        name = self.source.name(extent.first)
        cls = registry.find(name)
        if cls is None:
            raise self.unknown(name, extent.first, registry)
        return cls

    def _value(self, cls: type[Policy], policy: str, name: str, given: list[Argument]) -> Any:
        parameter = next(p for p in cls.parameters() if p.name == name)
        if parameter.kind is Kind.TRIGGERS:
            return tuple(self._nested(argument.value) for argument in given)
        return _READERS[parameter.kind](self, given[0].value, f"{policy}: {name}", policy)

    def _nested(self, extent: Extent) -> Trigger:
        end = call_end(self.source, extent)
        if end != extent.stop:
            name = self.source.written(extent)
            if end is not None and is_policy(self.source, end, TRIGGERS):
                rest = self.source.written(Extent(end, extent.stop))
                hint = f"write a comma before {rest}"
                raise self.source.syntax_error("a comma is missing", end, rule=COMMAS, hint=hint)
            if extent.is_single and name in TRIGGERS:
                raise self._needs_brackets(extent.first)
            hint = f"triggers are {', '.join(TRIGGERS)}, each with brackets"
            raise self.source.syntax_error(f"expected a trigger, not {name}", extent, hint=hint)
        if self._depth >= _MAX_TRIGGERS:
            rule = f"at most {_MAX_TRIGGERS} triggers in each other"
            raise self.source.syntax_error("triggers nest too deeply", extent, rule=rule, hint="leave some of them out")
        self._depth += 1
        try:
            return self.parse_policy(extent, TRIGGERS)
        finally:
            self._depth -= 1

    def policy_end(self, section: Section, registry: Registry[Any]) -> int:
        """The index after the call with which a clause begins."""
        end = call_end(self.source, section.body)
        if end is not None:
            return end
        name = self.source.at(section.body.first, section.body.stop)
        if not name.is_name:
            known = ", ".join(registry)
            problem = f"{section.part.words} needs {_with_article(registry.noun)}"
            hint = f"one of {known}, with its arguments in brackets"
            raise self.source.syntax_error(problem, section.place, hint=hint)
        text = self.source.name(section.body.first)
        if text not in registry:
            raise self.unknown(text, section.body.first, registry)
        raise self._needs_brackets(section.body.first)

    def _needs_brackets(self, index: int) -> WindowSyntaxError:
        """The error for the name of a policy alone."""
        name = self.source.name(index).upper()
        return self.source.syntax_error(f"{name} needs brackets", index, hint=f"write {name}(...)")

    def unknown(self, name: str, index: int, registry: Registry[Any]) -> WindowSpecError:
        """The error for a name that a registry does not have."""
        near = registry.nearest(name)
        known = ", ".join(registry) or "none is registered"
        hint = self._other_kind(name, registry) or (f"did you mean {near}?" if near else f"known: {known}")
        noun = _with_article(registry.noun)
        rule = f"this must be the name of {noun}, built in or registered"
        return self.source.spec_error(f"{name} is not {noun}", index, rule=rule, hint=hint)

    def _other_kind(self, name: str, registry: Registry[Any]) -> str | None:
        """What to write where the name is one of another clause's policies."""
        if registry is ASSIGNERS and name.upper() == "HOP":
            return "write SLIDING(time, size, slide); HOP(TABLE t, DESCRIPTOR(ts), slide, size) goes into FROM"
        for clause in self.clauses:
            other = clause.policies
            if other is not None and other is not registry and name in other:
                return f"{name.upper()} is {_with_article(other.noun)}: write {clause.words} {name.upper()}(...)"
        return None

    def require_end(
        self, end: int, section: Section, expected: str, before_hint: str = "", words: Iterable[str] = ()
    ) -> None:
        """Raises where a clause goes on after `end`; `words` could have come there."""
        if end >= section.body.stop:
            return
        text = self.source.written(Extent(end, end + 1))
        others = ", ".join(clause.words for clause in self.clauses[1:])
        hint = f"{before_hint}clauses are {others} and Spark's own"
        near = near_clause(self.source, end, self.clauses)
        meant = nearest(text, words) or (near and near.words)
        if meant is not None:
            hint = f"did you mean {meant}?"
        if self.source.at(end).is_symbol(","):
            hint = "leave out the comma"
            is_trigger = any(clause is section.part and clause.policies is TRIGGERS for clause in self.clauses)
            if is_trigger and is_policy(self.source, end + 1, TRIGGERS):
                hint = "write one trigger around both: ANY(..., ...) or ALL(..., ...)"
        elif self.source.words(end, "PARTITION", "BY"):
            hint = "write the keys after the assigner: WINDOW ASSIGN ... PARTITION BY ..."
        elif self.source.at(end).is_word("GROUP", "PARTITION", "ORDER", "SORT", "CLUSTER", "DISTRIBUTE"):
            hint = f"write {text.upper()} BY"
        rule = f"after {section.part.words} ... comes {expected}"
        raise self.source.syntax_error(f"{text} is not expected here", end, rule=rule, hint=hint)

    def require_no_keys(self, section: Section) -> None:
        """Raises for a PARTITION BY at the end of a clause that is not WINDOW ASSIGN."""
        for place in words_in(self.source, section.extent, "PARTITION"):
            if place > section.body.first and self.source.words(place + 1, "BY"):
                self.require_end(place, section, "another clause")

    def read_duration(self, section: Section) -> int:
        """The duration that is all a clause says."""
        return read_duration(self.source, section.place, section.part.words)

    # values

    def read_time(self, extent: Extent, what: str, policy: str) -> TimeAttribute:
        """An expression over the source, or PROCTIME()."""
        self.time_span = self.source.span(extent)
        if is_proctime(self.source, extent):
            return TimeAttribute(TimeDomain.PROCESSING)
        if self.pair is not None:
            return self.pair.read(self, extent, what)
        inner = self.source.unwrapped(extent, rows=True)
        if inner != extent and len(self.source.split(inner)) > 1:
            rule = "a pair of times needs a WINDOW JOIN"
            hint = "name one time expression, or join two relations: FROM a WINDOW JOIN b ON a.id = b.id"
            raise self.source.syntax_error(f"{what} is a pair", extent, rule=rule, hint=hint)
        self.check_time(extent, what)
        return TimeAttribute(TimeDomain.EVENT, (self.source.verbatim(extent),))

    def check_time(self, extent: Extent, what: str) -> None:
        """Raises for what cannot be a time expression."""
        first = self.source.tokens[extent.first]
        if (extent.is_single and first.is_literal) or first.is_word("INTERVAL"):
            hint = "write a timestamp column; the time comes first, lengths after it"
            if first.kind is TokenKind.STRING and string_value(self.source, extent.first).isidentifier():
                hint = "write the column itself, without quotes"
            raise self.source.syntax_error(f"{what} must be a time expression or PROCTIME()", extent, hint=hint)
        for index in extent.indexes:
            if self.source.at(index).is_word("PROCTIME", "DESCRIPTOR") and self.source.at(index + 1).is_symbol("("):
                word = self.source.at(index).upper
                hint = "write PROCTIME() alone" if word == "PROCTIME" else "write the column itself"
                raise self.source.syntax_error(f"{what}: {word}(...) is not allowed here", index, hint=hint)
        self._require_scalar(extent, what)

    def read_gap(self, extent: Extent, what: str, policy: str) -> int | Operand:
        """A duration, or an expression that gives one per row."""
        is_number = self.source.tokens[extent.stop - 1].kind is TokenKind.NUMBER and extent.stop - extent.first <= 2
        if is_duration(self.source, extent) or is_number:
            return read_duration(self.source, extent, what)
        return self._operand(extent, Kind.GAP, what, policy)

    def operand(self, extent: Extent, kind: Kind, policy: str) -> Operand:
        """A slot for the expression; the slot of an equal one when there is one."""
        key = (kind, *self.source.normal(extent))
        sql = self.source.verbatim(extent)
        if key not in self._slots:
            self._slots[key] = FIRST_OPERAND + len(self.operands)
            self.operands.append(OperandColumn(sql, kind, self.source.span(extent), policy))
        return Operand(sql, self._slots[key])

    def aggregate(self, call: Call) -> int:
        """The index of a trigger aggregate, the same for the same call."""
        key = self.source.normal(call.extent)
        if key not in self._calls:
            self._calls[key] = len(self.aggregates)
            column = f"{INTERNAL_PREFIX}trigger_aggregate_{len(self.aggregates)}"
            self.aggregates.append(to_aggregate(self.source, call, column))
        return self._calls[key]

    def _operand(self, extent: Extent, kind: Kind, what: str, policy: str) -> Operand:
        self._require_scalar(extent, what)
        return self.operand(extent, kind, policy)

    def _require_scalar(self, extent: Extent, what: str) -> None:
        """Raises when the expression aggregates, or reads other rows or tables."""
        beyond = beyond_row(self.source, extent, takes_subqueries=True)
        if beyond is not None:
            rule = "it is computed from each row alone"
            raise self.source.spec_error(f"{what} holds {beyond[0]}", beyond[1], rule=rule, hint=_COMPUTE)


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


_MAX_TRIGGERS = 100
_COMPUTE = "compute it as a column before: FROM (SELECT *, ... AS v FROM t); WHEN is the trigger that takes aggregates"


def _literal(read: Callable[[Source, Extent, str], Any]) -> Callable[[ClauseParser, Extent, str, str], Any]:
    return lambda parser, extent, what, policy: read(parser.source, extent, what)


_READERS: dict[Kind, Callable[[ClauseParser, Extent, str, str], Any]] = {
    Kind.TIME: ClauseParser.read_time,
    Kind.DURATION: _literal(read_duration),
    Kind.GAP: ClauseParser.read_gap,
    Kind.INTEGER: _literal(read_integer),
    Kind.NUMBER: _literal(read_number),
    Kind.BOOLEAN: _literal(read_boolean),
    Kind.EXPRESSION: lambda parser, extent, what, policy: parser._operand(extent, Kind.EXPRESSION, what, policy),
    Kind.PREDICATE: parse_predicate,
    Kind.TRIGGER: lambda parser, extent, what, policy: parser._nested(extent),
}
