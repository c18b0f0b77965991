"""How WHEN reads a condition, held against sqlglot: both must find the same tree above the aggregates.

winsql reads conditions itself, because their parts go to Spark verbatim: sqlglot keeps no positions, and says some
things in other words (`x::INT` as TRY_CAST, `LOG` as LN). Where it is sure is the structure, and that is compared.
"""

from __future__ import annotations

from typing import Any

import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from winsql.model.expressions import AggregateRef, Constant, Operation
from winsql.model.triggers import WhenTrigger
from winsql.syntax import parse_statement

CALLS = ("SUM(v)", "COUNT(*)", "MAX(n)", "AVG(v + n)")
BINARY = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "<=>",
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
}

calls = st.sampled_from(CALLS)
numbers = st.recursive(
    calls,
    lambda inner: st.one_of(
        st.builds("{} {} {}".format, inner, st.sampled_from("+-*/%"), inner),
        st.builds("({})".format, inner),
        st.builds("-{}".format, calls),
        st.builds("coalesce({}, {})".format, inner, inner),
        st.builds("CASE WHEN {} > 1 THEN {} ELSE {} END".format, inner, inner, inner),
    ),
    max_leaves=5,
)
tests = st.one_of(
    st.builds("{} {} {}".format, numbers, st.sampled_from(["=", "<>", "<", "<=", ">", ">=", "<=>"]), numbers),
    st.builds("{} > 10".format, numbers),
    st.builds("{} BETWEEN {} AND {}".format, numbers, numbers, numbers),
    st.builds("{} IN (1, {})".format, numbers, numbers),
    st.builds("{} IS NULL".format, numbers),
)
conditions = st.recursive(
    tests,
    lambda inner: st.one_of(
        st.builds("{} AND {}".format, inner, inner),
        st.builds("{} OR {}".format, inner, inner),
        st.builds("NOT {}".format, tests),
        st.builds("({})".format, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=200)
@given(conditions)
def test_when_finds_the_tree_that_sqlglot_finds(condition: str) -> None:
    text = f"SELECT sum(v) FROM t WINDOW ASSIGN GLOBAL(ts) TRIGGER WHEN({condition})"
    (query,) = parse_statement(text).queries
    trigger = query.spec.trigger
    assert isinstance(trigger, WhenTrigger)
    names = [call.sql for call in query.trigger_aggregates]
    assert ours(trigger.predicate.expression, names) == theirs(sqlglot.parse_one(condition, read="spark"))


def ours(node: Any, names: list[str]) -> Any:
    """winsql's tree as nested tuples."""
    if isinstance(node, AggregateRef):
        return _compact(names[node.index])
    if isinstance(node, Constant):
        return str(node.literal)
    assert isinstance(node, Operation), node
    return (node.name, *(ours(argument, names) for argument in node.arguments))


def theirs(node: exp.Expr) -> Any:
    """sqlglot's tree as nested tuples; brackets hold no meaning of their own, but they end a chain of AND or OR."""
    if isinstance(node, exp.Paren):
        return theirs(node.this)
    if isinstance(node, (exp.And, exp.Or)):
        return (node.key.upper(), *(part for side in (node.left, node.right) for part in _chain(side, type(node))))
    if type(node) in BINARY:
        return (BINARY[type(node)], theirs(node.this), theirs(node.expression))
    if isinstance(node, exp.Case):
        pairs = [theirs(part) for branch in node.args["ifs"] for part in (branch.this, branch.args["true"])]
        return ("CASE", *pairs, theirs(node.args["default"]))
    reader = OTHERS.get(type(node))
    return reader(node) if reader is not None else _compact(node.sql("spark"))


OTHERS: dict[type[exp.Expr], Any] = {
    exp.Not: lambda node: ("NOT", theirs(node.this)),
    exp.Neg: lambda node: ("NEG", theirs(node.this)),
    exp.Is: lambda node: ("IS NULL", theirs(node.this)),
    exp.In: lambda node: ("IN", theirs(node.this), *map(theirs, node.expressions)),
    exp.Between: lambda node: ("BETWEEN", *(theirs(node.args[part]) for part in ("this", "low", "high"))),
    exp.Coalesce: lambda node: ("COALESCE", theirs(node.this), *map(theirs, node.expressions)),
}


def _chain(node: exp.Expr, kind: type[exp.Expr]) -> list[Any]:
    if isinstance(node, kind):
        return [part for side in (node.left, node.right) for part in _chain(side, kind)]
    return [theirs(node)]


def _compact(sql: str) -> str:
    return sql.replace(" ", "").upper()
