"""A checkpoint whose files are cut off, garbage or gone, read as state: one sentence names the file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kept_checkpoints import ARCHIVES, unpack

import winsql
from winsql.errors import WinsqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.spark.streaming import Source

FILES = {
    "sst": "state/0/0/SSTs/*.sst",
    "zip": "state/0/0/3.zip",
    "schema": "state/0/_stateSchema/default/*",
    "metadata": "state/0/_metadata/v2/0",
    "commits": "commits/2",
    "offsets": "offsets/2",
}
NAMED = {"sst": "state/0/0/SSTs/0000", "zip": "state/0/0/3.", "schema": "state", "metadata": "state"}
NAMED |= {"commits": "commits/2", "offsets": "offsets/2"}
DAMAGE: dict[str, Callable[[Path], object]] = {
    "gone": lambda file: file.unlink(),
    "cut": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "garbage": lambda file: file.write_bytes(b"\x07garbage" * (file.stat().st_size // 8)),
    "empty": lambda file: file.write_bytes(b""),
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint with open windows."""
    folder = tmp_path_factory.mktemp("damaged")
    unpack(ARCHIVES / "0.1.0.zip", folder)
    return folder / "lasting" / "0"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "damage"),
    [
        ("sst", "gone"),
        ("sst", "cut"),
        ("zip", "garbage"),
        ("schema", "cut"),
        ("metadata", "gone"),
        ("commits", "cut"),
        ("offsets", "empty"),
    ],
)
def test_a_damaged_file_is_named(spark: SparkSession, kept: Path, part: str, damage: str) -> None:
    """A commit that is gone alone is that of a micro-batch that has not ended: the state before it is read."""
    whole = kept.with_name("whole")
    shutil.copytree(kept, whole)
    try:
        for file in kept.glob(FILES[part]):
            file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
            DAMAGE[damage](file)
        for read in (winsql.state, winsql.stream_metrics) if damage == "gone" else (winsql.state,):
            with pytest.raises(WinsqlError, match="cannot be read") as caught:
                read(spark, str(kept))
            assert str(kept / NAMED[part]) in caught.value.problem
            assert len(caught.value.problem.splitlines()) == 1
            assert caught.value.hint
    finally:
        shutil.rmtree(kept)
        whole.rename(kept)


CREATE = """CREATE STREAMING TABLE counted OPTIONS (path '{path}', trigger 'available now')
AS SELECT k, count(*) AS n FROM events WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"""


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_show_streams_names_the_damaged_file(
    session: SparkSession, events: Source, tmp_path: Path, damage: str
) -> None:
    """A stream over state that cannot be read ends, and says so until it goes on."""
    events.put([("a", 1, 1.0, 0), ("b", 2, 1.0, 1)])
    create = CREATE.format(path=tmp_path / "counted")
    winsql.sql(session, create).collect()
    winsql.sql(session, "AWAIT STREAM counted").collect()
    whole, kept = tmp_path / "whole", tmp_path / "counted" / "_checkpoint" / "state"
    shutil.copytree(kept, whole)
    for file in kept.glob("0/*/*.zip"):
        file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
        DAMAGE[damage](file)
    events.put([("a", 3, 1.0, 2)])
    winsql.sql(session, create).collect()
    with pytest.raises(WinsqlError, match=re.escape(str(kept))):
        winsql.sql(session, "AWAIT STREAM counted").collect()
    shown = next(row for row in winsql.sql(session, "SHOW STREAMS").collect() if row.name.endswith("counted"))
    assert re.search(rf"{re.escape(str(kept))}/0/\d/\S+ .*cannot be read", shown.error)
    assert len(shown.error.splitlines()) == 1

    shutil.rmtree(kept)
    whole.rename(kept)
    events.put([("z", 7200, 1.0, 3)], [("z", 7201, 1.0, 4)])
    winsql.sql(session, create).collect()
    winsql.sql(session, "AWAIT STREAM counted").collect()
    session.catalog.refreshTable("counted")
    assert sorted(map(tuple, session.table("counted").collect())) == [("a", 2), ("b", 1)]
