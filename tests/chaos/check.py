"""Goes on with the streams from crash points: their rows must be those of a run that nothing has interrupted."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chaos.queries import QUERIES, declare, rows_of
from test_killed import _batches, _events, _inputs, _round

import winsql
from winsql.errors import WinsqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _files(rows: Path) -> list[list[list[int]]]:
    """By source and micro-batch the numbers of the files, as the checkpoint has them."""
    found = []
    for number, batches in enumerate(_batches(rows)):
        noted: dict[int, set[int]] = {}
        for log in (rows / "_checkpoint" / "sources" / str(number)).glob("[0-9]*"):
            for line in log.read_text(encoding="utf-8").splitlines()[1:]:
                entry = json.loads(line)
                noted.setdefault(entry["batchId"], set()).add(int(Path(entry["path"]).stem))
        found.append([sorted(file for offset in batch for file in noted[offset]) for batch in batches])
    return found


_TEN = _events()
EVENTS = [
    *([*one, *other] for one, other in zip(_TEN[::2], _TEN[1::2], strict=True)),
    [("z", 200_000_000.0, 1.0, 9_000)],
    [("z", 200_100_000.0, 1.0, 9_001)],
]
"""The rows of the files: few of them, for each is a micro-batch. The last two let the watermark pass all others, for
after a restart Spark runs no micro-batch without rows: what the last rows alone would fire comes with the next ones."""
_LAST = "2030-"


def put_inputs(folder: Path) -> None:
    """The files that all streams read."""
    made = _round(folder / "files", {"": (EVENTS, EVENTS)})
    for name, view in {"in_": "in", "in__others": "in_others"}.items():
        (made / name).rename(folder / view)


AT_ONCE = 4
"""Streams that go on at the same time: one alone leaves a core idle while it waits for processes and files."""
_ALL = 1_000
"""More files than there are."""
_MANY = 40
"""Crash points of a stream from which on it is cheaper to go on with all files that are left in one micro-batch, and to
compare with an uninterrupted run for each length of it, than to go on file by file as the recorded run has done."""


@dataclass(slots=True)
class Campaign:
    """Crash points of one stream that has written below `folder`; those of others may be checked at the same time.

    spark      a session of its own, for its views
    points     how many are to be checked
    expected   by division of the files into micro-batches the rows of an uninterrupted run
    begun_anew   how many had to begin anew: the first micro-batch had not been noted when the process stopped
    """

    spark: SparkSession
    folder: Path
    name: str
    points: int
    expected: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    begun_anew: int = 0

    def __post_init__(self) -> None:
        """Nothing has interrupted the recorded run, where there is one."""
        place = self.folder / self.name
        if place.is_dir():
            self.expected[json.dumps(_files(place / "rows"))] = self._rows(place)

    def check(self, point: Path) -> str | None:
        """None where the stream goes on from the copy and has all its rows once; else what is wrong."""
        place = self.folder / self.name
        self._put(place, point)
        declare(self.spark, self.folder, _ALL if self.points >= _MANY else 1)
        return self.goes_on(place)

    def goes_on(self, place: Path) -> str | None:
        """None where the stream goes on from what is in this folder and has all its rows once; else what is wrong."""
        try:
            found = self._run(self.name, place)
        except Exception as error:  # noqa: BLE001 - any of them is what the campaign looks for
            return f"{type(error).__name__}: {error}"
        batches = _files(place / "rows")
        wanted = self._expected(batches)
        return None if found == wanted else f"in micro-batches {batches}\n  has {found}\n  not {wanted}"

    def _put(self, place: Path, point: Path) -> None:
        while place.exists():  # Spark may still be at the state of the stream that has ended
            shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(point, place)

    def _run(self, stream: str, place: Path) -> dict[str, list[str]]:
        query, spark = QUERIES[self.name], self.spark
        create = query.create(stream, place)
        try:
            winsql.sql(spark, create)
            winsql.sql(spark, f"AWAIT STREAM {stream}")
        except WinsqlError as error:
            if "CREATE OR REPLACE" not in (error.hint or "") or (place / "rows/_checkpoint/offsets/0").exists():
                raise
            self.begun_anew += 1
            winsql.sql(spark, create.replace("CREATE", "CREATE OR REPLACE", 1))
            winsql.sql(spark, f"AWAIT STREAM {stream}")
        finally:
            self.forget(stream)
        return self._rows(place)

    def _rows(self, place: Path) -> dict[str, list[str]]:
        found = rows_of(QUERIES[self.name], place)
        return {table: [row for row in rows if _LAST not in row] for table, rows in found.items()}

    def forget(self, stream: str) -> None:
        """Leave the files, and nothing else."""
        spark = self.spark
        winsql.sql(spark, f"DROP STREAM IF EXISTS {stream}")
        for table in (stream, f"{stream}_late"):
            spark.sql(f"DROP TABLE IF EXISTS {table}")

    def _expected(self, batches: list[list[list[int]]]) -> dict[str, list[str]]:
        key = json.dumps(batches)
        if key not in self.expected:
            folder = self.folder / "calm" / self.name / str(len(self.expected))
            inputs = _inputs(self.folder / "in", EVENTS, batches)
            made = _round(folder / "files", {"": inputs})
            for source, view in {"in_": "in", "in__others": "in_others"}.items():
                (made / source).rename(folder / view)
            declare(self.spark, folder)
            (folder / "out").mkdir()
            self.expected[key] = self._run(f"calm_{self.name}_{len(self.expected)}", folder / "out")
            assert self.expected[key]["rows"], key
        return self.expected[key]
