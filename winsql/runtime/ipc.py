"""Record batches as bytes: Arrow IPC streams of one batch each, of which state and messages are made."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.query import INTERNAL_PREFIX, PREFIX_OF_0_1_0

_END = b"\xff\xff\xff\xff\0\0\0\0"


def stream_of(batch: pa.RecordBatch) -> bytes:
    """The batch, without dictionaries, as an Arrow IPC stream: what a stream writer gives, which grows as it writes."""
    return b"".join((batch.schema.serialize(), batch.serialize(), _END))


def batch_of_stream(data: bytes | pa.Buffer) -> pa.RecordBatch:
    """The first batch of a stream, not copied. Raises pyarrow.ArrowInvalid, StopIteration or OSError for anything
    else."""
    with pa.ipc.open_stream(data) as reader:
        return reader.read_next_batch()


def state_of_stream(data: bytes | pa.Buffer) -> pa.RecordBatch:
    """As `batch_of_stream`, with the names that columns have now; raises WindowDataError."""
    try:
        batch = batch_of_stream(data)
        schema = with_present_names(batch.schema)
        return batch if schema is batch.schema else pa.RecordBatch.from_arrays(batch.columns, schema=schema)
    except (pa.ArrowException, OSError, StopIteration) as error:
        raise WindowDataError(f"window state cannot be read: {error}") from error


def with_present_names(schema: pa.Schema) -> pa.Schema:
    """A schema of state with the names that columns of plans have now: in version 0.1.0 they had another prefix."""
    if not any(name.startswith(PREFIX_OF_0_1_0) for name in schema.names):
        return schema
    names = (
        INTERNAL_PREFIX + name.removeprefix(PREFIX_OF_0_1_0) if name.startswith(PREFIX_OF_0_1_0) else name
        for name in schema.names
    )
    fields = [field.with_name(name) for field, name in zip(schema, names, strict=True)]
    return pa.schema(fields, metadata=schema.metadata)


def single(data: bytes | pa.Buffer) -> pa.Array:
    """A column of one binary value, not copied."""
    buffer = pa.py_buffer(data)
    ends = pa.py_buffer(np.array([0, buffer.size], dtype=np.int32))
    return pa.Array.from_buffers(pa.binary(), 1, [None, ends, buffer])


def content_of(column: pa.Array) -> pa.Buffer:
    """The only value of a column of binaries, not copied."""
    _, ends, data = column.buffers()
    begin, end = np.frombuffer(ends, np.int32)[column.offset : column.offset + 2].tolist()
    return data.slice(begin, end - begin)
