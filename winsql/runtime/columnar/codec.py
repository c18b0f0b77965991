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
from winsql.runtime.codec import decode, encode, require_version
from winsql.runtime.columnar.panes import Panes
from winsql.runtime.columnar.policies import NO_TIME

__all__ = ["COLUMNAR_VERSION", "Header", "decode_panes", "encode_panes", "is_columnar", "require_kinds"]

COLUMNAR_VERSION = 1

_MARK, _HEADER = b"winsql.columnar.version", b"winsql.columnar.header"
_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4" if pa.Codec.is_available("lz4") else None)


def is_columnar(data: bytes) -> bool:
    """Whether the bytes are a bucket that `encode_panes` wrote, in whatever version."""
    try:
        with pa.ipc.open_stream(data) as reader:
            return _MARK in (reader.schema.metadata or {})
    except (pa.ArrowException, OSError) as error:
        raise WindowDataError(f"window state cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class Header:
    """What the panes of a bucket need to be understood: the watermark they stand at, the query's allowed lateness, and
    the kind of each aggregate's columns (`aggregates.ACCUMULATORS`)."""

    watermark: int
    lateness: int
    kinds: tuple[str, ...]


def encode_panes(header: Header, keys: pa.RecordBatch, panes: Panes) -> bytes:
    """A bucket of the keys and of their panes."""
    parts = [pa.array([_written(part)], pa.binary()) for part in (keys, _batch(panes))]
    metadata = {
        _MARK: str(COLUMNAR_VERSION).encode(),
        _HEADER: encode([header.watermark, header.lateness, list(header.kinds)]),
    }
    schema = pa.schema([("keys", pa.binary()), ("panes", pa.binary())], metadata=metadata)
    return _written(pa.RecordBatch.from_arrays(parts, schema=schema), None)


def decode_panes(data: bytes) -> tuple[Header, pa.RecordBatch, Panes]:
    """What `encode_panes` was given. Raises WindowDataError when the bytes are of another version."""
    batch = _read(pa.py_buffer(data))
    metadata = batch.schema.metadata or {}
    version = metadata.get(_MARK, b"?").decode()
    require_version(version, COLUMNAR_VERSION, "columnar window state")
    watermark, lateness, kinds = decode(metadata[_HEADER])
    keys, columns = (_read(column[0].as_buffer()) for column in batch.columns)
    return Header(watermark, lateness, tuple(kinds)), keys, _panes(columns)


def require_kinds(header: Header, kinds: tuple[str, ...]) -> None:
    """Refuse state of other aggregates."""
    if header.kinds != kinds:
        raise WindowDataError(
            f"columnar window state belongs to other aggregates: {', '.join(header.kinds) or 'none'}",
            rule=f"the query keeps {', '.join(kinds) or 'none'}",
        )


def _batch(panes: Panes) -> pa.RecordBatch:
    columns: dict[str, Any] = {
        "key": pa.array(panes.key.astype(np.int32)),
        "start": pa.array(panes.start),
        "end": pa.array(panes.end),
        "arrival": pa.array(panes.arrival),
        "firings": pa.array(panes.firings),
        "written": pa.array(panes.written),
        "next_fire": pa.array(panes.next_fire, mask=panes.next_fire == NO_TIME),
        "filled": pa.array(panes.filled),
    }
    columns.update({f"part{number}": pa.array(part) for number, part in enumerate(panes.parts)})
    return pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))


def _panes(batch: pa.RecordBatch) -> Panes:
    key, *longs, next_fire, filled = batch.columns[:8]
    values = [_values(key).astype(np.int64), *map(_values, longs), _values(next_fire.fill_null(NO_TIME))]
    return Panes.of(values, _values(filled), [_values(column) for column in batch.columns[8:]])


def _values(column: pa.Array) -> Any:
    """A column that may be written to."""
    return np.array(column.to_numpy(zero_copy_only=False))


def _written(batch: pa.RecordBatch, options: Any = _OPTIONS) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=options) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue().to_pybytes())


def _read(buffer: pa.Buffer) -> pa.RecordBatch:
    try:
        with pa.ipc.open_stream(buffer) as reader:
            return reader.read_next_batch()
    except (pa.ArrowException, OSError, StopIteration) as error:
        raise WindowDataError(f"window state cannot be read: {error}") from error
