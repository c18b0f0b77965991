"""The two sides of a join of windows, which of them a column belongs to, and the condition between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from winsql.model.joins import JoinType
from winsql.model.query import INTERNAL_PREFIX, EndColumn
from winsql.syntax.expressions.conditions import conjuncts, equalities_between
from winsql.syntax.expressions.field_paths import field_path, name_at
from winsql.syntax.expressions.items import quoted, read_select_list
from winsql.syntax.expressions.references import Reference, ReferenceKind, find_references
from winsql.syntax.joins.clause import columns_of
from winsql.syntax.rules.attached_windows import implied_end, tumbling_windows
from winsql.syntax.selects.relations import WrittenRelation, read_relation
from winsql.syntax.text.parts import Part, Select, brackets_around, holds_query, outside_brackets
from winsql.syntax.text.source import Edit, Extent, Source, is_qualified_variable
from winsql.syntax.text.tokens import upper_name
from winsql.syntax.text.vocabulary import JOIN_WORDS
from winsql.syntax.tree.from_alone import before_joins
from winsql.syntax.tree.records import GAP, Fields, Relation, Role


def joined_body(source: Source, select: Select) -> Extent:
    """The FROM body of a join without brackets around all of it."""
    body = select.sections[Part.FROM].body
    while source.is_bracketed(body) and not holds_query(source, body.first):
        body = Extent(body.first + 1, body.stop - 1)
    return body


def begins_in(source: Source, body: Extent, relation: Relation) -> int | None:
    """The first token of a relation in a FROM body, or of the brackets around it; None for one that is elsewhere."""
    around = () if relation.first is None else (relation.first, *brackets_around(source, relation.first))
    return next((place for place in around if source.group[place] == source.group[body.first]), None)


def written_in(source: Source, body: Extent, relation: Relation) -> WrittenRelation:
    """A relation that begins in a FROM body, as it is written there."""
    begin = before_joins(source, body)
    first = begins_in(source, body, relation)
    if begin is None or first is None or first >= begin.stop:
        assert first is not None
        return read_relation(source, first, body.stop)
    written = read_relation(source, body.first, body.stop)
    if relation.first in begin.indexes:  # an operator makes it, AS names it
        return replace(written, name=relation.first if relation.name else None)
    return written


def are_joined_alone(source: Source, body: Extent, relations: Sequence[Extent]) -> bool:
    """Whether a FROM body is these relations and their joins: nothing else comes before, between or after them."""
    if relations[0].first != body.first:
        return False
    for extent, stop in zip(relations, [*(other.first for other in relations[1:]), body.stop], strict=True):
        end = end_of_join(source, Extent(extent.stop, stop))
        is_last = stop == body.stop and extent is relations[-1]
        if not _is_condition(source, Extent(extent.stop, end)) or is_last != (end == stop):
            return False
        if not (is_last or _is_join(source, Extent(end, stop))):
            return False
    return True


def require_joined_alone(source: Source, body: Extent, relations: Sequence[Extent]) -> None:
    """Raises WindowSpecError where a FROM body is more than these relations and their joins."""
    if not are_joined_alone(source, body, relations):
        hint = "put a relation with PIVOT, UNPIVOT, TABLESAMPLE or LATERAL into a subquery: (SELECT * FROM ...) AS x"
        raise refused(source, body, "something else beside the relations of this FROM", hint)


def end_of_join(source: Source, rest: Extent) -> int:
    """Where the condition of a join ends."""
    return next((index for index in outside_brackets(source, rest) if _begins_join(source, index)), rest.stop)


def _begins_join(source: Source, index: int) -> bool:
    token = source.at(index)
    is_call = token.is_word("LEFT", "RIGHT") and source.at(index + 1).is_symbol("(")
    is_join = token.is_word(*JOIN_WORDS, "LATERAL") and not source.at(index - 1).is_symbol(".") and not is_call
    return is_join or token.is_symbol(",", "|>")


def _is_join(source: Source, extent: Extent) -> bool:
    """Whether it is a comma, or the words of a join."""
    words = [source.at(index).upper for index in extent.indexes]
    words = words[1:] if words[:1] == ["|>"] else words
    return words == [","] or (words[-1:] == ["JOIN"] and {*words} <= {*JOIN_WORDS, "OUTER"})


def _is_condition(source: Source, extent: Extent) -> bool:
    """Whether it is nothing, an ON, or a USING of names alone."""
    if extent.is_empty or source.at(extent.first).is_word("ON"):
        return True
    names = Extent(extent.first + 1, extent.stop)
    if not source.at(extent.first).is_word("USING") or not source.is_bracketed(names):
        return False
    parts = source.split(Extent(names.first + 1, names.stop - 1))
    return bool(parts) and all(part.is_single and source.at(part.first).is_name for part in parts)


def name_of_side(number: int) -> str:
    """The name of a side that has none in the statement."""
    return f"{INTERNAL_PREFIX}side_{number}"


def in_each_row(how: JoinType) -> list[int]:
    """The numbers of the sides that are in each row of a join: 0, 1."""
    return [n for n, is_in_each in enumerate((how.has_left_in_each, how.has_right_in_each)) if is_in_each]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a join.

    written    its place in the text
    relation   its columns
    name       its name as SQL
    columns    the new names of its columns; empty where they keep theirs
    plan       what it is as SQL, where that is not the text
    """

    written: WrittenRelation
    relation: Relation
    name: str
    columns: tuple[str, ...] = ()
    plan: str | None = None

    @classmethod
    def of(cls, source: Source, body: Extent, relation: Relation, number: int) -> Side:
        """The side whose relation begins in a FROM body."""
        written = written_in(source, body, relation)
        side = cls(written, relation, name_of_side(number) if written.name is None else written.name_sql(source))
        rows = side.extent_in(source, body)
        is_piped = rows != written.extent
        return replace(side, plan=f"(FROM {source.verbatim(rows)})") if is_piped else side

    @classmethod
    def alone(cls, source: Source, select: Select, relation: Relation, number: int) -> Side:
        """The side that is the only relation of a SELECT; raises WindowSpecError where FROM has more than its name."""
        body = joined_body(source, select)
        side = cls.of(source, body, relation, number)
        require_joined_alone(source, body, [side.written.extent])
        return side

    def extent_in(self, source: Source, body: Extent) -> Extent:
        """Its tokens in a FROM body, with the operators over it before a join."""
        own, begin = self.written.extent, before_joins(source, body)
        return own if begin is None or begin.first != own.stop else Extent(own.first, begin.stop)

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
        """Whether not all of its columns are known."""
        return GAP in self.relation.output

    def fields(self, name: str) -> Fields:
        """The window column that its column of this name is, or those in it."""
        return self.relation.fields_at((name,))

    def role(self, name: str) -> Role | None:
        """The window column that its column of this name, lower case, is."""
        column = self.relation.column(name)
        return None if column is None else column.role


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides.

    nearest   the one that an unqualified column belongs to if both may have it
    lookups   further relations of the same FROM, which an unknown column may belong to
    """

    source: Source
    pair: tuple[Side, Side]
    nearest: int | None = None
    lookups: tuple[Relation, ...] = ()

    def of(self, reference: Reference) -> int | None:
        """The number of the side that a column belongs to; None where that is not known."""
        first = self.source.at(reference.extent.first).upper.lower()
        named = [n for n, side in enumerate(self.pair) if side.relation.name == first]
        if len(reference.path) > 1 and len(named) == 1:
            return named[0]
        if len(reference.path) > 1 and any(relation.name == first for relation in self.lookups):
            return None
        certain = [n for n, side in enumerate(self.pair) if side.relation.has(first)]
        if self.lookups:
            return certain[0] if len(certain) == 1 else None
        possible = [n for n, side in enumerate(self.pair) if side.relation.has(first) or side.has_gap]
        if self.nearest is not None and self.nearest in possible:
            return self.nearest
        found = certain or possible
        return found[0] if len(found) == 1 else None

    def fields(self, extent: Extent, number: int) -> Fields:
        """The window column of a side that an expression is, or those in the struct that it is."""
        return self.pair[number].relation.fields_at(field_path(self.source, self.source.unwrapped(extent)))

    def role(self, extent: Extent, number: int) -> Role | None:
        """The window column of a side that an expression is."""
        return self.pair[number].relation.role_at(field_path(self.source, self.source.unwrapped(extent)))

    def name(self, extent: Extent) -> str:
        """The name of the column that an expression is, lower case."""
        return name_at(self.source, self.source.unwrapped(extent).stop - 1).lower()

    def read_by(self, extent: Extent) -> set[int | None]:
        """The numbers of the sides whose columns an expression reads, as `of` gives them."""
        return {self.of(reference) for reference in columns_of(self.source, extent) if not self._is_variable(reference)}

    def _is_variable(self, reference: Reference) -> bool:
        """Whether it is `session.x`, and no relation or column has that name."""
        relations = (*(side.relation for side in self.pair), *self.lookups)
        first = self.source.at(reference.extent.first).upper.lower()
        is_qualified = is_qualified_variable(self.source.verbatim(reference.extent))
        return is_qualified and not any(relation.name == first or relation.has(first) for relation in relations)

    def text(self, extent: Extent, changes: Iterable[Edit] = ()) -> str:
        """An expression with these edits, and with the names of the sides before its columns.

        Raises WindowSpecError for a column of an unknown side.
        """
        edits = [*changes]
        for reference in columns_of(self.source, extent):
            if self._is_variable(reference):
                continue
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
        hint = f"write {names}" if all(side.is_named for side in self.pair) else "give both relations aliases"
        if len(reference.path) == 1 and self.source.is_variable(name):
            hint += f", or write session.{name} for the variable"
        problem = f"{name} does not say which side of the join it belongs to"
        rule = "on streams a column that either side may have needs the name of its relation before it"
        return self.source.spec_error(problem, reference.extent, rule=rule, hint=hint)


@dataclass(slots=True)
class Condition:
    """The condition of a join.

    texts        its parts, which AND joins
    keys         its equalities between the sides: left, right, place
    ends, role   the columns of both sides that are compared and have this role, END or TIME
    keys_alone   as in `WindowJoin`
    """

    sides: Sides
    texts: list[str] = field(default_factory=list)
    keys: list[tuple[str, str, Extent]] = field(default_factory=list)
    ends: tuple[EndColumn, EndColumn] | None = None
    role: Role = Role.END
    keys_alone: bool = True

    def add(self, extent: Extent | None, *, only_between: bool = False) -> None:
        """Add a condition; with `only_between` only its equalities between the sides."""
        for part in () if extent is None else conjuncts(self.sides.source, extent):
            self._add(part, only_between=only_between)

    def add_equality(self, left: str, right: str, place: Extent) -> None:
        """Add `left = right`, each SQL over its side."""
        self.texts.append(f"{left} = {right}")
        self.keys.append((left, right, place))

    def add_other(self, text: str) -> None:
        """Add another condition, SQL over both sides."""
        self.texts.append(text)
        self.keys_alone = False

    def add_ends(self, columns: tuple[EndColumn, EndColumn], fields: tuple[Fields, Fields]) -> None:
        """Note an equality of these columns, which are window columns or structs with such fields of the same names."""
        for path, role in fields[0]:
            if (path, role) in fields[1]:
                left, right = (column.field(path) for column in columns)
                self._add_ends((left, right), role)

    def _add_ends(self, columns: tuple[EndColumn, EndColumn], role: Role) -> None:
        """Note an equality of window columns: ends of windows are preferred to last instants, and may be implied."""
        if role is Role.END or (role is Role.TIME and self.ends is None):
            self.ends, self.role = columns, role
        if role is Role.START and self.ends is None:
            self.ends = self._implied_ends()

    def _implied_ends(self) -> tuple[EndColumn, EndColumn] | None:
        """The ends of windows that start together; None where their starts do not tell them."""
        left, right = (side.relation for side in self.sides.pair)
        if tumbling_windows(left) != tumbling_windows(right):
            return None
        found = [implied_end(self.sides.source, relation) for relation in (left, right)]
        ends = [
            None if end is None else replace(end, sql=side.column(end.name))
            for end, side in zip(found, self.sides.pair, strict=True)
        ]
        return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])

    def _add(self, part: Extent, *, only_between: bool) -> None:
        found = equalities_between(self.sides.source, part, self.sides.read_by)
        for equality in found:
            left, right = equality.left, equality.right
            texts = (self.sides.text(left), self.sides.text(right))
            self.keys.append((*texts, part))
            self.keys_alone = self.keys_alone and not equality.is_null_safe
            ends = EndColumn(texts[0], self.sides.name(left)), EndColumn(texts[1], self.sides.name(right))
            self.add_ends(ends, (self.sides.fields(left, 0), self.sides.fields(right, 1)))
            if only_between and not equality.is_whole:
                self.texts.append(f"{texts[0]} <=> {texts[1]}")
        if any(equality.is_whole for equality in found):
            self.texts.append(self.sides.text(part))
        elif not only_between:
            self._require_no_query(part)
            self.add_other(f"({self.sides.text(part)})")

    def _require_no_query(self, part: Extent) -> None:
        """Raises WindowSpecError for a condition with a subquery."""
        found = find_references(self.sides.source, part)
        query = next((one.extent for one in found if one.kind is ReferenceKind.SUBQUERY), None)
        if query is not None:
            problem = "the condition of this join of windows holds a subquery"
            hint = "filter one side before, FROM (SELECT * FROM b WHERE k IN (SELECT ...)) AS b, "
            hint += "or make it a column there; an inner join may have it in WHERE"
            if self.sides.nearest is not None:
                hint = (
                    "ask it of the rows that the subquery reads: FROM (SELECT * FROM b WHERE EXISTS (SELECT ...)) AS b"
                )
            rule = "on streams it is computed from one row of each side"
            raise self.sides.source.spec_error(problem, query, rule=rule, hint=hint)


def with_stars(source: Source, select: Select, columns: str) -> Source:
    """The source with these columns in the place of `*` in a select list."""
    for item in read_select_list(source, select).items:
        star = item.expression.first
        if source.at(star).is_symbol("*"):
            source = source.replaced(Extent(star, star + 1), columns)
    return source


def refused(source: Source, place: Extent, what: str, hint: str) -> Exception:
    """The error for a join of windows that a stream cannot have."""
    rule = "on streams rows of windows are joined on equal window_end, which says when all of them are there"
    return source.spec_error(f"{what} cannot run on streams", place, rule=rule, hint=hint)
