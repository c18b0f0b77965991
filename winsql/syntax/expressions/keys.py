"""The keys of a windowed query, and a search for their expressions in the rest of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from winsql.model.query import INTERNAL_PREFIX, Constant, KeyColumn
from winsql.syntax.expressions.conditions import joints, outside
from winsql.syntax.expressions.function_calls import said_path
from winsql.syntax.text.parts import words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


@dataclass(frozen=True, slots=True)
class Key:
    """A key expression, brackets around it removed, and the column that holds it."""

    extent: Extent
    column: str


def numbered(extents: Iterable[Extent]) -> list[Key]:
    """The keys, each with a column of its own."""
    return [Key(extent, f"{INTERNAL_PREFIX}key_{n}") for n, extent in enumerate(extents)]


def key_columns(source: Source, keys: Iterable[Key]) -> tuple[KeyColumn, ...]:
    """The keys as records of a `WindowQuery`."""
    return tuple(
        KeyColumn(source.verbatim(k.extent), k.column, source.span(k.extent), constant=constant_of(source, k.extent))
        for k in keys
    )


def constant_of(source: Source, extent: Extent) -> Constant | None:
    """NUMBER or PARAMETER for an expression that is a whole number or a parameter; None for any other."""
    extent = source.unwrapped(extent)
    first, last = source.at(extent.first, extent.stop), source.at(extent.stop - 1)
    if last.kind is TokenKind.PARAMETER or (len(extent.indexes) == 2 and first.is_symbol(":")):
        return Constant.PARAMETER if len(extent.indexes) < 3 else None
    is_number = extent.is_single or (len(extent.indexes) == 2 and first.is_symbol("+", "-"))
    return Constant.NUMBER if is_number and last.kind is TokenKind.NUMBER and last.upper.isdigit() else None


class KeyMatcher:
    """Finds key expressions by their tokens, whatever their case, spacing, comments and names of relations.

    `paths` are the names of the relations in FROM, upper case, with and without their schemas.
    """

    def __init__(self, source: Source, keys: list[Key], paths: frozenset[tuple[str, ...]]) -> None:
        self.source = source
        self.keys = keys
        self.paths = paths
        self.bindings = [_lowest_binding(source, key.extent) for key in keys]
        self.casts = [_cast(source, key.extent) for key in keys]

    def __call__(self, index: int, stop: int) -> tuple[int, int] | None:
        """The key at `index`, where an operand begins, and the index after it; the longest one."""
        if self.source.words(index, "IDENTIFIER") and self.source.at(index + 1, stop).is_symbol("("):
            return self._identified(index, stop)
        ends = ((self._end_of(n, index, stop) or self._end_of_cast(n, index, stop), n) for n in range(len(self.keys)))
        found = [(end, n) for end, n in ends if end is not None]
        if not found:
            return self._bracketed(index, stop) if self.source.at(index).is_symbol("(") else None
        longest = max(end for end, _ in found)
        candidates = [n for end, n in found if end == longest]
        if len(candidates) > 1:
            candidates = self._exact(candidates, Extent(index, longest))
        return candidates[0], longest

    def same(self, left: Extent, right: Extent) -> bool:
        """Whether two expressions are the same but for case, spacing, comments and qualifiers."""
        left, right = self.source.unwrapped(left), self.source.unwrapped(right)
        return self._compare(left, right.first, right.stop) == right.stop

    def qualified(self, index: int, stop: int) -> tuple[int, int] | None:
        """The key that is the column `relation.column` at `index`: in a subquery a bare column may be another one."""
        found = self(index, stop) if self.qualifier(index) else None
        return found if found is not None and self.source.is_path(self.keys[found[0]].extent) else None

    def _bracketed(self, index: int, stop: int) -> tuple[int, int] | None:
        closing = self.source.closing(index)
        inner = self.source.unwrapped(Extent(index, closing + 1))
        for n in range(len(self.keys)):
            if closing < stop and self._compare(self.keys[n].extent, inner.first, inner.stop) == inner.stop:
                return n, closing + 1
        return None

    def _identified(self, index: int, stop: int) -> tuple[int, int] | None:
        """The key whose column `IDENTIFIER('t.k')` names by a literal, or that is written so too."""
        end = self.source.closing(index + 1) + 1
        for n, key in enumerate(self.keys):
            if self._compare(key.extent, index, stop) == end:
                return n, end
        said = said_path(self.source, index + 1)
        if said is None or end > stop or self.source.at(end, stop).is_symbol("("):
            return None
        path = [self.source.fold(name) for name in said]
        for n, key in enumerate(self.keys):
            if self.source.is_path(key.extent):
                own = [self.source.folded(i) for i in key.extent.indexes if self.source.at(i).is_name]
                if path[-len(own) :] == own or own[-len(path) :] == path:
                    return n, end
        return None

    def _exact(self, candidates: list[int], extent: Extent) -> list[int]:
        exact = [n for n in candidates if self.source.normal(self.keys[n].extent) == self.source.normal(extent)]
        if exact:
            return exact
        names = " or ".join(self.source.verbatim(self.keys[n].extent) for n in candidates)
        problem = f"{self.source.verbatim(extent)} is ambiguous"
        raise self.source.spec_error(problem, extent, hint=f"write {names}")

    def _end_of(self, n: int, index: int, stop: int) -> int | None:
        end = self._compare(self.keys[n].extent, index, stop)
        if end is None:
            return None
        if self._goes_on(index, end, stop):
            return None
        binding = self.bindings[n]
        if binding is None:
            return end
        before = None if self.source.at(index - 1).is_symbol("[") else _binding(self.source, index - 1)
        after = _binding(self.source, end) if end < stop else None
        return end if (before or 0) < binding and (after or 0) <= binding else None

    def _end_of_cast(self, n: int, index: int, stop: int) -> int | None:
        """The index after a key `CAST(v AS INT)` that is written `v::int` here, or the other way round."""
        cast = self.casts[n]
        if cast is None:
            return None
        if self.source.words(index, "CAST") and self.source.at(index + 1, stop).is_symbol("("):
            end = self.source.closing(index + 1) + 1
            written = _cast(self.source, Extent(index, end)) if end <= stop else None
            is_same = written is not None and all(map(self.same, cast, written))
            return end if is_same else None
        is_piece = (_lowest_binding(self.source, cast[0]) or _BINDINGS["::"]) == _BINDINGS["::"]
        mark = self._compare(cast[0], index, stop) if is_piece else None
        if mark is None or not self.source.at(mark, stop).is_symbol("::"):
            return None
        end = self.source.skip_type(mark + 1, stop)
        return end if self.same(cast[1], Extent(mark + 1, end)) else None

    def _goes_on(self, index: int, end: int, stop: int) -> bool:
        """Whether a name, a type or a path that ends there in a key goes on in the text: `f(x)`, `x::INTERVAL DAY`."""
        follower = self.source.at(end, stop)
        if follower.is_symbol("(") and self.source.at(end - 1).is_name:
            return True
        marks = [*words_in(self.source, Extent(index, end), ":", "::")]
        if not marks:
            return False
        if self.source.at(marks[-1]).is_symbol("::"):
            return self.source.skip_type(marks[-1] + 1, stop) > end
        return follower.is_symbol(".", "[")

    def _compare(self, key: Extent, index: int, stop: int) -> int | None:
        """The index after the tokens of the key at `index`; None where other tokens are there."""
        place = key.first
        while place < key.stop:
            in_key, in_text = self.qualifier(place), self.qualifier(index)
            if in_key and not in_text:
                if self.source.windows is None and self.source.window_column(Extent(index, index + 1)) is not None:
                    return None  # the window's own, where the key is a column of a table
                place += 2 * len(in_key)
            elif in_text and not in_key:
                index += 2 * len(in_text)
            elif _are_one(in_key, in_text):
                place, index = place + 2 * len(in_key), index + 2 * len(in_text)
            if index >= stop or not self.source.same(place, index):
                return None
            place, index = place + 1, index + 1
        return index

    def qualifier(self, index: int) -> tuple[str, ...]:
        """The longest name of a relation at `index` that comes before the name of a column; none."""
        found: tuple[str, ...] = ()
        path: tuple[str, ...] = ()
        is_begin = self.source.at(index).is_name and not self.source.at(index - 1).is_symbol(".")
        while is_begin and self.source.at(index + 1).is_symbol(".") and self.source.at(index + 2).is_name:
            path = (*path, self.source.at(index).upper)
            found = path if path in self.paths else found
            index += 2
        return found


def _cast(source: Source, extent: Extent) -> tuple[Extent, Extent] | None:
    """The value and the type of `CAST(v AS INT)` or `v::int`; None for anything else."""
    first, last = extent.first, extent.stop - 1
    if source.words(first, "CAST") and source.at(first + 1).is_symbol("(") and source.closing(first + 1) == last:
        places = [i for i in outside(source, Extent(first + 2, last)) if source.at(i).is_word("AS")]
        return (Extent(first + 2, places[-1]), Extent(places[-1] + 1, last)) if places else None
    marks = [i for i in outside(source, extent) if source.at(i).is_symbol("::")]
    if (
        not marks
        or _lowest_binding(source, extent) != _BINDINGS["::"]
        or source.skip_type(marks[-1] + 1, extent.stop) != last + 1
    ):
        return None
    return Extent(first, marks[-1]), Extent(marks[-1] + 1, extent.stop)


def _are_one(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether two names may be those of one relation, of which one has a schema that the other leaves out."""
    return len(left) != len(right) and all(a == b for a, b in zip(reversed(left), reversed(right), strict=False))


_BINDINGS = {
    "OR": 1,
    "AND": 2,
    **dict.fromkeys(("NOT", "!"), 3),
    **dict.fromkeys(("IS", "IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "REGEXP"), 4),
    **dict.fromkeys(("=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>", "ESCAPE"), 5),  # ESCAPE: more than LIKE
    "|": 6,
    "^": 7,
    "&": 8,
    **dict.fromkeys(("<<", ">>", ">>>"), 9),
    **dict.fromkeys(("+", "-", "||"), 10),
    **dict.fromkeys(("*", "/", "%", "DIV"), 11),
    "~": 12,
    **dict.fromkeys(("::", ".", "[", ":", "COLLATE"), 13),
}


def _binding(source: Source, index: int) -> int | None:
    """How closely the operator at `index` binds; None when there is none."""
    if source.words(index - 1, "DISTINCT", "FROM"):
        return _BINDINGS["IS"]
    token = source.at(index)
    is_operator = token.kind is TokenKind.SYMBOL or token.kind is TokenKind.WORD
    return _BINDINGS.get(token.upper) if is_operator else None


def _lowest_binding(source: Source, extent: Extent) -> int | None:
    """How closely the loosest operator of an expression binds; None for one in a single piece."""
    if extent.is_single:
        return None
    ands = joints(source, extent, "AND")  # without those of BETWEEN
    operators = (i for i in outside(source, extent) if not source.at(i).is_symbol(".", "["))
    joining = (i for i in operators if i in ands or not source.at(i).is_word("AND"))
    return min((binding for i in joining if (binding := _binding(source, i)) is not None), default=None)
