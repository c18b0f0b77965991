"""Operator plans on streams: rows packed by key group, through winsql's operator inside transformWithState.

project -> pack (mapInArrow: one Arrow message per key group and input batch; rows without event time are left out, and
counted) -> group by key group -> transformWithState -> unpack -> columns as the query expects. Packed rows cross
into Python as one value per message, and no column with a watermark reaches Spark's operator, which would drop late
rows before winsql sees them.
"""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructField, StructType

from winsql.model.query import ARRIVAL, INTERNAL_PREFIX, WindowQuery
from winsql.model.window_functions import Ties
from winsql.planner.facts import Sides, StreamFacts, Upstream
from winsql.planner.identity import first_rows_identity
from winsql.planner.streaming import StreamPlan, TimeMode, needs_time
from winsql.runtime.columnar import TopRows
from winsql.runtime.state_listing import named_key
from winsql.spark.flags import is_on
from winsql.spark.operator_columns import OperatorPlan, result_columns, row_columns, with_instants
from winsql.spark.relation import TIME, Projection, decoded, encoded, normal_key, nullable, select_sql
from winsql.spark.runner import Runner, is_connect
from winsql.spark.streaming.bootstrap import PortableFunction
from winsql.spark.streaming.flat_sides import with_shared_columns
from winsql.spark.streaming.micro_batch import run_together
from winsql.spark.streaming.packing import KEY_GROUP, Kind, Packing, unpack, unpack_numbered
from winsql.spark.streaming.processor import WindowProcessor, pack_task
from winsql.spark.streaming.reductions import over_reduced, reduction_of
from winsql.spark.streaming.shared_input import with_own_input
from winsql.spark.streaming.upstream import (
    carries_watermark,
    has_second_watermark,
    is_marked_twice,
    number_of_watermarks,
    operators_of,
    reads_watermark,
    upstream_of,
    window_marks,
    windows_of_rows,
    with_end_marks,
    without_old_marks,
)
from winsql.spark.versions.arrow_types import arrow_schema
from winsql.spark.versions.stateful_operators import no_stateful_operators
from winsql.spark.workers.groups import on_group
from winsql.spark.workers.local_times import with_shown_times
from winsql.spark.workers.task import Handout, StreamTask

LATE_ROW = INTERNAL_PREFIX + "late_row"
"""The column with a whole row of the source, for LATE INTO."""
NULL_TIMES = "winsql_null_event_time"
"""Name of the observed metric of a streaming query: rows left out because they have no event time."""
METRICS = "winsql"
"""Name of the observed metrics of a streaming query: its firings and late rows in each micro-batch."""
_PACKED = f"{KEY_GROUP} INT, source BIGINT, position BIGINT, rows BINARY, null_times BIGINT"
_RESULT = "kind INT, count BIGINT, rows BINARY"


@dataclass(frozen=True, slots=True)
class StatefulFrame:
    """The messages of the operator, and how to get firings and late rows from them; both come out of one run."""

    operator: OperatorPlan
    task: StreamTask
    messages: DataFrame
    schema: StructType
    late_schema: StructType | None

    @property
    def frame(self) -> DataFrame:
        """The columns that the query's head and tail read."""
        return self.firings(self.messages)

    def firings(self, messages: DataFrame) -> DataFrame:
        """The firings among messages: of the stream, or of one of its micro-batches."""
        query = self.operator.query
        columns = result_columns(self.operator, window_marks(query), partial(_marked, query))
        schema = nullable(self.schema)  # as Arrow has it: under `validateSchema` Spark compares that, too
        if not by_arrival(query):
            return messages.mapInArrow(PortableFunction(partial(unpack, Kind.FIRINGS)), schema).select(*columns)
        numbered = StructType([*schema, StructField(ARRIVAL, LongType())])
        return messages.mapInArrow(PortableFunction(partial(unpack_numbered, Kind.FIRINGS)), numbered).select(
            *columns, ARRIVAL
        )

    def late_rows(self, messages: DataFrame) -> DataFrame:
        """The late rows among messages, with the columns of the source."""
        assert self.late_schema is not None
        rows = messages.mapInArrow(PortableFunction(partial(unpack, Kind.LATE)), self.late_schema)
        row_type = self.operator.projection.field(LATE_ROW).dataType
        return rows.select(decoded(LATE_ROW, row_type).alias(LATE_ROW)).select(f"{LATE_ROW}.*")


def by_arrival(query: WindowQuery) -> bool:
    """Whether window functions may depend on the arrival of rows: its frame then has the column ARRIVAL."""
    over = query.over
    return over is not None and over.ties is not Ties.COLUMNS and over.depend_on_ties


def stateful_frame(operator: OperatorPlan, plan: StreamPlan, identity: dict[str, str]) -> StatefulFrame:
    """Plan the operator on a stream; with LATE INTO the projection must carry LATE_ROW."""
    query, projection = operator.query, operator.projection
    keeps_late = query.late_into is not None
    frame = with_instants(projection)
    late = [encoded(frame, LATE_ROW, "a row")] if keeps_late else []
    rows = frame.select(_hash(projection), *row_columns(frame, projection), *late)
    schema = _kept(arrow_schema(rows.schema), query)
    inner = operator.task(now=0)
    if inner.handout is Handout.SIDES:
        rows, schema, sides = with_shared_columns(rows, schema)
        inner = replace(inner, sides=sides)
    task = StreamTask(
        inner,
        schema,
        keeps_late=keeps_late,
        event_time_mode=plan.mode is not TimeMode.PROCESSING,
        rows_first=plan.rows_first,
        identity=tuple(identity.items()),
    )
    reduction = reduction_of(task, query.over)
    if isinstance(reduction, TopRows) and query.over is not None:
        task = replace(task, identity=(*task.identity, *first_rows_identity(query.over).items()))
    task = task if reduction is None else over_reduced(task, reduction)
    packing = Packing(plan.key_groups, reduction, needs_time(query), partial(with_shown_times, task.task))
    packed = _counted(query, rows.mapInArrow(PortableFunction(packing), _PACKED))
    messages = _together(packed, task) if plan.is_together else _with_state(packed, task, plan)
    late_schema = _late_schema(frame, late) if keeps_late else None
    messages = messages.observe(_metric(METRICS, query), *_counts())
    schema_of_firings = _marked(query, operator.output_schema(frame))
    return StatefulFrame(operator, task, messages, schema_of_firings, late_schema)


def _late_schema(frame: DataFrame, late: list[Column]) -> StructType:
    """Late rows as Arrow has them, which may be NULL: under `validateSchema` Spark compares that, too."""
    return StructType([StructField(LATE_ROW, frame.select(*late).schema[0].dataType)])


def _marked(query: WindowQuery, schema: StructType) -> StructType:
    """Columns of firings with the marks of their own windows alone."""
    return with_end_marks(without_old_marks(schema, query), query)


def _with_state(packed: DataFrame, task: StreamTask, plan: StreamPlan) -> DataFrame:
    """The operator, which keeps its windows from one micro-batch to the next."""
    groups = with_own_input(packed).groupBy(KEY_GROUP)
    return groups.transformWithStateInPandas(WindowProcessor(pack_task(task)), _RESULT, "append", plan.mode.value)


def _together(packed: DataFrame, task: StreamTask) -> DataFrame:
    """The operator where all rows of its windows come in one micro-batch."""
    function = on_group(PortableFunction(partial(run_together, task)))
    return packed.groupBy(KEY_GROUP).applyInArrow(function, _RESULT)


def stream_facts(
    query: WindowQuery, projection: Projection, runner: Runner, sides: Sides | None = None
) -> StreamFacts | None:
    """What planning must know of a streaming relation, for a join with its sides; None for a bounded relation."""
    if not projection.frame.isStreaming:
        return None
    everything = select_sql(query, ["*"])
    rows = runner.sql(everything)
    columns = [*projection.frame.schema, *rows.schema]
    nodes = operators_of(rows)
    conf = runner.spark.conf
    time = projection.field(TIME) if projection.has_time else None
    ends = [end.sql for end in query.ends]
    end = runner.sql(select_sql(query, ends)).schema[0] if ends and sides is None else None
    upstream = _of_both(sides) if sides is not None else upstream_of(nodes, runner.given_when, time, end)
    has_watermark = carries_watermark(columns)
    is_on_time = upstream is not None and upstream.is_on_time
    of_rows = tuple(dict.fromkeys((*runner.windows_of_rows, *windows_of_rows(columns))))
    if upstream is None and (query.ends or of_rows):  # the stream's own time need not be among the columns
        has_watermark = has_watermark or reads_watermark(nodes)
    elif is_on_time:
        has_watermark = has_watermark and has_second_watermark(nodes)
    return StreamFacts(
        has_watermark,
        str(conf.get("spark.sql.streaming.stateStore.providerClass")),
        runner.shuffle_partitions,
        upstream,
        no_stateful_operators(is_connect(runner.spark)),
        of_rows,
        upstream is None and has_watermark and is_on(runner.spark, _NO_SECOND) and is_marked_twice(nodes),
        number_of_watermarks(nodes) if upstream is None and needs_time(query) else 0,
    )


_NO_SECOND = "spark.sql.streaming.statefulOperator.allowMultiple"
"""The setting under which Spark takes several stateful operators, and refuses rows with two watermarks."""


def _of_both(sides: Sides) -> Upstream | None:
    """What the rows of a join wait for; MIXED where those of one side wait and those of the other do not."""
    found = {side.upstream for side in sides}
    if None in found and len(found) == 2 and any(upstream and upstream.is_on_time for upstream in found):
        return Upstream.MIXED
    return next((upstream for upstream in _WORST if upstream in found), None)


_WORST = (
    Upstream.AGGREGATION, Upstream.WINDOWED, Upstream.MIXED, Upstream.ANY_TIME, Upstream.ON_TIME, Upstream.AT_END
)  # fmt: skip


def _metric(name: str, query: WindowQuery) -> str:
    """A name of the query's own, by its place, its statement and what it reads.

    Views of several statements may meet in one query, and several queries may begin in one place. A statement that is
    planned again gets other names, as both plans may come into one query.
    """
    place = f"{name}_{query.span.start}"
    digest = zlib.crc32((query.text + query.source).encode())
    _PLANNED[place, digest] += 1
    again = _PLANNED[place, digest] - 1
    return f"{place}_{zlib.crc32(str(again).encode(), digest) if again else digest:08x}"


_PLANNED: Counter[tuple[str, int]] = Counter()
"""How often a name has been asked for."""


def _counts() -> list[Column]:
    """The firings and late rows, kept or dropped, that the messages count."""
    kinds = {"firings": [Kind.FIRINGS], "late_rows": [Kind.LATE, Kind.DROPPED]}
    return [
        F.coalesce(F.sum(F.when(F.col("kind").isin(*chosen), F.col("count"))), F.lit(0)).alias(name)
        for name, chosen in kinds.items()
    ]


def _kept(schema: pa.Schema, query: WindowQuery) -> pa.Schema:
    """The schema of columns in state: any may be NULL, and a key has its text in the query as metadata."""
    texts = {key.column: key.text for key in query.keys}
    fields = [_nullable(field) for field in schema]
    return pa.schema([named_key(field, texts[field.name]) if field.name in texts else field for field in fields])


def _nullable(field: pa.Field) -> pa.Field:
    """The field, nullable at any depth: a struct that is NULL, in a join that of the other side, has no fields."""
    kind = field.type
    if pa.types.is_struct(kind):
        kind = pa.struct([_nullable(kind.field(i)) for i in range(kind.num_fields)])
    elif pa.types.is_list(kind):
        kind = pa.list_(_nullable(kind.value_field))
    return field.with_type(kind).with_nullable(True)


def _hash(projection: Projection) -> Column:
    """The hash of the key, which decides on its key group and its bucket there; NULL is a value like any other."""
    keys = [normal_key(projection, column) for column in projection.keys]
    return (F.xxhash64(*keys) if keys else F.lit(0).cast("long")).alias(f"{INTERNAL_PREFIX}hash")


def _counted(query: WindowQuery, packed: DataFrame) -> DataFrame:
    """The messages that have rows; rows left out because they have no time are counted."""
    left_out = F.coalesce(F.sum("null_times"), F.lit(0)).alias("null_event_time")
    counted = packed.observe(_metric(NULL_TIMES, query), left_out) if needs_time(query) else packed
    return counted.where(F.col("rows").isNotNull()).drop("null_times")
