"""Which rankings of a statement are read for their first rows alone: `rn = 1`, `1 >= rn`, `rn < 2`, however far out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from sqlglot import exp

from winsql.syntax.tree.bridge import select_index
from winsql.syntax.tree.records import Output, Relation

__all__ = ["IN_QUALIFY", "Rankings", "passed_ranking"]

IN_QUALIFY = -1
"""The place of a call that no item is, but a condition of QUALIFY compares."""
_Ranking = tuple[int, int]


@dataclass(slots=True)
class Rankings:
    """Follows the columns that are calls with OVER outwards.

    firsts   those of which a SELECT keeps the rows with number 1
    others   those that somebody reads without doing so
    """

    firsts: set[_Ranking] = field(default_factory=set)
    others: set[_Ranking] = field(default_factory=set)

    def first_only(self, select: int) -> frozenset[int]:
        """The places of the items of a SELECT, given by its first token, that are in the first set alone."""
        return frozenset(place for first, place in self.firsts - self.others if first == select)

    def leave(self, output: Iterable[Output]) -> None:
        """Note that these columns go where nobody follows them."""
        self.others |= {column.ranking for column in output if column.ranking is not None}

    def read(self, node: exp.Select, relations: tuple[Relation, ...], output: tuple[Output, ...]) -> tuple[Output, ...]:
        """The columns of a SELECT over these relations, those without whose rows it keeps the first of alone."""
        known = {c.ranking for relation in relations for c in relation.output if c.ranking is not None}
        own = {c.name: c.ranking for c in output if c.ranking is not None}
        firsts: set[_Ranking] = set()
        for value in _first_of(node.args.get("where")):
            ranking = passed_ranking(value, relations) if isinstance(value, exp.Column) else None
            firsts |= set() if ranking is None else {ranking}
        for value in _first_of(node.args.get("qualify")):
            ranking = passed_ranking(value, relations) if isinstance(value, exp.Column) else None
            if isinstance(value, exp.Window):
                ranking = (select_index(node) or 0, IN_QUALIFY)
            elif isinstance(value, exp.Column) and ranking is None and not value.table:
                ranking = own.get(value.name.lower())
            firsts |= set() if ranking is None else {ranking}
        self.firsts |= firsts
        self.others |= known - firsts - {column.ranking for column in output}
        return tuple(replace(c, ranking=None) if c.ranking in firsts else c for c in output)


def passed_ranking(column: exp.Column, relations: tuple[Relation, ...]) -> _Ranking | None:
    """The call with OVER that a column of one of the relations is."""
    name, table = column.name.lower(), column.table.lower()
    named = [relation for relation in relations if not table or relation.name == table]
    found = [c.ranking for relation in named for c in relation.output if c.name == name]
    return found[0] if len(found) == 1 else None


def _first_of(clause: exp.Expr | None) -> Iterator[exp.Expr]:
    """What a condition compares with a number so that only 1 is left, of numbers that begin with 1."""
    for part in _parts(clause.this if clause is not None else None):
        if isinstance(part, exp.In) and [n.name for n in part.expressions] == ["1"]:
            yield part.this
        if not isinstance(part, exp.Binary):
            continue
        for value, number in ((part.left, part.right), (part.right, part.left)):
            bound = _BOUNDS.get((type(part), value is part.left))
            if isinstance(number, exp.Literal) and not number.is_string and number.name == bound:
                yield _inside(value)


_BOUNDS: dict[tuple[type[exp.Expr], bool], str] = {
    (exp.EQ, True): "1",
    (exp.EQ, False): "1",
    (exp.NullSafeEQ, True): "1",
    (exp.NullSafeEQ, False): "1",
    (exp.LTE, True): "1",
    (exp.GTE, False): "1",
    (exp.LT, True): "2",
    (exp.GT, False): "2",
}
"""The number that a value is compared with; whether the value comes first."""


def _parts(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    """The parts that AND joins."""
    if condition is None:
        return
    condition = _inside(condition)
    if isinstance(condition, exp.And):
        yield from _parts(condition.this)
        yield from _parts(condition.expression)
    else:
        yield condition


def _inside(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node
