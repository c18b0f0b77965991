"""What the three engines begin with and hold alike."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import pyarrow as pa

from winsql.model.columnar import Longs
from winsql.runtime.columnar.shared.keys import KeyTable
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.protocol import FiringBlock, Slots


class BaseEngine(ABC):
    """The part of an `Engine` that is the same for all windows."""

    def __init__(self, plan: ColumnarPlan, key_schema: pa.Schema, watermark: int, now: int) -> None:
        self.plan = plan
        self.watermark = watermark
        self.now = now
        self.keys = KeyTable(key_schema)
        self.layout = plan.layout()
        self.firings: list[FiringBlock] = []
        self.late: list[Longs] = []
        self.dropped = 0

    def process(self, keys: pa.RecordBatch, slots: Slots, numbers: Longs) -> None:
        """As `Engine.process`."""
        if len(numbers):
            self.take(self.keys.add(keys), slots, numbers)

    @abstractmethod
    def take(self, key: Longs, slots: Slots, numbers: Longs) -> None:
        """As `Engine.take`."""

    def note_late(self, numbers: Longs) -> None:
        """Keep the numbers of late rows, or count these."""
        if self.plan.late_output:
            self.late.append(numbers)
        else:
            self.dropped += len(numbers)

    def held(self) -> Longs:
        """As `Engine.held`: an engine that keeps accumulators only holds no rows."""
        return np.zeros(0, dtype=np.int64)
