"""Aggregate calls of a windowed query, taken apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from winsql.errors import Span


@dataclass(frozen=True, slots=True)
class CallOperand:
    """An expression in a call that is computed over the source: an argument, a condition, a sort key.

    columns    the columns that it names, each as the parts of its name, upper case
    is_simple  whether it is a single word or number, which cannot fail
    is_star    whether it is `*` or `t.*`, in place of several arguments
    reads_more whether it reads more of a row than the columns it names
    """

    sql: str
    columns: tuple[tuple[str, ...], ...] = ()
    is_simple: bool = False
    is_star: bool = False
    reads_more: bool = False


Pieces = tuple[str | CallOperand, ...]
"""SQL as the statement has it, cut into text and operands."""


def sql_of(pieces: Pieces) -> str:
    """The SQL itself."""
    return "".join(piece if isinstance(piece, str) else piece.sql for piece in pieces)


class Direction(NamedTuple):
    """How values are sorted by a key: the greatest first, and where NULL is."""

    is_descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class WithinKey:
    """A key of WITHIN GROUP."""

    given: Pieces
    direction: Direction


@dataclass(frozen=True, slots=True)
class AggregateCall:
    """One aggregate call, and the column that holds its result.

    text        all of it
    given       its arguments, without DISTINCT; none for COUNT(*)
    condition   that of FILTER
    order       the sort keys of WITHIN GROUP, as they are written
    sorting     the same one by one, of a call that has nothing else beside its arguments and FILTER; none without them
    ignores_nulls   True for IGNORE NULLS, False for RESPECT NULLS, None for neither
    is_plain    whether it has only a name, DISTINCT, arguments and FILTER (no ORDER BY, WITHIN GROUP or IGNORE NULLS)
    """

    text: Pieces
    name: str
    given: tuple[Pieces, ...]
    distinct: bool
    condition: CallOperand | None
    order: Pieces | None
    ignores_nulls: bool | None
    is_plain: bool
    column: str
    span: Span
    sorting: tuple[WithinKey, ...] = ()

    @property
    def is_keepable(self) -> bool:
        """Whether one of winsql's accumulators may take its place."""
        return self.is_plain or bool(self.sorting)

    @property
    def sql(self) -> str:
        """The call as the statement has it."""
        return sql_of(self.text)

    @property
    def arguments(self) -> tuple[str, ...]:
        """Its arguments as SQL."""
        return tuple(map(sql_of, self.given))

    @property
    def filter(self) -> str | None:
        """Its condition as SQL."""
        return None if self.condition is None else self.condition.sql

    @property
    def sorted_by(self) -> str | None:
        """What WITHIN GROUP sorts by, as SQL."""
        return None if self.order is None else sql_of(self.order)

    @property
    def operands(self) -> Iterator[CallOperand]:
        """What it computes over the source, in the order of the text."""
        return (piece for piece in self.text if isinstance(piece, CallOperand))

    @property
    def read(self) -> tuple[str, ...]:
        """The sort keys and arguments as they are computed over the source: only where the condition holds, as they may
        fail for other rows. A column cannot fail, and is read as it is."""
        read = (*(key.given for key in self.sorting), *self.given)
        return tuple(self.guarded(sql_of(pieces), is_simple=_is_simple(pieces)) for pieces in read)

    def guarded(self, sql: str, *, is_simple: bool = False) -> str:
        """An argument, computed only where the condition holds."""
        return sql if self.condition is None or is_simple else f"CASE WHEN {self.condition.sql} THEN {sql} END"

    def over(self, place: Callable[[CallOperand], str]) -> AggregateCall:
        """The call with other SQL in the place of each operand."""

        def moved(pieces: Pieces) -> Pieces:
            return tuple(p if isinstance(p, str) else replace(p, sql=place(p)) for p in pieces)

        return replace(
            self,
            text=moved(self.text),
            given=tuple(map(moved, self.given)),
            condition=None if self.condition is None else replace(self.condition, sql=place(self.condition)),
            order=None if self.order is None else moved(self.order),
            sorting=tuple(replace(key, given=moved(key.given)) for key in self.sorting),
        )


def _is_simple(pieces: Pieces) -> bool:
    return len(pieces) == 1 and isinstance(pieces[0], CallOperand) and pieces[0].is_simple
