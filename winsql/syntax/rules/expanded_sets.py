"""Grouping sets as keys: a row comes once per set, the set's number is a key, and keys that it leaves out are NULL."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from winsql.model.query import INTERNAL_PREFIX, KeyColumn
from winsql.syntax.bind.grouping import Grouping
from winsql.syntax.bind.grouping_sets import GroupingSets, as_number, grouping_calls
from winsql.syntax.expressions.keys import Key, KeyMatcher, key_columns, numbered
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Extent, Source

_SET = INTERNAL_PREFIX + "set"
"""The column with the number of the set that a row is counted in."""


class ExpandedSets:
    """The grouping sets of one SELECT.

    keys     those of all sets, without window columns
    """

    def __init__(self, grouping: Grouping, sets: GroupingSets) -> None:
        self.grouping = grouping
        self.source = grouping.source
        self.sets = sets
        self.group_by = grouping.binding.select.sections[Part.GROUP_BY]
        self.matcher = KeyMatcher(self.source, [], grouping.binding.paths)
        parts = {part: grouping.key(part, self.group_by.head) for part in sets.all_parts()}
        self.keys = numbered(self._distinct(key for key in parts.values() if key is not None))
        self._number = f"{INTERNAL_PREFIX}key_{len(self.keys)}"
        self._part_keys = {part: None if key is None else self._key(key) for part, key in parts.items()}
        self._sets_of: dict[str, list[int]] = {key.column: [] for key in self.keys}
        for number, some in enumerate(sets.sets):
            for column in {key.column for part in some if (key := self._part_keys[part]) is not None}:
                self._sets_of[column].append(number)

    def columns(self) -> tuple[KeyColumn, ...]:
        """The keys, and the number of the set, as a query has them."""
        columns = []
        for column in key_columns(self.source, self.keys):
            numbers = self._sets_of[column.column]
            if len(numbers) < len(self.sets.sets):
                within = f"{_SET} IN ({', '.join(map(str, numbers))})" if numbers else "FALSE"
                column = replace(column, sql=f"CASE WHEN {within} THEN {column.sql} END", constant=None)
            columns.append(column)
        return (*columns, KeyColumn(_SET, self._number, self.source.span(self.group_by.extent)))

    def rows_of(self, body: str) -> str:
        """A FROM body with each row once per set."""
        numbers = ", ".join(map(str, range(len(self.sets.sets))))
        return f"{body} LATERAL VIEW explode(array({numbers})) {_SET}s AS {_SET}"

    def with_grouping_calls(self) -> Source:
        """The source with GROUPING(key) and GROUPING_ID(key, ...) computed from the number of the set."""
        result = self.source
        for call, arguments in grouping_calls(self.source, self.grouping.binding.select):
            if any(argument.is_empty for argument in arguments):
                raise self.source.syntax_error("a key is missing", call, rule=_RULE, hint=_HINT)
            bits = [self._bit(self._named(argument)) for argument in arguments] or list(map(self._bit, self._all()))
            is_bit = self.source.at(call.first).is_word("GROUPING")
            result = result.replaced(call, bits[0] if is_bit else as_number(self.source, bits))
        return result

    def _distinct(self, keys: Iterable[Extent]) -> list[Extent]:
        """The keys, each once."""
        found: list[Extent] = []
        for key in keys:
            if not any(self.matcher.same(key, other) for other in found):
                found.append(key)
        return found

    def _all(self) -> list[Key | None]:
        """All that GROUP BY names, each once, in the order of the text, for GROUPING_ID(); None for window columns."""
        found: dict[str, Key | None] = {}
        for part, key in self._part_keys.items():
            found.setdefault(self.source.normal(part)[-1] if key is None else key.column, key)
        return list(found.values())

    def _named(self, argument: Extent) -> Key | None:
        """The key that GROUPING is asked about, None for a window column."""
        key = self._key(argument)
        if key is None and self.source.window_column(self.source.unwrapped(argument)) is None:
            problem = f"{self.source.verbatim(argument)} is no key of GROUP BY"
            raise self.source.spec_error(problem, argument, rule=_RULE, hint=_HINT)
        return key

    def _key(self, extent: Extent) -> Key | None:
        return next((key for key in self.keys if self.matcher.same(key.extent, extent)), None)

    def _bit(self, key: Key | None) -> str:
        """1 in the sets that leave out the key; none leaves out a window column."""
        if key is None:
            return "CAST(0 AS TINYINT)"
        numbers = ", ".join(map(str, self._sets_of[key.column]))
        return f"CAST(CASE WHEN {self._number} IN ({numbers or 'NULL'}) THEN 0 ELSE 1 END AS TINYINT)"


_RULE = "GROUPING tells of a key whether its set leaves it out"
_HINT = "name a key as GROUP BY has it"
