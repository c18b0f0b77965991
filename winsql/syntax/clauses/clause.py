"""The record of a window clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from winsql.errors import Span
from winsql.model.assigners import Assigner
from winsql.model.query import WindowQuery
from winsql.model.registry import Registry
from winsql.syntax.text.parts import Part, Section, Select
from winsql.syntax.text.source import Extent, Source


@dataclass(frozen=True, slots=True)
class Assignment:
    """What WINDOW ASSIGN says: the assigner and its call, the place of its time expression, and the keys of PARTITION
    BY. The other clauses are checked against it. `time_hint` says how a time would be named."""

    assigner: Assigner
    policy: Extent
    time_span: Span | None
    partition_by: tuple[Extent, ...]
    time_hint: str = ""

    @property
    def has_event_time(self) -> bool:
        """Whether rows have an event time, even where windows do not go by it."""
        time = self.assigner.time
        return time is not None and time.is_event


def _nothing(*_: Any) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clause(Part):
    """All that winsql knows of one window clause.

    rule        its name in the grammar
    syntax      what comes after its words, as the grammar says it
    summary     what it is for, in a line
    policies    the registry of the policy with which its body begins; None where it begins otherwise
    read        reads its values with a `ClauseParser`, by their names in `WindowSpec` or `WindowQuery`
    implied     further values, which follow from these and the assigner
    check       raises for clauses that exclude or need each other; called whether or not the clause is there
    fires       whether it says when a window fires
    slots       the rank of its expressions among the operands of a row; None where it reads nothing from rows
    lay_out     formats its body
    identity    the part of it that state depends on, as text; None where state does not depend on it
    explain     its lines of EXPLAIN WINDOW, as name and text; the flag says whether the query reads a stream
    is_of_state whether EXPLAIN WINDOW has these lines for streams alone, after all others
    offers      what completion offers after its words besides policies, each with its kind
    option      its name as an option of a table function over two tables; None where it is none
    by_rows     whether streams with it run in the per-row operator
    may_say_window   whether WINDOW may come before its words
    begins      whether a token can only begin its body, which shows that misspelled words before it are the clause;
                None where no token shows it
    """

    is_window_clause: bool = True
    may_say_window: bool = False
    rule: str
    syntax: str
    summary: str
    policies: Registry[Any] | None = None
    read: Callable[[Any, Section], dict[str, Any]]
    implied: Callable[[dict[str, Any], Assigner], dict[str, Any]] = lambda values, assigner: {}
    check: Callable[[Source, Select, Assignment], object] = _nothing
    fires: bool = False
    slots: int | None = None
    lay_out: Callable[[Source, Extent], str] = Source.written
    identity: Callable[[WindowQuery], str] | None = None
    explain: Callable[[WindowQuery, bool], Iterable[tuple[str, str]]] = _nothing
    is_of_state: bool = False
    offers: Callable[[], Iterable[tuple[str, str]]] | None = None
    option: str | None = None
    by_rows: bool = False
    begins: Callable[[Source, int], bool] | None = None

    @property
    def spellings(self) -> tuple[tuple[str, ...], ...]:
        """The words that begin it, longer spellings first."""
        words = tuple(self.words.split())
        return (("WINDOW", *words), words) if self.may_say_window else (words,)

    def completions(self) -> list[tuple[str, str]] | None:
        """What completion offers after its words, each with its kind; None: all that it knows."""
        if self.policies is not None:
            kind = self.policies.noun.rpartition(" ")[2]
            return [(f"{name}(", kind) for name in self.policies]
        return None if self.offers is None else list(self.offers())

    @property
    def grammar(self) -> str:
        """The whole clause as the grammar says it."""
        return f"{'[WINDOW] ' if self.may_say_window else ''}{self.words} {self.syntax}"
