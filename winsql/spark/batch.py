"""Operator plans on bounded tables: the source's rows, key by key in order, through winsql's operator.

project -> leave out rows without event time, and count them -> bring keys together, sorted by event time and
arrival, by Spark as far as that is cheap and then by the worker -> mapInArrow with
`winsql.spark.workers.partition` -> (Spark's aggregates per firing) -> columns as the query expects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as F

from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.planner.time_sql import epoch_sql
from winsql.spark.call_columns import CallColumns
from winsql.spark.operator_columns import OperatorPlan, result_columns, row_columns, window_header, with_instants
from winsql.spark.per_firing import aggregate_firings
from winsql.spark.relation import TIME, Projection, normal_key
from winsql.spark.runner import Runner, is_connect
from winsql.spark.workers.engines import engine_of
from winsql.spark.workers.partition import run_arranged, run_partition
from winsql.spark.workers.sorting import HASH_BITS, TIME_BITS
from winsql.spark.workers.task import Handout

__all__ = ["NULL_TIMES", "OperatorFrame", "operator_frame"]

_FIRST = INTERNAL_PREFIX + "first"
_ARRIVAL = INTERNAL_PREFIX + "arrival"
NULL_TIMES = "null_event_time"


@dataclass(frozen=True, slots=True)
class OperatorFrame:
    """The firings, what runs the operator, and what counts the rows that had no event time (None: nothing, as they are
    not, or cannot be, seen while the plan runs)."""

    frame: DataFrame
    engine: str
    observation: Observation | None


def operator_frame(operator: OperatorPlan, call_columns: CallColumns, runner: Runner, now: int) -> OperatorFrame:
    """The DataFrame of key, window, pane and result columns that the query's head and tail read.

    `now` is the processing time of the run in microseconds.
    """
    query, projection = operator.query, operator.projection
    frame, observation = _with_times(query, projection)
    task = operator.task(now)
    schema = operator.output_schema(frame)
    if _keys_compare_as_arrow(projection):
        fired = _by_place(frame, projection).mapInArrow(partial(run_arranged, task), schema)
    else:
        fired = _sorted(frame, projection).mapInArrow(partial(run_partition, task), schema)
    if task.handout is Handout.FIRING:
        header, results = window_header(operator), operator.results()
        grouped = aggregate_firings(query, fired, header, results, operator.calls, projection, call_columns, runner)
        return OperatorFrame(grouped, engine_of(task), observation)
    return OperatorFrame(fired.select(*result_columns(operator)), engine_of(task), observation)


def _with_times(query: WindowQuery, projection: Projection) -> tuple[DataFrame, Observation | None]:
    """The source with its time as an instant; rows of event-time windows that have none are counted and left out.

    For GLOBAL and COUNT the time only orders the rows: a NULL comes first and its row stays. A client of Spark Connect
    does not get to see what is observed inside the views of a statement, so there nothing is.
    """
    frame = with_instants(projection)
    if not query.spec.assigner.is_event_time or not projection.field(TIME).nullable:
        return frame, None
    known = F.col(TIME).isNotNull()
    if is_connect(frame):
        return frame.where(known), None
    observation = Observation()
    counted = frame.observe(observation, F.count_if(F.col(TIME).isNull()).alias(NULL_TIMES))
    return counted.where(known), observation


def _keys_compare_as_arrow(projection: Projection) -> bool:
    """Whether there are keys, and a worker can tell them apart as GROUP BY does."""
    facts = [projection.key_fact(column) for column in projection.keys]
    return bool(facts) and not any(
        fact.is_collated or fact.arrow is None or pa.types.is_nested(fact.arrow) for fact in facts
    )


def _by_place(frame: DataFrame, projection: Projection) -> DataFrame:
    """Rows of a key together, sorted by one number: Spark can do that by radix, without comparing rows."""
    keys = [normal_key(projection, column) for column in projection.keys]
    hashed = F.xxhash64(*keys).bitwiseAND(F.lit((1 << HASH_BITS) - 1))
    place = F.shiftleft(hashed, TIME_BITS).bitwiseOR(_time_step(projection))
    arrival = F.monotonically_increasing_id().alias(_ARRIVAL)
    placed = frame.select(place.alias(_FIRST), *row_columns(frame, projection), arrival)
    return placed.repartition(*projection.keys).sortWithinPartitions(_FIRST)


def _time_step(projection: Projection) -> Column:
    """The time in steps of 16 ms from the year 1400 to 2540, those outside at its ends and NULL at the first; without a
    time the arrival in steps of 4096 rows."""
    if not projection.has_time:
        return F.shiftright(F.monotonically_increasing_id(), 12)
    steps = F.shiftright(F.expr(epoch_sql(TIME, projection.fact(TIME))), 14) + F.lit(1 << (TIME_BITS - 1))
    known = F.coalesce(steps, F.lit(0))  # LEAST and GREATEST skip NULL
    return F.greatest(F.lit(0), F.least(known, F.lit((1 << TIME_BITS) - 1)))


def _sorted(frame: DataFrame, projection: Projection) -> DataFrame:
    """Rows of a key together, by time and arrival, the first of each key flagged; one key: one partition.

    Spark's own row numbers tell where a key begins, so that keys are equal exactly when GROUP BY has them equal.
    """
    time = [F.col(TIME).asc_nulls_first()] if projection.has_time else []
    order = [*time, F.col(_ARRIVAL).asc()]
    columns = row_columns(frame, projection)
    numbered = frame.select(*columns, F.monotonically_increasing_id().alias(_ARRIVAL))
    names = [name for name in numbered.columns if name != _ARRIVAL]
    if not projection.keys:
        lined_up = numbered.repartition(1).sortWithinPartitions(*order)
        return lined_up.select(F.lit(False).alias(_FIRST), *names)
    window = Window.partitionBy(*projection.keys).orderBy(*order)
    return numbered.select((F.row_number().over(window) == 1).alias(_FIRST), *names)
