"""GROUPING SETS, ROLLUP and CUBE of a GROUP BY, expanded into sets of keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from winsql.syntax.expressions.items import automatic_name, quoted, read_select_list
from winsql.syntax.expressions.references import find_references
from winsql.syntax.text.parts import Part, Section, Select, outside_queries, words_in
from winsql.syntax.text.source import Edit, Extent, Source

_SETS = "GROUPING SETS"
MOST_SETS = 4096
"""How many sets a GROUP BY may have, as in Spark, where ROLLUP and CUBE have a limit too."""


@dataclass(frozen=True, slots=True)
class GroupingSets:
    """The sets of a GROUP BY; `listed` are keys right before GROUPING SETS, which the sets choose from."""

    sets: tuple[tuple[Extent, ...], ...]
    listed: tuple[Extent, ...] = ()

    def all_parts(self) -> list[Extent]:
        """The parts of all sets, in the order of the text."""
        return sorted({*self.listed, *(part for parts in self.sets for part in parts)})


def grouping_id_edits(source: Source, select: Select) -> tuple[Edit, ...]:
    """Edits of GROUPING_ID(key, ...) into a number made of GROUPING(key), where Spark groups by sets.

    Spark's GROUPING_ID takes all keys of GROUP BY, window columns included, or none; Flink's takes any.
    """
    group_by = select.get(Part.GROUP_BY)
    if group_by is None or sets_in(source, group_by.body) is None:
        return ()
    edits = []
    for call, arguments in grouping_calls(source, select):
        if arguments and source.at(call.first).is_word("GROUPING_ID"):
            bits = [f"GROUPING({source.verbatim(argument)})" for argument in arguments]
            edits.append(Edit(*source.span(call), as_number(source, bits)))
    return (*edits, *(_name(source, select, edits) if edits else ()))


def _name(source: Source, select: Select, edits: list[Edit]) -> Iterator[Edit]:
    """Edits that give items the names that they would have without the others."""
    for item in read_select_list(source, select).items:
        span = source.span(item.expression)
        if item.alias is None and any(span.start <= edit.start < span.end for edit in edits):
            name = automatic_name(source, item.expression, find_references(source, item.expression))
            yield Edit(span.end, span.end, f" AS {quoted(name)}")


def grouping_calls(source: Source, select: Select) -> Iterator[tuple[Extent, list[Extent]]]:
    """GROUPING(...), GROUPING_ID(...) and GROUPING__ID of a SELECT, subqueries left out, with their arguments."""
    for index in outside_queries(source, select.extent):
        token, bracket = source.at(index), source.at(index + 1)
        if token.is_word("GROUPING", "GROUPING_ID") and bracket.is_symbol("("):
            closing = source.closing(index + 1)
            arguments = source.split(Extent(index + 2, closing))
            if arguments or token.is_word("GROUPING_ID"):
                yield Extent(index, closing + 1), arguments
        elif token.is_word("GROUPING__ID") and not bracket.is_symbol(".") and not source.at(index - 1).is_symbol("."):
            yield Extent(index, index + 1), []


def as_number(source: Source, bits: list[str]) -> str:
    """Bits as one number, the first of them the highest, of the type that the session's GROUPING_ID has."""
    kind = "INT" if source.settings.integer_grouping_id else "BIGINT"
    shifted = (f"shiftleft(CAST({bit} AS {kind}), {len(bits) - 1 - n})" for n, bit in enumerate(bits))
    return f"({' + '.join(shifted)})"


def sets_in(source: Source, body: Extent) -> Extent | None:
    """The words in a GROUP BY that make grouping sets of its keys; None where it has keys only."""
    for index in words_in(source, body, "GROUPING", "CUBE", "ROLLUP", "WITH"):
        if source.at(index).is_word("CUBE", "ROLLUP") and source.at(index + 1).is_symbol("("):
            return Extent(index, index + 1)
        if any(source.words(index, *words) for words in _SET_WORDS):
            return Extent(index, index + 2)
    return None


_SET_WORDS = (("GROUPING", "SETS"), ("WITH", "CUBE"), ("WITH", "ROLLUP"))


def read_grouping_sets(source: Source, group_by: Section) -> GroupingSets | None:
    """The sets of a GROUP BY; None where it has keys only."""
    parts = source.split(group_by.body)
    listed = _before_sets(source, parts)
    if listed is not None:
        return GroupingSets(tuple(_sets(source, Extent(listed[-1].stop, parts[-1].stop))), tuple(listed))
    plain = tuple(part for part in parts if _kind(source, part) is None)
    if len(plain) == len(parts):
        _refuse_suffix(source, parts)
        return None
    choices = [_sets(source, part) for part in parts if part not in plain]
    count = prod(map(len, choices))
    if count > MOST_SETS:
        raise source.spec_error(f"GROUP BY stands for {count} sets", group_by.extent, rule=f"at most {MOST_SETS}")
    sets = ((*plain, *(extent for chosen in choice for extent in chosen)) for choice in product(*choices))
    return GroupingSets(tuple(sets))


def _before_sets(source: Source, parts: list[Extent]) -> list[Extent] | None:
    """The keys of `GROUP BY a, b GROUPING SETS (...)`; None where sets are parts by themselves."""
    words = sets_in(source, parts[-1]) if parts else None
    if words is None or words.first == parts[-1].first or _kind(source, words) != _SETS:
        return None
    return [*parts[:-1], Extent(parts[-1].first, words.first)]


def _kind(source: Source, part: Extent) -> str | None:
    if source.words(part.first, "GROUPING", "SETS") and source.at(part.first + 2).is_symbol("("):
        return _SETS
    if source.at(part.first).is_word("ROLLUP", "CUBE") and source.at(part.first + 1).is_symbol("("):
        return source.at(part.first).upper
    return None


def _refuse_suffix(source: Source, parts: list[Extent]) -> None:
    """Raises for `GROUP BY a, b WITH ROLLUP`, whose sets would leave the window out."""
    suffix = sets_in(source, parts[-1]) if parts else None
    if suffix is not None and source.words(suffix.first, "WITH"):
        word = source.at(suffix.stop - 1).upper
        rule = "on a stream each group belongs to a window"
        hint = f"write GROUP BY window_start, window_end, {word}(...)"
        raise source.spec_error(f"WITH {word} would group across windows", suffix, rule=rule, hint=hint)


def _sets(source: Source, part: Extent) -> list[tuple[Extent, ...]]:
    """The sets that a part stands for: ROLLUP, CUBE and GROUPING SETS for several, anything else for one."""
    kind = _kind(source, part)
    if kind is None:
        return [_members(source, part)]
    opening = part.first + (2 if kind == _SETS else 1)
    elements = source.split(Extent(opening + 1, source.closing(opening)))
    _require_whole(source, kind, Extent(source.closing(opening) + 1, part.stop), elements)
    if kind == _SETS:
        return [chosen for element in elements for chosen in _sets(source, element)]
    groups = [_members(source, element) for element in elements]
    if kind == "ROLLUP":
        chosen = [groups[:n] for n in range(len(groups), -1, -1)]
    else:
        if len(groups) > 12:
            hint = "write the sets that you need: GROUPING SETS ((a, b), (a), ...)"
            raise source.spec_error("CUBE has too many keys", part, rule="at most 12", hint=hint)
        chosen = [list(some) for n in range(len(groups), -1, -1) for some in combinations(groups, n)]
    return [tuple(extent for group in some for extent in group) for some in chosen]


def _require_whole(source: Source, kind: str, after: Extent, elements: list[Extent]) -> None:
    """Raises for words after the bracket of sets, and for elements that are missing."""
    if not after.is_empty:
        rule = f"a comma comes between {kind}(...) and further keys"
        raise source.syntax_error(f"{kind} ends before this", after, rule=rule, hint="write a comma, or leave it out")
    empty = next((element for element in elements if element.is_empty), None)
    if empty is not None:
        raise source.syntax_error(f"a key is missing in {kind} here", empty, hint="leave out the comma")


def _members(source: Source, element: Extent) -> tuple[Extent, ...]:
    """The keys of `(a, b)`, of `()` none, of `a` itself."""
    return tuple(source.listed(element))
