"""JOIN of two relations with windows, on their ends.

    SELECT items FROM a [type] JOIN b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end
    SELECT items FROM a JOIN b USING (window_start, window_end, k)
    SELECT items FROM a, b WHERE a.k = b.k AND a.window_end = b.window_end

Equalities in the WHERE of an inner join count as well as those in ON. Where the SELECT groups or ranks the joined rows,
the join becomes a query of its own in the place of the FROM body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlglot import exp

from winsql.model.joins import JoinType
from winsql.model.query import WINDOW_COLUMNS, EndColumn, WindowQuery
from winsql.syntax.expressions.items import first_gathering, quoted
from winsql.syntax.expressions.references import Reference, ReferenceKind, find_references
from winsql.syntax.joins.clause import columns_of, stars_of
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.lookup_tables import LookupTables, lookup_tables
from winsql.syntax.rules.resolved_join import ResolvedJoin
from winsql.syntax.rules.sides import Condition, Side, Sides, in_each_row, joined_body, refused, require_joined_alone
from winsql.syntax.text.parts import COUNTS, Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.bridge import index_of
from winsql.syntax.tree.joined import joined_of
from winsql.syntax.tree.lineage import joins_windows
from winsql.syntax.tree.nodes import is_natural, join_type_of, joins_of, outside_queries, written_using
from winsql.syntax.tree.outputs import role_of_call
from winsql.syntax.tree.records import Meaning, Output, Relation, Role, Scope, without_windows


@dataclass(frozen=True, slots=True)
class Join:
    """A SELECT that joins relations with windows; `select` is it with a FROM of the two alone.

    calls   of a FULL JOIN what is a window column of either side, as `coalesce(a.window_end, b.window_end)` is
    """

    block: QueryBlock
    select: Select
    lookups: LookupTables | None
    calls: Mapping[Extent, Role]
    replaces: frozenset[Extent] = frozenset()

    @property
    def pairs(self) -> Extent:
        """What the joined rows replace, if they have a query of their own."""
        return self.select.sections[Part.FROM].body

    @property
    def reads(self) -> Extent:
        """The tokens that say which rows are joined."""
        return self.block.body

    def sides(self, source: Source) -> tuple[tuple[Relation, ...], tuple[Select, Select]]:
        """The two relations, and the SELECTs in whose FROM they are."""
        return self.block.relations[:2], (self.select, self.select)

    def body_of(self, source: Source, number: int) -> Extent:
        """The tokens that a side begins in."""
        leaves = () if self.lookups is None else self.lookups.leaves
        return leaves[number] if leaves else joined_body(source, self.select)

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        check_row_by_row(source, self.block.select)
        join = self.resolve(source)
        if self.lookups is None:
            source = self._with_using_first(source, join)
            star = partial(_all_columns, source, join, join.result)
            return join.query(source, self.select, *join.projection(source, self.block, star))
        structs = self.lookups.structs(source, join)
        return join.query(source, self.block.select, *self.lookups.projection(self.prepared(source), structs))

    def over_pairs(self) -> QueryBlock | None:
        """The SELECT over the joined rows; None where these have no windows.

        Their windows are those of a side that is in each row, or the columns of USING, as a relation of their own.
        """
        scope, joins = self.block.scope, joins_of(self.block.scope.node)
        how = _type(self._join) if joins else None
        if how is None or not self._is_pair():
            return None
        kept = (in_each_row(how) or [len(scope.relations)])[0]
        returned = scope.relations[: 2 if how.has_right else 1]
        sides = (r if n == kept else without_windows(r) for n, r in enumerate(returned))
        relations = (*sides, *scope.relations[2:])
        if kept == len(relations):
            shared = [column.output for column in joined_of(scope.node, scope.relations).shared.values()]
            called = [Output(WINDOW_COLUMNS[role.value], role) for role in {*self.calls.values()}]
            relations += (Relation("", None, (*shared, *called), is_window_result=True),)
        meanings = {
            token: replace(meaning, relations=(kept,))
            for token, meaning in scope.meanings.items()
            if meaning.level or len(meaning.relations) > 1 or meaning.relations[0] in in_each_row(how)
        }
        meanings |= {extent.stop - 1: Meaning(role, (kept,)) for extent, role in self.calls.items()}
        return replace(self.block, scope=replace(scope, relations=relations, meanings=meanings))

    def bind_pairs(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """The query of the joined rows, in which each side keeps its name."""
        join = self.resolve(source)
        head = tail = ""
        if self.lookups is not None:
            head = f"(SELECT {self.lookups.structs(source, join)}"
            tail = f"){self.lookups.after_pairs(self.prepared(source))}"
        return replace(join.query(source, self.block.select, head, tail), span=source.span(self.pairs))

    def prepared(self, source: Source) -> Source:
        """The source over the joined rows, where stars and the columns of USING have the names of the sides."""
        join, select = self.resolve(source), self.block.select
        value = partial(self._shared_in_pairs, join)
        star = partial(_all_columns, source, join, value)
        if self.lookups is not None:
            source = self.lookups.with_names_of_sides(source, join.sides)
        source = self._with_using_first(source, join)
        for extent, role in self.calls.items():
            source = source.replaced(extent, WINDOW_COLUMNS[role.value])
        for reference in find_references(source, select.sections[Part.SELECT].body):
            if reference.kind is ReferenceKind.STAR and source.at(reference.extent.first).is_symbol("*"):
                source = source.replaced(reference.extent, star(reference))
        bodies = [section.body for part, section in select.sections.items() if part is not Part.FROM]
        shared = set(join.shared)
        if self.lookups is not None:
            bodies, shared = [*self.lookups.bodies(source)], shared - set(self.lookups.using)
        for body in bodies if shared else ():
            for reference in columns_of(source, body):
                name = _one_case(source, source.name(reference.extent.first))
                if len(reference.path) == 1 and name in shared:
                    source = source.replaced(reference.extent, value(name))
        return source

    def _with_using_first(self, source: Source, join: ResolvedJoin) -> Source:
        """The source where `a.*` begins with the columns of USING and NATURAL, as in Spark."""
        using = () if self.lookups is None else self.lookups.using
        for star in stars_of(source, self.block.select.sections[Part.SELECT].body):
            first = star.extent.first
            if not source.at(first + 2).is_symbol("*"):  # `*` alone, or the fields of a column
                continue
            name = source.at(first).upper.lower()
            number = next((n for n, side in enumerate(join.returned) if side.relation.name == name), None)
            names = [] if number is None else join.begins_with(number, using)
            if number is not None and names:
                text = _beginning_with(source, names, join.sides.pair[number], star)
                source = source.replaced(star.extent, text)
        return source

    def _shared_in_pairs(self, join: ResolvedJoin, name: str) -> str:
        """A shared column over the pairs, as SQL."""
        if self.lookups is not None and name in join.columns:
            return quoted(name)
        return join.columns.get(name) or join.value(name)

    def resolve(self, source: Source) -> ResolvedJoin:
        """The join; raises WindowSpecError for one that a stream cannot have."""
        place = self.select.sections[Part.FROM].extent
        if not self._is_pair():
            hint = "join two of them in a subquery that hands on window_end, and join that with the third"
            if len(self.block.windowed) == 2:
                hint = _APART
            raise refused(source, place, "a join of windows with further relations", hint)
        how = _type(self._join)
        if how is None:
            hint = "write [INNER | LEFT | RIGHT | FULL | SEMI | ANTI] JOIN ... ON"
            raise refused(source, place, "this type of join", hint)
        body = joined_body(source, self.select)
        left, right = (Side.of(source, self.body_of(source, n), r, n) for n, r in enumerate(self.block.relations[:2]))
        before = () if self.lookups is None else self.lookups.before
        written = sorted([*before, left.extent_in(source, body), right.written.extent], key=lambda extent: extent.first)
        if self.lookups is None or not self.lookups.leaves:
            require_joined_alone(source, body, written)
        sides = Sides(source, (left, right), lookups=() if self.lookups is None else self.lookups.relations)
        shared = _shared(source, self._join, sides, place)
        condition = self._condition(source, sides, shared, how)
        if condition.ends is None:
            raise refused(source, place, "this join of windows", _end_hint(sides))
        return ResolvedJoin(sides, condition, how, shared, frozenset(self.calls.values()))

    def _condition(self, source: Source, sides: Sides, shared: tuple[str, ...], how: JoinType) -> Condition:
        after = Extent(sides.pair[1].written.extent.stop, joined_body(source, self.select).stop)
        condition = Condition(sides)
        is_apart = self.lookups is not None and (self.lookups.is_apart or bool(self.lookups.between))
        if self.lookups is not None and self.lookups.first and not is_apart:
            for extent in self.lookups.conditions:
                condition.add(extent, only_between=True)
        elif source.at(*after).is_word("ON"):
            on = Extent(after.first + 1, after.stop)
            if is_apart and None in sides.read_by(on):
                raise refused(source, on, "a join of windows by columns of other relations", _APART)
            condition.add(on)
        if in_each_row(how) == [0, 1]:  # then WHERE filters pairs as ON does
            condition.add(self.select.body(Part.WHERE), only_between=True)
        for name in shared:
            left, right = (EndColumn(side.column(name), name) for side in sides.pair)
            condition.add_equality(left.sql, right.sql, after)
            condition.add_ends((left, right), (sides.pair[0].fields(name), sides.pair[1].fields(name)))
        return condition

    @property
    def _join(self) -> exp.Join:
        return joins_of(self.block.scope.node)[0] if self.lookups is None else self.lookups.join

    def _is_pair(self) -> bool:
        return self.lookups is not None or len(self.block.relations) == 2


def find_join(source: Source, block: QueryBlock) -> Join | None:
    """The SELECT as a join of windows; None where it joins none, or does not name their windows."""
    scope = block.scope
    if not joins_windows(scope.node, scope.relations, scope.meanings):
        return None
    lookups, calls = lookup_tables(source, block), dict(_calls(source, scope))
    if lookups is None:
        return Join(block, block.select, None, calls)
    return Join(lookups.block, lookups.pair, lookups, calls)


def _calls(source: Source, scope: Scope) -> Iterator[tuple[Extent, Role]]:
    """The calls that are the end or the last instant of the windows of either side of a FULL JOIN."""
    joined = joined_of(scope.node, scope.relations)
    clauses = [value for key, value in scope.node.args.items() if key not in ("from_", "with_", "joins")]
    for call in outside_queries(clauses) if joined.full else ():
        role, first = role_of_call(call, joined, scope.meanings), index_of(call)
        if first is not None and role in (Role.END, Role.TIME):
            yield Extent(first, source.closing(first + 1) + 1), role


def check_row_by_row(source: Source, select: Select) -> None:
    """Raises WindowSpecError where the SELECT of a join does more than filter, project and count rows."""
    allowed = ROW_BY_ROW.union(COUNTS)
    others = (section.extent for part, section in select.sections.items() if part not in allowed)
    place = next(others, None) or first_gathering(source, select)
    if place is not None:
        hint = "put the join into a subquery that selects window_end, and group or rank its rows in a SELECT around it"
        raise refused(source, place, "this, over a join of windows,", hint)


_APART = "join the two relations with windows first, and then the others"

ROW_BY_ROW = frozenset({Part.SELECT, Part.FROM, Part.WHERE})
"""What a SELECT may have that only filters and projects."""


def _all_columns(source: Source, join: ResolvedJoin, value: Callable[[str], str], star: Reference | None) -> str:
    """The columns of `*`, or of `* EXCEPT (...)`, over the joined rows; `value` of a shared one is SQL."""
    shared, without = list(join.shared), ([*join.shared], [*join.shared])
    for column in () if star is None else columns_of(source, Extent(star.extent.first + 3, star.extent.stop - 1)):
        name = source.name(column.extent.stop - 1)
        if len(column.path) == 1 and _one_case(source, name) in shared:
            shared.remove(_one_case(source, name))
            continue
        number = join.sides.of(column)
        if number is None:
            raise join.sides.unknown(column)
        without[number].append(name)
    found = [f"{value(name)} AS {quoted(name)}" for name in shared]
    for side, names in zip(join.returned, without, strict=False):
        found.append(f"{side.name}.*" + (f" EXCEPT ({', '.join(map(quoted, names))})" if names else ""))
    return ", ".join(found)


def _beginning_with(source: Source, names: Sequence[str], side: Side, star: Reference) -> str:
    """`a.*`, or `a.* EXCEPT (...)`, with these columns first."""
    first, stop = star.extent
    listed = source.split(Extent(first + 5, stop - 1)) if stop > first + 3 else []
    left_out = [_without_side(source, side, part) for part in listed]
    known = {_one_case(source, source.name(part.first)) for part in left_out if part.is_single}
    columns = [name for name in names if name not in known]
    without = [*map(source.verbatim, left_out), *map(quoted, columns)]
    return ", ".join(
        [*map(side.column, columns), f"{source.verbatim(Extent(first, first + 3))} EXCEPT ({', '.join(without)})"]
    )


def _without_side(source: Source, side: Side, part: Extent) -> Extent:
    """A column in an EXCEPT list, `a.k` as `k`; a field of the column `a` stays."""
    is_of_side = len(part.indexes) == 3 and source.at(part.first).upper.lower() == side.relation.name
    return Extent(part.stop - 1, part.stop) if is_of_side and not side.relation.has(side.relation.name) else part


def _type(join: exp.Join) -> JoinType | None:
    return None if join.args.get("method") and not is_natural(join) else join_type_of(join)


def _shared(source: Source, join: exp.Join, sides: Sides, place: Extent) -> tuple[str, ...]:
    """The columns that USING or NATURAL compares."""
    if not is_natural(join):
        return tuple(_one_case(source, name) for name in written_using(join))
    if any(side.has_gap for side in sides.pair):
        hint = "name the columns: JOIN ... USING (window_start, window_end, ...)"
        raise refused(source, place, "a NATURAL join of relations with *", hint)
    names = (column.name for column in sides.pair[0].relation.output)
    return tuple(name for name in names if name is not None and sides.pair[1].relation.has(name))


def _one_case(source: Source, name: str) -> str:
    """A name in a form that is the same for names that are one to the session."""
    return name if source.settings.case_sensitive else name.lower()


def _end_hint(sides: Sides) -> str:
    ends = [
        next((side.column(c.name) for c in side.relation.output if c.role is Role.END and c.name), None)
        for side in sides.pair
    ]
    if None in ends:
        return "select window_end on both sides, as it is, and have ON compare them: L.window_end = R.window_end"
    if not all(side.is_named for side in sides.pair):
        return "give both sides aliases, as in FROM t AS x, and write ON x.window_end = y.window_end AND ..."
    return f"write ON {ends[0]} = {ends[1]} AND ..."
