"""Texts that people read, without the names that winsql gives to columns and relations in a plan.

Spark's errors about the SQL it was handed say what the user wrote there; printed plans say `key_0` and `firings_0`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pyspark.errors import PySparkException

from winsql.model.query import INTERNAL_PREFIX, WINDOW_COLUMNS, WindowQuery

__all__ = ["in_words_of_user", "plain_names"]

_NAME = re.compile(rf"{INTERNAL_PREFIX}(\w*)")
_QUOTED = re.compile(rf"`({INTERNAL_PREFIX}\w+)`")
_PLAN = re.compile(r"(; line \d+ pos \d+)?;?\n\s*'?\w+.*", re.DOTALL)
"""After a message of Spark's analysis: a place in the text it was handed, and its plan."""


def plain_names(text: str) -> str:
    """A text with short names for those that only a plan has; it is for reading and cannot be run."""
    return _NAME.sub(lambda match: re.sub(r"^relation(?=\d)", "firings_", match[1]), text)


@contextmanager
def in_words_of_user(queries: Iterable[WindowQuery]) -> Iterator[None]:
    """Has errors of Spark say what the user wrote; those that name nothing of a plan are raised as they are."""
    try:
        yield
    except PySparkException as error:
        if INTERNAL_PREFIX not in str(error):
            raise
        raise _told(error, _written(queries)) from None


def _told(error: PySparkException, written: dict[str, str]) -> PySparkException:
    """The error again, of Spark's own public class."""
    kind = next(base for base in type(error).__mro__ if base.__module__ == PySparkException.__module__)
    assert issubclass(kind, PySparkException)
    condition = error.getCondition()
    message = (error.getMessage() or str(error)).removeprefix(f"[{condition}] ")
    parameters = {name: _said(value, written) for name, value in (error.getMessageParameters() or {}).items()}
    return kind(_said(_PLAN.sub("", message), written), condition, parameters or None)


def _said(text: str, written: dict[str, str]) -> str:
    quoted = _QUOTED.sub(lambda match: f"`{written[match[1]]}`" if match[1] in written else match[0], text)
    return plain_names(_NAME.sub(lambda match: written.get(match[0], match[0]), quoted))


def _written(queries: Iterable[WindowQuery]) -> dict[str, str]:
    """What the user wrote for a column of a plan; not for those that several queries have and mean otherwise by."""
    found: dict[str, set[str]] = {column: {name} for name, column in WINDOW_COLUMNS.items()}
    for query in queries:
        columns = [
            *((key.column, key.text) for key in query.keys),
            *((call.column, call.sql) for call in (*query.aggregates, *query.trigger_aggregates)),
            *((payload.column, payload.sql) for payload in query.payload),
        ]
        for column, text in columns:
            found.setdefault(column, set()).add(text)
    return {column: texts.pop() for column, texts in found.items() if len(texts) == 1}
