"""Aggregate calls that Spark computes over the rows of a firing, and what those rows carry for them.

What a call reads (its arguments, its condition, what it sorts by) is computed over the source and goes through the
window as one value: only there do all names mean what they mean to Spark. So `max(struct(v, k))` has the fields v and
k.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from winsql.model.query import INTERNAL_PREFIX, AggregateCall
from winsql.model.settings import ParserSettings
from winsql.syntax.calls import Call, find_call
from winsql.syntax.references import ReferenceKind, find_references
from winsql.syntax.source import Edit, Extent, Source

__all__ = ["CallColumns", "call_columns"]


@dataclass(frozen=True, slots=True)
class CallColumns:
    """Calls rewritten to read payload columns: `payload` maps those to SQL over the source, `written` to what the user
    wrote, `calls` a call's result column to its text."""

    payload: dict[str, str]
    calls: dict[str, str]
    written: dict[str, str]


def call_columns(calls: Sequence[AggregateCall], constants: Iterable[str], settings: ParserSettings) -> CallColumns:
    """Replace what calls read; names, DISTINCT and values that are the same in all rows stay as the user wrote them.

    constants   names, upper case, that look like columns and are none: variables of the session
    settings    how the session reads SQL
    """
    carrier = _Carrier(frozenset(constants), settings)
    texts = {call.column: carrier.rewritten(call) for call in calls}
    return CallColumns({name: sql for sql, name in carrier.names.items()}, texts, carrier.written)


@dataclass(slots=True)
class _Carrier:
    """Gives a column to each expression, the same to the same one: Spark compares some parts of a call."""

    constants: frozenset[str]
    settings: ParserSettings
    names: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    def rewritten(self, call: AggregateCall) -> str:
        """The call over carried columns."""
        source = Source(call.sql, settings=self.settings)
        bracket = next(i for i in range(len(source)) if source.tokens[i].is_symbol("("))
        found = find_call(source, 0, bracket)
        condition = None if found.filter is None else source.verbatim(found.filter)
        read = [(extent, condition) for extent in _read_by(source, found)]
        read += [] if found.filter is None else [(found.filter, None)]
        edits = []
        for extent, needed in read:
            name = self._carried(source, extent, needed)
            edits += [] if name is None else [Edit(*source.span(extent), name)]
        return source.slice(source.span(Extent(0, len(source))), edits)

    def _carried(self, source: Source, extent: Extent, condition: str | None) -> str | None:
        """The column that holds an expression; None for one that can stay.

        As in Spark, only rows that meet the condition have the expression computed, which might fail for others.
        """
        sql = source.verbatim(extent)
        if source.at(extent.stop - 1).is_symbol("*"):
            is_count = sql == "*" and source.words(extent.first - 2, "COUNT")
            return None if is_count else f"{self._name(f'struct({sql})')}.*"
        if not self._reads_rows(source, extent):
            return None
        name = self._name(sql if condition is None else f"CASE WHEN {condition} THEN {sql} END")
        self.written[name] = sql
        return name

    def _name(self, sql: str) -> str:
        return self.names.setdefault(sql, f"{INTERNAL_PREFIX}carried{len(self.names)}")

    def _reads_rows(self, source: Source, extent: Extent) -> bool:
        return any(
            reference.kind is not ReferenceKind.COLUMN or reference.path[-1] not in self.constants
            for reference in find_references(source, extent)
        )


def _read_by(source: Source, call: Call) -> Iterator[Extent]:
    """The expressions of a call but for its condition: arguments, and what follows ORDER BY."""
    start = call.arguments.first
    start += source.at(start, call.arguments.stop).is_word("DISTINCT", "ALL")
    ranges = [Extent(start, call.arguments.stop)]
    within = next((i for i in range(call.arguments.stop, call.extent.stop) if source.words(i, "WITHIN", "GROUP")), None)
    if within is not None:
        ranges.append(Extent(within + 3, source.closing(within + 2)))
    for part in (part for extent in ranges for part in source.split(extent)):
        yield from (_inside_cast(source, _unsorted(source, piece)) for piece in _around_order_by(source, part))


def _around_order_by(source: Source, part: Extent) -> list[Extent]:
    """`a ORDER BY b` is two expressions."""
    if part.is_empty:
        return []
    group = source.group[part.first]
    order = next((i for i in part.indexes if source.words(i, "ORDER", "BY") and source.group[i] == group), None)
    start = part.first + 2 if source.at(part.first + 1, part.stop).is_symbol("=>") else part.first
    pieces = [Extent(start, part.stop)] if order is None else [Extent(start, order), Extent(order + 2, part.stop)]
    return [piece for piece in pieces if not piece.is_empty]


def _unsorted(source: Source, extent: Extent) -> Extent:
    """Without the direction of a sort key."""
    stop = extent.stop
    while stop - 1 > extent.first and source.at(stop - 1).is_word("ASC", "DESC", "NULLS", "FIRST", "LAST"):
        stop -= 1
    return Extent(extent.first, stop)


def _inside_cast(source: Source, extent: Extent) -> Extent:
    """What a cast that is all of an expression reads: LISTAGG(DISTINCT CAST(v AS STRING)) may be sorted by v itself."""
    while source.at(extent.first).is_word("CAST", "TRY_CAST") and source.at(extent.first + 1).is_symbol("("):
        closing = source.closing(extent.first + 1)
        named = [
            i for i in range(extent.first, closing) if source.words(i, "AS") and source.group[i] == extent.first + 1
        ]
        if closing != extent.stop - 1 or not named:
            break
        extent = Extent(extent.first + 2, named[-1])
    return extent
