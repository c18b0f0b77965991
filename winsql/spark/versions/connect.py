"""The errors of a Spark Connect session on their way to the user, to which its client has no public way.

A server's errors are about the texts it was handed. Only the client knows the statements that these were made from, so
it is the client that shows places in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.spark.messages.shown_places import Shown, retold

_KEPT = 10_000_000
"""Characters of a session's texts whose errors are still known; a DataFrame or a view may fail long after it was
made."""


class _Texts:
    """The texts of one session, the newest first; threads may add some while others look."""

    def __init__(self) -> None:
        self._shown: dict[tuple[str, str], Shown] = {}
        self._length = 0
        self._lock = Lock()

    def add(self, shown: Shown) -> None:
        with self._lock:
            key = (shown.text, shown.places.statement)
            known = self._shown.pop(key, None)
            self._shown[key] = shown
            self._length += len(shown.text) if known is None else 0
            while self._length > _KEPT and len(self._shown) > 1:
                oldest = next(iter(self._shown))
                self._length -= len(self._shown.pop(oldest).text)

    def newest_first(self) -> list[Shown]:
        with self._lock:
            return list(reversed(self._shown.values()))


_SHOWN: WeakKeyDictionary[Any, _Texts] = WeakKeyDictionary()
_FIRST = Lock()
"""Held by the thread that looks for the texts of a client, and takes its errors where there are none."""


def show_on_connect(spark: SparkSession, shown: Shown) -> None:
    """From now on errors of the session about this text show the statement."""
    client = spark.client
    with _FIRST:
        if client not in _SHOWN:
            _SHOWN[client] = _Texts()
            _take_errors(client, _SHOWN[client])
    _SHOWN[client].add(shown)


def retold_on_connect(spark: SparkSession, error: PySparkException) -> PySparkException:
    """As on this client's own errors, for one that comes as the report of a stream."""
    texts = _SHOWN.get(getattr(spark, "client", None))
    _retell(error, [] if texts is None else texts.newest_first())
    return error


def _retell(error: PySparkException, known: Sequence[Shown]) -> None:
    error._message, places = retold(error._message, known)
    error._contexts = places or error._contexts
    stack = getattr(error, "_stacktrace", None)
    if stack is not None:  # it begins with messages
        error._stacktrace, _ = retold(stack, known)  # type: ignore[attr-defined]


def _take_errors(client: Any, texts: _Texts) -> None:
    before = client._handle_error

    def handle(error: Exception, *arguments: Any, **named: Any) -> NoReturn:
        try:
            before(error, *arguments, **named)
        except PySparkException as raised:
            _retell(raised, texts.newest_first())
            raise
        raise AssertionError("the client raises errors")

    client._handle_error = handle
