"""A stateful processor that counts the rows of a key: the least that Spark's operator in Python does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

if TYPE_CHECKING:
    import pandas as pd


class Counting(StatefulProcessor):
    """Keeps the count in a value."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.count = handle.getValueState("count", "n BIGINT")

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[pd.DataFrame]:
        import pandas as pd

        before = self.count.get()
        count = sum(map(len, rows)) + (before[0] if before is not None else 0)
        self.count.update((count,))
        yield pd.DataFrame({"k": [key[0]], "n": [count]})

    def close(self) -> None:
        pass
