"""Texts for people, without the names that winsql gives to columns and relations in a plan.

Printed plans have `key_0` and `firings_0`; errors have what the user wrote for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from winsql.model.query import INTERNAL_PREFIX, WINDOW_COLUMNS, WindowQuery

_NAME = re.compile(rf"{INTERNAL_PREFIX}(\w*)")
_QUOTED = re.compile(rf"`({INTERNAL_PREFIX}\w+)`")


def plain_names(text: str) -> str:
    """A text with short names for those that only a plan has; it is for reading and cannot be run."""
    return _NAME.sub(lambda match: re.sub(r"^relation(?=\d)", "firings_", match[1]), text)


def said(text: str, names: Mapping[str, str]) -> str:
    """A text with what the user wrote for columns of a plan, and short names for everything else that only a plan
    has."""
    quoted = _QUOTED.sub(lambda match: f"`{names[match[1]]}`" if match[1] in names else match[0], text)
    return plain_names(_NAME.sub(lambda match: names.get(match[0], match[0]), quoted))


def written(queries: Iterable[WindowQuery]) -> dict[str, str]:
    """What the user wrote for a column of a plan; not for columns that mean something else in each of several
    queries."""
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
