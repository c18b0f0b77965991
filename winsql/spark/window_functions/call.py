"""Calls with OVER: the rows of each PARTITION BY come together as Arrow, and a worker adds a column for each call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, IntegerType, NumericType, StructField, StructType

from winsql.errors import WindowPlanError
from winsql.model.base import FIRST_OPERAND
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.model.window_functions import FrameBound, Side, WindowFunctionCall
from winsql.planner.streaming import kept_instead
from winsql.runtime.aggregates import Aggregate, bind_aggregate
from winsql.spark.aggregates import way_of_computing
from winsql.spark.relation import carried_type, column_fact, decoded, encoded, nullable, plain_type
from winsql.spark.runner import FIRED, Runner
from winsql.spark.streaming.bootstrap import PortableFunction
from winsql.spark.window_functions.order import SORT, Place, order_places, sorted_by, tie_places
from winsql.spark.workers.frames import BoundPlan, FramePlan, SortKeys
from winsql.spark.workers.groups import on_group
from winsql.spark.workers.window_functions import PICKED_OR_NUMBERED, SHIFTS, Evaluation, Evaluations

_APART = INTERNAL_PREFIX + "apart"
_ARGUMENT = INTERNAL_PREFIX + "argument"
_FILTER = INTERNAL_PREFIX + "filter"
_BOUND = INTERNAL_PREFIX + "bound"


def with_results(
    query: WindowQuery, runner: Runner, fired: DataFrame, calls: Sequence[WindowFunctionCall]
) -> DataFrame:
    """The rows with the columns of calls that have one PARTITION BY.

    Raises WindowPlanError for an order that cannot be taken, and for a function that winsql does not compute.
    """
    results = [_result_field(query.text, runner, fired, call) for call in calls]
    apart = {f"{_APART}{n}": sql for n, sql in enumerate(calls[0].partition)}
    read = apart | {name: sql for n, call in enumerate(calls) for name, sql in _read(call, n).items()}
    selected = ", ".join(["*", *(f"{sql} AS {name}" for name, sql in read.items())])
    rows = runner.sql(f"SELECT {selected}\nFROM {FIRED}", **{FIRED: fired})
    ties = tie_places(query, rows, fired) if any(call.depends_on_ties for call in calls) else []
    inputs = [_Inputs(query, call, n, rows) for n, call in enumerate(calls)]
    columns = [column for one, result in zip(inputs, results, strict=True) for column in one.columns(result.dataType)]
    given = rows.select(
        *(F.col(f"`{column}`") for column in fired.columns),
        *apart,
        *columns,
        *(place.column.alias(place.name) for place in ties),
    )
    evaluations = tuple(
        _evaluation(one, _sort_keys(ties), _aggregate(query, runner, given, one, result), result)
        for one, result in zip(inputs, results, strict=True)
    )
    function = Evaluations(len(fired.columns), evaluations)
    kept = [_may_be_null(given.schema[column]) for column in fired.columns]
    return _computed(given, [*apart], function, [*kept, *results])


def _computed(given: DataFrame, apart: list[str], function: Evaluations, returned: list[StructField]) -> DataFrame:
    """The columns that a worker returns, which go through Arrow.

    Spark takes a struct among the keys of groups for two columns where its optimizer finds that a field is never NULL.
    """
    carried = given.select(*(encoded(given, column, "a column") for column in given.columns))
    kept = {name: F.col(name).cast(nullable(carried.schema[name].dataType)) for name in apart}
    carried = carried.withColumns(kept)
    schema = StructType([StructField(f.name, plain_type(f.dataType), True, f.metadata) for f in returned])
    in_group = on_group(PortableFunction(function))
    found = carried.groupBy(*apart).applyInArrow(in_group, schema)
    return found.select(*(decoded(field.name, field.dataType) for field in returned))


def _read(call: WindowFunctionCall, number: int) -> dict[str, str]:
    """The columns that the call with this number reads, by name."""
    read = {f"{SORT}{number}_{n}": key.sql for n, key in enumerate(call.order)}
    read |= {f"{_ARGUMENT}{number}_{n}": sql for n, sql in enumerate(call.arguments)}
    read |= {f"{_BOUND}{number}_{n}": _offset(call, bound) for n, bound in enumerate(_bounds(call)) if bound.offset}
    return read | ({f"{_FILTER}{number}": call.filter} if call.filter else {})


def _evaluation(inputs: _Inputs, ties: SortKeys, aggregate: Aggregate | None, result: StructField) -> Evaluation:
    call = inputs.call
    return Evaluation(
        name=call.name,
        order=_sort_keys(inputs.order),
        ties=ties if call.depends_on_ties else (),
        arguments=inputs.names,
        filter=inputs.filter,
        ignores_nulls=call.ignores_nulls,
        frame=_frame_plan(call, inputs.order, inputs.bound(0), inputs.bound(1)),
        aggregate=aggregate,
        result_type=carried_type(result.dataType),
        column=call.column,
    )


def _result_field(text: str, runner: Runner, fired: DataFrame, call: WindowFunctionCall) -> StructField:
    """The column of a call, of the type that Spark gives it; raises Spark's AnalysisException."""
    if call.ranking is not None and not (call.arguments or call.filter or call.ignores_nulls):
        return StructField(call.column, IntegerType())
    if runner.places is not None:
        runner = replace(runner, places=replace(runner.places, fallback=call.span))
    frame = runner.sql(f"SELECT {call.sql} AS {call.column}\nFROM {FIRED}", **{FIRED: fired})
    field = _may_be_null(frame.schema[call.column])
    if carried_type(field.dataType) is None:
        raise WindowPlanError(
            f"what {call.name} gives is of type {field.dataType.simpleString().upper()}, which cannot leave a window",
            rule="on a stream calls with OVER are computed in Python, as Arrow columns, and Arrow has no such type",
            hint="cast it to STRING",
        ).located(text, call.span)
    return field


def _may_be_null(field: StructField) -> StructField:
    return StructField(field.name, nullable(field.dataType), True, field.metadata)


def _sort_keys(places: list[Place]) -> SortKeys:
    return [(place.name, "descending" if place.is_descending else "ascending") for place in places]


@dataclass(frozen=True, slots=True)
class _Inputs:
    """The columns that the call with a number reads."""

    query: WindowQuery
    call: WindowFunctionCall
    number: int
    rows: DataFrame

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the arguments."""
        return tuple(f"{_ARGUMENT}{self.number}_{n}" for n in range(len(self.call.arguments)))

    @property
    def filter(self) -> str | None:
        """The column of the FILTER."""
        return f"{_FILTER}{self.number}" if self.call.filter else None

    @property
    def order(self) -> list[Place]:
        """What rows are ordered by; raises WindowPlanError where that is not possible."""
        keys = enumerate(self.call.order)
        return [p for n, key in keys for p in order_places(self.query, self.rows, self.call, key, self._sort(n))]

    def columns(self, result: DataType) -> list[Column]:
        """All of them; the values that LAG and LEAD hand on are of the type of their result."""
        arguments = [F.col(name) for name in self.names]
        if self.call.name in SHIFTS:
            arguments[::2] = [F.col(name).cast(result).alias(name) for name in self.names[::2]]
        places = [*self.order, *self.bound(0), *self.bound(1)]
        filters = [] if self.filter is None else [F.col(self.filter)]
        return [*arguments, *filters, *(place.column.alias(place.name) for place in places)]

    def bound(self, number: int) -> list[Place]:
        """What the offset of a bound is, or what the value at it sorts by; [] without an offset."""
        name = f"{_BOUND}{self.number}_{number}"
        if name not in self.rows.columns:
            return []
        if self.call.frame is not None and self.call.frame.counts_rows:
            return [Place(name, F.col(name), False)]
        (key,) = self.call.order  # Spark's analysis takes no other
        data_type, bound = self.rows.schema[self._sort(0)].dataType, _bounds(self.call)[number]
        offset = F.col(name).cast(data_type) if isinstance(data_type, NumericType) else F.col(name)
        goes_down = (bound.side is Side.PRECEDING) is not key.is_descending
        value = (F.col(self._sort(0)) - offset if goes_down else F.col(self._sort(0)) + offset).cast(data_type)
        return sorted_by(name, value, data_type, is_descending=key.is_descending, nulls_first=key.nulls_first)

    def _sort(self, number: int) -> str:
        return f"{SORT}{self.number}_{number}"


def _aggregate(
    query: WindowQuery, runner: Runner, rows: DataFrame, inputs: _Inputs, result: StructField
) -> Aggregate | None:
    """The aggregate over the frames; None for a function that picks or numbers rows. Raises WindowPlanError for an
    unknown one."""
    call = inputs.call
    if call.name in PICKED_OR_NUMBERED:
        return None
    fields = [*(rows.schema[name] for name in inputs.names), result]
    *types, result_type = (carried_type(field.dataType) for field in fields)
    is_known = None not in (*types, result_type) and not any(column_fact(field).is_collated for field in fields)
    aggregate = is_known and bind_aggregate(
        call.name,
        distinct=False,
        slots=tuple(FIRST_OPERAND + n for n in range(len(types))),
        filter_slot=FIRST_OPERAND + len(types) if call.filter else None,
        types=tuple(types),
        result_type=result_type,
        **way_of_computing(runner),
    )
    if aggregate:
        return aggregate
    raise WindowPlanError(
        f"{call.name} OVER cannot run on a stream",
        rule="winsql computes window functions there: those that number or pick rows, and the aggregates that it knows",
        hint=kept_instead(call.name, is_plain=True),
    ).located(query.text, call.span)


# frames


def _bounds(call: WindowFunctionCall) -> tuple[FrameBound, ...]:
    return () if call.frame is None else (call.frame.start, call.frame.end)


def _offset(call: WindowFunctionCall, bound: FrameBound) -> str:
    counts_rows = call.frame is not None and call.frame.counts_rows
    return f"CAST({bound.offset} AS INT)" if counts_rows else f"({bound.offset})"


def _frame_plan(call: WindowFunctionCall, order: list[Place], start: list[Place], end: list[Place]) -> FramePlan:
    """The frame of a call; where OVER says none, up to the row and its equals, or all where nothing orders."""
    frame, keys = call.frame, _sort_keys(order)
    if frame is None:
        last = Side.CURRENT_ROW if order else Side.FOLLOWING
        return FramePlan(False, BoundPlan(Side.PRECEDING), BoundPlan(last), keys)
    first, last_bound = (
        BoundPlan(bound.side, tuple(place.name for place in places))
        for bound, places in ((frame.start, start), (frame.end, end))
    )
    return FramePlan(frame.counts_rows, first, last_bound, keys)
