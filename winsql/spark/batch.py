"""Operator plans on bounded tables: the source's rows, key by key in order, through winsql's operator.

project -> leave out rows without event time, and count them -> bring the rows of a key together, sorted by event time
and arrival: in packs that the worker merges, or by Spark where only Spark can tell keys apart -> mapInArrow with
`winsql.spark.workers.partition` -> (Spark's aggregates per firing) -> columns as the query expects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, IntegerType, LongType, StructField, StructType

from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.planner.time_sql import epoch_sql
from winsql.spark.call_columns import CallColumns
from winsql.spark.operator_columns import OperatorPlan, result_columns, row_columns, window_header, with_instants
from winsql.spark.per_firing import aggregate_firings
from winsql.spark.relation import TIME, Projection, normal_key
from winsql.spark.runner import Runner, is_connect
from winsql.spark.workers.engines import engine_of
from winsql.spark.workers.packs import FIRST, PACK, PARTITION, packed
from winsql.spark.workers.partition import run_packs, run_partition
from winsql.spark.workers.sorting import HASH_BITS, TIME_BITS
from winsql.spark.workers.task import Handout

_FIRST = INTERNAL_PREFIX + "first"
_ARRIVAL = INTERNAL_PREFIX + "arrival"
NULL_TIMES = "null_event_time"


@dataclass(frozen=True, slots=True)
class OperatorFrame:
    """An operator plan on a table.

    frame        its firings
    engine       what runs the operator
    observation  counts the rows without event time; None where there are none, or the running plan cannot count them
    """

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
        fired = _packed(frame, projection, runner).mapInArrow(partial(run_packs, task), schema)
        engine = f"{engine_of(task)}; rows are shuffled and sorted in packs"
    else:
        fired = _sorted(frame, projection).mapInArrow(partial(run_partition, task), schema)
        engine = f"{engine_of(task)}; Spark sorts rows one by one, as only it can compare these keys"
    if task.handout is Handout.FIRING:
        header, results = window_header(operator), operator.results()
        grouped = aggregate_firings(query, fired, header, results, operator.calls, projection, call_columns, runner)
        return OperatorFrame(grouped, engine, observation)
    return OperatorFrame(fired.select(*result_columns(operator)), engine, observation)


def _with_times(query: WindowQuery, projection: Projection) -> tuple[DataFrame, Observation | None]:
    """The source with its time as an instant; rows of event-time windows that have none are counted and left out.

    For GLOBAL and COUNT the time only orders the rows: a NULL comes first and its row stays. On Spark Connect nothing
    is counted here: a client does not see what is observed inside the views of a statement.
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
    """Whether a worker can tell keys apart as GROUP BY does."""
    facts = [projection.key_fact(column) for column in projection.keys]
    return not any(fact.is_collated or fact.arrow is None or pa.types.is_nested(fact.arrow) for fact in facts)


def _packed(frame: DataFrame, projection: Projection, runner: Runner) -> DataFrame:
    """The rows in packs, sorted by the place of their first row: Spark then sorts and shuffles few rows."""
    partitions = runner.shuffle_partitions if projection.keys else 1
    packs = _placed(frame, projection).mapInArrow(partial(packed, partitions), _PACK)
    together = packs.repartition(PARTITION) if projection.keys else packs.repartition(1)
    return together.sortWithinPartitions(FIRST)


_PACK = StructType(
    [StructField(name, kind) for name, kind in zip(PACK.names, (IntegerType(), LongType(), BinaryType()), strict=True)]
)


def _placed(frame: DataFrame, projection: Projection) -> DataFrame:
    """Each row with its place before it and its number by arrival after it."""
    keys = [normal_key(projection, column) for column in projection.keys]
    hashed = F.xxhash64(*keys).bitwiseAND(F.lit((1 << HASH_BITS) - 1)) if keys else F.lit(0).cast("bigint")
    place = F.shiftleft(hashed, TIME_BITS).bitwiseOR(_time_step(projection))
    arrival = F.monotonically_increasing_id().alias(_ARRIVAL)
    return frame.select(place.alias(_FIRST), *row_columns(frame, projection), arrival)


def _time_step(projection: Projection) -> Column:
    """The time in steps of 16 ms. It is cut off at the years 1400 and 2540, and NULL comes first. Without a time it is
    the arrival in steps of 4096 rows."""
    if not projection.has_time:
        return F.shiftright(F.monotonically_increasing_id(), 12)
    steps = F.shiftright(F.expr(epoch_sql(TIME, projection.fact(TIME))), 14) + F.lit(1 << (TIME_BITS - 1))
    known = F.coalesce(steps, F.lit(0))  # LEAST and GREATEST skip NULL
    return F.greatest(F.lit(0), F.least(known, F.lit((1 << TIME_BITS) - 1)))


def _sorted(frame: DataFrame, projection: Projection) -> DataFrame:
    """Rows of a key together, by time and arrival, the first of each key flagged.

    Spark's own row numbers tell where a key begins, so that keys are equal exactly where they are to GROUP BY.
    """
    time = [F.col(TIME).asc_nulls_first()] if projection.has_time else []
    order = [*time, F.col(_ARRIVAL).asc()]
    columns = row_columns(frame, projection)
    numbered = frame.select(*columns, F.monotonically_increasing_id().alias(_ARRIVAL))
    names = [name for name in numbered.columns if name != _ARRIVAL]
    window = Window.partitionBy(*projection.keys).orderBy(*order)
    return numbered.select((F.row_number().over(window) == 1).alias(_FIRST), *names)
