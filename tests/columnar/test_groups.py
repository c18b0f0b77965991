"""What a worker hands back for a group: the same values in the types that Spark wants."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

from winsql.spark.workers import groups
from winsql.spark.workers.groups import on_group

VARIANT = pa.struct(
    [
        pa.field("value", pa.binary(), nullable=False),
        pa.field("metadata", pa.binary(), nullable=False, metadata={"variant": "true"}),
    ]
)
BYTES = pa.array([b"a", None, b"c", b"d"])
VARIANTS = pa.StructArray.from_arrays([BYTES, BYTES], fields=list(VARIANT), mask=pa.array([False, True, False, False]))
TIMES = pa.array([datetime.datetime(2024, 1, day, tzinfo=datetime.UTC) for day in (1, 2, 3, 4)]).cast(
    pa.timestamp("us", "Asia/Tokyo")
)
PAIRS = pa.StructArray.from_arrays(
    [VARIANTS, TIMES],
    fields=[pa.field("doc", VARIANT), pa.field("ts", TIMES.type, nullable=False)],
    mask=pa.array([False, False, True, False]),
)
COLUMNS = {
    "variants": VARIANTS,
    "structs": PAIRS,
    "lists": pa.ListArray.from_arrays(pa.array([0, 1, None, 2, 4]), PAIRS),
    "maps": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.field("value", pa.int32(), nullable=False))),
    "texts": pa.array(["a", None]),
}


@pytest.mark.parametrize("large_texts", [False, True])
@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("name", COLUMNS)
def test_values_stay_as_they_are(name: str, start: int, large_texts: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "_wants_large_texts", lambda: large_texts)
    column = COLUMNS[name][start:]
    handed = on_group(lambda rows: rows)(pa.table({"c": column}))
    handed.validate(full=name == "texts" or name == "maps")
    assert handed["c"].to_pylist() == column.to_pylist()
    assert len(on_group(lambda rows: rows)(pa.table({"c": column[:0]}))) == 0


def test_types_are_those_that_spark_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "_wants_large_texts", lambda: True)
    kind = on_group(lambda rows: rows)(pa.table(COLUMNS | {"maps": PAIRS, "texts": PAIRS})).schema
    assert kind.field("variants").type == VARIANT
    assert kind.field("structs").type == pa.struct([("doc", VARIANT), ("ts", pa.timestamp("us", "UTC"))])
