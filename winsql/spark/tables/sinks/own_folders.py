"""The folders that a stream writes into: each is that of one stream, and has a note of which."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.tables.connectors import SPARK_ERRORS
from winsql.spark.tables.folders import (
    NOTE,
    OF_SINK,
    OWNER,
    delete,
    empty_folder,
    read_line,
    require_checkpoint_alone,
    require_free,
    same_place,
    write_line,
)
from winsql.spark.tables.names import shown_name
from winsql.spark.tables.sinks.notes import SinkNote


@dataclass(frozen=True, slots=True)
class OwnFolders:
    """The folders of a stream's sinks, and its checkpoint."""

    spark: SparkSession
    paths: Sequence[str]
    checkpoint: str

    def require_free(self) -> None:
        """Raises WindowPlanError where a new stream finds another stream, or files, in its folders or around them."""
        for path in self.paths:
            require_free(self.spark, path, "stream")

    def require_own(self, kept: SinkNote) -> None:
        """Raises WindowPlanError for a folder with the note of another stream than that of a checkpoint."""
        for path in self.paths:
            owner = self._owner(path)
            if owner is not None and owner != _owner(kept):
                raise _of_another(path, shown_name(owner[0]))
            if read_line(self.spark, f"{path}/{NOTE}") is not None:
                raise _of_another(path, "")

    def require_room(self, kept: SinkNote) -> None:
        """Raises WindowPlanError where a replaced stream may not be deleted, or its new folders are not free."""
        self.require_own(kept)
        others = [path for path in self.paths if path not in _paths(kept)]
        OwnFolders(self.spark, others, self.checkpoint).require_free()
        require_checkpoint_alone(self.spark, self.checkpoint, "CREATE OR REPLACE STREAM")

    def empty(self, kept: SinkNote) -> None:
        """Delete the checkpoint, and the rows in folders that only this stream has; the note beside the checkpoint
        stays on a local file system."""
        empty_folder(self.spark, self.checkpoint, keep=(OF_SINK,))
        for path in self.paths:
            if path in _paths(kept):
                inside = same_place(self.checkpoint, f"{path}/_checkpoint")
                empty_folder(self.spark, path, keep=("_checkpoint",) if inside else ())

    def note(self, owner: SinkNote) -> None:
        """Leave a note in each folder."""
        for path in self.paths:
            if self._owner(path) != _owner(owner):
                write_line(self.spark, f"{path}/{OWNER}", json.dumps(_owner(owner)))

    def forget(self) -> None:
        """Delete these notes, for a stream that has not started."""
        for path in self.paths:
            with suppress(*SPARK_ERRORS, OSError):
                delete(self.spark, f"{path}/{OWNER}")

    def _owner(self, path: str) -> list[str] | None:
        """The stream and the identity in the note of a folder; None where there is none."""
        line = read_line(self.spark, f"{path}/{OWNER}")
        if line is None:
            return None
        with suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, list) and len(found) == 2 and all(isinstance(part, str) for part in found):
                return found
        raise WindowPlanError(
            f"the note {path}/{OWNER} cannot be read",
            rule="it says which stream writes into this folder",
            hint="put the file back from a copy, or choose another path",
        )


def _owner(note: SinkNote) -> list[str]:
    return [note.stream, note.identity]


def _paths(note: SinkNote) -> set[str | None]:
    return {pairs.get("path") for pairs in (note.sink, note.late_sink or {})}


def _of_another(path: str, stream: str) -> WindowPlanError:
    return WindowPlanError(
        f"path {path} is the folder of {f'the stream {stream}' if stream else 'another stream'}",
        rule="the folder of a stream belongs to it alone: each micro-batch has a place there by its number",
        hint="choose another path, or empty this one when the other stream is gone",
    )
