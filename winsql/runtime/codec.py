"""Values of state as JSON text and back, without loss and without code: no pickle, so state may come from anywhere.

Plain JSON values are themselves; all else is an object with one tag: `{"tuple": [...]}`, `{"decimal": "1.20"}`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from winsql.errors import WindowDataError
from winsql.runtime.texts import RawText


def encode(value: Any) -> bytes:
    """The value as UTF-8 JSON; raises WindowDataError for a type that state cannot hold.

    Lone surrogates, which a text joined of several has for bytes that are not UTF-8, become JSON's own escapes.
    """
    try:
        text = json.dumps(_tagged(value), separators=(",", ":"), ensure_ascii=False)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits; a collection that holds itself
        raise _unkept("a value", f": {error}") from error
    return text.encode(errors="backslashreplace")


def decode(data: bytes) -> Any:
    """The value that `encode` was given; raises WindowDataError when the bytes are not of its making."""
    try:
        return _untagged(json.loads(data))
    except (ValueError, KeyError, TypeError, ArithmeticError) as error:
        raise WindowDataError(f"state cannot be read: {error}") from error


def require_version(found: object, known: int, what: str) -> None:
    """Refuse state of another format version than the one this winsql writes; raises WindowDataError."""
    if str(found) != str(known):
        raise WindowDataError(
            f"{what} has format version {found}, this winsql reads version {known}",
            rule="state is read in the version that wrote it, or refused",
            hint="run the winsql that wrote the checkpoint, or start the query with a new checkpoint",
        )


def _tagged(value: Any) -> Any:
    cls = type(value)
    if value is None or cls in _PLAIN:
        return value
    if cls is list:
        return [_tagged(item) for item in value]
    if cls in _WRITERS:
        tag, write = _WRITERS[cls]
        return {tag: write(value)}
    if isinstance(value, tuple):
        return {"tuple": [_tagged(item) for item in value]}
    if isinstance(value, float):  # of numpy
        return float(value)
    raise _unkept(f"a value of type {cls.__name__}")


def _unkept(what: str, why: str = "") -> WindowDataError:
    return WindowDataError(
        f"{what} cannot be kept in state{why}",
        rule="state holds None, bool, int, float, str, bytes, Decimal, dates, times and collections of these",
        hint="make it one of these, as int(x), dict(x) or list(x) do",
    )


def _untagged(value: Any) -> Any:
    if isinstance(value, list):
        return [_untagged(item) for item in value]
    if isinstance(value, dict):
        ((tag, content),) = value.items()
        return _READERS[tag](content)
    return value


def _time(value: time) -> str:
    if value.tzinfo is not None and value.utcoffset() is None:
        raise WindowDataError(
            f"a time of {value.tzinfo} cannot be kept in state",
            rule="without a date the offset of a time zone is not known",
            hint="keep a datetime, or a time without zone",
        )
    return value.isoformat()


def _pairs(value: dict[Any, Any]) -> list[list[Any]]:
    return [[_tagged(key), _tagged(item)] for key, item in value.items()]


_PLAIN = frozenset({bool, int, float, str})
_WRITERS: dict[type, tuple[str, Callable[[Any], Any]]] = {
    dict: ("dict", _pairs),
    set: ("set", lambda value: [_tagged(item) for item in value]),
    frozenset: ("frozenset", lambda value: [_tagged(item) for item in value]),
    bytes: ("bytes", lambda value: base64.b64encode(value).decode()),
    RawText: ("text", lambda value: base64.b64encode(value.raw).decode()),
    Decimal: ("decimal", str),
    datetime: ("datetime", datetime.isoformat),
    date: ("date", date.isoformat),
    time: ("time", _time),
    timedelta: ("timedelta", lambda value: [value.days, value.seconds, value.microseconds]),
}
_READERS: dict[str, Callable[[Any], Any]] = {
    "tuple": lambda content: tuple(_untagged(item) for item in content),
    "dict": lambda content: {_untagged(key): _untagged(item) for key, item in content},
    "set": lambda content: {_untagged(item) for item in content},
    "frozenset": lambda content: frozenset(_untagged(item) for item in content),
    "bytes": base64.b64decode,
    "text": lambda content: RawText.of(base64.b64decode(content)),
    "decimal": Decimal,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda content: timedelta(*content),
}
