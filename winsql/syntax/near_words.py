"""The words that begin a clause, found where somebody has misspelled them or knows others."""

from __future__ import annotations

from collections.abc import Iterable

from winsql.model.nearest import nearest
from winsql.syntax.source import Source

__all__ = ["near_clause"]

_MEANINGS = {
    "LATENESS": "ALLOWED LATENESS",
    "LATE": "LATE INTO",
    "SIDE OUTPUT": "LATE INTO",
    "TTL": "STATE TTL",
    "EMIT": "TRIGGER",
    "FIRE": "TRIGGER",
    "EVICTOR": "EVICT",
    "PARTITIONED BY": "PARTITION BY",
    "KEYED BY": "PARTITION BY",
    "KEY BY": "PARTITION BY",
}
"""Words of other systems, and parts of our own -> the clause."""


def near_clause(source: Source, index: int, clauses: Iterable[str]) -> str | None:
    """Which of the clauses, by their words, is meant at `index`; two words are looked at before one."""
    known = list(clauses)
    for count in (2, 1):
        tokens = [source.at(index + n) for n in range(count)]
        if all(token.is_name for token in tokens):
            found = nearest(" ".join(token.upper for token in tokens), _of(known, count), _MEANINGS)
            if found is not None:
                return found
    return None


def _of(clauses: Iterable[str], count: int) -> list[str]:
    return [clause for clause in clauses if clause.count(" ") == count - 1]
