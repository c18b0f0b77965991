"""The panes of a bucket as bytes: Arrow columns as the engine holds them, under a version of their own.

A value is one record batch with two binary fields, the keys (hash and key columns) and the panes. The per-row
operator's buckets (`winsql.runtime.bucket`) carry another mark, so that each engine knows the other's state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import TimeDomain
from winsql.model.columnar import NO_TIME, Longs
from winsql.runtime.arrays import to_numpy
from winsql.runtime.codec import decode, encode, require_version
from winsql.runtime.columnar.shared.narrow import narrowed, narrowed_batch, widened, widened_batch
from winsql.runtime.columnar.shared.panes import Panes
from winsql.runtime.columnar.shared.timers import TimerRules
from winsql.runtime.ipc import content_of, single, state_of_stream, stream_of

COLUMNAR_VERSION = 5
"""Version 4 had keys at full width; version 3 had kept rows so, too; version 2 also knew event-time windows only;
version 1 also had the panes' columns at full width, compressed. All can be read."""

_MARK, _HEADER = b"winsql.columnar.version", b"winsql.columnar.header"
SLICED_MARK = b"winsql.sliced.version"
"""The mark of buckets of windows that share slices; they hold one of this module's."""
_COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4" if pa.Codec.is_available("lz4") else None)


def is_columnar(data: bytes) -> bool:
    """Whether the bytes are a bucket that a columnar engine wrote, in whatever version."""
    try:
        with pa.ipc.open_stream(data) as reader:
            return not {_MARK, SLICED_MARK}.isdisjoint(reader.schema.metadata or {})
    except (pa.ArrowException, OSError) as error:
        raise WindowDataError(f"window state cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class Header:
    """What the panes of a bucket need to be understood: the watermark they have seen, the kind of each aggregate's
    columns (`aggregates.ACCUMULATORS`), the name of the trigger's value (`model.columnar.VALUES`), and the timers."""

    watermark: int
    kinds: tuple[str, ...]
    value: str | None
    timers: TimerRules

    def encoded(self) -> bytes:
        rules = self.timers
        clocks = [None if clock is None else clock.value for clock in (rules.windows, rules.trigger)]
        return encode([self.watermark, rules.lateness, list(self.kinds), self.value, *clocks])

    @classmethod
    def decoded(cls, data: bytes) -> Header:
        watermark, lateness, kinds, *own = decode(data)
        value, *clocks = own or ("next_fire", "event", "event")
        windows, trigger = (None if clock is None else TimeDomain(clock) for clock in clocks)
        return cls(watermark, tuple(kinds), value, TimerRules(windows, trigger, lateness))


@dataclass(frozen=True, slots=True)
class Held:
    """The rows that panes hold: `counts` per pane, the row `numbers` pane after pane, and the `rows` themselves, each
    once, with ascending numbers in the first column."""

    counts: Longs
    numbers: Longs
    rows: pa.RecordBatch


def encode_panes(header: Header, keys: pa.RecordBatch, panes: Panes, held: Held | None = None) -> bytes:
    """A bucket of the keys and of their panes, and of the rows these hold where rows are kept."""
    parts = [("keys", _table(narrowed_batch(keys))), ("panes", single(stream_of(_batch(panes))))]
    if held is not None:
        parts += [
            ("counts", _longs(held.counts)),
            ("numbers", _longs(held.numbers)),
            ("rows", _table(narrowed_batch(held.rows))),
        ]
    metadata = {
        _MARK: str(COLUMNAR_VERSION).encode(),
        _HEADER: header.encoded(),
    }
    schema = pa.schema([(name, pa.binary()) for name, _ in parts], metadata=metadata)
    return stream_of(pa.RecordBatch.from_arrays([part for _, part in parts], schema=schema))


def decode_panes(data: bytes) -> tuple[Header, pa.RecordBatch, Panes]:
    """What `encode_panes` was given. Raises WindowDataError when the bytes are of a version that cannot be read."""
    batch = state_of_stream(data)
    metadata = batch.schema.metadata or {}
    version = metadata.get(_MARK, b"?").decode()
    if version not in _READABLE:
        require_version(version, COLUMNAR_VERSION, "columnar window state")
    keys, columns = (state_of_stream(content_of(column)) for column in batch.columns[:2])
    return Header.decoded(metadata[_HEADER]), widened_batch(keys), _READABLE.get(version, _panes)(columns)


def decode_held(data: bytes) -> Held | None:
    """The rows of a bucket that `decode_panes` can read; None where none are kept."""
    batch = state_of_stream(data)
    if batch.num_columns < 5:
        return None
    counts, numbers, rows = (state_of_stream(content_of(column)) for column in batch.columns[2:])
    longs = [widened(part.schema.field(0), part.column(0)) for part in (counts, numbers)]
    return Held(longs[0], longs[1], widened_batch(rows))


def require_kinds(header: Header, kinds: tuple[str, ...]) -> None:
    """Refuse state of other aggregates."""
    if header.kinds != kinds:
        raise WindowDataError(
            f"columnar window state belongs to other aggregates: {', '.join(header.kinds) or 'none'}",
            rule=f"the query keeps {', '.join(kinds) or 'none'}",
        )


def _table(batch: pa.RecordBatch) -> pa.Array:
    has_text = any(not (pa.types.is_primitive(field.type) or pa.types.is_null(field.type)) for field in batch.schema)
    if not has_text:
        return single(stream_of(batch))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=_COMPRESSED) as writer:
        writer.write_batch(batch)
    return single(sink.getvalue())


def _longs(column: Longs) -> pa.Array:
    field, array = narrowed("value", column)
    return single(stream_of(pa.RecordBatch.from_arrays([array], schema=pa.schema([field]))))


def _batch(panes: Panes) -> pa.RecordBatch:
    key, start, end, *others = panes.longs
    columns = [*zip(_NAMES, [key, end - start, end, *others, panes.filled], strict=True)]
    columns += ((f"value{number}", value) for number, value in enumerate(panes.values))
    columns += ((f"part{number}", part) for number, part in enumerate(panes.parts))
    fields, arrays = zip(*(narrowed(name, column) for name, column in columns), strict=True)
    return pa.RecordBatch.from_arrays(list(arrays), schema=pa.schema(fields))


_NAMES = ("key", "length", "end", "arrival", "firings", "written", "filled")


def _panes(batch: pa.RecordBatch) -> Panes:
    columns = {field.name: widened(field, column) for field, column in zip(batch.schema, batch.columns, strict=True)}
    key, length, end, *others, filled = (columns.pop(name) for name in _NAMES)
    values = [column for name, column in columns.items() if name.startswith("value")]
    parts = [column for name, column in columns.items() if name.startswith("part")]
    return Panes.of([key, end - length, end, *others], filled, values, parts)


def _panes_of_version_2(batch: pa.RecordBatch) -> Panes:
    columns = [widened(field, column) for field, column in zip(batch.schema, batch.columns, strict=True)]
    key, length, end, *others, next_fire, filled = columns[:8]
    return Panes.of([key, end - length, end, *others], filled, [next_fire], columns[8:])


def _wide_panes(batch: pa.RecordBatch) -> Panes:
    key, *longs, next_fire, filled = batch.columns[:8]
    values = [_values(key).astype(np.int64), *map(_values, longs)]
    held = [to_numpy(next_fire, NO_TIME).copy()]
    return Panes.of(values, _values(filled), held, [_values(column) for column in batch.columns[8:]])


_READABLE = {"1": _wide_panes, "2": _panes_of_version_2, "3": _panes, "4": _panes}


def _values(column: pa.Array) -> Any:
    """A column that may be written to."""
    return np.array(to_numpy(column))
