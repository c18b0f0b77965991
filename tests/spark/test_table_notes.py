"""What is noted with a streaming table is untrusted input, and rows go on with the checkpoint that knows them only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.types import DoubleType, MapType, StringType, StructType

from winsql.errors import WindowPlanError
from winsql.spark.tables.catalog import Table
from winsql.spark.tables.notes import FilesNote, Record, note_of, note_text, properties_of, record_in
from winsql.spark.tables.resuming import Found, first_batch

STREAM = "`spark_catalog`.`default`.`su``ms`"
RECORD = Record(STREAM, "/c", "`spark_catalog`.`d`.`late`", ({"WINDOW ASSIGN": "TUMBLING"}, {}), 7)
SCHEMA = StructType().add("k", StringType()).add("m", MapType(StringType(), DoubleType()))
NOTE = FilesNote("parquet", SCHEMA, StructType().add("n", StringType()), RECORD)


def test_a_note_comes_back_as_it_was() -> None:
    assert note_of(note_text(NOTE)) == NOTE
    assert "\n" not in note_text(NOTE)
    assert record_in(properties_of(RECORD)) == RECORD
    long = Record(STREAM, identities=({"SELECT": "x" * 10_000},))
    assert record_in(properties_of(long)) == long


def test_a_note_of_the_first_version_is_read() -> None:
    note = json.loads(note_text(NOTE))
    del note["record"]["first_batch"]
    assert note_of(json.dumps(note)).record.first_batch == 0


def changed(*path: Any, to: Any) -> Callable[[dict[str, Any]], Any]:
    def change(note: dict[str, Any]) -> Any:
        place = note
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to
        return note

    return change


class Trap:
    """What a forged note would have PySpark call."""

    opened: list[int] = []  # noqa: RUF012

    @classmethod
    def schema(cls) -> None:
        cls.opened.append(1)


def of_class(module: str) -> str:
    column = {
        "type": "udt",
        "pyClass": f"{module}.Trap",
        "sqlType": "string",
        "serializedClass": "gASVBQAAAAAAAACMAXiULg==",
    }
    nested = {"type": "array", "elementType": column, "containsNull": True}
    return json.dumps({"type": "struct", "fields": [{"name": "a", "type": nested, "nullable": True, "metadata": {}}]})


FORGED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no parts": lambda note: {},
    "a list": lambda note: [note],
    "a part more": changed("more", to=1),
    "format": changed("format", to=3),
    "columns": changed("columns", to="k STRING"),
    "columns of three": changed("columns", to=[None, None, None]),
    "no columns": changed("columns", 0, to=None),
    "columns no JSON": changed("columns", 0, to="k STRING, (SELECT 1)"),
    "columns of a class": changed("columns", 0, to=of_class(__name__)),
    "columns of an unknown class": changed("columns", 1, to=of_class("os.system")),
    "columns without end": changed("columns", 0, to="[" * 100_000),
    "no record": changed("record", to=None),
    "a record's part more": changed("record", "root", to="/"),
    "no stream": changed("record", "stream", to=None),
    "a stream that is no name": changed("record", "stream", to="`a`.`b`.`c` AS JSON; DROP TABLE x"),
    "a stream elsewhere": changed("record", "stream", to="`other`.`b`.`c`"),
    "late rows into SQL": changed("record", "late_into", to="`spark_catalog`.`d`.`l` (a INT) USING csv --"),
    "late rows into the table": changed("record", "late_into", to=STREAM),
    "late rows with NUL": changed("record", "late_into", to="`spark_catalog`.`d`.`\0`"),
    "checkpoint": changed("record", "checkpoint", to=["/"]),
    "checkpoint with NUL": changed("record", "checkpoint", to="/x\0"),
    "no checkpoint": changed("record", "checkpoint", to=""),
    "identities": changed("record", "identities", to={"a": "b"}),
    "identities of numbers": changed("record", "identities", to=[{"a": 1}]),
    "first batch": changed("record", "first_batch", to=-1),
    "first batch true": changed("record", "first_batch", to=True),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_forged_note_is_refused(change: Callable[[dict[str, Any]], Any]) -> None:
    forged = json.dumps(change(json.loads(note_text(NOTE))))
    with pytest.raises(ValueError, match=r"it has not|it is no|its columns|its queries|the name|the number|the place"):
        note_of(forged)
    assert Trap.opened == []


@pytest.mark.parametrize("text", ["", "{", "\ufffd\0", "nul", "[" * 100_000, '{"format": "parquet"'])
def test_a_damaged_note_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="it is no JSON"):
        note_of(text)


@pytest.mark.parametrize("count", ["", "0", "2", "-1", "x", "9" * 400, "\u0661"])
def test_properties_of_others_are_no_record(count: str) -> None:
    assert record_in({**properties_of(RECORD), "winsql.stream": count}) is None
    assert record_in({"winsql.stream": "1", "winsql.stream.0": "{"}) is None


TABLE = Table(STREAM, str(Path("/t")), "parquet", False, Record(STREAM, first_batch=4))


@pytest.mark.parametrize(
    ("found", "appends", "expected"),
    [
        (Found(frozenset(), False, None, False), False, 4),
        (Found(frozenset({4, 5, 9}), True, 5, False), False, 4),
        (Found(frozenset({4, 5, 9}), True, 70, False), True, 4),
        (Found(frozenset({0, 2}), True, 0, False), False, 4),
        (Found(frozenset({4, 5, 9}), True, None, False), True, 10),
        (Found(frozenset(), True, None, False), True, 0),
    ],
)
def test_where_a_stream_goes_on(found: Found, appends: bool, expected: int) -> None:
    assert first_batch(found, TABLE, appends=appends) == expected


@pytest.mark.parametrize(
    ("found", "appends", "problem", "hint"),
    [
        (Found(frozenset({4}), True, None, False), False, "its checkpoint /t/_checkpoint is gone", "resume 'append'"),
        (Found(frozenset(), True, None, False), False, "its checkpoint /t/_checkpoint is gone", "OR REPLACE"),
        (Found(frozenset({4}), True, None, True), True, "has lost its offsets", "delete what is left"),
        (
            Found(frozenset({4, 9}), True, 4, False),
            True,
            "has the rows of micro-batch 5, its .* ends with 4",
            "REPLACE",
        ),
    ],
)
def test_rows_without_their_checkpoint_are_refused(found: Found, appends: bool, problem: str, hint: str) -> None:
    with pytest.raises(WindowPlanError, match=problem) as caught:
        first_batch(found, TABLE, appends=appends)
    assert hint in (caught.value.hint or "")
    assert caught.value.rule is not None
