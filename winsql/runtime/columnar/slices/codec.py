"""The state of windows that share slices as bytes: a bucket of `codec` for keys and remaining panes, and the slices.

It names its windows and the parts of its accumulators, so that any engine can read it as panes.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from winsql.model.columnar import VALUES
from winsql.model.columnar.assigners import SLICE_FORMS, SliceForm
from winsql.runtime.codec import decode, encode, require_version
from winsql.runtime.columnar.shared.codec import SLICED_MARK, Header, decode_panes, encode_panes
from winsql.runtime.columnar.shared.narrow import narrowed, widened
from winsql.runtime.columnar.shared.panes import Layout, Panes
from winsql.runtime.columnar.shared.parts import NAMES, Part
from winsql.runtime.columnar.slices.state import LIMIT, SlicedState, Slices
from winsql.runtime.ipc import content_of, single, state_of_stream, stream_of

SLICED_VERSION = 1

_PARTS, _FORM = b"winsql.sliced.parts", b"winsql.sliced.form"
_LONGS = ("key", "index", "arrival", "written")


@dataclass(frozen=True, slots=True)
class Sliced:
    """A bucket: how its windows are sliced, the columns of their panes, and its state; keys by place in `keys`."""

    header: Header
    keys: pa.RecordBatch
    form: SliceForm
    layout: Layout
    state: SlicedState

    @property
    def open(self) -> int:
        """The first window whose end the watermark has not passed."""
        return min(max(self.form.open_at(self.header.watermark), -LIMIT), LIMIT)

    def panes(self) -> Panes:
        """Its open windows as panes."""
        return self.state.whole_panes(self.form, self.layout, self.open)


def is_sliced(data: bytes) -> bool:
    """Whether the bytes are a bucket that `encode_sliced` wrote."""
    return SLICED_MARK in (state_of_stream(data).schema.metadata or {})


def encode_sliced(sliced: Sliced) -> bytes:
    """The bucket as bytes."""
    panes = encode_panes(sliced.header, sliced.keys, sliced.state.base)
    metadata = {
        SLICED_MARK: str(SLICED_VERSION).encode(),
        _PARTS: encode([_name(part) for part in sliced.layout.parts]),
        _FORM: encode(_described(sliced.form)),
    }
    columns = [single(part) for part in (panes, stream_of(_batch(sliced.state.slices)))]
    fields = [("panes", pa.binary()), ("slices", pa.binary())]
    return stream_of(pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields, metadata=metadata)))


def decode_sliced(data: bytes) -> Sliced:
    """What `encode_sliced` was given. Raises WindowDataError when the bytes are of a version that cannot be read."""
    batch = state_of_stream(data)
    metadata = batch.schema.metadata or {}
    require_version(metadata.get(SLICED_MARK, b"?").decode(), SLICED_VERSION, "sliced window state")
    header, keys, base = decode_panes(content_of(batch.column("panes")))
    parts = tuple(NAMES[name] for name in decode(metadata[_PARTS]))
    kind, *lengths = decode(metadata[_FORM])
    layout = Layout(VALUES[header.value] if header.value else None, parts)
    state = SlicedState(_slices(state_of_stream(content_of(batch.column("slices")))), base)
    return Sliced(header, keys, SLICE_FORMS[kind](*lengths), layout, state)


def decode_columnar(data: bytes) -> tuple[Header, pa.RecordBatch, Panes]:
    """A bucket of any columnar engine as panes: as `codec.decode_panes`."""
    if not is_sliced(data):
        return decode_panes(data)
    sliced = decode_sliced(data)
    return sliced.header, sliced.keys, sliced.panes()


def _name(part: Part) -> str:
    return next(name for name, known in NAMES.items() if known == part)


def _described(form: SliceForm) -> list[str | int]:
    return [form.KIND, *form.lengths()]


def _batch(slices: Slices) -> pa.RecordBatch:
    columns = [*zip(_LONGS, slices.columns, strict=True)]
    columns += ((f"part{number}", part) for number, part in enumerate(slices.parts))
    fields, arrays = zip(*(narrowed(name, column) for name, column in columns), strict=True)
    return pa.RecordBatch.from_arrays(list(arrays), schema=pa.schema(fields))


def _slices(batch: pa.RecordBatch) -> Slices:
    columns = [widened(field, column) for field, column in zip(batch.schema, batch.columns, strict=True)]
    key, slices, arrival, written, *parts = columns
    return Slices(key, slices, arrival, written, parts)
