"""WINDOW JOIN: two relations and the condition between them.

    join       = relation [type] WINDOW JOIN relation ON condition
    condition  = any Spark expression over columns with their relation's name before them; one of the parts that AND
                 joins must be an equality (`=`, `<=>` or `IS NOT DISTINCT FROM`) with one relation on either side

A FROM has one WINDOW JOIN and nothing beside it; each relation may be a subquery with a window or join of its own.
Rows meet when they are in the same window and the condition holds; the equalities are the keys of the window.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import partial

from winsql.errors import WinsqlError
from winsql.model.joins import JoinType
from winsql.model.query import WINDOW_COLUMNS
from winsql.syntax.expressions.conditions import Equality, conjuncts, equality_between, joints
from winsql.syntax.expressions.references import Matcher, Reference, ReferenceKind, all_references, beyond_row
from winsql.syntax.joins.types import ends_relation, join_type, may_say_type, no_type, refuse_type_after_window
from winsql.syntax.selects.relations import NO_ALIAS, WrittenRelation, read_relation
from winsql.syntax.text.operands import OperandState
from winsql.syntax.text.parts import Section, beside, outside_queries
from winsql.syntax.text.source import Extent, Source, is_qualified_variable

LEFT, RIGHT = 0, 1


@dataclass(frozen=True, slots=True)
class SideNames:
    """The names of the two sides of a join as SQL, and which of them an expression reads."""

    source: Source
    names: tuple[str, str]
    qualifiers: tuple[str, str]
    """The same names, upper case, as Spark compares them."""

    def of(self, reference: Reference) -> int | None:
        """LEFT or RIGHT for a column with a relation's name before it, else None."""
        is_path = reference.kind is ReferenceKind.STAR or len(reference.path) > 1
        name = self.source.at(reference.extent.first).upper
        return self.qualifiers.index(name) if is_path and name in self.qualifiers else None

    def star(self, how: JoinType) -> str:
        """What `*` is: the columns of the sides that come out of a join."""
        return ", ".join(f"{name}.*" for name in (self.names if how.has_right else self.names[:1]))

    def read_by(self, extent: Extent, what: str, match: Matcher | None = None) -> Set[int]:
        """The sides whose columns an expression reads; raises for a column without its relation's name."""
        sides, source = set(), self.source
        for reference in columns_of(source, extent, match):
            side = self.of(reference)
            if side is None and reference.is_certain and not is_qualified_variable(source.verbatim(reference.extent)):
                raise self._unqualified(reference, what)
            if side is not None:
                sides.add(side)
        return sides

    def _unqualified(self, reference: Reference, what: str) -> WinsqlError:
        name = self.source.verbatim(reference.extent)
        left, right = self.names
        if name.lower() in WINDOW_COLUMNS:
            rule = "window columns are known once a window fires, after the join"
            hint = "compare it in WHERE, which sees the pairs of an inner join, or in a query around the join"
            return self.source.spec_error(f"{what}: {name} is not allowed here", reference.extent, rule=rule, hint=hint)
        is_path = len(reference.path) > 1
        hint = f"the sides are {left} and {right}" if is_path else f"write {left}.{name} or {right}.{name}"
        if not is_path and self.source.is_variable(name):
            hint += f", or session.{name} for the variable"
        problem = f"{what}: {name} does not say which side of the join it belongs to"
        rule = "here every column needs the name of its relation before it"
        return self.source.spec_error(problem, reference.extent, rule=rule, hint=hint)


def columns_of(source: Source, extent: Extent, match: Matcher | None = None) -> Iterator[Reference]:
    """The columns of an expression, those inside aggregate calls included, outside of what `match` knows."""
    return (found for found in all_references(source, extent, match) if found.kind is ReferenceKind.COLUMN)


def stars_of(source: Source, extent: Extent) -> Iterator[Reference]:
    """The stars of an expression, those inside aggregate calls included."""
    return (found for found in all_references(source, extent) if found.kind is ReferenceKind.STAR)


@dataclass(frozen=True, slots=True)
class JoinClause:
    """A FROM body that is a window join; `keys` are the equalities between its sides, the left side first.

    `keys_alone` as in `WindowJoin`.
    """

    left: WrittenRelation
    right: WrittenRelation
    sides: SideNames
    how: JoinType
    condition: Extent
    keys: tuple[Equality, ...]
    extent: Extent
    keys_alone: bool = False


def read_join(source: Source, section: Section) -> JoinClause | None:
    """The window join of the FROM of a windowed SELECT; None when it has none."""
    body = source.unwrapped(section.body)
    places = list(window_joins(source, body))
    if not places:
        refuse_type_after_window(source, body)
        return None
    join = places[0]
    if source.group[join] != source.group[body.first]:
        raise _mixed(source, Extent(join, join + 2))
    if source.at(join - 1).is_word("CROSS", "NATURAL"):
        raise no_type(source, Extent(join - 1, join), join)
    words, how = join_type(source, body, join)
    left = read_relation(source, body.first, words)
    if left.extent.is_empty or left.extent.stop < words:
        between = Extent(left.extent.stop, join)
        is_type = not left.extent.is_empty and all(may_say_type(source, index) for index in between.indexes)
        raise no_type(source, between, join) if is_type else _mixed(source, _word_at(source, left.extent.stop))
    right = read_relation(source, join + 2, body.stop)
    sides = _sides(source, left, right, join)
    condition = _condition(source, right, body, join)
    _check_condition(source, condition)
    sides.read_by(condition, "ON")
    parts = conjuncts(source, condition)
    found = (equality_between(source, part, partial(sides.read_by, what="ON")) for part in parts)
    keys = tuple(key for key in found if key is not None)
    if not keys:
        raise _no_equality(sides, condition)
    are_all = len(keys) == len(parts) and not any(key.is_null_safe for key in keys)
    return JoinClause(left, right, sides, how, condition, keys, body, are_all)


# WINDOW JOIN and its type


def window_joins(source: Source, body: Extent) -> Iterator[int]:
    """Where WINDOW JOIN comes after a relation, subqueries left out."""
    for index in outside_queries(source, body):
        if source.words(index, "WINDOW", "JOIN") and index > body.first and ends_relation(source, index - 1):
            yield index


def _mixed(source: Source, place: Extent) -> WinsqlError:
    rule = "a FROM with WINDOW JOIN holds two relations and ON, nothing else"
    hint = "put the other joins into a subquery: FROM (SELECT ...) AS x WINDOW JOIN y ON x.id = y.id"
    return source.spec_error("this cannot be used with WINDOW JOIN", place, rule=rule, hint=hint)


def _word_at(source: Source, index: int) -> Extent:
    """The token at `index`, with the rest of the words of a join that it begins."""
    end = index
    while source.at(end).is_word(*NO_ALIAS, "OUTER", "WINDOW", "ASOF", "VIEW") and not source.at(end).is_word("JOIN"):
        end += 1
    return Extent(index, end + 1 if end == index or source.at(end).is_word("JOIN") else end)


# the relations


def _sides(source: Source, left: WrittenRelation, right: WrittenRelation, join: int) -> SideNames:
    if source.at(right.extent.first).is_word("LATERAL"):
        raise _mixed(source, Extent(right.extent.first, right.extent.first + 1))
    if right.extent.is_empty:
        problem = "WINDOW JOIN needs a relation after it"
        raise source.syntax_error(problem, Extent(join, join + 2), hint="write a WINDOW JOIN b ON a.id = b.id")
    for relation in (left, right):
        if relation.name is None:
            rule = "columns of a window join need the name of their relation before them"
            hint = "give it an alias: (SELECT ...) AS x"
            raise source.spec_error("this side of the join has no name", relation.extent, rule=rule, hint=hint)
    qualifiers = (left.qualifier(source), right.qualifier(source))
    if qualifiers[0] == qualifiers[1]:
        problem = f"both sides of the join are called {right.name_sql(source)}"
        rule = "columns of a window join need the name of their relation before them"
        hint = "give each side an alias: FROM a AS x WINDOW JOIN a AS y"
        raise source.spec_error(problem, right.extent, rule=rule, hint=hint)
    return SideNames(source, (left.name_sql(source), right.name_sql(source)), qualifiers)


# ON


def _condition(source: Source, right: WrittenRelation, body: Extent, join: int) -> Extent:
    index = right.extent.stop
    place = Extent(join, join + 2)
    if source.at(index, body.stop).is_word("USING"):
        name = source.name(index + 2) if source.at(index + 2, body.stop).is_name else "id"
        rule = "the condition comes after ON, each column after the name of its relation"
        hint = f"write ON x.{name} = y.{name}"
        raise source.spec_error("WINDOW JOIN takes no USING", index, rule=rule, hint=hint)
    if index < body.stop and not source.at(index).is_word("ON"):
        raise _mixed(source, _word_at(source, index))
    condition = Extent(index + 1, body.stop)
    if condition.is_empty:
        rule = "a window join has a condition with an equality between the sides"
        is_late = _has_late_on(source, body)
        hint = "put ON before WINDOW ASSIGN" if is_late else "write ON x.id = y.id"
        raise source.syntax_error("WINDOW JOIN needs ON", place, rule=rule, hint=hint)
    return condition


def _has_late_on(source: Source, body: Extent) -> bool:
    """Whether ON comes after the FROM body, for instance after WINDOW ASSIGN."""
    after = (index for index in beside(source, body.first, "ON", "SELECT", "FROM") if index >= body.stop)
    return source.words(next(after, len(source)), "ON")


_BESIDE = NO_ALIAS - {"AS", "EXCEPT", "INTERSECT", "MINUS", "UNION"} | {"PIVOT", "UNPIVOT"}


def _check_condition(source: Source, condition: Extent) -> None:
    """Raises for another join after the condition, and for anything that is not computed from one row of each side."""
    state = OperandState(source)
    index = condition.first
    while index < condition.stop:
        token = source.tokens[index]
        is_window = source.words(index, "WINDOW", "JOIN")
        if token.is_symbol(",") or (state.is_done and (token.is_word(*_BESIDE) or is_window)):
            raise _mixed(source, _word_at(source, index))
        index = state.advance(index)
    beyond = beyond_row(source, condition)
    if beyond is not None:
        hint = "compute it as a column of one side: FROM (SELECT *, ... AS v FROM a) AS x WINDOW JOIN ..."
        rule = "it is computed from one row of each side"
        raise source.spec_error(f"ON holds {beyond[0]}", beyond[1], rule=rule, hint=hint)


def _no_equality(sides: SideNames, condition: Extent) -> WinsqlError:
    left, right = sides.names
    rule = f"rows meet in windows of one key: ON needs an expression of {left} equal to one of {right}"
    hint = f"write ON {left}.id = {right}.id AND ..."
    if joints(sides.source, sides.source.unwrapped(condition), "OR"):
        hint = f"put the alternatives into brackets: ON {left}.id = {right}.id AND (... OR ...)"
    return sides.source.spec_error("ON has no equality between the sides", condition, rule=rule, hint=hint)
