"""The columns that SELECTs, set operations and aliases with column lists give, and which of them are window columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlglot import exp

from winsql.syntax.tree.bridge import index_of, mask_at, select_index
from winsql.syntax.tree.nodes import placed_joins
from winsql.syntax.tree.rankings import passed_ranking
from winsql.syntax.tree.records import GAP, Meaning, Output, Relation, Role, without_windows

__all__ = ["leaving_from", "outputs_of", "renamed", "star_of", "united"]


def outputs_of(
    node: exp.Select,
    relations: tuple[Relation, ...],
    meanings: Mapping[int, Meaning],
    times: frozenset[int],
    *,
    is_origin: bool,
) -> Iterator[Output]:
    """The columns of a SELECT.

    meanings, times   as in `Scope`
    is_origin         whether it has window clauses, so that it makes window columns itself
    """
    for place, item in enumerate(node.expressions):
        star = star_of(item)
        if star is not None:
            yield from _starred(star, relations)
            continue
        value = item.this if isinstance(item, exp.Alias) else item
        if isinstance(item, exp.Aliases):
            yield from (Output(name.name.lower()) for name in item.aliases)
            continue
        while isinstance(value, exp.Paren):
            value = value.this
        role = ranking = None
        index = index_of(value.this) if isinstance(value, exp.Column) else None
        if isinstance(value, exp.Window):
            ranking = (select_index(node) or 0, place)
        elif isinstance(value, exp.Column):
            meaning = meanings.get(-1 if index is None else index)
            ranking = passed_ranking(value, relations)
            is_kept = meaning is not None and meaning.level == 0 and relations[meaning.relation].is_windowed
            role = meaning.role if meaning is not None and is_kept else None
            if is_origin and value.name.lower() in _MADE:
                role = Role(value.name.lower())
        name = item.alias_or_name if isinstance(item, (exp.Alias, exp.Column)) else ""
        yield Output(name.lower() or _UNNAMED, role, ranking, index in times, (select_index(node) or 0, place))


_MADE = frozenset(role.value for role in Role)
_UNNAMED = "(no name)"


def leaving_from(node: exp.Select, relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """The relations after the joins of FROM: the nullable side of an outer join has no window columns, and the right
    side of a semi or anti join has no columns."""
    found = list(relations)
    for join, first, stop in placed_joins(node):
        side, kind = str(join.args.get("side") or "").upper(), str(join.args.get("kind") or "").upper()
        if kind in ("SEMI", "ANTI"):
            found[first:stop] = [replace(relation, output=()) for relation in found[first:stop]]
        elif side in ("LEFT", "FULL"):
            found[first:stop] = map(without_windows, found[first:stop])
        if side in ("RIGHT", "FULL") and kind not in ("SEMI", "ANTI"):
            found[:first] = map(without_windows, found[:first])
    return tuple(found)


def star_of(item: exp.Expr) -> exp.Expr | None:
    """The node of `*` or `a.*`."""
    if isinstance(item, exp.Star):
        return item
    return item if isinstance(item, exp.Column) and isinstance(item.this, exp.Star) else None


def _starred(star: exp.Expr, relations: tuple[Relation, ...]) -> Iterator[Output]:
    node = star.this if isinstance(star, exp.Column) else star
    table = star.table.lower() if isinstance(star, exp.Column) else ""
    left_out = {e.name.lower() for e in node.args.get("except_") or node.args.get("except") or ()}
    for relation in relations:
        if not table or relation.name == table:
            yield from (column for column in relation.output if column.name not in left_out)


def renamed(relation: Relation, alias: exp.Expr | None) -> Relation:
    """The relation with the column names of `AS name(a, b, ...)`."""
    columns = [] if alias is None else [column.name for column in alias.args.get("columns") or ()]
    names = ["" if mask_at(name) is not None else name.lower() for name in columns]
    if not names:
        return relation
    output = list(relation.output)
    gaps = [place for place, column in enumerate(output) if column.name is None]
    if len(gaps) == 1 and len(names) >= len(output) - 1:
        missing = len(names) - (len(output) - 1)
        output[gaps[0] : gaps[0] + 1] = [Output("", None)] * missing
    elif gaps:
        output = [*output[: gaps[0]], *([Output("", None)] * (len(names) - gaps[0]))]
    if gaps:  # which of its columns have these names is not known
        relation = replace(relation, origin=None, select=None)
    return replace(relation, output=tuple(replace(c, name=n) for c, n in zip(output, names, strict=False)))


def united(left: Relation, right: Relation, node: exp.SetOperation) -> Relation:
    """What UNION ALL gives; a window column must be one in both."""
    is_all = isinstance(node, exp.Union) and not node.args.get("distinct")
    if not is_all or len(left.output) != len(right.output):
        return Relation("", left.first, (GAP,))
    pairs = zip(left.output, right.output, strict=True)
    output = tuple(
        Output(one.name, one.role if one.role is other.role else None, is_time=one.is_time and other.is_time)
        for one, other in pairs
    )
    are_rows, are_results = left.are_rows or right.are_rows, left.are_results or right.are_results
    origins, times = left.origins | right.origins, left.times & right.times
    return Relation("", left.first, output, origins, times, are_rows, are_results)
