"""What a streaming relation reads: rows as they come, or the result of something that waits for the watermark.

A window over the result of another one in the same stream is Flink's cascade. Both get the watermark of the
micro-batch. The rows that the first window gives at this watermark are older than it, so the second must take them
before the watermark. They are recognized by marks, metadata on the columns window_time and window_end, which Spark
keeps where a query renames these. Spark's plan tells whether other rows are mixed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DataType, StructField, StructType

from winsql.model.query import JOIN_LEFT, JOIN_RIGHT, WINDOW_END, WINDOW_TIME, EndColumn, WindowQuery
from winsql.model.window_tables import Role
from winsql.planner.facts import Upstream
from winsql.planner.streaming import earliest, given_when
from winsql.spark.operator_columns import Marks
from winsql.spark.streaming.packing import KEY_GROUP
from winsql.spark.versions.plan_text import analyzed_text

_MARKS = {role: f"winsql.{role.value}" for role in (Role.END, Role.TIME)}
_END_MARK, _MARK = _MARKS.values()
_WATERMARK = "spark.watermarkDelayMs"
_WHEN = {Upstream.AT_END: "at end", Upstream.ON_TIME: "on time", Upstream.ANY_TIME: "any time"}
_OF_ROWS = {role: f"{mark}_of_rows" for role, mark in _MARKS.items()}
"""The marks on rows that come as they are read, each with its windows."""
_ROW_TIME = "winsql.row_time"
Nodes = list[tuple[int, str]]
"""The operators of a plan with their depths, each before its inputs."""
_ALL_MARKS = frozenset({*_MARKS.values(), _ROW_TIME, *_OF_ROWS.values()})


def window_marks(query: WindowQuery) -> Marks:
    """Metadata of the window columns in the result of a query on a stream, by column."""
    when = _WHEN[given_when(query)]
    return {WINDOW_TIME: {_MARK: when}, WINDOW_END: {_END_MARK: when}}


def marks_of_rows(time: str, windows: str) -> Marks:
    """Marks for rows with their windows, by column; `time` is the time column of the windows, and `windows` says which
    windows these are, as `windows_identity` does."""
    return {time: {_ROW_TIME: "yes"}, **{role.value: {mark: windows} for role, mark in _OF_ROWS.items()}}


def marks_over_results(time: StructField) -> Marks:
    """Marks for rows with their windows whose time is that of earlier windows, by column; none for another time.

    Rows whose windows end together come one after the other, all of them before the watermark passes that end.
    """
    given = (time.metadata or {}).get(_MARK)
    if given not in (_WHEN[Upstream.AT_END], _WHEN[Upstream.ON_TIME]):
        return {}
    return {role.value: {mark: _WHEN[Upstream.ON_TIME]} for role, mark in _MARKS.items()}


def are_over_results(rows: DataFrame) -> bool:
    """Whether the marks on rows with their windows say that these go by the time of earlier windows."""
    return any(_END_MARK in (field.metadata or {}) and field.name.lower() == Role.END.value for field in rows.schema)


def windows_of_rows(columns: Iterable[StructField]) -> Iterator[str]:
    """Which windows rows come with as they are read, by the marks on columns and on fields in them."""
    for column in columns:
        yield from (windows for mark, windows in (column.metadata or {}).items() if mark in _OF_ROWS.values())
        kind = column.dataType.elementType if isinstance(column.dataType, ArrayType) else column.dataType
        yield from windows_of_rows(kind.fields) if isinstance(kind, StructType) else ()


def marked_role(field: StructField) -> tuple[Role | None, bool]:
    """What a column says of windows by its marks, and whether it is the time that windows of rows go by."""
    marks = field.metadata or {}
    role = next((role for role, mark in _MARKS.items() if mark in marks or _OF_ROWS[role] in marks), None)
    return role, _ROW_TIME in marks


def without_old_marks(schema: StructType, query: WindowQuery) -> StructType:
    """The schema of a query's firings, without marks of earlier windows and watermarks on the rows in them.

    The watermark of these rows has taken effect, and the earlier windows have ended before those of the query. Only
    windows of one moment, as in a join of windows on their ends, end together with them: there their marks stay.
    """
    is_moment = query.spec.is_of_moments and given_when(query).is_on_time
    old = frozenset({_WATERMARK}) if is_moment else _ALL_MARKS | {_WATERMARK}
    return StructType([_without(field, old) for field in schema.fields])


def _without(field: StructField, marks: frozenset[str]) -> StructField:
    metadata = {key: value for key, value in (field.metadata or {}).items() if key not in marks}
    return StructField(field.name, _type_without(field.dataType, marks), field.nullable, metadata)


def _type_without(kind: DataType, marks: frozenset[str]) -> DataType:
    if isinstance(kind, StructType):
        return StructType([_without(field, marks) for field in kind.fields])
    if isinstance(kind, ArrayType):
        return ArrayType(_type_without(kind.elementType, marks), kind.containsNull)
    return kind


def upstream_of(
    nodes: Nodes, given: Upstream, time: StructField | None, end: StructField | None = None
) -> Upstream | None:
    """What the rows of a query wait for, by its operators; None for rows that come as they are read.

    given  when the results of the windowed queries come that it reads, all of them seen together
    time   its column that a window would take as time
    end    the column of which the time is the last instant before; None where the time is a column of its own

    Spark keeps the mark of a union's first part alone. With `end` the statement says that all parts have ends of
    windows in that column.
    """
    sources = list(_sources(nodes))
    found = next((kind for kind in sources if kind is not None), None)
    if found is not Upstream.WINDOWED or time is None:
        return found
    mark = (time.metadata or {}).get(_MARK) if end is None else (end.metadata or {}).get(_END_MARK)
    if mark is None:
        return found
    marked = next(upstream for upstream, when in _WHEN.items() if when == mark)
    if len(sources) == 1:
        return marked
    all_given = earliest((marked, given))
    of_ends = end is not None and all_given.is_on_time and set(sources) == {Upstream.WINDOWED}
    return all_given if of_ends else Upstream.MIXED


def with_end_marks(schema: StructType, query: WindowQuery) -> StructType:
    """The schema of a query's firings, with marks on the columns that hold the moment of windows of one moment.

    These columns are fields of the structs that are the rows, in a join of an array of structs for each side. Rows that
    come as they are read have no marks there yet.
    """
    if not query.ends:
        return schema
    ends = dict(zip(_SIDES, query.ends, strict=True)) if query.join else dict.fromkeys(schema.names, query.ends[0])
    return StructType([_marked(field, ends.get(field.name)) for field in schema.fields])


_SIDES = (JOIN_LEFT, JOIN_RIGHT)


def _marked(field: StructField, end: EndColumn | None) -> StructField:
    rows = field.dataType.elementType if isinstance(field.dataType, ArrayType) else field.dataType
    if end is None or not isinstance(rows, StructType):
        return field
    when = _WHEN[Upstream.AT_END]
    marks = {**{name: {_MARK: when} for name in end.times}, end.name: {_END_MARK: when}}
    columns = [
        StructField(c.name, c.dataType, c.nullable, {**(c.metadata or {}), **marks.get(c.name.lower(), {})})
        for c in rows.fields
    ]
    marked: DataType = StructType(columns)
    if isinstance(field.dataType, ArrayType):
        marked = ArrayType(marked, field.dataType.containsNull)
    return StructField(field.name, marked, field.nullable, field.metadata)


def carries_watermark(columns: Iterable[StructField]) -> bool:
    """Whether one of the columns has a watermark."""
    return any(_WATERMARK in (column.metadata or {}) for column in columns)


def reads_watermark(nodes: Nodes) -> bool:
    """Whether the rows of a query come from a stream with a watermark, whichever columns are left of it."""
    return any(_watermarks(nodes))


def has_second_watermark(nodes: Nodes) -> bool:
    """Whether rows of windows get another watermark, above the one that they have waited for."""
    definitions = _definitions_in(nodes)
    marked = (place for place, is_marked in enumerate(_watermarks(nodes)) if is_marked)
    return any(kind is not None for place in marked for kind in _read_by(_below(nodes, place), definitions))


def is_marked_twice(nodes: Nodes) -> bool:
    """Whether rows that have a watermark as they are read get another one."""
    definitions = _definitions_in(nodes)
    marked = (place for place, is_marked in enumerate(_watermarks(nodes)) if is_marked)
    return any(_has_watermark(_below(nodes, place), definitions) for place in marked)


def number_of_watermarks(nodes: Nodes) -> int:
    """How many watermarks the rows of a query have been given, in its streams together."""
    return sum(_watermarks(nodes))


def _has_watermark(nodes: Nodes, definitions: dict[str, Nodes]) -> bool:
    ctes = (cte for _, node in nodes if (cte := _CTE.match(node)) is not None and cte["kind"] == "Ref")
    return any(_watermarks(nodes)) or any(_has_watermark(definitions.get(c["number"], []), definitions) for c in ctes)


def are_rows(nodes: Nodes) -> bool | None:
    """True where the rows of a query come as they are read from one stream with a watermark, False where windows give
    them, None for anything else, such as several inputs."""
    sources = list(_sources(nodes))
    if sources == [None]:
        return True if any(_watermarks(nodes)) else None
    return False if sources == [Upstream.WINDOWED] else None


def _watermarks(nodes: Nodes) -> Iterator[bool]:
    """For each node, whether it sets a watermark."""
    return (node.lstrip("~").startswith("EventTimeWatermark") for _, node in nodes)


_NODE = re.compile(r"^(?P<depth>(?:[: ] {2})*)[:+]- (?P<node>.*)$")
_CTE = re.compile(r"~?CTERelation(?P<kind>Def|Ref) (?P<number>\d+)")
_WAITING = {
    "~TransformWithState": Upstream.WINDOWED,
    f"~FlatMapGroupsInArrow [{KEY_GROUP}#": Upstream.WINDOWED,
    "~Aggregate ": Upstream.AGGREGATION,
    "~Distinct": Upstream.AGGREGATION,
}


def _sources(nodes: Nodes) -> Iterator[Upstream | None]:
    """Where rows come from: the uppermost operators that wait for the watermark, and None for a stream that is read.

    In plans `~` marks operators on a stream.
    """
    yield from _read_by(nodes, _definitions_in(nodes))


def _definitions_in(nodes: Nodes) -> dict[str, Nodes]:
    """The operators of each CTE, by its number."""
    found = {}
    for place, (_, node) in enumerate(nodes):
        cte = _CTE.match(node)
        if cte is not None and cte["kind"] == "Def":
            found[cte["number"]] = _below(nodes, place)
    return found


def _read_by(nodes: Nodes, definitions: dict[str, Nodes]) -> Iterator[Upstream | None]:
    place = 0
    while place < len(nodes):
        node = nodes[place][1]
        waiting = next((kind for name, kind in _WAITING.items() if node.startswith(name)), None)
        cte, is_join = _CTE.match(node), node.startswith("~Join ")
        if waiting is not None:
            yield waiting
        elif is_join:
            yield from _joined([list(_read_by(side, definitions)) for side in _inputs(nodes, place)])
        elif cte is not None and cte["kind"] == "Ref":
            yield from _read_by(definitions.get(cte["number"], []), definitions)
        elif node.lstrip("~").startswith("Streaming"):
            yield None
        is_done = waiting is not None or is_join or (cte is not None and cte["kind"] == "Def")
        place += 1 + (len(_below(nodes, place)) if is_done else 0)


def _joined(sides: list[list[Upstream | None]]) -> Iterator[Upstream | None]:
    """What Spark's join gives. Of two streams it keeps rows until their partners come, and rows of windows are no
    longer on time then."""
    found = [source for side in sides for source in side]
    waits = all(sides) and any(source is not None for source in found)
    yield from [Upstream.MIXED] if waits else found


def _inputs(nodes: Nodes, place: int) -> Iterator[Nodes]:
    """The operators of each input of an operator."""
    depth = nodes[place][0]
    for child in range(place + 1, place + 1 + len(_below(nodes, place))):
        if nodes[child][0] == depth + 1:
            yield [nodes[child], *_below(nodes, child)]


def _below(nodes: Nodes, place: int) -> Nodes:
    """The operators that an operator reads, and those that these read."""
    depth = nodes[place][0]
    end = next((n for n in range(place + 1, len(nodes)) if nodes[n][0] <= depth), len(nodes))
    return nodes[place + 1 : end]


def operators_of(frame: DataFrame) -> Nodes:
    """The operators of a query's analyzed plan."""
    lines = analyzed_text(frame).strip("\n").split("\n")
    matched = ((number, line, _NODE.match(line)) for number, line in enumerate(lines))
    return [
        (len(node["depth"]) // 3 + 1, node["node"]) if node is not None else (0, line)
        for number, line, node in matched
        if node is not None or number == 0
    ]
