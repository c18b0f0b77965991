"""Which columns of a statement's SELECTs are window columns, however often they have been renamed.

The tree is walked once, inner queries first. For each SELECT it lists the relations, the references that are the start,
end or time of a relation's windows, and the output columns that are. The columns of other tables are not known: their
list has a gap, and a name is looked for in the known columns first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from sqlglot import exp

from winsql.syntax.tree.bridge import index_of, is_exact, mask_at, select_index
from winsql.syntax.tree.joined import Joined, joined_of
from winsql.syntax.tree.nodes import (
    clauses_of,
    columns_of,
    ctes_of,
    flat,
    has_over,
    is_natural,
    is_query,
    joins_of,
    outside_queries,
    parts_of,
    path_of,
    relations_of,
    using_of,
)
from winsql.syntax.tree.outputs import is_from_alone, outputs_of, renamed, star_of, through_aliases, united, unpivoted
from winsql.syntax.tree.rankings import Rankings
from winsql.syntax.tree.records import GAP, UNKNOWN, Meaning, Origin, Output, Relation, Scope


@dataclass(slots=True)
class _Visible:
    """What the names in a query may refer to: CTEs, and the relations of the SELECTs around a subquery."""

    ctes: dict[str, Relation] = field(default_factory=dict)
    around: tuple[tuple[Relation, ...], ...] = ()


FindTable = Callable[[int], Relation | None]
"""A table of the session with windows, as a relation, by its first token; None for any other."""


Mentions = Mapping[str, Set[int]]
"""The tokens of the statement that may be the name of a CTE, by that name in lower case."""


def read_lineage(
    tree: exp.Expr,
    origins: Mapping[int, Origin],
    inside: Mapping[int, Sequence[exp.Expr]],
    table: FindTable,
    mentions: Mentions,
    fold: Callable[[str], str],
) -> list[Scope]:
    """The SELECTs of a tree, inner before outer.

    origins   the fragments: by the first token of a mask, or of the SELECT that has window clauses
    inside    the queries in masks, by their first tokens
    fold      a name in a form that is equal for names of CTEs that are one
    """
    walk = _Walk(origins, inside, table, fold)
    walk.rankings.leave(walk.query(tree, _Visible()).output)
    for name, cte in walk.ctes:
        if not mentions.get(name, set()) <= walk.names:  # something reads it that is not in the tree
            walk.rankings.read_whole(cte.output)
    is_known = all(map(is_exact, (tree, *(inner for trees in inside.values() for inner in trees))))
    rankings = walk.rankings
    return [
        replace(
            scope,
            first_only=rankings.first_only(scope.first),
            most=rankings.most(scope.first) if is_known else {},
            is_shared=walk.readers[scope.first] > 1,
        )
        for scope in walk.found
    ]


@dataclass(slots=True)
class _Walk:
    """A walk over one tree: the scopes found, the CTEs, the tokens of their names, and how often each is read."""

    origins: Mapping[int, Origin]
    inside: Mapping[int, Sequence[exp.Expr]]
    table: FindTable
    fold: Callable[[str], str]
    found: list[Scope] = field(default_factory=list)
    rankings: Rankings = field(default_factory=Rankings)
    ctes: list[tuple[str, Relation]] = field(default_factory=list)
    names: set[int | None] = field(default_factory=set)
    readers: Counter[int | None] = field(default_factory=Counter)

    def query(self, node: exp.Expr, visible: _Visible) -> Relation:
        """What a query gives, as a relation without a name."""
        visible = _Visible(dict(visible.ctes), visible.around)
        for cte in ctes_of(node):
            body = self.query(cte.this, _Visible(dict(visible.ctes)))
            named = visible.ctes[self.fold(cte.alias)] = renamed(body, cte.args.get("alias"))
            self.ctes.append((cte.alias.lower(), named))
            self.names.add(index_of(cte.args["alias"].this))
        if isinstance(node, exp.Subquery):
            inside = self.query(node.this, visible)
            return self._cut(inside) if clauses_of(node) & _CUTS else inside
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, visible)
        if isinstance(node, exp.Select):
            return self._select(node, visible)
        for inner in outside_queries([node]):
            if is_query(inner):
                self._unfollowed(self.query(inner, visible))
        return UNKNOWN

    def _set_operation(self, node: exp.SetOperation, visible: _Visible) -> Relation:
        """What `a UNION b UNION c ...` gives, without recursion: there may be hundreds of branches."""
        nested = [node]
        while isinstance(nested[-1].this, exp.SetOperation) and not ctes_of(nested[-1].this):
            nested.append(nested[-1].this)
        found = self.query(nested[-1].this, visible)
        for operation in reversed(nested):
            right = self.query(operation.expression, visible)
            self.rankings.leave((*found.output, *right.output))
            found = united(found, right, operation)
        return found

    def _cut(self, relation: Relation) -> Relation:
        """A relation of which LIMIT or TABLESAMPLE leaves out rows."""
        self.rankings.read_whole(relation.output)
        return replace(relation, origin=None, select=None)

    def _turned(self, relation: Relation, pivots: Sequence[exp.Pivot]) -> Relation:
        """A relation after the PIVOT or UNPIVOT behind it; what makes windows may still do so after it."""
        turned = None if any(not pivot.args.get("unpivot") for pivot in pivots) else unpivoted(relation, pivots)
        if relation.origin is not None and (turned is None or relation.windows == turned.windows):
            return relation
        return self._unfollowed(relation) if turned is None else self._cut(turned)

    def _unfollowed(self, relation: Relation) -> Relation:
        """A relation whose columns are not followed any further."""
        self.rankings.read_whole(relation.output)
        return UNKNOWN

    def _select(self, node: exp.Select, visible: _Visible) -> Relation:
        relations = tuple(self._relation(found, visible) for found in relations_of(node))
        levels = (relations, *visible.around)
        inner_from = len(self.found)
        columns, subqueries = parts_of(node)
        for subquery in subqueries:
            self._unfollowed(self.query(subquery, _Visible(dict(visible.ctes), levels)))
        inner = tuple(self.found[inner_from:])
        first = select_index(node)
        if first is None and len(relations) == 1 and is_from_alone(node):
            return replace(relations[0], name="")
        own = None if first is None else self.origins.get(first)
        if own is not None:
            self.rankings.read_whole(column for relation in relations for column in relation.output)
        joined = joined_of(node, relations)
        meant = ((index_of(column.this), _meaning(column, levels, joined)) for column in columns)
        meanings = {index: meaning for index, meaning in meant if index is not None and meaning is not None}
        times = frozenset(_times(columns, relations))
        output = tuple(outputs_of(node, joined, meanings, times, is_origin=own is not None))
        output = output if own is not None else through_aliases(node, joined, output)
        output = self.rankings.read(node, relations, output)
        origins = frozenset(o for r in relations for o in r.origins) if own is None else frozenset({own})
        has_star = any(star_of(item) is not None for item in node.expressions)
        given = frozenset(name for relation in relations for name in relation.times) if has_star else frozenset()
        is_stream = own is None and _is_row_stream(node, relations, inner)
        is_result = not is_stream and _is_window_result(node, relations, meanings, output, inner)
        place = next((n for n in (first, *(relation.first for relation in relations)) if n is not None), None)
        result = Relation("", place, output, origins, given, is_stream, own is not None or is_result, select=first)
        if first is not None:
            self.found.append(Scope(first, node, relations, meanings, result, inner, times))
        return result

    def _relation(self, node: exp.Expr, visible: _Visible) -> Relation:
        alias = node.args.get("alias")
        if isinstance(node, exp.Lateral):
            inner = node.this
            body = self.query(inner, visible) if isinstance(inner, (exp.Subquery, exp.Query)) else UNKNOWN
        elif isinstance(node, exp.Subquery):
            is_bracket = isinstance(node.this, exp.Subquery) or not isinstance(node.this, exp.Query)
            body = self._bracketed(node.this, visible) if is_bracket else self.query(node, visible)
        elif isinstance(node, exp.Table):
            body = self._table(node, visible)
        else:
            body = UNKNOWN
        if clauses_of(node) & _CUTS:
            body = self._cut(body)
        name = (node.alias or body.name).lower()
        found, pivots = replace(renamed(body, alias), name=name, first=body.first), node.args.get("pivots")
        return self._turned(found, pivots) if pivots else found

    def _bracketed(self, node: exp.Expr, visible: _Visible) -> Relation:
        """A relation in brackets; a join in brackets with an alias is one relation, without windows."""
        found = [self._relation(relation, visible) for relation in flat(node)]
        origins = frozenset(origin for relation in found for origin in relation.origins)
        if len(found) == 1:
            return found[0]
        for relation in found:
            self._unfollowed(relation)
        return Relation("", found[0].first, (GAP,), origins)

    def _table(self, node: exp.Table, visible: _Visible) -> Relation:
        """A name: a mask, a CTE, or a table that is not known."""
        first = next((index for part in node.parts if (index := index_of(part)) is not None), None)
        masked = mask_at(node.name)
        origin = None if masked is None else self.origins.get(masked.first)
        for inner in () if masked is None else self.inside.get(masked.first, ()):
            self._unfollowed(self.query(inner, visible))
        if origin is not None and origin.extent == masked:  # it may be a placeholder for more
            times = frozenset() if origin.time is None else frozenset({origin.time})
            rows = origin.is_row_stream
            return Relation("", masked.first, origin.output, frozenset({origin}), times, rows, not rows, origin)
        cte = visible.ctes.get(self.fold(node.name)) if len(node.parts) == 1 else None
        if cte is not None:
            self.names.add(first)
            self.readers[cte.select] += 1
        place = first if masked is None else masked.first
        table = self.table(place) if cte is None and place is not None else None
        if table is not None:
            return table
        if masked is not None:
            return Relation("", first, (GAP,))
        written = cte.first if cte is not None and first is None else first  # sqlglot makes CTEs of pipes
        return replace(cte or UNKNOWN, name="" if first is None else node.name.lower(), first=written)


_CUTS = {"limit", "offset", "sample"}


def _is_row_stream(node: exp.Select, relations: tuple[Relation, ...], inner: tuple[Scope, ...]) -> bool:
    """Whether a SELECT hands on rows as they arrive: it does not group, rank or join them."""
    windowed = [relation for relation in relations if relation.is_windowed]
    takes_several = clauses_of(node) & {"group", "distinct", "qualify"} or has_over(node)
    return len(windowed) == 1 and windowed[0].is_row_stream and not takes_several and not _asks(inner)


def _asks(inner: tuple[Scope, ...]) -> bool:
    """Whether a subquery of an expression reads windows."""
    return any(relation.is_windowed for scope in inner for relation in scope.relations)


def _is_window_result(
    node: exp.Select,
    relations: tuple[Relation, ...],
    meanings: Mapping[int, Meaning],
    output: tuple[Output, ...],
    inner: tuple[Scope, ...],
) -> bool:
    """Whether a SELECT gives its rows when windows end, as groups, rankings and joins of windows do."""
    if not any(relation.is_windowed for relation in relations):
        return any(relation.is_window_result for relation in relations)
    keys = [node.args[clause] for clause in ("group", "distinct") if node.args.get(clause)]
    named = any(index_of(column.this) in meanings for key in keys for column in key.find_all(exp.Column))
    groups = bool(keys) and (named or any(column.role for column in output))
    ranks = bool(node.args.get("qualify")) or has_over(node)
    takes_several = groups or ranks or _asks(inner) or joins_windows(node, relations, meanings)
    return takes_several or any(relation.is_window_result for relation in relations)


def joins_windows(node: exp.Select, relations: tuple[Relation, ...], meanings: Mapping[int, Meaning]) -> bool:
    """Whether a SELECT joins relations by their windows: conditions or USING name window columns of both, or structs
    with these."""
    windowed = {number for number, relation in enumerate(relations) if relation.is_windowed}
    if len(windowed) < 2:
        return False
    joins = joins_of(node)
    named = {number for meaning in meanings.values() if meaning.level == 0 for number in meaning.relations}
    named.update(_structs_of(node, relations))
    ends = {column.name for number in windowed for column in relations[number].windows}
    return len(named & windowed) > 1 or bool(ends.intersection(using_of(*joins))) or any(map(is_natural, joins))


def _structs_of(node: exp.Select, relations: tuple[Relation, ...]) -> Iterator[int]:
    """The numbers of the relations whose structs with window columns a SELECT names."""
    for column in columns_of(node):
        found = [n for n, relation in enumerate(relations) if any(p for p, _ in relation.fields_at(path_of(column)))]
        if len(found) == 1:
            yield found[0]


# lineage


def _meaning(column: exp.Column, levels: tuple[tuple[Relation, ...], ...], joined: Joined) -> Meaning | None:
    """What a column means; `joined` is what leaves the SELECT's own FROM, whose relations are the first of `levels`."""
    name, table = column.name.lower(), column.table.lower()
    shared = None if table else joined.shared.get(name)
    if shared is not None:
        role = shared.output.role
        return None if role is None else Meaning(role, shared.relations)
    in_join = isinstance(column.find_ancestor(exp.Join, exp.Select), exp.Join)
    for level, relations in enumerate(levels):
        numbers = [n for n, r in enumerate(relations) if (r.name == table if table else r.has(name))]
        if level == 0 and not in_join:  # the right side of a semi join has gone
            numbers = [n for n in numbers if joined.relations[n].output]
        if not numbers:
            field = _field_meaning(relations, path_of(column), level) if table else None
            if field is not None:
                return field
            continue
        meant = relations[numbers[0]].column(name) if len(numbers) == 1 else None
        return None if meant is None or meant.role is None else Meaning(meant.role, (numbers[0],), level)
    return None


def _field_meaning(relations: tuple[Relation, ...], path: tuple[str, ...], level: int) -> Meaning | None:
    """What `w.e`, `a.w.e` or `z.w.e` means, where `w` is no relation but a column with fields, or such a field."""
    for number, relation in enumerate(relations):
        role = relation.role_at(path)
        if role is not None:
            return Meaning(role, (number,), level)
    return None


def _times(columns: Iterable[exp.Column], relations: tuple[Relation, ...]) -> Iterator[int]:
    """The references to time columns of windows."""
    for column in columns:
        name, table = column.name.lower(), column.table.lower()
        named = [relation for relation in relations if not table or relation.name == table]
        known = [relation for relation in named if relation.has(name)]
        index = index_of(column.this)
        if index is None or len(known) > 1:
            continue
        if known and any(o.is_time for o in known[0].output if o.name == name):
            yield index
        if not known and sum(name in relation.times for relation in named) == 1:
            yield index
