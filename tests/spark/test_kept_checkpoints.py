"""Checkpoints that released versions of winsql have written: streams go on from them, their windows can be listed."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kept_checkpoints import AFTER, ARCHIVES, BEFORE, DELAY, GIVEN, STATEMENTS, VIEW, unpack
from streaming import Source, rows_of, run_sql

import winsql
from winsql import WindowDataError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VERSIONS = sorted(path.stem for path in ARCHIVES.glob("*.zip"))


def test_the_first_version_is_kept() -> None:
    assert "0.1.0" in VERSIONS


def test_a_checkpoint_that_was_moved_is_told(spark: SparkSession, tmp_path: Path) -> None:
    shutil.unpack_archive(ARCHIVES / "0.1.0.zip", tmp_path)
    with pytest.raises(WindowDataError, match=r"the checkpoint .* cannot be read: .*_stateSchema.* does not exist"):
        winsql.state(spark, str(tmp_path / "tumbling" / "0"))


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_streams_go_on_from_it(spark: SparkSession, tmp_path: Path, version: str) -> None:
    kept = tmp_path / "kept"
    unpack(ARCHIVES / f"{version}.zip", kept)
    open_windows = {name: winsql.state(spark, str(kept / name / "0")).count() for name in STATEMENTS}
    assert all(open_windows.values()), open_windows
    source = Source(tmp_path / "in")
    source.put(AFTER)
    source.stream(spark, VIEW, DELAY)
    given = json.loads((kept / GIVEN).read_text())
    whole = Source(tmp_path / "whole")
    whole.put(*BEFORE, AFTER)
    whole.table(spark, "whole")
    for name, statement in STATEMENTS.items():
        (rows,) = run_sql(spark, [statement.format(v=VIEW)], kept / name)
        assert rows, name
        found = Counter(map(tuple, [*given[name], *rows]))
        expected = rows_of(winsql.sql(spark, statement.format(v="whole")))
        assert found == Counter({row: n for row, n in expected.items() if row[0] != "end"}), name
