"""The side of a join whose rows come as they are read, where those of the other come when their windows have ended.

    SELECT ... FROM T JOIN (SELECT k, max(v) AS m, window_end FROM T GROUP BY ...) g ON T.window_end = g.window_end ...

The rows of the one are gathered until their windows have ended too, and then join as results do.
"""

from __future__ import annotations

from dataclasses import replace

from winsql.model.query import INTERNAL_PREFIX, Form, KeyColumn, PayloadColumn, WindowQuery
from winsql.syntax.rules.join import Meeting
from winsql.syntax.rules.moment import moment_query
from winsql.syntax.rules.sides import begins_in, joined_body
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.parts import Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.records import Relation

__all__ = ["bind_side", "rows_beside_results"]

_ROW = INTERNAL_PREFIX + "side_row"


def rows_beside_results(
    source: Source, pair: tuple[Relation, ...], selects: tuple[Select, Select]
) -> tuple[int, Extent] | None:
    """The number and the tokens of such a side of a join; None where both are of one kind.

    selects   the SELECTs in whose FROM the sides are
    """
    kinds = [relation.are_rows for relation in pair]
    if len(pair) != 2 or kinds[0] == kinds[1]:
        return None
    number = kinds.index(True)
    body = joined_body(source, selects[number])
    first = begins_in(source, body, pair[number])
    relation = None if first is None else read_relation(source, first, body.stop)
    return None if relation is None else (number, relation.extent)


def bind_side(source: Source, select: Select, meeting: Meeting, number: int) -> WindowQuery:
    """The query that gathers the rows of a side of a join."""
    side = meeting.sides.pair[number]
    assert meeting.condition.ends is not None
    base = moment_query(source, select, *meeting.condition.ends[number])
    keys = (
        KeyColumn(pair[number], f"{INTERNAL_PREFIX}key_{n}", source.span(place))
        for n, (*pair, place) in enumerate(meeting.condition.keys)
    )
    return replace(
        base,
        span=source.span(side.written.extent),
        source=source.verbatim(side.written.extent) + ("" if side.is_named else f" AS {side.name}"),
        keys=tuple(keys),
        payload=(PayloadColumn(f"struct({side.name}.*)", _ROW),),
        form=Form.ROWS,
        head=f"(SELECT {_ROW}.*",
        tail=f") AS {side.name}",
    )
