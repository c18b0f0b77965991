"""A join of rows with window results: the rows are buffered until their windows end, when the results come.

SELECT ... FROM T JOIN (SELECT k, max(v) AS m, window_end FROM T GROUP BY ...) g ON T.window_end = g.window_end ...
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from winsql.model.query import INTERNAL_PREFIX, Form, KeyColumn, PayloadColumn, WindowQuery
from winsql.syntax.rules.attached_windows import attached_windows
from winsql.syntax.rules.join import Join
from winsql.syntax.rules.semi_join import SemiJoin
from winsql.syntax.rules.sides import begins_in
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.parts import Select
from winsql.syntax.text.source import Extent, Source

_ROW = INTERNAL_PREFIX + "side_row"


@dataclass(frozen=True, slots=True)
class BufferedSide:
    """The side that is buffered: its number, its tokens, and the SELECT in whose FROM it is."""

    join: Join | SemiJoin
    number: int
    extent: Extent
    select: Select

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """The query that buffers its rows."""
        join = self.join.resolve(source)
        side = join.sides.pair[self.number]
        keys = (
            KeyColumn(pair[self.number], f"{INTERNAL_PREFIX}key_{n}", source.span(place))
            for n, (*pair, place) in enumerate(join.condition.keys)
        )
        return replace(
            attached_windows(source, self.select, join.ends[self.number], join.condition.role),
            span=source.span(side.written.extent),
            source=source.verbatim(side.written.extent) + ("" if side.is_named else f" AS {side.name}"),
            keys=tuple(keys),
            payload=(PayloadColumn(f"struct({side.name}.*)", _ROW),),
            form=Form.ROWS,
            head=f"(SELECT {_ROW}.*",
            tail=f") AS {side.name}",
        )


def buffered_side(source: Source, join: Join | SemiJoin) -> BufferedSide | None:
    """The side of a join that is buffered; None where both are rows, or both are results."""
    relations, selects = join.sides(source)
    is_row_stream = [relation.is_row_stream for relation in relations]
    if len(relations) != 2 or is_row_stream[0] == is_row_stream[1]:
        return None
    number = is_row_stream.index(True)
    body = join.body_of(source, number)
    first = begins_in(source, body, relations[number])
    extent = None if first is None else read_relation(source, first, body.stop).extent
    return None if extent is None else BufferedSide(join, number, extent, selects[number])
