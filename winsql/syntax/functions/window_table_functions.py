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
and those with names come in any order. A call is a relation: the columns of its table with window_start, window_end
and window_time.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from winsql.errors import Span, WindowSpecError, WinsqlError
from winsql.model.assigners import Assigner, CumulatingWindows, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.nearest import nearest
from winsql.model.query import INTERNAL_PREFIX, Form, PayloadColumn, WindowQuery, WindowSpec
from winsql.syntax.expressions.arguments import Argument, bind_arguments, needs_name, require_commas, split_arguments
from winsql.syntax.expressions.function_calls import is_proctime
from winsql.syntax.expressions.keys import key_columns, numbered
from winsql.syntax.functions.table_function_calls import (
    TableCall,
    columns_of_descriptor,
    end_of_keys,
    keys_of,
    relation_of,
)
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.literals import read_duration
from winsql.syntax.text.near_words import near_phrase
from winsql.syntax.text.openers import holds_any
from winsql.syntax.text.parameters import fitting
from winsql.syntax.text.parts import is_query_start
from winsql.syntax.text.source import Extent, Source

WHOLE_ROW = (PayloadColumn("struct(*)", INTERNAL_PREFIX + "row"),)
"""What holds a row of the source while it passes through the operator."""


@dataclass(frozen=True, slots=True)
class _Function:
    """A window table function: the windows it assigns, its parameters in order, the last of them optional.

    Windows begin every `period`, where Flink takes an offset of any length: its SliceAssigners check that of TUMBLE
    alone.
    """

    name: str
    assigner: type[Assigner]
    parameters: tuple[str, ...]
    period: str | None = None

    @property
    def has_offset(self) -> bool:
        return "OFFSET" in self.parameters

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(name for name in self.parameters if name != "OFFSET")

    @property
    def signature(self) -> str:
        """How it is called, in the words of Flink's documentation."""
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
        _Function("HOP", SlidingWindows, ("DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"), "slide"),
        _Function("CUMULATE", CumulatingWindows, ("DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"), "size"),
        _Function("SESSION", SessionWindows, ("DATA", "TIMECOL", "GAP")),
    )
}
FUNCTION_NAMES = tuple(_FUNCTIONS)


def signature(name: str) -> str:
    """How a window table function is called."""
    return _FUNCTIONS[name].signature


def may_be_function(text: str) -> bool:
    """Whether a call can be in the text at all; cheap."""
    return holds_any(text, _FUNCTIONS) and holds_any(text, MARKS)


def time_column(source: Source, found: TableCall) -> str | None:
    """The name, lower case, of the column that DESCRIPTOR names in a call; None for PROCTIME()."""
    for argument in split_arguments(source, found.arguments):
        columns = columns_of_descriptor(source, argument.value)
        if columns:
            last = columns[-1].stop - 1
            return source.name(last).lower() if source.at(last).is_name else None
    return None


def bind_function(found: TableCall, source: Source) -> WindowQuery:
    """The call as a query in the form WINDOWED, which returns the rows of its table with their windows.

    Raises WindowSyntaxError and WindowSpecError with their place.
    """
    return _Reader(source, found).read()


def has_named_data(source: Source, found: TableCall) -> bool:
    """Whether the table of a call has an alias or joins others, as in `TABLE (t AS x)`."""
    relation, _ = relation_of(source, _Reader(source, found).arguments()["DATA"].value)
    return read_relation(source, *relation).body != relation


MARKS = ("TABLE", "DATA", "DESCRIPTOR")


class _Reader:
    """Reads one call."""

    def __init__(self, source: Source, found: TableCall) -> None:
        self.source = source
        self.found = found
        self.function = _FUNCTIONS[found.name]
        self.keys: list[Extent] = []

    def read(self) -> WindowQuery:
        bound = self.arguments()
        relation = self._data(bound["DATA"].value)
        time = self._descriptor(bound["TIMECOL"].value)
        assigner = self._assigner(bound, time)
        return WindowQuery(
            text=self.source.text,
            span=self.source.span(self.found.extent),
            source=relation,
            spec=WindowSpec.of(assigner),
            time_span=self.source.span(bound["TIMECOL"].value),
            keys=key_columns(self.source, numbered(self.keys)),
            payload=WHOLE_ROW,
            form=Form.WINDOWED,
            head="(SELECT *",
            tail=")",
            settings=self.source.settings,
        )

    # which argument is which

    def arguments(self) -> dict[str, Argument]:
        arguments = split_arguments(self.source, self.found.arguments)
        given = bind_arguments(self, arguments, self.function.parameters)
        bound = {parameter: argument for parameter, (argument,) in given.items()}
        for parameter in self.function.required:
            if parameter not in bound:
                require_commas(self.source, self.function.name, arguments)
                raise self._refused(f"{parameter} is missing", self.found.call)
        return bound

    def parameter(self, name: int) -> str:
        """Part of `Callee`, as are the next four."""
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
        keys = self._keys_without_brackets()
        if keys is None:
            return self._refused("too many arguments", argument.value)
        rule = "PARTITION BY takes one key, or several of them in brackets"
        hint = f"write PARTITION BY ({self.source.verbatim(keys)})"
        return self.source.syntax_error(self._of("several keys without brackets"), keys, rule=rule, hint=hint)

    def _keys_without_brackets(self) -> Extent | None:
        """The keys in `TABLE t PARTITION BY k, j, DESCRIPTOR(ts)`, of which all but the first are arguments."""
        source, arguments = self.source, split_arguments(self.source, self.found.arguments)
        extents = [argument.value for argument in arguments]
        count = next((n for n, e in enumerate(extents) if columns_of_descriptor(source, e) is not None), 0)
        first = next((n + 2 for n in extents[0].indexes if source.words(n, "PARTITION", "BY")), None)
        if first is None or count < 2 or self.function.assigner is not SessionWindows:
            return None
        return Extent(first, extents[count - 1].stop)

    def twice(self, parameter: str, argument: Argument) -> WinsqlError:
        problem = self._of(f"{parameter} is given twice")
        rule, hint = "an argument is given once, by its place or by its name", f"write {self.function.signature}"
        return self.source.syntax_error(problem, argument.extent(), rule=rule, hint=hint)

    # the table

    def _data(self, extent: Extent) -> str:
        """The FROM body that reads the table; finds the keys after it."""
        source = self.source
        is_query = source.at(extent.first).is_symbol("(") and is_query_start(source, extent.first + 1)
        is_bare = is_query_start(source, extent.first) and not source.words(extent.first, "TABLE")
        if not is_query and not source.words(extent.first, "TABLE"):
            rule = "a table is handed to a function as TABLE name or TABLE(query)"
            hint = f"write TABLE({source.verbatim(extent)})" if is_bare else f"write TABLE {source.verbatim(extent)}"
            raise source.syntax_error(self._of("TABLE is missing here"), extent, rule=rule, hint=hint)
        relation, rest = relation_of(source, extent)
        if relation.is_empty:
            brackets = Extent(extent.first + 1, rest.first)
            problem, rule = "TABLE needs a name or a query in brackets", "a window table function reads one table"
            hint = "write TABLE t, or TABLE(SELECT ...)"
            problem = self._of(problem)
            raise source.syntax_error(problem, extent if brackets.is_empty else brackets, rule=rule, hint=hint)
        if not rest.is_empty:
            self._read_keys(rest)
        return source.verbatim(relation)

    def _read_keys(self, rest: Extent) -> None:
        if not self.source.words(rest.first, "PARTITION", "BY"):
            hint = "write TABLE(SELECT ...) to hand over anything but a whole table"
            if self.source.words(rest.first, "PARTITION") or near_phrase(self.source, rest.first, ["PARTITION BY"]):
                hint = "write PARTITION BY"
            raise self.source.syntax_error(self._of("the table ends before this"), rest, hint=hint)
        if self.function.assigner is not SessionWindows:
            rule = "these windows are the same for all keys; only sessions have keys of their own"
            hint = "leave out PARTITION BY and name the keys in GROUP BY"
            raise self.source.spec_error(self._of("PARTITION BY does not belong here"), rest, rule=rule, hint=hint)
        end = end_of_keys(self.source, rest)
        if end < rest.stop:
            problem = self._of("an order does not belong here")
            rule, hint = "rows are in sessions by their time, whatever their order", "leave out the order"
            raise self.source.spec_error(problem, Extent(end, rest.stop), rule=rule, hint=hint)
        self.keys = keys_of(self.source, rest, self.function.name)

    # time and lengths

    def _descriptor(self, extent: Extent) -> TimeAttribute:
        columns = columns_of_descriptor(self.source, extent)
        if columns is None:
            name = self.source.verbatim(extent)
            rule = "the column with the time of a row is given as DESCRIPTOR(column)"
            hint = f"write DESCRIPTOR({name})" if extent.is_single else "write DESCRIPTOR(ts)"
            raise self.source.syntax_error(self._of("DESCRIPTOR is missing here"), extent, rule=rule, hint=hint)
        if len(columns) != 1:
            given = f"{len(columns)} columns" if columns else "none"
            rule = "DESCRIPTOR names the one column that has the time of a row"
            hint = "write DESCRIPTOR(ts); keys belong in GROUP BY, those of SESSION in PARTITION BY"
            raise self.source.spec_error(self._of(f"DESCRIPTOR has {given}"), extent, rule=rule, hint=hint)
        if is_proctime(self.source, columns[0]):
            return TimeAttribute(TimeDomain.PROCESSING, is_local=True)
        if not self.source.is_path(columns[0]):
            rule = "DESCRIPTOR names a column and holds no expression"
            hint = "compute it in the table, as in TABLE(SELECT *, ... AS ts FROM t)"
            raise self.source.spec_error(self._of("DESCRIPTOR holds an expression"), columns[0], rule=rule, hint=hint)
        return TimeAttribute(TimeDomain.EVENT, (self.source.verbatim(columns[0]),), is_local=True)

    def _assigner(self, bound: dict[str, Argument], time: TimeAttribute) -> Assigner:
        lengths = {
            name.lower(): read_duration(self.source, argument.value, f"{self.function.name}: {name}")
            for name, argument in bound.items()
            if name not in ("DATA", "TIMECOL")
        }
        try:
            return fitting(self.function.assigner, {"time": time, **lengths, **self._offset(lengths)})
        except WindowSpecError as error:
            given = bound.get((error.parameter or "").upper())
            span: Span = self.source.span(given.value if given is not None else self.found.call)
            raise self._named_as_here(error, lengths).located(self.source.text, span) from None

    def _offset(self, lengths: dict[str, int]) -> dict[str, int]:
        """An offset without whole periods, which change no window."""
        offset, period = (lengths.get(name or "", 0) for name in ("offset", self.function.period))
        is_long = type(offset) is int and type(period) is int and abs(offset) >= period > 0
        return {"offset": offset % period} if is_long else {}

    def _named_as_here(self, error: WindowSpecError, lengths: dict[str, int]) -> WindowSpecError:
        """An error of the assigner in terms of the call, whose lengths may come in another order."""
        problem = error.problem.replace(self.function.assigner.NAME, self.function.name, 1)
        hint = error.hint
        if lengths.get("step", 0) > lengths.get("size", 0) > 0:
            hint = "the step comes before the size"
        return WindowSpecError(problem, rule=error.rule, hint=hint, parameter=error.parameter)

    # errors

    def _of(self, problem: str) -> str:
        return f"{self.function.name}: {problem}"

    def _refused(self, problem: str, place: Extent) -> WindowSpecError:
        function = self.function
        rule = f"its arguments are {', '.join(function.parameters)}" + (
            ", the last one optional" if function.has_offset else ""
        )
        return self.source.spec_error(self._of(problem), place, rule=rule, hint=f"write {function.signature}")
