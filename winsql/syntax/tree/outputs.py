"""The columns that SELECTs, set operations and aliases with column lists give, and which of them are window columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlglot import exp

from winsql.model.joins import JoinType
from winsql.model.query import FUNCTION_COLUMNS
from winsql.syntax.tree.bridge import index_of, mask_at, select_index
from winsql.syntax.tree.nodes import join_type_of, placed_joins
from winsql.syntax.tree.rankings import passed_ranking
from winsql.syntax.tree.records import UNKNOWN, Meaning, Output, Relation, Role, without_windows

__all__ = ["leaving_from", "left_out_by", "outputs_of", "renamed", "star_of", "united"]


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
            yield from _starred(item, star, relations)
            continue
        value = item.this if isinstance(item, exp.Alias) else item
        if isinstance(item, exp.Aliases):
            yield from (Output(name.name.lower()) for name in item.aliases)
            continue
        value = value.unnest()
        role = ranking = None
        index = index_of(value.this) if isinstance(value, exp.Column) else None
        if isinstance(value, exp.Window):
            ranking = (select_index(node) or 0, place)
        elif isinstance(value, exp.Column):
            meaning = meanings.get(-1 if index is None else index)
            ranking = passed_ranking(value, relations)
            is_kept = meaning is not None and meaning.level == 0 and relations[meaning.relation].is_windowed
            role = meaning.role if meaning is not None and is_kept else None
            if is_origin and value.name.lower() in FUNCTION_COLUMNS:
                role = Role(value.name.lower())
        name = item.alias_or_name if isinstance(item, (exp.Alias, exp.Column)) else ""
        yield Output(name.lower() or _UNNAMED, role, ranking, index in times, (select_index(node) or 0, place))


_UNNAMED = "(no name)"


def leaving_from(node: exp.Select, relations: tuple[Relation, ...]) -> tuple[Relation, ...]:
    """The relations after the joins of FROM: a side that may be NULL has no window columns any more, and one that does
    not come out has no columns."""
    found = list(relations)
    for join, first, stop in placed_joins(node):
        how = join_type_of(join) or JoinType.FULL
        if not how.has_right:
            found[first:stop] = [replace(relation, output=()) for relation in found[first:stop]]
        elif not how.has_right_in_each:
            found[first:stop] = map(without_windows, found[first:stop])
        if not how.has_left_in_each:
            found[:first] = map(without_windows, found[:first])
    return tuple(found)


def star_of(item: exp.Expr) -> exp.Star | None:
    """The star of an item that is `*` or `a.*`."""
    star = item.this if isinstance(item, exp.Column) else item
    return star if isinstance(star, exp.Star) else None


def left_out_by(star: exp.Star) -> set[str]:
    """The names after EXCEPT, lower case."""
    return {column.name.lower() for column in star.args.get("except_") or star.args.get("except") or ()}


def _starred(item: exp.Expr, star: exp.Star, relations: tuple[Relation, ...]) -> Iterator[Output]:
    table = item.table.lower() if isinstance(item, exp.Column) else ""
    left_out = left_out_by(star)
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
    """What a set operation gives: the columns of UNION ALL, window columns if they are in both; a gap for any other."""
    is_all = isinstance(node, exp.Union) and not node.args.get("distinct")
    if not is_all or len(left.output) != len(right.output):
        return replace(UNKNOWN, first=left.first)
    pairs = zip(left.output, right.output, strict=True)
    output = tuple(
        Output(one.name, one.role if one.role is other.role else None, is_time=one.is_time and other.is_time)
        for one, other in pairs
    )
    return Relation(
        "",
        left.first,
        output,
        left.origins | right.origins,
        left.times & right.times,
        left.is_row_stream or right.is_row_stream,
        left.is_window_result or right.is_window_result,
    )
