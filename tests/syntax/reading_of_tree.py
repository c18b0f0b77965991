"""A query as winsql reads it from sqlglot's tree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from readings import Join, Path, Query, Relation, ordered
from sqlglot import exp

from winsql.syntax.tree.bridge import index_of, select_index
from winsql.syntax.tree.nodes import (
    PlacedJoin,
    ctes_of,
    flat,
    is_natural,
    is_query,
    outside_queries,
    parts_of,
    placed_joins,
    relations_of,
    written_using,
)

_OPERATIONS = {exp.Union: "UNION", exp.Except: "EXCEPT", exp.Intersect: "INTERSECT"}
_Parts = tuple[list[exp.Expr], list[exp.Expr]]
"""Column references and stars, and subqueries."""


def read_tree(node: exp.Expr) -> Query:
    """The reading of a query's tree; an AssertionError where it is no query."""
    ctes = tuple(_cte(cte) for cte in ctes_of(node))
    if isinstance(node, exp.Insert):
        return _with(read_tree(node.expression), ctes, ([], []))
    if isinstance(node, exp.Subquery):
        return _with(read_tree(node.this), ctes, _parts(_clauses(node)))
    if isinstance(node, exp.SetOperation):
        by_name, is_all = " BY NAME" * bool(node.args.get("by_name")), " ALL" * (not node.args.get("distinct"))
        branches = (read_tree(node.this), read_tree(node.expression))
        inner = Query(operation=f"{_OPERATIONS[type(node)]}{by_name}{is_all}", branches=branches)
        return _with(inner, ctes, _parts(_clauses(node)))
    if isinstance(node, (exp.Table, exp.Values)):
        return Query(ctes, relations=(_relation(node),))
    assert isinstance(node, exp.Select), repr(node)
    return _select(node, ctes)


def _cte(node: exp.CTE) -> tuple[str, Path, Query]:
    return node.alias, _names(node.args["alias"].args.get("columns")), read_tree(node.this)


def _names(nodes: Iterable[exp.Expr] | None) -> Path:
    return tuple(node.name for node in nodes or ())


def _clauses(node: exp.Expr) -> list[Any]:
    """What is after brackets or a set operation: ORDER BY and the like."""
    return [value for key, value in node.args.items() if key not in _NO_CLAUSES]


_NO_CLAUSES = ("this", "expression", "with_", "with", "alias", "joins", "pivots")


def _parts(nodes: Iterable[Any]) -> _Parts:
    found = list(outside_queries(nodes))
    columns = [node for node in found if isinstance(node, exp.Column) or _is_bare_star(node)]
    return columns, [node for node in found if is_query(node)]


def _is_bare_star(node: exp.Expr) -> bool:
    """Whether it is a star without a name before it, and not that of `count(*)`, which is a 1 in Spark's plan."""
    call = node.parent
    while isinstance(call, exp.Paren):
        call = call.parent
    is_counted = isinstance(call, exp.Anonymous) and call.name.lower() == "count" and len(call.expressions) == 1
    return isinstance(node, exp.Star) and not isinstance(call, exp.Column) and not is_counted


def _with(query: Query, ctes: tuple[tuple[str, Path, Query], ...], parts: _Parts) -> Query:
    """A query with more around it."""
    columns, subqueries = _read(*parts)
    names, inner = ordered([*query.columns, *columns], [*query.subqueries, *subqueries])
    return replace(query, ctes=(*ctes, *query.ctes), columns=names, subqueries=inner)


def _select(node: exp.Select, ctes: tuple[tuple[str, Path, Query], ...]) -> Query:
    columns, subqueries = parts_of(node)
    clauses = [value for key, value in node.args.items() if key not in ("from_", "from", "with_", "with", "joins")]
    is_star = node.expressions == [exp.Star()]  # with its own place, unless there is FROM alone
    is_whole = is_star and select_index(node) in (None, index_of(node.expressions[0]))
    stars = [] if is_whole else [star for star in _parts(clauses)[0] if isinstance(star, exp.Star)]
    relations = list(relations_of(node))
    joins = [_join(placed) for placed in placed_joins(node)]
    joins += [Join(n, n + 1, "PIVOT") for n, relation in enumerate(relations) if relation.args.get("pivots")]
    aliases = () if is_whole else tuple(_aliases(item) for item in node.expressions)
    read = ordered(*_read([*columns, *stars], subqueries))
    return Query(ctes, "", (), tuple(map(_relation, relations)), tuple(sorted(joins)), aliases, *read)


def _read(columns: Iterable[exp.Expr], subqueries: Iterable[exp.Expr]) -> tuple[list[Path], list[Query]]:
    paths = [path for column in columns for path in _paths(column) for _ in range(_times(column))]
    return paths, [query for node in subqueries for query in [read_tree(node)] for _ in range(_times(node))]


def _paths(node: exp.Expr) -> list[Path]:
    """The path of a column with the fields after it; that of a star, with the names after EXCEPT."""
    if isinstance(node, exp.Star):
        return [("*",), *_excepted(node)]
    if isinstance(node.this, exp.Star):
        return [(*(part.name for part in node.parts[:-1]), "*"), *_excepted(node.this)]
    if isinstance(node.parent, exp.Star):  # named after EXCEPT
        return []
    path = [part.name for part in node.parts]
    while isinstance(node.parent, exp.Paren) or (isinstance(node.parent, _FIELDS) and node.arg_key == "this"):
        node = node.parent
        name = None if isinstance(node, exp.Paren) else _field(node)
        if name is None and not isinstance(node, exp.Paren):
            break
        path += [] if name is None else [name]
    return [tuple(path)]


_FIELDS = (exp.Dot, exp.Bracket)


def _field(node: exp.Expr) -> str | None:
    """The name of the field that comes after an expression; None where it is no name."""
    if isinstance(node, exp.Dot):
        return node.expression.name if isinstance(node.expression, exp.Identifier) else None
    key = node.expressions[0] if len(node.expressions) == 1 else None
    return key.name if isinstance(key, exp.Literal) and key.is_string else None


def _excepted(star: exp.Star) -> list[Path]:
    names = star.args.get("except_") or star.args.get("except") or ()
    return [("EXCEPT", *(part.name for part in (n.parts if isinstance(n, exp.Column) else [n]))) for n in names]


def _times(node: exp.Expr) -> int:
    """How often Spark's plan has it: `CASE a WHEN 1 ... WHEN 2 ... END` has two comparisons of a there."""
    times = 1
    while node.parent is not None and not is_query(node.parent):
        if isinstance(node.parent, exp.Case) and node.arg_key == "this":
            times *= len(node.parent.args["ifs"])
        node = node.parent
    return times


def _aliases(item: exp.Expr) -> Path:
    if isinstance(item, exp.Aliases):
        return _names(item.aliases)
    return (item.alias,) if isinstance(item, exp.Alias) else ()


def _join(placed: PlacedJoin) -> Join:
    join = placed.join
    side, kind = str(join.args.get("side") or "").upper(), str(join.args.get("kind") or "").upper()
    name = kind if kind in ("SEMI", "ANTI") else side or "INNER"
    return Join(placed.first, placed.stop, "NATURAL " * is_natural(join) + name, tuple(written_using(join)))


def _relation(node: exp.Expr) -> Relation:
    alias = node.args.get("alias")
    name, columns = node.alias, _names(alias.args.get("columns") if alias is not None else ())
    if isinstance(node, exp.Table):
        return Relation(_names(node.parts), name, columns)
    if isinstance(node, exp.Values):
        return Relation(("VALUES",), "" if name == "_values" else name, columns)  # sqlglot's own name
    inner = node.this
    if isinstance(node, exp.Lateral) and not isinstance(inner, exp.Subquery):
        return Relation((), name.lower() if node.args.get("view") else name, columns)  # as Spark spells it
    if isinstance(node, exp.Lateral) or is_query(inner):
        query = read_tree(inner if isinstance(node, exp.Lateral) else node)
        return query.as_relation().renamed(name, columns)
    found = list(flat(inner))
    if len(found) == 1:
        return _relation(found[0]).renamed(name, columns)
    joins = placed_joins(exp.Select(from_=exp.From(this=inner.copy())))
    query = Query(relations=tuple(map(_relation, found)), joins=tuple(sorted(map(_join, joins))))
    conditions = [placed.join.args.get("on") for placed in joins]
    return Relation((), name, columns, _with(query, (), _parts(conditions)))
