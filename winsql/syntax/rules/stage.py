"""The parts of a statement that a stream plans as windowed queries, and what rules find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from winsql.model.query import WindowQuery
from winsql.syntax.text.source import Extent, Source

__all__ = ["Bind", "Found", "Refusal", "Stage"]

Bind = Callable[[Source, frozenset[str] | None], WindowQuery]
"""Reads a SELECT over streams into a query; the set of names is `columns` of `Binding`.

Raises WindowSpecError where it cannot be one.
"""


class Found(Protocol):
    """What a rule finds; `replaces` are the fragments that it plans with itself."""

    @property
    def replaces(self) -> frozenset[Extent]: ...

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """See `Bind`."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A SELECT that no stream can run."""

    error: Exception
    replaces: frozenset[Extent] = frozenset()

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """Raises the error."""
        raise self.error


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of a statement; all but `bind` is as in `Fragment`."""

    extent: Extent
    reads: Extent
    bind: Bind
    needs: frozenset[Extent]
    unless: frozenset[Extent] = frozenset()
    replaces: frozenset[Extent] = frozenset()
    layer: int = 0
