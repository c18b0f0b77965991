"""Joins on streams whose inputs share columns: the firings and counters of rows with a STRUCT per input, on either
engine, also where the state was written with these."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from engines import Batch
from hypothesis import given
from hypothesis import strategies as st
from test_engines_agree import BATCHES, evicting
from test_key_group import SCHEMA, SETTINGS, Query, arrow

from winsql.model.query import JOIN_LEFT, JOIN_RIGHT, JOIN_SIDE, WindowSpec
from winsql.runtime.columnar.shared import narrow
from winsql.spark.workers.side_columns import SideColumns
from winsql.spark.workers.task import Handout

LEFT = pa.struct([("n", pa.int64()), ("text", pa.string())])
RIGHT = pa.struct([("text", pa.string()), ("half", pa.float64()), ("n", pa.int64())])
SIDES = SideColumns((LEFT, RIGHT), ((0, 1), (1, 2, 0)))
PAYLOAD = [(JOIN_SIDE, pa.int32()), (JOIN_LEFT, LEFT), (JOIN_RIGHT, RIGHT)]
STRUCTS = pa.schema([*list(SCHEMA)[:-1], *(pa.field(*column) for column in PAYLOAD), SCHEMA.field("all")])


class Join(Query):
    """A query that hands out the rows of both sides."""

    def __init__(self, spec: WindowSpec, sides: SideColumns | None) -> None:
        super().__init__(spec, Handout.SIDES)
        self.share(sides)

    def share(self, sides: SideColumns | None) -> None:
        schema = STRUCTS if sides is None else sides.schema(STRUCTS)
        self.task = replace(self.task, schema=schema, task=replace(self.task.task, sides=sides))

    def arrow(self, batch: Batch) -> pa.RecordBatch:
        plain = arrow(batch)
        places = range(plain.num_rows)
        sides = [place * 7 % 5 % 2 for place in places]
        texts = [None if place % 4 == 0 else str(place) for place in places]
        left = [None if sides[p] else {"n": p, "text": texts[p]} for p in places]
        right = [{"text": texts[p], "half": p / 2, "n": -p} if sides[p] else None for p in places]
        payload = [pa.array(v, kind) for v, (_, kind) in zip((sides, left, right), PAYLOAD, strict=True)]
        rows = pa.RecordBatch.from_arrays([*plain.columns[:-1], *payload, plain.columns[-1]], schema=STRUCTS)
        return rows if self.task.task.sides is None else SIDES.shared(rows).cast(self.task.schema)


@SETTINGS
@given(evicting(), BATCHES, st.integers(0, 3))
def test_shared_columns_are_rows_of_both_sides(spec: WindowSpec, batches: list[Batch], later: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrow, "_FEW", 1)
        structs, columnar, per_row, upgraded = (Join(spec, sides) for sides in (None, SIDES, SIDES, None))
        for number, batch in enumerate(batches):
            if number == later:
                upgraded.share(SIDES)
            expected = structs.run(batch, False).seen()
            assert columnar.run(batch, True).seen() == expected
            assert per_row.run(batch, False).seen() == expected
            assert upgraded.run(batch, batch.columnar).seen() == expected
    assert set(columnar.schemas) == set(per_row.schemas) == set(structs.schemas)
