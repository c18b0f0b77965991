"""The parts of a tree's nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sqlglot import exp

from winsql.model.joins import JoinType


def clauses_of(node: exp.Expr) -> set[str]:
    """The names of the arguments that a node has, without the underscore that some of them end with."""
    return {name.rstrip("_") for name, value in node.args.items() if value}


def has_over(node: exp.Select) -> bool:
    """Whether an item of a SELECT has a call with OVER."""
    return any(item.find(exp.Window) for item in node.expressions)


def ctes_of(node: exp.Expr) -> list[exp.CTE]:
    """The CTEs of a query's own WITH list."""
    found = node.args.get("with_")
    return list(found.expressions) if found is not None else []


def relations_of(node: exp.Select) -> Iterator[exp.Expr]:
    """The relations of FROM, joined and lateral ones included."""
    body = node.args.get("from_")
    if body is None:
        return
    yield from flat(body.this)
    for join in node.args.get("joins") or ():
        yield from flat(join.this)
    yield from node.args.get("laterals") or ()


def flat(node: exp.Expr) -> Iterator[exp.Expr]:
    """A relation, or all those that are joined in its brackets."""
    if _is_bracket(node):
        yield from flat(node.this)
    else:
        yield node
    for join in node.args.get("joins") or ():
        yield from flat(join.this)


def _is_bracket(node: exp.Expr) -> bool:
    """Whether it is brackets around a relation, or around several with joins between them."""
    if isinstance(node, exp.Paren):
        return not isinstance(node.this, exp.Query)
    is_relation = isinstance(node, exp.Subquery) and isinstance(node.this, (exp.Table, exp.Subquery))
    return is_relation and not node.alias and not node.args.get("pivots")


def columns_of(node: exp.Select) -> list[exp.Column]:
    """The column references of a SELECT outside of subqueries."""
    return parts_of(node)[0]


def parts_of(node: exp.Select) -> tuple[list[exp.Column], list[exp.Expr]]:
    """The column references of a SELECT outside of subqueries, and its outermost subqueries but those of FROM."""
    columns: list[exp.Column] = []
    subqueries: list[exp.Expr] = []
    clauses = [value for key, value in node.args.items() if key not in ("from_", "with_", "joins")]
    joins = [join.args.get("on") for join in joins_of(node)] + [*map(_function, joins_of(node))]
    for value in (joins, *clauses):
        for found in outside_queries(value if isinstance(value, list) else [value]):
            if isinstance(found, exp.Column):
                columns.append(found)
            elif is_query(found):
                subqueries.append(found)
    return columns, subqueries


def path_of(column: exp.Column) -> tuple[str, ...]:
    """The names of a column reference, lower case."""
    return tuple(part.name.lower() for part in column.parts)


def is_query(node: exp.Expr) -> bool:
    """Whether it is a query: a SELECT, a set operation, or brackets with WITH before a query or ORDER BY after it."""
    if isinstance(node, exp.Subquery):
        return any(
            value for key, value in node.args.items() if key not in ("this", "alias", "joins", "pivots", "sample")
        )
    return isinstance(node, (exp.Select, exp.SetOperation))


def _function(join: exp.Join) -> exp.Expr | None:
    """The call of `LATERAL explode(a)`."""
    inner = join.this.this if isinstance(join.this, exp.Lateral) else None
    return None if isinstance(inner, exp.Subquery) else inner


def outside_queries(roots: Iterable[Any]) -> Iterator[exp.Expr]:
    """All nodes of trees down to the outermost queries, in the order of the text."""
    for root in roots:
        if isinstance(root, list):
            yield from outside_queries(root)
        elif isinstance(root, exp.Expr):
            yield from root.dfs(prune=is_query)


def joins_of(node: exp.Select) -> list[exp.Join]:
    """The joins of FROM, commas and joins in brackets included."""
    return [placed.join for placed in placed_joins(node)]


class PlacedJoin(NamedTuple):
    """A join, and the range of the relations that it adds, which are several if they are in brackets."""

    join: exp.Join
    first: int
    stop: int


def placed_joins(node: exp.Select) -> list[PlacedJoin]:
    """The joins of FROM; those in brackets come after the join that these brackets belong to."""
    body = node.args.get("from_")
    found: list[PlacedJoin] = []
    if body is not None:
        _place_joins(node, _place(body.this, 0, found), found)
    return found


def _place(relation: exp.Expr, first: int, found: list[PlacedJoin]) -> int:
    """The number after those of a relation; adds the joins in it to those found."""
    stop = _place(relation.this, first, found) if _is_bracket(relation) else first + 1
    return _place_joins(relation, stop, found)


def _place_joins(node: exp.Expr, first: int, found: list[PlacedJoin]) -> int:
    for join in node.args.get("joins") or ():
        inside: list[PlacedJoin] = []
        stop = _place(join.this, first, inside)
        found += [PlacedJoin(join, first, stop), *inside]
        first = stop
    return first


def using_of(*joins: exp.Join) -> list[str]:
    """The names of USING, lower case."""
    return [name.lower() for join in joins for name in written_using(join)]


def written_using(join: exp.Join) -> list[str]:
    return [name.name for name in join.args.get("using") or ()]


def is_branch(node: exp.Select) -> bool:
    """Whether a SELECT is a branch of a set operation."""
    around = node.parent
    while isinstance(around, (exp.Subquery, exp.Paren)):
        around = around.parent
    return isinstance(around, exp.SetOperation)


def join_type_of(join: exp.Join) -> JoinType | None:
    """The type of a join; None for one that winsql does not know."""
    kind, side = str(join.args.get("kind") or "").upper(), str(join.args.get("side") or "").upper()
    if kind in ("SEMI", "ANTI"):
        return JoinType[kind] if side in ("", "LEFT") else None
    if kind in ("INNER", "CROSS"):
        return JoinType.INNER if not side else None
    if kind == "OUTER" and not side:
        return None
    return JoinType[side or "INNER"] if kind in ("", "OUTER") else None


def is_natural(join: exp.Join) -> bool:
    return str(join.args.get("method") or "").upper() == "NATURAL"
