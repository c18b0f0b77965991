"""What leaves a FROM: its relations after their joins, and the columns of USING and NATURAL, one for both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from sqlglot import exp

from winsql.model.joins import JoinType
from winsql.syntax.tree.nodes import is_natural, join_type_of, placed_joins, using_of
from winsql.syntax.tree.records import Output, Relation, without_windows


@dataclass(frozen=True, slots=True)
class Shared:
    """A column of USING or NATURAL.

    output     what it is after the joins
    relations  the numbers of those that it comes from: one that is in each row, or all where none is
    """

    output: Output
    relations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """What leaves a FROM.

    relations  its relations: one that may be NULL has no window columns any more, one that does not come out no columns
    shared     the columns of USING and NATURAL, by their names in lower case, in the order of `*`
    full       for each FULL JOIN the numbers of the windowed relations of both sides: each row has those of one
    """

    relations: tuple[Relation, ...]
    shared: Mapping[str, Shared]
    full: tuple[tuple[frozenset[int], frozenset[int]], ...] = ()

    def has_one_of(self, numbers: Set[int]) -> bool:
        """Whether each row has the windows of one of these relations."""
        is_full = any(left & numbers and right & numbers for left, right in self.full)
        return is_full or any(self.relations[number].is_windowed for number in numbers)

    def all_columns(self) -> Iterator[Output]:
        """The columns of `*`."""
        yield from (column.output for column in self.shared.values())
        for relation in self.relations:
            yield from (column for column in relation.output if column.name not in self.shared)

    def columns_of(self, name: str) -> Iterator[Output]:
        """The columns of `a.*`, which begins with its columns of USING and NATURAL."""
        for relation in self.relations:
            if relation.name == name:
                yield from relation.beginning_with(self.shared, has_all=len(self.relations) == 2)


def joined_of(node: exp.Select, relations: tuple[Relation, ...]) -> Joined:
    """What leaves the FROM of a SELECT."""
    found, shared, full = list(relations), dict[str, Shared](), list[tuple[frozenset[int], frozenset[int]]]()
    for join, first, stop in placed_joins(node):
        how = join_type_of(join) or JoinType.FULL
        sides = range(first), range(first, stop)
        own = {name: _shared(name, shared, found, sides, how) for name in _names(join, found, sides)}
        left, right = (frozenset(n for n in side if found[n].is_windowed) for side in sides)
        if not how.has_right:
            found[first:stop] = [replace(relation, output=()) for relation in found[first:stop]]
        elif not how.has_right_in_each:
            found[first:stop] = map(without_windows, found[first:stop])
        if not how.has_left_in_each:
            found[:first] = map(without_windows, found[:first])
            shared = {name: replace(c, output=replace(c.output, role=None)) for name, c in shared.items()}
            full = [] if how.has_right_in_each else [(left, right)]
        shared = {**own, **{name: column for name, column in shared.items() if name not in own}}
    return Joined(tuple(found), shared, tuple(full))


def _names(join: exp.Join, found: Sequence[Relation], sides: tuple[range, range]) -> list[str]:
    if not is_natural(join):
        return using_of(join)
    left, right = ([column.name for n in side for column in found[n].output] for side in sides)
    return [name for name in dict.fromkeys(left) if name is not None and name in right]


def _shared(
    name: str, shared: Mapping[str, Shared], found: Sequence[Relation], sides: tuple[range, range], how: JoinType
) -> Shared:
    """A column that a join compares; of an inner join it is whatever the column of either side is."""
    left, right = (_column(name, found, side) for side in sides)
    left = shared.get(name, left)
    if not (how.has_left_in_each or how.has_right_in_each):
        role = left.output.role if left.output.role is right.output.role else None
        return Shared(Output(name, role), (*left.relations, *right.relations))
    if not how.has_left_in_each:
        return right
    return right if how.has_right_in_each and left.output.role is None else left


def _column(name: str, found: Sequence[Relation], side: range) -> Shared:
    number = next((n for n in side if found[n].has(name)), None)
    if number is None:
        return Shared(Output(name), ())
    return Shared(replace(found[number].column(name) or Output(name), ranking=None), (number,))
