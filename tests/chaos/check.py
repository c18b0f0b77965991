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

__all__ = ["Campaign", "put_inputs"]


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


EVENTS = [*_events(), [("z", 200_000_000.0, 1.0, 9_000)], [("z", 200_100_000.0, 1.0, 9_001)]]
"""The rows of the files. The last two let the watermark pass all others: after a restart Spark runs no micro-batch that
has no rows, so what the last rows alone would fire comes with the next ones."""
_LAST = "2030-"


def put_inputs(folder: Path) -> None:
    """The files that all streams read."""
    made = _round(folder / "files", {"": (EVENTS, EVENTS)})
    for name, view in {"in_": "in", "in__others": "in_others"}.items():
        (made / name).rename(folder / view)


_ALL = 1_000
"""More files than there are."""


@dataclass(slots=True)
class Campaign:
    """Crash points of streams that have written below `folder`.

    expected   by stream and division of the files into micro-batches the rows of an uninterrupted run
    begun_anew   how many had to begin anew: the first micro-batch had not been noted when the process stopped
    """

    spark: SparkSession
    folder: Path
    expected: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    begun_anew: int = 0

    def check(self, name: str, point: Path) -> str | None:
        """None where the stream goes on from the copy and has all its rows once; else what is wrong."""
        place = self.folder / name
        self._put(place, point)
        declare(self.spark, self.folder, _ALL)  # what is left comes at once: few micro-batches to wait for
        try:
            found = self._run(name, name, place)
        except Exception as error:  # noqa: BLE001 - any of them is what the campaign looks for
            return f"{type(error).__name__}: {error}"
        batches = _files(place / "rows")
        wanted = self._expected(name, batches)
        return None if found == wanted else f"in micro-batches {batches}\n  has {found}\n  not {wanted}"

    def _put(self, place: Path, point: Path) -> None:
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(point, place)

    def _run(self, name: str, stream: str, place: Path) -> dict[str, list[str]]:
        query, spark = QUERIES[name], self.spark
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
            self._forget(stream)
        return {table: [row for row in rows if _LAST not in row] for table, rows in rows_of(query, place).items()}

    def _forget(self, stream: str) -> None:
        """Leave the files, and nothing else."""
        spark = self.spark
        winsql.sql(spark, f"DROP STREAM IF EXISTS {stream}")
        for table in (stream, f"{stream}_late"):
            spark.sql(f"DROP TABLE IF EXISTS {table}")

    def _expected(self, name: str, batches: list[list[list[int]]]) -> dict[str, list[str]]:
        key = f"{name} {json.dumps(batches)}"
        if key not in self.expected:
            folder = self.folder / "calm" / str(len(self.expected))
            inputs = _inputs(self.folder / "in", EVENTS, batches)
            made = _round(folder / "files", {"": inputs})
            for source, view in {"in_": "in", "in__others": "in_others"}.items():
                (made / source).rename(folder / view)
            declare(self.spark, folder)
            (folder / "out").mkdir()
            self.expected[key] = self._run(name, f"calm_{len(self.expected)}", folder / "out")
            assert self.expected[key]["rows"], key
        return self.expected[key]
