"""The arguments of window_join and co_group: which parameter each goes to, and the tables among them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from winsql.errors import WinsqlError
from winsql.model.nearest import nearest
from winsql.model.registry import ASSIGNERS
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.expressions.arguments import Argument, bind_arguments, needs_name, split_arguments
from winsql.syntax.expressions.references import beyond_row
from winsql.syntax.functions.table_function_calls import TableCall, end_of_keys, is_table, keys_of, relation_of
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.source import Extent, Source


@dataclass(frozen=True, slots=True)
class JoinFunction:
    """A function over two tables: its name, and the option that the other one lacks."""

    name: str
    own: str

    @property
    def parameters(self) -> tuple[str, ...]:
        return (*_POSITIONAL, self.own, *OPTIONS)

    @property
    def rule(self) -> str:
        return (
            f"write {self.name}(TABLE(a) PARTITION BY id, TABLE(b) PARTITION BY id, DESCRIPTOR(a_ts, b_ts), "
            "TUMBLING(INTERVAL 5 MINUTES))"
        )


_POSITIONAL = ("left", "right", "time", "window")
OPTIONS = {clause.option: clause for clause in CLAUSES if clause.option is not None}
JOIN_FUNCTIONS = {
    "WINDOW_JOIN": JoinFunction("window_join", "join_type"),
    "CO_GROUP": JoinFunction("co_group", "apply"),
}


def read_arguments(source: Source, call: TableCall) -> dict[str, Argument]:
    """The arguments by their parameters: both tables and the window, which comes third where there is no time."""
    function = JOIN_FUNCTIONS[call.name]
    arguments = split_arguments(source, call.arguments)
    _refuse_bare_keys(source, function, arguments)
    bound = bind_arguments(_Call(source, function), arguments, _POSITIONAL)
    given = {name: found for name, (found,) in bound.items()}
    for name, what in _REQUIRED.items():
        if name not in given:
            hint = f"add {what}, by its place or as {name} => ..."
            raise source.spec_error(f"{function.name}: {what} is missing", call.call, rule=function.rule, hint=hint)
    return given


_REQUIRED = {"left": "the left table", "right": "the right table", "window": "the window"}


def _refuse_bare_keys(source: Source, function: JoinFunction, arguments: list[Argument]) -> None:
    """Raises where the keys of the first table are followed by a bare name: another key, or a table without TABLE."""
    if len(arguments) < 2 or arguments[1].name is not None or is_table(source, arguments[1].value.first):
        return
    if any(source.words(index, "PARTITION", "BY") for index in arguments[0].value.indexes):
        rule = "several keys go in brackets, and a table after the word TABLE"
        hint = "write PARTITION BY (k, j), or TABLE(b)"
        raise source.syntax_error(f"{function.name} needs a table here", arguments[1].value, rule=rule, hint=hint)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call as a `Callee`."""

    source: Source
    function: JoinFunction

    def parameter(self, name: int) -> str:
        given = self.source.name(name).lower()
        if given in self.function.parameters:
            return given
        near = nearest(given, self.function.parameters)
        hint = f"did you mean {near}?" if near else f"parameters are {', '.join(self.function.parameters)}"
        raise self.source.spec_error(f"{self.function.name} has no parameter {given}", name, hint=hint)

    def takes(self, places: list[str], argument: Argument) -> str:
        if places[0] == "time" and _is_window(self.source, argument):
            places.pop(0)
        return places.pop(0)

    def unnamed(self, argument: Argument, bound: Collection[str]) -> WinsqlError:
        free = ", ".join(f"{name} => ..." for name in self.function.parameters if name not in bound)
        return needs_name(self.source, self.function.name, argument, f"write one of {free}")

    def too_many(self, argument: Argument) -> WinsqlError:
        hint = f"options have names: {', '.join(f'{name} => ...' for name in (self.function.own, *OPTIONS))}"
        problem = f"{self.function.name}: too many arguments"
        return self.source.syntax_error(problem, argument.value, rule=self.function.rule, hint=hint)

    def twice(self, parameter: str, argument: Argument) -> WinsqlError:
        problem = f"{self.function.name}: {parameter} is given twice"
        return self.source.syntax_error(problem, argument.extent(), hint="leave one of them out")


def _is_window(source: Source, argument: Argument) -> bool:
    first = argument.value.first
    is_call = source.at(first).is_name and source.at(first + 1).is_symbol("(")
    return is_call and source.name(first) in ASSIGNERS


# tables


@dataclass(frozen=True, slots=True)
class TableArgument:
    """A table: the tokens of its relation, with brackets where it is a query, and the keys after PARTITION BY."""

    extent: Extent
    relation: Extent
    keys: tuple[Extent, ...]


def read_table(source: Source, extent: Extent, function: str) -> TableArgument:
    """`TABLE name | TABLE (...)` with its keys."""
    if not is_table(source, *extent):
        raise _no_table(source, extent, function)
    relation, rest = relation_of(source, extent)
    if relation.is_empty or read_relation(source, *relation).body != relation:
        raise _no_table(source, Extent(extent.first, rest.first), function)
    end = end_of_keys(source, rest)
    if end < rest.stop:
        problem = f"{function}: only PARTITION BY may come after a table"
        hint = "hand over a query for anything else: TABLE(SELECT ... FROM t WHERE ...)"
        raise source.syntax_error(problem, Extent(end, rest.stop), hint=hint)
    keys = [] if rest.is_empty else keys_of(source, rest, function)
    return TableArgument(extent, relation, tuple(_checked_key(source, key, function) for key in keys))


def _checked_key(source: Source, extent: Extent, function: str) -> Extent:
    extent = source.unwrapped(extent)
    beyond = beyond_row(source, extent)
    if beyond is not None:
        problem, rule = f"{function}: {beyond[0]} cannot be part of a key", "a key is computed from each row alone"
        hint = "compute it as a column of the table: TABLE(SELECT *, ... AS k FROM t) PARTITION BY k"
        raise source.spec_error(problem, beyond[1], rule=rule, hint=hint)
    return extent


def _no_table(source: Source, extent: Extent, function: str) -> WinsqlError:
    hint = "hand over a query for anything but a table's name"
    if not source.words(extent.first, "TABLE"):
        hint = f"write TABLE({source.verbatim(extent) if source.is_path(extent) else 'a'})"
    rule = "a table comes after the word TABLE: TABLE(a), TABLE a or TABLE(SELECT ...)"
    return source.syntax_error(f"{function} needs a table here", extent, rule=rule, hint=hint)
