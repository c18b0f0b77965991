"""GROUPING SETS, ROLLUP and CUBE of a GROUP BY, written out as the sets they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from winsql.model.query import INTERNAL_PREFIX
from winsql.syntax.expressions.items import automatic_name, quoted, read_select_list
from winsql.syntax.expressions.keys import Key, KeyMatcher
from winsql.syntax.expressions.references import find_references
from winsql.syntax.text.parts import Part, Section, Select, is_query_start
from winsql.syntax.text.source import Edit, Extent, Source

__all__ = ["SET", "GroupingSets", "grouping_id_edits", "read_grouping_sets"]

SET = INTERNAL_PREFIX + "set"
"""The column with the number of the grouping set that a row is counted in."""
_SETS = "GROUPING SETS"
MOST_SETS = 4096
"""How many sets a GROUP BY may stand for, as in Spark, where ROLLUP and CUBE have a limit too."""


@dataclass(frozen=True, slots=True)
class GroupingSets:
    """The plain parts of a GROUP BY, and the sets its other parts stand for, each with the plain parts in it.

    listed   what comes before GROUPING SETS without a comma: the keys that the sets choose from
    """

    plain: tuple[Extent, ...]
    sets: tuple[tuple[Extent, ...], ...]
    listed: tuple[Extent, ...] = ()

    def all_parts(self) -> list[Extent]:
        """The parts of all sets, in the order of the text."""
        return sorted({*self.listed, *(part for parts in self.sets for part in parts)})

    def with_grouping_calls(
        self,
        source: Source,
        select: Select,
        keys: list[Key],
        qualifiers: frozenset[str],
        number: str,
        numbers: dict[str, list[int]],
        order: list[str | None],
    ) -> Source:
        """The source with GROUPING(key) and GROUPING_ID(key, ...) told from the set, whose column is `number`.

        numbers   the sets that have a key, by the column of the key
        order     what GROUPING_ID() is about: the columns of all that GROUP BY names, None for window columns
        """
        matcher = KeyMatcher(source, [], qualifiers)

        def bit(column: str | None) -> str:
            if column is None:
                return "CAST(0 AS TINYINT)"
            sets = ", ".join(map(str, numbers[column]))
            return f"CAST(CASE WHEN {number} IN ({sets or 'NULL'}) THEN 0 ELSE 1 END AS TINYINT)"

        def left_out(argument: Extent) -> str:
            for key in keys:
                if matcher.same(key.extent, argument):
                    return bit(key.column)
            if source.window_column(source.unwrapped(argument)) is not None:
                return bit(None)
            problem = f"{source.verbatim(argument)} is no key of GROUP BY"
            raise source.spec_error(problem, argument, rule=_RULE, hint=_HINT)

        result = source
        for call, arguments in _grouping_calls(source, select):
            is_id = not source.at(call.first).is_word("GROUPING")
            if any(argument.is_empty for argument in arguments):
                raise source.syntax_error("a key is missing", call, rule=_RULE, hint=_HINT)
            bits = [left_out(argument) for argument in arguments] or [bit(column) for column in order]
            span = source.span(call)
            result = result.edited(Edit(span.start, span.end, _number(bits) if is_id else bits[0]))
        return result


def grouping_id_edits(source: Source, select: Select) -> tuple[Edit, ...]:
    """GROUPING_ID(key, ...) in a SELECT that Spark groups by sets, as a number made of GROUPING(key).

    Spark's own takes all keys of GROUP BY or none, and the window columns are keys to it; Flink's takes any.
    """
    group_by = select.get(Part.GROUP_BY)
    if group_by is None or not any(
        source.at(index).is_word("CUBE", "ROLLUP", "SETS") for index in group_by.body.indexes
    ):
        return ()
    edits = []
    for call, arguments in _grouping_calls(source, select):
        if arguments and source.at(call.first).is_word("GROUPING_ID"):
            span = source.span(call)
            bits = [f"GROUPING({source.verbatim(argument)})" for argument in arguments]
            edits.append(Edit(span.start, span.end, _number(bits)))
    return (*edits, *(_name(source, select, edits) if edits else ()))


def _name(source: Source, select: Select, edits: list[Edit]) -> Iterator[Edit]:
    """The names that items would have had without the edits."""
    for item in read_select_list(source, select).items:
        span = source.span(item.expression)
        if item.alias is None and any(span.start <= edit.start < span.end for edit in edits):
            name = automatic_name(source, item.expression, find_references(source, item.expression))
            yield Edit(span.end, span.end, f" AS {quoted(name)}")


def _grouping_calls(source: Source, select: Select) -> Iterator[tuple[Extent, list[Extent]]]:
    """GROUPING(...), GROUPING_ID(...) and GROUPING__ID of a SELECT, subqueries left out, with their arguments."""
    index = select.extent.first
    while index < select.extent.stop:
        token, bracket = source.at(index), source.at(index + 1)
        if token.is_symbol("(") and is_query_start(source, index + 1):
            index = source.closing(index)
        elif token.is_word("GROUPING", "GROUPING_ID") and bracket.is_symbol("("):
            closing = source.closing(index + 1)
            arguments = source.split(Extent(index + 2, closing))
            if arguments or token.is_word("GROUPING_ID"):
                yield Extent(index, closing + 1), arguments
        elif token.is_word("GROUPING__ID") and not bracket.is_symbol(".") and not source.at(index - 1).is_symbol("."):
            yield Extent(index, index + 1), []
        index += 1


def _number(bits: list[str]) -> str:
    """Bits as one number, the first of them the highest."""
    shifted = (f"shiftleft(CAST({bit} AS BIGINT), {len(bits) - 1 - n})" for n, bit in enumerate(bits))
    return f"({' + '.join(shifted)})"


_RULE = "GROUPING tells of a key whether its set leaves it out"
_HINT = "name a key as GROUP BY has it"


def read_grouping_sets(source: Source, group_by: Section) -> GroupingSets | None:
    """The sets of a GROUP BY; None where it has keys only."""
    parts = source.split(group_by.body)
    listed = _before_sets(source, parts)
    if listed is not None:
        return GroupingSets((), tuple(_sets(source, Extent(listed[-1].stop, parts[-1].stop))), tuple(listed))
    plain = tuple(part for part in parts if _kind(source, part) is None)
    if len(plain) == len(parts):
        _refuse_suffix(source, parts)
        return None
    choices = [_sets(source, part) for part in parts if part not in plain]
    sets = tuple((*plain, *(extent for chosen in choice for extent in chosen)) for choice in product(*choices))
    if len(sets) > MOST_SETS:
        raise source.spec_error(f"GROUP BY stands for {len(sets)} sets", group_by.extent, rule=f"at most {MOST_SETS}")
    return GroupingSets(plain, sets)


def _before_sets(source: Source, parts: list[Extent]) -> list[Extent] | None:
    """The keys of `GROUP BY a, b GROUPING SETS (...)`; None where sets are parts by themselves."""
    last = parts[-1] if parts else Extent(0, 0)
    if last.is_empty:
        return None
    group = source.group[last.first]
    starts = (i for i in last.indexes if source.group[i] == group and _kind(source, Extent(i, last.stop)) == _SETS)
    start = next(starts, last.first)
    return None if start == last.first else [*parts[:-1], Extent(last.first, start)]


def _kind(source: Source, part: Extent) -> str | None:
    if source.words(part.first, "GROUPING", "SETS") and source.at(part.first + 2).is_symbol("("):
        return _SETS
    if source.at(part.first).is_word("ROLLUP", "CUBE") and source.at(part.first + 1).is_symbol("("):
        return source.at(part.first).upper
    return None


def _refuse_suffix(source: Source, parts: list[Extent]) -> None:
    """Raises for `GROUP BY a, b WITH ROLLUP`, whose sets would leave the window out."""
    last = parts[-1].stop if parts else 0
    if source.words(last - 2, "WITH") and source.at(last - 1).is_word("ROLLUP", "CUBE"):
        word = source.at(last - 1).upper
        raise source.spec_error(
            f"WITH {word} would group across windows",
            Extent(last - 2, last),
            rule="on a stream each group belongs to a window",
            hint=f"write GROUP BY window_start, window_end, {word}(...)",
        )


def _sets(source: Source, part: Extent) -> list[tuple[Extent, ...]]:
    kind = _kind(source, part)
    opening = part.first + (2 if kind == _SETS else 1)
    elements = source.split(Extent(opening + 1, source.closing(opening)))
    if kind == _SETS:
        return [chosen for element in elements for chosen in _element_sets(source, element)]
    groups = [_members(source, element) for element in elements]
    if kind == "ROLLUP":
        chosen = [groups[:n] for n in range(len(groups), -1, -1)]
    else:
        if len(groups) > 12:
            raise source.spec_error("CUBE has too many keys", part, rule="at most 12")
        chosen = [list(some) for n in range(len(groups), -1, -1) for some in combinations(groups, n)]
    return [tuple(extent for group in some for extent in group) for some in chosen]


def _element_sets(source: Source, element: Extent) -> list[tuple[Extent, ...]]:
    """An element of GROUPING SETS: a set, or ROLLUP, CUBE or GROUPING SETS again."""
    return [_members(source, element)] if _kind(source, element) is None else _sets(source, element)


def _members(source: Source, element: Extent) -> tuple[Extent, ...]:
    """The keys of `(a, b)`, of `()` none, of `a` itself."""
    return tuple(source.listed(element))
