"""Operator plans on bounded tables: the source's rows, key by key in order, through winsql's operator.

project -> leave out rows without event time, and count them -> bring keys together, sorted by event time and
arrival -> mapInArrow with `winsql.spark.worker` -> (Spark's aggregates per firing) -> columns as the query expects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from pyspark.sql import DataFrame, Observation, Window
from pyspark.sql import functions as F

from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.spark.around import Inside, result_columns, row_columns, window_header, with_instants
from winsql.spark.per_firing import CallColumns, aggregate_firings
from winsql.spark.relation import TIME, Projection
from winsql.spark.runner import Runner, is_connect
from winsql.spark.worker import Handout, run_partition

__all__ = ["NULL_TIMES", "OperatorFrame", "operator_frame"]

_FIRST = INTERNAL_PREFIX + "first"
_ARRIVAL = INTERNAL_PREFIX + "arrival"
NULL_TIMES = "null_event_time"


@dataclass(frozen=True, slots=True)
class OperatorFrame:
    """The firings, and what counts the rows that had no event time (None: nothing, as they are not, or cannot be, seen
    while the plan runs)."""

    frame: DataFrame
    observation: Observation | None


def operator_frame(inside: Inside, call_columns: CallColumns, runner: Runner, now: int) -> OperatorFrame:
    """The DataFrame of key, window, pane and result columns that the query's head and tail read.

    `now` is the processing time of the run in microseconds.
    """
    query, projection = inside.query, inside.projection
    frame, observation = _with_times(query, projection)
    task = inside.task(now)
    schema = inside.output_schema(frame)
    fired = _sorted(frame, projection).mapInArrow(partial(run_partition, task), schema)
    if task.handout is Handout.FIRING:
        header, results = window_header(projection), inside.results()
        grouped = aggregate_firings(query, fired, header, results, inside.calls, projection, call_columns, runner)
        return OperatorFrame(grouped, observation)
    return OperatorFrame(fired.select(*result_columns(inside)), observation)


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
