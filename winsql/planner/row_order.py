"""Aggregates whose result depends on the order of rows, and their calls in a form that has the order given.

On a bounded table such a call sees the rows of its window by event time and arrival. winsql's operator reads them in
that order. Spark's aggregation reads rows as they come out of a shuffle, so there the order is a column, and the call
is written so that Spark may add rows in any order: FIRST(v) is the value of the least order, COLLECT_LIST(v) is
sorted. `DEPENDING` is the table of them; all other built-in aggregates give the same whatever the order, but for the
last digits of sums of floating point numbers and the estimates of sketches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from winsql.model.aggregate_calls import AggregateCall
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.syntax.text.vocabulary import AGGREGATES


@dataclass(frozen=True, slots=True)
class Order:
    """SQL that tells the order of rows: `later` is greater for a row that comes later, `earlier` for one that comes
    earlier. No two rows have the same."""

    later: str
    earlier: str


def depends_on_order(call: AggregateCall) -> bool:
    """Whether another order of the same rows may change the call's result; of unknown functions it is assumed."""
    if call.name not in DEPENDING:
        return call.name not in AGGREGATES
    if call.name in _SORTED and not call.is_plain:
        return call.sorted_by is None or (call.name != "MODE" and not call.distinct)
    return True


def in_order(call: AggregateCall, type_name: str, order: Order) -> str:
    """The call, written so that it sees its rows by `order`; as it is where there is no such form.

    type_name   the type of its results, '' while it is unknown
    """
    form = DEPENDING.get(call.name)
    return (form(call, type_name, order) if form is not None else None) or call.sql


def why_unordered(query: WindowQuery) -> str | None:
    """Why Spark's aggregation cannot give a query its rows in order; None when it can, or none of its calls depends."""
    unknown = next((c for c in query.aggregates if depends_on_order(c) and not _has_form(c)), None)
    if unknown is None:
        return None
    return f"{unknown.sql} may depend on the order of rows, which Spark's aggregation does not keep"


def why_kept_once(query: WindowQuery) -> str | None:
    """Why the operator should run a query although Spark could, if it has accumulators: it keeps each value once."""
    kept = next((c for c in query.aggregates if c.name == "COLLECT_SET" or (c.name in _LISTS and c.distinct)), None)
    if kept is None:
        return None
    return f"{kept.sql} has its values as they came first; winsql keeps each once, Spark would keep and sort all rows"


def _has_form(call: AggregateCall) -> bool:
    return in_order(call, "", Order("0", "0")) != call.sql


_Form = Callable[[AggregateCall, str, Order], "str | None"]
_ROW, _OTHER, _ALL, _PLACE, _VALUE = (INTERNAL_PREFIX + name for name in ("row", "other", "rows", "place", "value"))


def _filter(call: AggregateCall, *conditions: str | None) -> str:
    known = [f"({condition})" for condition in (call.filter, *conditions) if condition is not None]
    return f" FILTER (WHERE {' AND '.join(known)})" if known else ""


def _picked(function: str) -> _Form:
    """The value of the first or last row; DISTINCT makes no difference."""

    def form(call: AggregateCall, type_name: str, order: Order) -> str | None:
        if not 1 <= len(call.arguments) <= 2:
            return None
        value, *flag = call.arguments
        present = f"({value}) IS NOT NULL"
        condition = present if call.ignores_nulls else None
        if flag:
            condition = f"({flag[0]}) IS NOT TRUE OR {present}"
        return f"{function}({value}, {order.later}){_filter(call, condition)}"

    return form


def _of_extreme(function: str, order_of: Callable[[Order], str]) -> _Form:
    """The value of the row with the greatest or least value; of several such rows, of the last one."""

    def form(call: AggregateCall, type_name: str, order: Order) -> str | None:
        if not 2 <= len(call.arguments) <= 3 or (call.distinct and len(call.arguments) > 2):
            return None
        value, by, *count = call.arguments
        arguments = ", ".join([value, f"struct({by}, {order_of(order)})", *count])
        return f"{function}({arguments}){_filter(call, f'({by}) IS NOT NULL')}"

    return form


def _list(call: AggregateCall, type_name: str, order: Order) -> str | None:
    if call.distinct:
        return _set(call, type_name, order)
    keeps_nulls = call.ignores_nulls is False
    if len(call.arguments) != 1 + keeps_nulls:
        return None
    fields = f"named_struct('{_PLACE}', {order.later}, '{_VALUE}', {call.arguments[0]})"
    present = None if keeps_nulls else f"({call.arguments[0]}) IS NOT NULL"
    values = _values(f"collect_list({fields}){_filter(call, present)}")
    return values if keeps_nulls else f"array_compact({values})"


def _set(call: AggregateCall, type_name: str, order: Order) -> str | None:
    """The distinct values by the first row of each: sorted by value, the first of equal ones, sorted by place."""
    keeps_nulls = call.ignores_nulls is False
    if len(call.arguments) != 1 + keeps_nulls or any(word in type_name for word in _UNSORTABLE):
        return None
    fields = f"named_struct('{_VALUE}', {call.arguments[0]}, '{_PLACE}', {order.later})"
    present = None if keeps_nulls else f"({call.arguments[0]}) IS NOT NULL"
    rows = f"array_sort(collect_list({fields}){_filter(call, present)})"
    is_new = f"IF({_OTHER} = 0, true, NOT ({_ROW}.{_VALUE} <=> {_ALL}[{_OTHER} - 1].{_VALUE}))"
    firsts = f"filter({_ALL}, ({_ROW}, {_OTHER}) -> {is_new})"
    values = _values(f"transform(array({rows}), {_ALL} -> {firsts})[0]")
    if type_name in ("array<double>", "array<float>"):
        values = f"array_distinct({values})"  # makes 0.0 of -0.0, as COLLECT_SET does
    return values if keeps_nulls else f"array_compact({values})"


def _values(rows: str) -> str:
    """The values of an array of rows by their places, which may hold values that have no order."""
    places = f"{_ROW}.{_PLACE}", f"{_OTHER}.{_PLACE}"
    compared = f"CASE WHEN {places[0]} < {places[1]} THEN -1 WHEN {places[0]} > {places[1]} THEN 1 ELSE 0 END"
    return f"transform(array_sort({rows}, ({_ROW}, {_OTHER}) -> {compared}), {_ROW} -> {_ROW}.{_VALUE})"


def _joined(call: AggregateCall, type_name: str, order: Order) -> str | None:
    if not 1 <= len(call.arguments) <= 2 or (call.distinct and call.sorted_by):
        return None
    if not call.distinct:
        sort = ", ".join([*((call.sorted_by,) if call.sorted_by else ()), order.later])
        return f"listagg({', '.join(call.arguments)}) WITHIN GROUP (ORDER BY {sort}){_filter(call)}"
    delimiter = call.arguments[1:]
    values = _set(replace(call, given=call.given[:1], ignores_nulls=None), type_name, order)
    between = delimiter[0] if delimiter else "''"
    if type_name == "binary":  # ARRAY_JOIN would make it text
        joined = f"unhex(array_join(transform({_ALL}, {_ROW} -> hex({_ROW})), coalesce(hex({between}), '')))"
    else:
        joined = f"array_join({_ALL}, coalesce({between}, ''))"
    return f"transform(array({values}), {_ALL} -> IF(size({_ALL}) = 0, NULL, {joined}))[0]"


_UNSORTABLE = ("map<", "variant", "geometry", "geography")


_FIRST, _LAST = _picked("min_by"), _picked("max_by")
_LISTS = frozenset({"ARRAY_AGG", "COLLECT_LIST"})
_SORTED = frozenset({"LISTAGG", "MODE", "STRING_AGG"})
"""Functions that WITHIN GROUP gives an order."""

DEPENDING: Mapping[str, _Form | None] = MappingProxyType(
    {
        "ANY_VALUE": _FIRST,
        "ARRAY_AGG": _list,
        "COLLECT_LIST": _list,
        "COLLECT_SET": _set,
        "FIRST": _FIRST,
        "FIRST_VALUE": _FIRST,
        "LAST": _LAST,
        "LAST_VALUE": _LAST,
        "LISTAGG": _joined,  # where WITHIN GROUP leaves the order open
        "MAX_BY": _of_extreme("max_by", lambda order: order.later),
        "MIN_BY": _of_extreme("min_by", lambda order: order.earlier),
        "MODE": None,  # of equally frequent values the one that came first
        "STRING_AGG": _joined,
    }
)
"""The built-in aggregates that depend on the order of rows, with their forms; None: Spark has none. A user's own may
depend on it, too."""
