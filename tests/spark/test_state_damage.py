"""A checkpoint whose files are cut off, garbage or gone, read as state: one sentence names the file."""

from __future__ import annotations

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
