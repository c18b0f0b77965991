"""The newest micro-batches with rows of a stream's tables, noted in its checkpoint: a table that has lost them is older
than the checkpoint. Only where this process can look into the checkpoint by itself, on a local file system.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

NEWEST = "_winsql_newest"
"""The file beside the parts of a checkpoint."""
UNFINISHED = f".{NEWEST}"
"""The file while it is written, which a killed process leaves."""

_KEPT = 2
"""The newest micro-batch may not have ended: then it is repeated, and the one before tells."""


def note_newest(checkpoint: str, number: int, names: Iterable[str]) -> None:
    """Note that the tables of these names, 'rows' and 'late rows', have the rows of a micro-batch."""
    noted = _noted(checkpoint)
    for name in names:
        noted[name] = sorted({*noted.get(name, ()), number})[-_KEPT:]
    with open(f"{checkpoint}/{UNFINISHED}", "w", encoding="utf-8") as file:
        json.dump(noted, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{checkpoint}/{UNFINISHED}", f"{checkpoint}/{NEWEST}")


def written_and_done(checkpoint: str, name: str, first: int) -> int | None:
    """The newest micro-batch of which a table has rows and which is not repeated; None where that is not known.

    `first` is the number that the first micro-batch of the checkpoint has in the tables.
    """
    with suppress(OSError):
        done = max((int(file) for file in os.listdir(f"{checkpoint}/commits") if file.isdigit()), default=-1)
        return max((number for number in _noted(checkpoint).get(name, ()) if number <= first + done), default=None)
    return None


def _noted(checkpoint: str) -> dict[str, list[int]]:
    """What is noted by name; nothing where the file is gone or damaged, as in checkpoints of earlier versions."""
    try:
        with open(f"{checkpoint}/{NEWEST}", encoding="utf-8") as file:
            noted: Any = json.load(file)
    except (OSError, ValueError):
        return {}
    found = noted.items() if isinstance(noted, dict) else ()
    return {name: numbers for name, numbers in found if _are_numbers(numbers)}


def _are_numbers(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(number, int) for number in found)
