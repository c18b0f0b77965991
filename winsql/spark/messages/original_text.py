"""Which text Spark was handed in the place of a statement, so that errors can show the statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from pyspark.errors import PySparkException

from winsql.spark.messages.places import Places
from winsql.spark.messages.shown_places import Shown

__all__ = ["handed", "handed_before"]


_HANDED: WeakKeyDictionary[BaseException, Shown] = WeakKeyDictionary()


@contextmanager
def handed(text: str, places: Places | None) -> Iterator[None]:
    """Notes on errors of Spark which text they are about."""
    try:
        yield
    except PySparkException as error:
        if places is not None:
            _HANDED.setdefault(error, Shown(text, places))
        raise


def handed_before(error: BaseException) -> Shown | None:
    """The text that an error is about, if that was made from a statement."""
    return _HANDED.get(error)
