"""Replaces, in a plan of a classic session, places in a text for Spark by places in the statement it was made of.

Spark's errors, also those that rows cause later and in streams, show the place from which an expression comes. Spark
has no way to set another place, so Java's reflection does (Origins.java).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from pyspark.sql import DataFrame, SparkSession

from winsql.errors import Span
from winsql.spark.java_source import compiled
from winsql.spark.messages.places import Places
from winsql.spark.versions.classic import analyzed_plan, jvm_of, new_array
from winsql.spark.versions.java_errors import Py4JError

_SOURCE = Path(__file__).with_name("Origins.java")
_CLASSES: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


def move_origins(frame: DataFrame, pieces: Sequence[str], places: Places) -> None:
    """The same for a DataFrame that `spark.sql` has made; see `move_origins_of_plan`."""
    move_origins_of_plan(frame.sparkSession, analyzed_plan(frame), pieces, places)


def move_origins_of_plan(spark: SparkSession, plan: Any, pieces: Sequence[str], places: Places) -> None:
    """Show places in the statement for those in the text.

    pieces   the text, cut where Spark has put in names of its own

    Where a version of Spark does not allow that, its errors show the text that Spark was handed.
    """
    try:
        origins = _class(spark).getConstructors()[0].newInstance(new_array(plan))
        is_handed = re.compile(r"\w+".join(map(re.escape, pieces)))
        for text in origins.texts().split("\0"):
            if text != places.statement and is_handed.fullmatch(text):
                origins.move(text, places.statement, _moved(text, origins.places(text), places))
    except Py4JError:
        return


def _moved(text: str, parts: str, places: Places) -> str:
    known: dict[str, str] = {}
    for part in parts.split(" "):
        if part not in known:
            first, last = map(int, part.split(","))
            found = places.find(text, Span(first, last + 1))
            known[part] = "" if found is None else f"{found.start},{found.end - 1}"
    return " ".join(known[part] for part in parts.split(" "))


def _class(spark: SparkSession) -> Any:
    """The class in the session's JVM, compiled once."""
    jvm = jvm_of(spark)
    if jvm not in _CLASSES:
        loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
        _CLASSES[jvm] = compiled(jvm, _SOURCE, loader)
    return _CLASSES[jvm]
