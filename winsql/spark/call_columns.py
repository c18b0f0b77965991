"""Aggregate calls that Spark computes over the rows of a firing, and what those rows carry for them.

The operands of a call (arguments, condition, sort key) are computed over the source, where all names mean what they
mean to Spark, and go through the window as values. So `max(struct(v, k))` has the fields v and k.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from winsql.model.aggregate_calls import AggregateCall, CallOperand
from winsql.model.query import INTERNAL_PREFIX


@dataclass(frozen=True, slots=True)
class CallColumns:
    """Calls rewritten to read payload columns.

    payload  these columns -> SQL over the source
    written  these columns -> what the user wrote
    calls    the result column of a call -> the call
    """

    payload: dict[str, str]
    calls: dict[str, AggregateCall]
    written: dict[str, str]


def call_columns(calls: Sequence[AggregateCall], constants: Iterable[str]) -> CallColumns:
    """Replace what calls read; names, DISTINCT and values that are the same in all rows stay as the user wrote them.

    constants   names, upper case, that look like columns and are none: variables of the session
    """
    carrier = _Carrier(frozenset(constants))
    found = {call.column: carrier.rewritten(call) for call in calls}
    return CallColumns({name: sql for sql, name in carrier.names.items()}, found, carrier.written)


@dataclass(slots=True)
class _Carrier:
    """Makes a column for each expression, one for equal ones: Spark compares some parts of a call."""

    constants: frozenset[str]
    names: dict[str, str] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    def rewritten(self, call: AggregateCall) -> AggregateCall:
        """The call over carried columns."""
        return call.over(lambda operand: self._carried(call, operand))

    def _carried(self, call: AggregateCall, operand: CallOperand) -> str:
        """The column that holds an operand; the operand itself where it can stay.

        As in Spark, the other operands are computed only where the condition holds: they might fail for other rows.
        """
        sql = operand.sql
        if operand.is_star:
            return f"{self._name(f'struct({sql})')}.*"
        if not operand.reads_more and all(path[-1] in self.constants for path in operand.columns):
            return sql
        name = self._name(sql if operand is call.condition else call.guarded(sql))
        self.written[name] = sql
        return name

    def _name(self, sql: str) -> str:
        return self.names.setdefault(sql, f"{INTERNAL_PREFIX}carried{len(self.names)}")
