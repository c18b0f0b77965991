"""The records of a windowed query: what the operator needs (`WindowSpec`) and what SQL said (`WindowQuery`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from winsql.errors import Span, WindowSpecError
from winsql.model.aggregate_calls import AggregateCall
from winsql.model.assigners import Assigner, TumblingWindows
from winsql.model.base import TimeDomain
from winsql.model.emitting import Changes, Emit
from winsql.model.evictors import Evictor
from winsql.model.joins import JoinType
from winsql.model.policy import Kind
from winsql.model.settings import ParserSettings
from winsql.model.triggers import Trigger
from winsql.model.window_functions import WindowFunctions
from winsql.model.window_tables import Role

INTERNAL_PREFIX = "windowed__"
"""Prefix of columns and views that only plans have. Users may not use it; Spark shows it in plans."""
PREFIX_OF_0_1_0 = "__winsql_"
"""That prefix in version 0.1.0, whose state can still be read."""
WINDOWS_OF_ROWS = "the windows of the rows"
FIRST_ROWS = "the first rows that are kept"
KEPT_TYPES = "the type of what is kept"
ZONE_OF_WINDOWS = "the zone of the windows"
RESULTS_OF_CHANGES = "the results"
KEY_GROUPS = "the number of key groups"
"""A part of the identity of state; the state of version 0.1.0 does not have it."""

JOIN_SIDE = INTERNAL_PREFIX + "side"
JOIN_TIME = INTERNAL_PREFIX + "join_time"
JOIN_KEY = INTERNAL_PREFIX + "join_key_"
JOIN_LEFT = INTERNAL_PREFIX + "left"
JOIN_RIGHT = INTERNAL_PREFIX + "right"
"""Columns of a join: the first three in the union of its inputs, the last two, arrays of rows, in its firings."""

RANK = INTERNAL_PREFIX + "rank"
"""Prefix of the columns with the results of window functions."""

ARRIVAL = INTERNAL_PREFIX + "arrival"
"""A number that is greater for rows of a window that arrived later."""

FUNCTION_COLUMNS = tuple(role.value for role in Role)
"""The columns that a window table function adds, in order."""
WINDOW_COLUMNS = {name: INTERNAL_PREFIX + name for name in (*FUNCTION_COLUMNS, "pane_index", "pane_timing")}
"""The columns a windowed SELECT offers, by the name in SQL; values are the names plans use."""
WINDOW_START, WINDOW_END, WINDOW_TIME, PANE_INDEX, PANE_TIMING = WINDOW_COLUMNS.values()
ROW_KIND = INTERNAL_PREFIX + "row_kind"
"""What a row of a changelog does; a column of plans that statements do not name."""
BESIDE = INTERNAL_PREFIX + "beside"
"""The relation with window columns beside the source, where Spark is asked for the names of items."""


@dataclass(frozen=True, slots=True)
class WindowSpec:
    """What the window operator does: one assigner, one trigger, at most one evictor, and the lateness.

    `allowed_lateness` is a duration; it has no effect where nothing can be late (processing time, GLOBAL).
    `late_output` sends late rows to a side output instead of counting them. `state_ttl` is a duration of processing
    time: a stream forgets what nothing has written for so long; None for never. `changes` says what a later result of
    a window means; None: each is a row of its own.
    """

    assigner: Assigner
    trigger: Trigger
    evictor: Evictor | None = None
    evict_after: bool = False
    allowed_lateness: int = 0
    late_output: bool = False
    state_ttl: int | None = None
    changes: Changes | None = None

    def __post_init__(self) -> None:
        if self.allowed_lateness < 0:
            raise WindowSpecError(
                "the allowed lateness must not be negative",
                hint="write how long windows stay open for late rows, as in INTERVAL 5 MINUTES",
                parameter="allowed_lateness",
            )
        if self.assigner.is_merging and not self.trigger.can_merge:
            raise WindowSpecError(
                f"{self.trigger.NAME} cannot be used with {self.assigner.NAME}",
                rule="windows that merge need a trigger that can merge: its progress must add up",
                hint="use EVENT_TIME, PROCESSING_TIME, CONTINUOUS_*, COUNT or WHEN, or a window that does not merge",
                parameter="trigger",
            )
        if self.trigger.needs_global and not self.assigner.is_global:
            raise WindowSpecError(
                f"{self.trigger.NAME} cannot be used with {self.assigner.NAME}",
                rule="NEVER and END_OF_STREAM are triggers of windows that never end",
                hint="use WINDOW ASSIGN GLOBAL(...)",
                parameter="trigger",
            )

    @classmethod
    def of(
        cls,
        assigner: Assigner,
        trigger: Trigger | None = None,
        evictor: Evictor | None = None,
        *,
        evict_after: bool = False,
        allowed_lateness: int = 0,
        late_output: bool = False,
        state_ttl: int | None = None,
        changes: Changes | None = None,
    ) -> WindowSpec:
        """A spec with the assigner's own trigger and evictor where none is given."""
        return cls(
            assigner,
            trigger or assigner.default_trigger(),
            evictor or assigner.default_evictor(),
            evict_after,
            allowed_lateness,
            late_output,
            state_ttl,
            changes,
        )

    @property
    def has_default_trigger(self) -> bool:
        """Whether windows fire as they do when the query names no trigger."""
        return self.trigger == self.assigner.default_trigger()

    @property
    def is_of_moments(self) -> bool:
        """Whether windows are one unit of time long: rows come together that have the same time."""
        return isinstance(self.assigner, TumblingWindows) and self.assigner.size == 1

    def expiry(self, written: int) -> int | None:
        """When a stream forgets what was last written at an instant of processing time; None for never."""
        return None if self.state_ttl is None else written + self.state_ttl

    @property
    def follows_clock(self) -> bool:
        """Whether the operator does something because processing time passes."""
        by_clock = not self.assigner.is_global and not self.assigner.is_event_time
        return by_clock or self.state_ttl is not None or TimeDomain.PROCESSING in self.trigger.clocks


class Form(Enum):
    """What a firing returns."""

    AGGREGATE = "one row of keys and aggregates"
    ROWS = "the rows of the window"
    WINDOWED = "the rows of the table, each with its windows"
    APPLY = "what a registered apply function returns"
    JOIN = "the pairs of rows of both sides that match"
    CO_GROUP = "the rows of both sides, as one array each"


class Constant(Enum):
    """What a key is to GROUP BY where that is no expression."""

    NUMBER = "a position in the select list"
    PARAMETER = "a value that may be a position"


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """A key: its expression over the source, and the column that holds it after the operator.

    `written` is the statement's text where it differs: the equality of a window join. `constant` says that GROUP BY
    would not read `sql` as an expression. `declared` is the type of both sides' keys in a join where this is CHAR or
    VARCHAR, as `ColumnFact.declared`.
    """

    sql: str
    column: str
    span: Span
    written: str | None = None
    constant: Constant | None = None
    declared: str = ""

    @property
    def text(self) -> str:
        """The key for people, and for comparing queries: as the statement has it."""
        return self.sql if self.written is None else self.written


@dataclass(frozen=True, slots=True)
class Variable:
    """A session variable that the query over the result reads: its name up to the first dot, as written in SQL.

    A column of the source of that name would come first, which only Spark's analysis tells.
    """

    name: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class OperandColumn:
    """A scalar expression a policy reads; the n-th sits in row slot `FIRST_OPERAND + n`. `kind` is what it must be."""

    sql: str
    kind: Kind
    span: Span
    policy: str


@dataclass(frozen=True, slots=True)
class PayloadColumn:
    """A column that is computed from the source and only carried through the window; a `struct(...)` may hold many."""

    sql: str
    column: str


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column `name` of what a statement returns that is a key or window column: `column` of the operator's result."""

    name: str
    column: str


@dataclass(frozen=True, slots=True)
class EndColumn:
    """A column with the end of windows: as SQL, and its bare name in lower case; `times` are the names of the columns
    beside it with the last instant of these windows."""

    sql: str
    name: str
    times: tuple[str, ...] = ()

    def field(self, path: tuple[str, ...]) -> EndColumn:
        """A field of the struct that it is, or itself where the path is empty."""
        fields = (".`" + name.replace("`", "``") + "`" for name in path)
        return EndColumn("".join((self.sql, *fields)), path[-1]) if path else self


@dataclass(frozen=True, slots=True)
class JoinSide:
    """One input of a window join.

    sql          the relation as written, without its alias
    name         what comes before its columns, quoted where needed
    time         its time expression; None for PROCTIME() or no time
    time_column  the column that is the time, as SQL without `name`; None where it is computed
    """

    sql: str
    name: str
    time: str | None
    span: Span
    time_column: str | None = None


@dataclass(frozen=True, slots=True)
class WindowJoin:
    """Two inputs that meet in windows. As in Flink it is a co-group on the tagged union of both.

    how        None for co_group, which returns both sides whole
    keys       the equalities, as (left, right) expressions over the inputs' own columns
    condition  all of ON, verbatim: equalities and residual; None for co_group
    keys_alone       whether ON is the equalities of the keys, by =, and nothing else
    condition_span   where ON is in the statement; None where it is made from the keys of a call
    """

    left: JoinSide
    right: JoinSide
    how: JoinType | None
    keys: tuple[tuple[str, str], ...]
    condition: str | None
    span: Span
    condition_span: Span | None = None
    keys_alone: bool = False


@dataclass(frozen=True, slots=True)
class Unnamed:
    """Items of a select list that Spark names, and what to ask it.

    items      a select list over the source: these items, and those with an alias, which they may read
    places     which of them have no alias
    names      their names as far as they can be told without Spark: their texts
    grouping   the keys as SQL but for positions; `windows` is `WINDOW ...`, '' for none
    replaced   what replaces something in the items, and what the user wrote there
    types      columns with the results of registered aggregates, and their types
    head, tail   those of the query, with labels in the place of the names
    """

    items: tuple[str, ...]
    places: tuple[int, ...]
    names: tuple[str, ...]
    grouping: tuple[str, ...]
    windows: str
    replaced: tuple[tuple[str, str], ...]
    types: tuple[tuple[str, str], ...]
    head: str
    tail: str


@dataclass(frozen=True, slots=True)
class WindowQuery:
    """One windowed SELECT, taken apart.

    text          the statement; all spans are offsets into it
    span          the windowed SELECT in it, from SELECT to its last clause
    time_span     the assigner's time expression, None when it has none
    source        the FROM body, verbatim; `where` the predicate or None
    spec          policies, operands bound to slots; `operands` are the expressions in the slots
    keys          GROUP BY (aggregate form) or PARTITION BY
    aggregates    calls in the select list, HAVING, QUALIFY and ORDER BY, each once
    trigger_aggregates   calls inside WHEN, in the order of `AggregateRef.index`
    payload       columns carried through the window: those of the rows form; for APPLY one, `struct(*)`, whose fields
                  are the columns the function gets; none in the aggregate form
    head, tail    `SELECT ...` before and `WHERE ... QUALIFY ... ORDER BY ... LIMIT ...` after the FROM of the query
                  over the operator's result, in terms of key, aggregate, payload and window columns (for APPLY, of
                  the function's columns by their own names)
    is_distinct   whether `head` is SELECT DISTINCT
    late_into     name for the late rows
    apply         name of the registered apply function (form APPLY) or co-group function (form CO_GROUP)
    join          the two inputs (forms JOIN and CO_GROUP). `source` is then their tagged union, a query in brackets,
                  with the columns JOIN_SIDE (0 left, 1 right), JOIN_TIME, JOIN_KEY<n> and one STRUCT per input under
                  the input's name, NULL on the other side's rows, so that `o.price` reads the same there; `payload` is
                  JOIN_SIDE and the two structs
    variables     session variables that head and tail read
    over          window functions over the result; head and tail then read their columns too
    ends          the window_end of the windows whose results are read, for each input: the time is the last instant
                  before it; empty where the time is a column of its own
    settings      how the session reads `text`
    unnamed       the items whose names Spark knows; None where all are known
    emit          what EMIT says; `spec` has it in effect. None without it
    contested     aliases that mean columns of the source where it has columns of these names
    window_columns  those that head, tail and `over` read, by the names that plans use (forms AGGREGATE and ROWS)
    returned      the columns of the result that are keys or window columns as they are (form AGGREGATE)
    """

    text: str
    span: Span
    source: str
    spec: WindowSpec
    form: Form
    head: str = ""
    tail: str = ""
    is_distinct: bool = False
    where: str | None = None
    time_span: Span | None = None
    operands: tuple[OperandColumn, ...] = ()
    keys: tuple[KeyColumn, ...] = ()
    aggregates: tuple[AggregateCall, ...] = ()
    trigger_aggregates: tuple[AggregateCall, ...] = ()
    payload: tuple[PayloadColumn, ...] = ()
    apply: str | None = None
    late_into: str | None = None
    join: WindowJoin | None = None
    over: WindowFunctions | None = None
    variables: tuple[Variable, ...] = ()
    ends: tuple[EndColumn, ...] = ()
    settings: ParserSettings = ParserSettings()
    unnamed: Unnamed | None = None
    contested: tuple[str, ...] = ()
    emit: Emit | None = None
    window_columns: tuple[str, ...] = ()
    returned: tuple[ResultColumn, ...] = ()

    def over_result(self, relation: str) -> str:
        """The query over a relation with what the operator returns; without a head what it reads there, a FROM body."""
        return f"{self.head} FROM {relation} {self.tail}".rstrip() if self.head else relation
