"""Where a key's state lives in its key group: a directory of buckets that split as they grow.

A bucket holds the keys whose hash ends in its suffix of `depth` bits (extendible hashing). Splitting by size keeps
every value of the state store near one size, so that a micro-batch pays for the keys it touches and for the buckets
whose timers are due, not for all keys ever seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.errors import WindowDataError
from winsql.runtime.codec import decode, encode, require_version

META_VERSION = 1
MAX_DEPTH = 20

Hashes = npt.NDArray[np.int64]


@dataclass(slots=True)
class Bucket:
    """One bucket: its place in the directory, what wakes it, and its size.

    event_timer, processing_timer   earliest pending timers, None when there are none
    expiry    processing time at which the first pane's time to live ends, None without one
    """

    depth: int
    suffix: int
    event_timer: int | None = None
    processing_timer: int | None = None
    expiry: int | None = None
    panes: int = 0
    size: int = 0

    @property
    def number(self) -> int:
        """Its number in the state store, unique among the buckets of the group."""
        return (1 << self.depth) | self.suffix

    def is_due(self, watermark: int, now: int | None) -> bool:
        """Whether the passing of time alone changes something in it."""
        if self.event_timer is not None and self.event_timer <= watermark:
            return True
        return now is not None and any(t is not None and t <= now for t in (self.processing_timer, self.expiry))

    def split(self) -> tuple[Bucket, Bucket]:
        """The two empty buckets that take its place."""
        return Bucket(self.depth + 1, self.suffix), Bucket(self.depth + 1, self.suffix | 1 << self.depth)


@dataclass(slots=True)
class GroupMeta:
    """What a key group remembers beside its buckets: clocks, the next row number, counters, the directory.

    `wake` is the time, in milliseconds, of the timer it has registered with Spark. `identity` is the identity of the
    query that the state belongs to, its parts by name.
    """

    watermark: int
    now: int
    next_id: int = 0
    dropped: int = 0
    late: int = 0
    firings: int = 0
    wake: int | None = None
    identity: dict[str, str] = field(default_factory=dict)
    buckets: list[Bucket] = field(default_factory=lambda: [Bucket(0, 0)])

    def bucket_of(self, hashes: Hashes) -> npt.NDArray[np.int64]:
        """For each hash the index of its bucket in `buckets`."""
        depth = max(bucket.depth for bucket in self.buckets)
        table = np.empty(1 << depth, dtype=np.int64)
        for index, bucket in enumerate(self.buckets):
            table[bucket.suffix :: 1 << bucket.depth] = index
        owners: npt.NDArray[np.int64] = table[hashes & ((1 << depth) - 1)]
        return owners

    def replace(self, old: Bucket, new: Iterable[Bucket]) -> None:
        """Put the halves of a split bucket in its place."""
        index = self.buckets.index(old)
        self.buckets[index : index + 1] = new

    def next_event_timer(self) -> int | None:
        """Time of the earliest event timer of the group."""
        return min((b.event_timer for b in self.buckets if b.event_timer is not None), default=None)

    def next_wake(self) -> int | None:
        """The next processing time at which the clock alone changes something."""
        times = [t for b in self.buckets for t in (b.processing_timer, b.expiry) if t is not None]
        return min(times, default=None)

    def encoded(self) -> bytes:
        buckets = [
            [b.depth, b.suffix, b.event_timer, b.processing_timer, b.expiry, b.panes, b.size] for b in self.buckets
        ]
        head: list[Any] = [META_VERSION, self.watermark, self.now, self.next_id, self.dropped, self.late, self.firings]
        head += [self.wake, self.identity]
        return encode([*head, buckets])

    @classmethod
    def decoded(cls, data: bytes) -> GroupMeta:
        """What `encoded` gave; raises WindowDataError for another version."""
        version, *fields = _listed(decode(data))
        require_version(version, META_VERSION, "window state")
        try:
            *head, buckets = fields
            meta = cls(*head)
            meta.buckets = [Bucket(*bucket) for bucket in buckets]
        except (TypeError, ValueError) as error:
            raise WindowDataError(f"window state cannot be read: {error}") from error
        return meta


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise WindowDataError("window state cannot be read: it does not begin with a version")
    return value
