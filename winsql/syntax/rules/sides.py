"""Two relations with windows that meet: what their names are, and which of them a column belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from winsql.model.assigners import TumblingWindows
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.joins import JoinType
from winsql.model.query import (
    INTERNAL_PREFIX,
    JOIN_TIME,
    EndColumn,
    JoinSide,
    Unnamed,
    WindowJoin,
    WindowQuery,
    WindowSpec,
)
from winsql.syntax.expressions.conditions import conjuncts, equality
from winsql.syntax.expressions.items import quoted
from winsql.syntax.expressions.references import Reference
from winsql.syntax.joins.clause import columns_of
from winsql.syntax.joins.query import join_keys, query_of_join
from winsql.syntax.rules.moment import column_at, time_of
from winsql.syntax.selects.relations import Relation as Written
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.brackets import TOP
from winsql.syntax.text.parts import Part, Select, holds_query
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.tokens import upper_name
from winsql.syntax.tree.records import Relation, Role

__all__ = ["Condition", "Side", "Sides", "begins_in", "join_query", "joined_body", "refused"]


def joined_body(source: Source, select: Select) -> Extent:
    """The FROM body of a join without brackets around all of it."""
    body = select.sections[Part.FROM].body
    while source.is_bracketed(body) and not holds_query(source, body.first):
        body = Extent(body.first + 1, body.stop - 1)
    return body


def begins_in(source: Source, body: Extent, relation: Relation) -> int | None:
    """The first token of a relation in a FROM body, brackets around it included; None for one that is not there."""
    first = relation.first
    while first is not None and source.group[first] != source.group[body.first]:
        first = None if source.group[first] == TOP else source.group[first]
    return first


@dataclass(frozen=True, slots=True)
class Side:
    """One of them: its place, its columns as far as they are known, its name as SQL, and names of ours for its columns
    where it gets these."""

    written: Written
    relation: Relation
    name: str
    columns: tuple[str, ...] = ()

    @classmethod
    def of(cls, source: Source, body: Extent, relation: Relation, number: int) -> Side:
        """The side whose relation begins in a FROM body."""
        first = begins_in(source, body, relation)
        assert first is not None
        written = read_relation(source, first, body.stop)
        name = f"{INTERNAL_PREFIX}side_{number}" if written.name is None else written.name_sql(source)
        return cls(written, relation, name)

    @property
    def is_named(self) -> bool:
        """Whether `name` is the user's."""
        return self.written.name is not None

    @property
    def qualifier(self) -> str:
        """The name before its columns as tokens have it."""
        return upper_name(self.relation.name) or self.name.upper()

    def column(self, name: str) -> str:
        """A column of it as SQL."""
        return f"{self.name}.{name if name.isascii() and name.isidentifier() else quoted(name)}"

    @property
    def has_gap(self) -> bool:
        """Whether it may have columns that are not known."""
        return any(column.name is None for column in self.relation.output)

    def has(self, name: str) -> bool:
        """Whether it has a column of this name, in lower case."""
        return any(column.name == name for column in self.relation.output)


@dataclass(frozen=True, slots=True)
class Sides:
    """Both of them; `nearest` is the one that a column without a relation's name belongs to where both may have it.

    beside  further relations of the same FROM: a column that is not known may be theirs
    """

    source: Source
    pair: tuple[Side, Side]
    nearest: int | None = None
    beside: tuple[Relation, ...] = ()

    def of(self, reference: Reference) -> int | None:
        """The number of the side that a column belongs to; None where that is not known."""
        first = self.source.at(reference.extent.first).upper.lower()
        named = [n for n, side in enumerate(self.pair) if side.relation.name == first]
        if len(reference.path) > 1 and len(named) == 1:
            return named[0]
        if len(reference.path) > 1 and any(relation.name == first for relation in self.beside):
            return None
        certain = [n for n, side in enumerate(self.pair) if side.has(first)]
        if self.beside:
            return certain[0] if len(certain) == 1 else None
        possible = [n for n, side in enumerate(self.pair) if side.has(first) or side.has_gap]
        if self.nearest is not None and self.nearest in possible:
            return self.nearest
        found = certain or possible
        return found[0] if len(found) == 1 else None

    def role(self, extent: Extent, number: int) -> Role | None:
        """The window column of a side that an expression is."""
        extent = self.source.unwrapped(extent)
        if extent.is_empty or column_at(self.source, extent.stop - 1) != extent:
            return None
        name = self.source.at(extent.stop - 1).upper.lower()
        found = [column.role for column in self.pair[number].relation.output if column.name == name]
        return found[0] if len(found) == 1 else None

    def name(self, extent: Extent) -> str:
        """The name of the column that an expression is, lower case."""
        return self.source.name(self.source.unwrapped(extent).stop - 1).lower()

    def text(self, extent: Extent) -> str:
        """An expression with the names of the sides before its columns; raises WindowSpecError for an unknown side."""
        edits = []
        for reference in columns_of(self.source, extent):
            number = self.of(reference)
            if number is None and reference.is_certain:
                raise self.unknown(reference)
            first = self.source.at(reference.extent.first).upper.lower()
            if number is not None and not (len(reference.path) > 1 and self.pair[number].relation.name == first):
                start = self.source.span(reference.extent).start
                edits.append(Edit(start, start, f"{self.pair[number].name}."))
        return self.source.verbatim(extent, edits)

    def unknown(self, reference: Reference) -> Exception:
        """The error for a column that either side may have."""
        name = self.source.verbatim(reference.extent)
        names = " or ".join(f"{side.name}.{name}" for side in self.pair)
        return self.source.spec_error(
            f"{name} does not say which side of the join it belongs to",
            reference.extent,
            rule="on streams a column that either side may have needs the name of its relation before it",
            hint=f"write {names}" if all(side.is_named for side in self.pair) else "give both relations aliases",
        )


@dataclass(slots=True)
class Condition:
    """The condition of a join, part by part.

    keys   the equalities between the sides, as SQL and as they are written
    ends   the columns of both sides that say when, and their roles
    keys_alone   as in `WindowJoin`
    """

    sides: Sides
    texts: list[str]
    keys: list[tuple[str, str, Extent]]
    ends: tuple[tuple[EndColumn, Role], tuple[EndColumn, Role]] | None = None
    keys_alone: bool = True

    @classmethod
    def read(cls, sides: Sides, extents: Sequence[Extent], *, only_between: bool = False) -> Condition:
        """The condition that all of these expressions hold; `only_between` leaves out parts that read one side."""
        found = cls(sides, [], [])
        for extent in extents:
            for part in conjuncts(sides.source, extent):
                found._add(part, only_between=only_between)
        return found

    def add_equality(self, left: str, right: str, place: Extent) -> None:
        """`left = right`, of SQL over either side."""
        self.texts.append(f"{left} = {right}")
        self.keys.append((left, right, place))

    def add_other(self, text: str) -> None:
        """What is no equality of two keys, as SQL over both sides."""
        self.texts.append(text)
        self.keys_alone = False

    def add_ends(self, columns: tuple[EndColumn, EndColumn], roles: tuple[Role | None, Role | None]) -> None:
        """An equality of these window columns; the end of windows comes before their last instant."""
        one, other = roles
        if one is not other or one not in (Role.END, Role.TIME):
            return
        if self.ends is None or one is Role.END:
            self.ends = ((columns[0], one), (columns[1], one))

    def _add(self, part: Extent, *, only_between: bool) -> None:
        found = equality(self.sides.source, part)
        read = None if found is None else (self._read_by(found.left), self._read_by(found.right))
        if found is not None and read in (({0}, {1}), ({1}, {0})):
            left, right = (found.left, found.right) if read == ({0}, {1}) else (found.right, found.left)
            texts = (self.sides.text(left), self.sides.text(right))
            self.keys.append((*texts, part))
            self.texts.append(self.sides.text(part))
            self.keys_alone = self.keys_alone and not found.is_null_safe
            ends = EndColumn(texts[0], self.sides.name(left)), EndColumn(texts[1], self.sides.name(right))
            self.add_ends(ends, (self.sides.role(left, 0), self.sides.role(right, 1)))
        elif not only_between:
            self.add_other(f"({self.sides.text(part)})")

    def _read_by(self, extent: Extent) -> set[int | None]:
        return {self.sides.of(reference) for reference in columns_of(self.sides.source, extent)}


def join_query(
    source: Source, select: Select, condition: Condition, how: JoinType, projected: tuple[str, str, Unnamed | None]
) -> WindowQuery:
    """The query that pairs the rows of both sides whose windows end at one moment."""
    assert condition.ends is not None
    pair = tuple(zip(condition.sides.pair, condition.ends, strict=True))
    of_rows = [column for side, (column, role) in pair if side.relation.are_rows and role is not Role.END]
    if of_rows:
        hint = "write window_end in the place of window_time on both sides"
        raise refused(source, select.sections[Part.FROM].extent, "a join of rows by window_time", hint)
    head, tail, unnamed = projected
    place = source.span(select.sections[Part.FROM].extent)
    are_alike = len({side.relation.are_rows for side in condition.sides.pair}) == 1
    left, right = (
        JoinSide(
            _sql(source, side, are_alike),
            side.name,
            time_of(column.sql, role),
            source.span(side.written.extent),
            None if role is Role.END else quoted(column.name),
        )
        for side, (column, role) in pair
    )
    keys = tuple((one, other) for one, other, _ in condition.keys)
    join = WindowJoin(left, right, how, keys, " AND ".join(condition.texts), place, keys_alone=condition.keys_alone)
    attribute = TimeAttribute(TimeDomain.EVENT, (JOIN_TIME,), f"({left.time}, {right.time})")
    is_end = all(role is Role.END for _, role in condition.ends)
    ends = (replace(column, times=side.relation.names_of(Role.TIME)) for side, (column, _) in pair)
    return query_of_join(
        source,
        select.extent,
        join,
        WindowSpec.of(TumblingWindows(attribute, 1)),
        join_keys(source, (extent for _, _, extent in condition.keys)),
        time_span=place,
        head=head,
        tail=tail,
        ends=tuple(ends) if is_end else (),
        unnamed=unnamed,
    )


def _sql(source: Source, side: Side, are_alike: bool) -> str:
    """A side without its name; rows that are gathered, as the other side are results, have come with it."""
    gathers = side.relation.are_rows and not are_alike
    if side.columns:
        return f"(SELECT * FROM {side.written.sql(source)} AS {side.name}({', '.join(side.columns)}))"
    return f"(SELECT * FROM {source.verbatim(side.written.extent)})" if gathers else side.written.sql(source)


def refused(source: Source, place: Extent, what: str, hint: str) -> Exception:
    """The error for a join of windows that a stream cannot have."""
    return source.spec_error(
        f"{what} cannot run on streams",
        place,
        rule="on streams rows of windows are joined on equal window_end, which says when all of them are there",
        hint=hint,
    )
