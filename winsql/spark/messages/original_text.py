"""Which text Spark was handed in the place of a statement, so that errors can show the statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from pyspark.errors import PySparkException

from winsql.spark.messages.places import Places
from winsql.spark.messages.shown_places import Shown

_HANDED: WeakKeyDictionary[BaseException, Shown] = WeakKeyDictionary()
_READ: list[str] = []
"""The texts that Spark reads now. Its parser asks about them in threads of its own."""


@contextmanager
def handed(text: str, places: Places | None) -> Iterator[None]:
    """Notes on errors of Spark which text they are about."""
    if places is not None:
        _READ.append(text)
    try:
        yield
    except PySparkException as error:
        if places is not None:
            _HANDED.setdefault(error, Shown(text, places))
        raise
    finally:
        if places is not None:
            _READ.remove(text)


def is_handed(text: str) -> bool:
    """Whether a text that Spark reads was made from a statement: its error is told in the user's words."""
    return text in _READ


def handed_before(error: BaseException) -> Shown | None:
    """The text that an error is about, if that was made from a statement."""
    return _HANDED.get(error)
