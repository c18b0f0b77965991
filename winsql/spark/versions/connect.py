"""The errors of a Spark Connect session on their way to the user, to which its client has no public way.

A server's errors are about the texts it was handed. Only the client knows the statements that these were made from, so
it is the client that shows places in them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.spark.messages.shown_places import Shown, retold

__all__ = ["retold_on_connect", "show_on_connect"]

_KEPT = 500
"""Texts of a session whose errors are still known; a DataFrame may fail long after it was made."""
_SHOWN: WeakKeyDictionary[Any, deque[Shown]] = WeakKeyDictionary()


def show_on_connect(spark: SparkSession, shown: Shown) -> None:
    """From now on errors of the session about this text show the statement."""
    client = spark.client
    if client not in _SHOWN:
        _SHOWN[client] = deque(maxlen=_KEPT)
        _take_errors(client, _SHOWN[client])
    _SHOWN[client].appendleft(shown)


def retold_on_connect(spark: SparkSession, error: PySparkException) -> PySparkException:
    """As on this client's own errors, for one that comes as the report of a stream."""
    _retell(error, _SHOWN.get(getattr(spark, "client", None), ()))
    return error


def _retell(error: PySparkException, known: Collection[Shown]) -> None:
    error._message, places = retold(error._message, known)
    error._contexts = places or error._contexts
    stack = getattr(error, "_stacktrace", None)
    if stack is not None:  # it begins with messages
        error._stacktrace, _ = retold(stack, known)  # type: ignore[attr-defined]


def _take_errors(client: Any, known: deque[Shown]) -> None:
    before = client._handle_error

    def handle(error: Exception, *arguments: Any, **named: Any) -> NoReturn:
        try:
            before(error, *arguments, **named)
        except PySparkException as raised:
            _retell(raised, known)
            raise
        raise AssertionError("the client raises errors")

    client._handle_error = handle
