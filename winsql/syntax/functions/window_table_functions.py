"""Flink SQL's window table functions: finds the calls of a statement and reads them.

    relation   = TABLE ( call ) | call
    call       = TUMBLE ( data , timecol , size [, offset] )
               | HOP ( data , timecol , slide , size [, offset] )
               | CUMULATE ( data , timecol , step , size [, offset] )
               | SESSION ( data , timecol , gap )
    data       = TABLE name | TABLE ( relation ) | TABLE ( query )      SESSION: [PARTITION BY key | ( key {, key} )]
    timecol    = DESCRIPTOR ( column ) | DESCRIPTOR ( PROCTIME ( ) )
    size, ...  = an interval

Arguments may be named as in Flink, DATA => TABLE t, TIMECOL => DESCRIPTOR(ts), SIZE => ..., the last of them or all,
and those with names come in any order. A call is one of these only where a relation may be and an argument of it
is a TABLE or a DESCRIPTOR: tables and functions of the user's may have the names too. It stands for a relation: the
columns of its table with window_start, window_end and window_time.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from winsql.errors import Span, WindowSpecError, WinsqlError
from winsql.model.assigners import Assigner, CumulatingWindows, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.nearest import nearest
from winsql.model.query import INTERNAL_PREFIX, Form, PayloadColumn, WindowQuery, WindowSpec
from winsql.syntax.expressions.arguments import Argument, bind_arguments, needs_name, split_arguments
from winsql.syntax.expressions.keys import key_columns, numbered
from winsql.syntax.functions.table_function_calls import is_relation, says_table
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.deep import require_shallow
from winsql.syntax.text.literals import read_duration
from winsql.syntax.text.openers import holds_any
from winsql.syntax.text.parameters import fitting
from winsql.syntax.text.parts import is_query_start
from winsql.syntax.text.source import Extent, Source

__all__ = [
    "FUNCTION_NAMES",
    "MARKS",
    "FunctionCall",
    "bind_function",
    "find_functions",
    "function_at",
    "has_named_data",
    "may_be_function",
    "time_column",
]

ROW = INTERNAL_PREFIX + "row"
"""The column that holds a row of the table while it passes through the operator."""


@dataclass(frozen=True, slots=True)
class _Function:
    """A window table function: the windows it assigns, its parameters in order, the last of them optional."""

    name: str
    assigner: type[Assigner]
    parameters: tuple[str, ...]

    @property
    def has_offset(self) -> bool:
        return "OFFSET" in self.parameters

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(name for name in self.parameters if name != "OFFSET")

    @property
    def signature(self) -> str:
        """How it is called, in words of Flink's documentation."""
        shown = {"DATA": "TABLE t", "TIMECOL": "DESCRIPTOR(ts)"}
        if self.assigner is SessionWindows:
            shown["DATA"] = "TABLE t [PARTITION BY k]"
        parts = [shown.get(name, name.lower()) for name in self.required]
        optional = " [, offset]" if self.has_offset else ""
        return f"{self.name}({', '.join(parts)}{optional})"


_FUNCTIONS = {
    function.name: function
    for function in (
        _Function("TUMBLE", TumblingWindows, ("DATA", "TIMECOL", "SIZE", "OFFSET")),
        _Function("HOP", SlidingWindows, ("DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET")),
        _Function("CUMULATE", CumulatingWindows, ("DATA", "TIMECOL", "STEP", "SIZE", "OFFSET")),
        _Function("SESSION", SessionWindows, ("DATA", "TIMECOL", "GAP")),
    )
}
FUNCTION_NAMES = tuple(_FUNCTIONS)


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call found by its first words.

    extent   what it is as a relation: the call, with TABLE ( ... ) around it where it is written so
    call     the call alone
    """

    extent: Extent
    call: Extent


def may_be_function(text: str) -> bool:
    """Whether a call can be in the text at all; cheap."""
    return holds_any(text, _FUNCTIONS) and holds_any(text, MARKS)


def find_functions(source: Source) -> list[FunctionCall]:
    """The calls of a statement, inner before outer and earlier before later."""
    found = [call for index in source.places(*_FUNCTIONS) if (call := _call_at(source, index)) is not None]
    if found:
        require_shallow(source)
    return sorted(found, key=lambda call: call.extent.stop)


def function_at(source: Source, index: int | None) -> FunctionCall | None:
    """The call that is a relation at a token; None where there is none."""
    if index is None:
        return None
    place = index + 2 if source.words(index, "TABLE") and source.at(index + 1).is_symbol("(") else index
    found = _call_at(source, place)
    return found if found is not None and found.extent.first == index else None


def time_column(source: Source, extent: Extent) -> str | None:
    """The name, lower case, of the column that DESCRIPTOR names in the call at these tokens; None for PROCTIME()."""
    found = function_at(source, extent.first)
    places = range(0) if found is None else found.call.indexes
    bracket = -1 if found is None else found.call.first + 1
    for index in places:
        if source.words(index, "DESCRIPTOR") and source.group[index] == bracket and source.at(index + 1).is_symbol("("):
            last = source.closing(index + 1) - 1
            return source.name(last).lower() if source.at(last).is_name else None
    return None


def bind_function(source: Source, found: FunctionCall) -> WindowQuery:
    """The call as a query in the form WINDOWED, which returns the rows of its table with their windows.

    Raises WindowSyntaxError and WindowSpecError with their place.
    """
    return _Reader(source, found).read()


def has_named_data(source: Source, found: FunctionCall) -> bool:
    """Whether the table of a call has an alias or joins others, as in `TABLE (t AS x)`."""
    return _Reader(source, found).has_named_data()


MARKS = ("TABLE", "DATA", "DESCRIPTOR")


def _call_at(source: Source, index: int) -> FunctionCall | None:
    name, opening = source.at(index), source.at(index + 1)
    if not name.is_word(*_FUNCTIONS) or not opening.is_symbol("(") or source.at(index - 1).is_symbol("."):
        return None
    if not says_table(source, index + 2) or not is_relation(source, index):
        return None
    call = Extent(index, source.closing(index + 1) + 1)
    return FunctionCall(_with_table(source, call), call)


def _with_table(source: Source, call: Extent) -> Extent:
    """The call with TABLE ( ... ) around it; without where that is the argument of another function."""
    bracket = call.first - 1
    is_around = source.at(bracket).is_symbol("(") and source.partner[bracket] == call.stop
    if not is_around or not source.at(bracket - 1).is_word("TABLE") or _is_argument(source, bracket - 1):
        return call
    return Extent(bracket - 1, call.stop + 1)


def _is_argument(source: Source, index: int) -> bool:
    """Whether the token is directly between the brackets of a function's call."""
    bracket = source.group[index]
    if bracket < 0 or source.at(bracket + 1).is_word("SELECT", "WITH", "FROM", "VALUES"):
        return False
    before = source.at(bracket - 1)
    return before.is_name and not before.is_word(*_NO_FUNCTIONS)


_NO_FUNCTIONS = ("FROM", "JOIN", "LATERAL", "IN", "EXISTS", "AS", "ANY", "SOME", "ALL", "ON", "AND", "OR", "NOT")


class _Reader:
    """Reads one call."""

    def __init__(self, source: Source, found: FunctionCall) -> None:
        self.source = source
        self.found = found
        self.function = _FUNCTIONS[source.at(found.call.first).upper]
        self.keys: list[Extent] = []

    def read(self) -> WindowQuery:
        bound = self._arguments()
        relation = self._data(bound["DATA"])
        time = self._descriptor(bound["TIMECOL"].value)
        assigner = self._assigner(bound, time)
        return WindowQuery(
            text=self.source.text,
            span=self.source.span(self.found.extent),
            source=relation,
            spec=WindowSpec.of(assigner),
            time_span=self.source.span(bound["TIMECOL"].value),
            keys=key_columns(self.source, numbered(self.keys)),
            payload=(PayloadColumn("struct(*)", ROW),),
            form=Form.WINDOWED,
            head="(SELECT *",
            tail=")",
            settings=self.source.settings,
        )

    def has_named_data(self) -> bool:
        """As the function of this name."""
        first = self._arguments()["DATA"].value.first + 1
        if not self.source.at(first).is_symbol("(") or is_query_start(self.source, first + 1):
            return False
        inside = Extent(first + 1, self.source.closing(first))
        return read_relation(self.source, inside.first, inside.stop).body != inside

    # which argument is which

    def _arguments(self) -> dict[str, Argument]:
        inside = Extent(self.found.call.first + 2, self.found.call.stop - 1)
        given = bind_arguments(self, split_arguments(self.source, inside), self.function.parameters)
        bound = {parameter: argument for parameter, (argument,) in given.items()}
        for parameter in self.function.required:
            if parameter not in bound:
                raise self._refused(f"{parameter} is missing", self.found.call)
        return bound

    def parameter(self, name: int) -> str:
        """As in `Callee`; so are the four after it."""
        given = self.source.name(name).upper()
        if given in self.function.parameters:
            return given
        near = nearest(given, self.function.parameters)
        known = f"its arguments are {', '.join(self.function.parameters)}"
        hint = f"did you mean {near}?" if near else known
        problem = f"{self.function.name} has no argument {given}"
        raise self.source.spec_error(problem, name, rule=f"write {self.function.signature}", hint=hint)

    def takes(self, places: list[str], argument: Argument) -> str:
        return places.pop(0)

    def unnamed(self, argument: Argument, bound: Collection[str]) -> WinsqlError:
        names = ", ".join(f"{name} => ..." for name in self.function.parameters)
        return needs_name(self.source, self.function.name, argument, f"write {names}")

    def too_many(self, argument: Argument) -> WinsqlError:
        return self._refused("too many arguments", argument.value)

    def twice(self, parameter: str, argument: Argument) -> WinsqlError:
        return self.source.syntax_error(
            self._of(f"{parameter} is given twice"),
            argument.extent(),
            rule="an argument is given once, by its place or by its name",
            hint=f"write {self.function.signature}",
        )

    # the table

    def _data(self, argument: Argument) -> str:
        """The FROM body that reads the table; finds the keys after it."""
        extent = argument.value
        first, second = extent.first, extent.first + 1
        if self.source.at(first, extent.stop).is_symbol("(") and is_query_start(self.source, second):
            relation = Extent(first, self.source.closing(first) + 1)
        elif not self.source.words(first, "TABLE"):
            name = self.source.verbatim(extent)
            rule = "a table is handed to a function as TABLE name or TABLE(query)"
            raise self.source.syntax_error(
                self._of("TABLE is missing here"), extent, rule=rule, hint=f"write TABLE {name}"
            )
        elif self.source.at(second, extent.stop).is_symbol("("):
            relation = Extent(second, self.source.closing(second) + 1)
        else:
            relation = Extent(second, self._after_name(second, extent.stop))
        if relation.is_empty:
            raise self._no_table(extent)
        self._read_keys(Extent(relation.stop, extent.stop))
        return self._from_body(relation)

    def _from_body(self, relation: Extent) -> str:
        is_bracket = self.source.at(relation.first).is_symbol("(")
        if not is_bracket or is_query_start(self.source, relation.first + 1):
            return self.source.verbatim(relation)
        inside = Extent(relation.first + 1, relation.stop - 1)
        if inside.is_empty:
            raise self._no_table(relation)
        return self.source.verbatim(inside)

    def _after_name(self, index: int, stop: int) -> int:
        if self.source.at(index, stop).is_symbol("{") and self.source.at(index + 2, stop).is_symbol("}"):
            return index + 3  # a DataFrame that the caller hands over
        if not self.source.at(index, stop).is_name:
            return index
        while self.source.at(index + 1, stop).is_symbol(".") and self.source.at(index + 2, stop).is_name:
            index += 2
        is_call = self.source.at(index + 1, stop).is_symbol("(")
        return self.source.closing(index + 1) + 1 if is_call else index + 1

    def _read_keys(self, rest: Extent) -> None:
        if rest.is_empty:
            return
        if not self.source.words(rest.first, "PARTITION", "BY"):
            hint = "write TABLE(SELECT ...) to hand over anything but a whole table"
            raise self.source.syntax_error(self._of("the table ends before this"), rest, hint=hint)
        if self.function.assigner is not SessionWindows:
            raise self.source.spec_error(
                self._of("PARTITION BY does not belong here"),
                rest,
                rule="these windows are the same for all keys; only sessions have keys of their own",
                hint="leave out PARTITION BY and name the keys in GROUP BY",
            )
        keys = Extent(rest.first + 2, rest.stop)
        is_list = self.source.at(keys.first).is_symbol("(") and self.source.partner[keys.first] == keys.stop - 1
        self.keys = self.source.split(Extent(keys.first + 1, keys.stop - 1) if is_list else keys)
        if not self.keys or any(key.is_empty for key in self.keys):
            hint = "write PARTITION BY k, or PARTITION BY (k, j)"
            raise self.source.syntax_error(self._of("a key is missing after PARTITION BY"), rest, hint=hint)

    # time and lengths

    def _descriptor(self, extent: Extent) -> TimeAttribute:
        is_call = self.source.words(extent.first, "DESCRIPTOR") and self.source.at(extent.first + 1).is_symbol("(")
        if not is_call or self.source.closing(extent.first + 1) != extent.stop - 1:
            name = self.source.verbatim(extent)
            rule = "the column with the time of a row is given as DESCRIPTOR(column)"
            hint = f"write DESCRIPTOR({name})" if extent.stop - extent.first == 1 else "write DESCRIPTOR(ts)"
            raise self.source.syntax_error(self._of("DESCRIPTOR is missing here"), extent, rule=rule, hint=hint)
        inside = Extent(extent.first + 2, extent.stop - 1)
        columns = self.source.split(inside)
        if len(columns) != 1:
            given = f"{len(columns)} columns" if columns else "none"
            rule = "DESCRIPTOR names the one column that has the time of a row"
            hint = "write DESCRIPTOR(ts); keys belong in GROUP BY, those of SESSION in PARTITION BY"
            raise self.source.spec_error(self._of(f"DESCRIPTOR has {given}"), extent, rule=rule, hint=hint)
        if self.source.words(inside.first, "PROCTIME") and self.source.normal(inside)[1:] == ("(", ")"):
            return TimeAttribute(TimeDomain.PROCESSING, is_local=True)
        if not self._is_path(inside):
            rule = "DESCRIPTOR names a column and holds no expression"
            hint = "compute it in the table, as in TABLE(SELECT *, ... AS ts FROM t)"
            raise self.source.spec_error(self._of("DESCRIPTOR holds an expression"), inside, rule=rule, hint=hint)
        return TimeAttribute(TimeDomain.EVENT, (self.source.verbatim(inside),), is_local=True)

    def _is_path(self, extent: Extent) -> bool:
        tokens = [self.source.tokens[i] for i in extent.indexes]
        are_names = all(token.is_name for token in tokens[::2]) and all(t.is_symbol(".") for t in tokens[1::2])
        return are_names and len(tokens) % 2 == 1

    def _assigner(self, bound: dict[str, Argument], time: TimeAttribute) -> Assigner:
        lengths = {
            name.lower(): read_duration(self.source, argument.value, f"{self.function.name}: {name}")
            for name, argument in bound.items()
            if name not in ("DATA", "TIMECOL")
        }
        try:
            return fitting(self.function.assigner, {"time": time, **lengths})
        except WindowSpecError as error:
            given = bound.get((error.parameter or "").upper())
            span: Span = self.source.span(given.value if given is not None else self.found.call)
            raise self._named_as_here(error, lengths).located(self.source.text, span) from None

    def _named_as_here(self, error: WindowSpecError, lengths: dict[str, int]) -> WindowSpecError:
        """A policy's own refusal, in terms of the call; it may be that the lengths stand in another order."""
        problem = error.problem.replace(self.function.assigner.NAME, self.function.name, 1)
        hint = error.hint
        if lengths.get("step", 0) > lengths.get("size", 0) > 0:
            hint = "the step comes before the size"
        return WindowSpecError(problem, rule=error.rule, hint=hint, parameter=error.parameter)

    # errors

    def _of(self, problem: str) -> str:
        return f"{self.function.name}: {problem}"

    def _no_table(self, place: Extent) -> WinsqlError:
        problem, rule = "TABLE needs a name or a query in brackets", "a window table function reads one table"
        return self.source.syntax_error(self._of(problem), place, rule=rule, hint="write TABLE t, or TABLE(SELECT ...)")

    def _refused(self, problem: str, place: Extent) -> WindowSpecError:
        function = self.function
        rule = f"its arguments are {', '.join(function.parameters)}" + (
            ", the last one optional" if function.has_offset else ""
        )
        return self.source.spec_error(self._of(problem), place, rule=rule, hint=f"write {function.signature}")
