"""The side of a join whose rows come as they are read, where those of the other come when their windows have ended.

    SELECT ... FROM T JOIN (SELECT k, max(v) AS m, window_end FROM T GROUP BY ...) g ON T.window_end = g.window_end ...

A stream keeps the rows of the first until their windows have ended too; then they join as results do.
"""

from __future__ import annotations

from dataclasses import replace

from winsql.model.query import INTERNAL_PREFIX, Form, KeyColumn, PayloadColumn, WindowQuery
from winsql.syntax.rules.attached_windows import attached_windows
from winsql.syntax.rules.resolved_join import ResolvedJoin
from winsql.syntax.rules.sides import begins_in, joined_body
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.parts import Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.records import Relation

__all__ = ["bind_side", "buffered_side"]

_ROW = INTERNAL_PREFIX + "side_row"


def buffered_side(
    source: Source, relations: tuple[Relation, ...], selects: tuple[Select, Select]
) -> tuple[int, Extent] | None:
    """The number and the tokens of this side; None where rows of both sides come at the same time.

    selects   the SELECTs in whose FROM the sides are
    """
    are_rows = [relation.are_rows for relation in relations]
    if len(relations) != 2 or are_rows[0] == are_rows[1]:
        return None
    number = are_rows.index(True)
    body = joined_body(source, selects[number])
    first = begins_in(source, body, relations[number])
    return None if first is None else (number, read_relation(source, first, body.stop).extent)


def bind_side(source: Source, select: Select, join: ResolvedJoin, number: int) -> WindowQuery:
    """The query that keeps the rows of a side of a join."""
    side = join.sides.pair[number]
    keys = (
        KeyColumn(pair[number], f"{INTERNAL_PREFIX}key_{n}", source.span(place))
        for n, (*pair, place) in enumerate(join.condition.keys)
    )
    return replace(
        attached_windows(source, select, *join.ends[number]),
        span=source.span(side.written.extent),
        source=source.verbatim(side.written.extent) + ("" if side.is_named else f" AS {side.name}"),
        keys=tuple(keys),
        payload=(PayloadColumn(f"struct({side.name}.*)", _ROW),),
        form=Form.ROWS,
        head=f"(SELECT {_ROW}.*",
        tail=f") AS {side.name}",
    )
