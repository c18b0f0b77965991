"""The parts of a statement that are planned by themselves, and what rules find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from winsql.errors import WinsqlError
from winsql.model.query import WindowQuery
from winsql.syntax.joins.join_functions import Columns
from winsql.syntax.text.parts import Select
from winsql.syntax.text.source import Edit, Extent, Source

Binder = Callable[[Source], WindowQuery]
"""Reads a fragment; the source may have edits in the place of fragments inside it."""
Bind = Callable[[Source, frozenset[str] | None], WindowQuery]
"""Reads a SELECT over streams into a query; the set of names is `columns` of `Binding`.

Raises WindowSpecError where it cannot be one.
"""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What is planned by itself.

    extent  the tokens it takes up
    reads   the tokens that say what it reads: a FROM body, the arguments of a call; of EXISTS they go on after it, of
            an item they begin before it
    bind    reads it into a query
    select  the windowed SELECT it is, None for a call
    named   binds it once the columns of its two tables are known; None where that makes no difference
    needs   of a stage, the fragments that must read streams for it to apply
    unless  of a stage, the fragments that must read tables for it to apply
    knowing binds it once the contested names that are columns of its source are known
    is_function   whether it is a call of one of Flink's window table functions
    replaces  of a stage, the fragments in whose place it comes, which need no plan of their own
    ranked    binds it where its source is a stream, whose rows winsql ranks; as `knowing`; None where it ranks none
    layer     the order among fragments with the same tokens: each reads what the one before it returns
    """

    extent: Extent
    reads: Extent
    bind: Binder
    select: Select | None = None
    named: Callable[[Columns], Binder] | None = None
    needs: frozenset[Extent] = frozenset()
    unless: frozenset[Extent] = frozenset()
    knowing: Callable[[frozenset[str]], Binder] | None = None
    is_function: bool = False
    replaces: frozenset[Extent] = frozenset()
    ranked: Callable[[frozenset[str] | None], Binder] | None = None
    layer: int = 0

    @property
    def key(self) -> tuple[Extent, int]:
        """What no other fragment has, but for one in whose place it comes."""
        return self.extent, self.layer

    @property
    def all(self) -> Extent:
        """The fragment and what it reads."""
        return Extent(min(self.extent.first, self.reads.first), max(self.extent.stop, self.reads.stop))

    def bound_by(self, knowing: Callable[[frozenset[str] | None], Binder]) -> Fragment:
        """The fragment bound in another way, whatever names are columns."""
        return replace(self, bind=knowing(None), knowing=knowing)

    @classmethod
    def stage(cls, extent: Extent, reads: Extent, bind: Bind, needs: frozenset[Extent], **others: Any) -> Fragment:
        """What a stream plans as a windowed query; `others` are values of a `Fragment`."""
        knowing = knowing_of(bind)
        return cls(extent, reads, knowing(None), needs=needs, knowing=knowing, **others)


def knowing_of(bind: Bind) -> Callable[[frozenset[str] | None], Binder]:
    """Reads what `bind` does where it is known which contested names are columns."""
    return lambda columns: lambda source: bind(source, columns)


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
        raise self.error


@dataclass(slots=True)
class Findings:
    """What the rules find in a statement.

    stages     the parts that a stream plans as windowed queries
    edits      what reads differently on a table, by the call whose rows are read
    filtered   what reads a call of SESSION whose rows are filtered first
    tables     the tables of the session that are streams with windows
    mistaken   why a stream cannot run the statement: names that would be taken for one
    """

    stages: list[Fragment] = field(default_factory=list)
    edits: dict[Extent, tuple[Edit, ...]] = field(default_factory=dict)
    filtered: dict[Extent, Bind] = field(default_factory=dict)
    tables: set[Extent] = field(default_factory=set)
    mistaken: WinsqlError | None = None
