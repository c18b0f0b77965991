"""The greatest number of a ranking that is read: `rn = 1`, `3 >= rn`, `rn < 4`, in whatever query around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from sqlglot import exp

from winsql.syntax.tree.bridge import select_index
from winsql.syntax.tree.nodes import has_over
from winsql.syntax.tree.records import Output, Relation

IN_QUALIFY = -1
"""The place of a call that is no item, but is compared in QUALIFY."""
_Ranking = tuple[int, int]


@dataclass(slots=True)
class Rankings:
    """Follows the columns of calls with OVER through the queries around them.

    bounds   the greatest number that any SELECT keeps, of the calls that SELECTs filter by
    others   calls that some SELECT reads without a filter
    whole    calls of which other rows matter too: they have been read before the filter, as by another call with OVER
    """

    bounds: dict[_Ranking, int] = field(default_factory=dict)
    others: set[_Ranking] = field(default_factory=set)
    whole: set[_Ranking] = field(default_factory=set)

    def first_only(self, select: int) -> frozenset[int]:
        """The places of the items of a SELECT, given by its first token, of which all readers keep number 1 alone."""
        firsts = {ranking for ranking, bound in self.bounds.items() if bound == 1}
        return frozenset(place for first, place in firsts - self.others if first == select)

    def most(self, select: int) -> dict[int, int]:
        """The greatest numbers that matter, by the places of the items of a SELECT."""
        known = self.bounds.keys() - self.others - self.whole
        return {place: self.bounds[first, place] for first, place in known if first == select}

    def read_whole(self, output: Iterable[Output]) -> None:
        """Note that all rows of these columns matter."""
        self.whole |= {column.ranking for column in output if column.ranking is not None}

    def leave(self, output: Iterable[Output]) -> None:
        """Note that these columns are not followed any further."""
        self.others |= {column.ranking for column in output if column.ranking is not None}

    def read(self, node: exp.Select, relations: tuple[Relation, ...], output: tuple[Output, ...]) -> tuple[Output, ...]:
        """The columns of a SELECT over these relations; those that it filters by are not followed any further."""
        known = {c.ranking for relation in relations for c in relation.output if c.ranking is not None}
        own = {c.name: c.ranking for c in output if c.ranking is not None}
        read_by = Counter(ranking for relation in relations for ranking in {c.ranking for c in relation.output})
        self.whole |= {ranking for ranking in known if read_by[ranking] > 1}  # a filter may mean one of them alone
        bounds: dict[_Ranking, int] = {}
        for value, bound in _bounds(node.args.get("where")):
            ranking = passed_ranking(value, relations) if isinstance(value, exp.Column) else None
            _bind(bounds, ranking, bound)
        ranks = has_over(node)
        if node.args.get("qualify") or ranks:
            self.whole |= known - bounds.keys()
        # as in Spark, beside an item with OVER names in QUALIFY are those of items before columns
        items = {c.name for c in output if c.name is not None and ranks}
        for value, bound in _bounds(node.args.get("qualify")):
            ranking = None
            if isinstance(value, exp.Window):
                first = select_index(node)
                ranking = None if first is None else (first, IN_QUALIFY)
            elif isinstance(value, exp.Column):
                name = None if value.table else value.name.lower()
                ranking = None if name in items else passed_ranking(value, relations)
                ranking = ranking or own.get(name)
            _bind(bounds, ranking, bound)
        if any(node.args.get(clause) for clause in ("limit", "offset")):
            self.whole |= (known | {*own.values()}) - bounds.keys()
        for ranking, bound in bounds.items():
            self.bounds[ranking] = max(bound, self.bounds.get(ranking, bound))
        self.others |= known - bounds.keys() - {column.ranking for column in output}
        return tuple(replace(c, ranking=None) if c.ranking in bounds else c for c in output)


def _bind(bounds: dict[_Ranking, int], ranking: _Ranking | None, bound: int) -> None:
    """Note that one of the conditions of a SELECT keeps no number above a bound."""
    if ranking is not None:
        bounds[ranking] = min(bound, bounds.get(ranking, bound))


def passed_ranking(column: exp.Column, relations: tuple[Relation, ...]) -> _Ranking | None:
    """The call with OVER that a column reads."""
    name, table = column.name.lower(), column.table.lower()
    named = [relation for relation in relations if not table or relation.name == table]
    found = [c.ranking for relation in named for c in relation.output if c.name == name]
    return found[0] if len(found) == 1 else None


def _bounds(clause: exp.Expr | None) -> Iterator[tuple[exp.Expr, int]]:
    """The expressions that a condition compares with whole numbers, and the greatest number that it keeps of each."""
    for part in _parts(clause.this if clause is not None else None):
        if isinstance(part, exp.In):
            numbers = [_number(number) for number in part.expressions]
            known = [number for number in numbers if number is not None]
            if known and len(known) == len(numbers):
                yield part.this.unnest(), max(known)
        elif isinstance(part, exp.Between):
            high = _number(part.args["high"])
            if high is not None and not part.args.get("symmetric"):
                yield part.this.unnest(), high
        elif isinstance(part, exp.Binary):
            for value, other in ((part.left, part.right), (part.right, part.left)):
                number, below = _number(other), _KEPT.get((type(part), value is part.left))
                if number is not None and below is not None:
                    yield value.unnest(), number - below


def _number(node: exp.Expr) -> int | None:
    """The whole number that an expression is."""
    is_number = isinstance(node, exp.Literal) and not node.is_string and node.name.isdecimal()
    return int(node.name) if is_number and len(node.name) < _MOST_DIGITS else None


_MOST_DIGITS = 20
"""No number of a row has more."""


_KEPT: dict[tuple[type[exp.Expr], bool], int] = {
    (exp.EQ, True): 0,
    (exp.EQ, False): 0,
    (exp.NullSafeEQ, True): 0,
    (exp.NullSafeEQ, False): 0,
    (exp.LTE, True): 0,
    (exp.GTE, False): 0,
    (exp.LT, True): 1,
    (exp.GT, False): 1,
}
"""How far the greatest number that is kept is below the one compared with; True where the value is on the left."""


def _parts(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    """The parts that AND joins."""
    stack = [] if condition is None else [condition]
    while stack:
        part = stack.pop().unnest()
        if isinstance(part, exp.And):
            stack += [part.expression, part.this]
        else:
            yield part
