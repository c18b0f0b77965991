"""SQLMesh: `winsql`, the dialect of its models with windows, and Spark sessions that know them.

sqlglot finds the dialect by an entry point of winsql's package. It is Spark's, and the window clauses of a SELECT are
one piece of text in it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from sqlglot import exp
from sqlglot.dialects.spark import Spark
from sqlglot.tokens import TokenType  # type: ignore[attr-defined]

from winsql.tools.registered import register_if_wanted

_PARSERS: dict[Any, Callable[[Any], Any]] = Spark.Parser.QUERY_MODIFIER_PARSERS
_AFTER_CLAUSES = {
    TokenType.SEMICOLON,
    TokenType.WHERE,
    TokenType.GROUP_BY,
    TokenType.HAVING,
    TokenType.QUALIFY,
    TokenType.ORDER_BY,
    TokenType.SORT_BY,
    TokenType.CLUSTER_BY,
    TokenType.DISTRIBUTE_BY,
    TokenType.LIMIT,
    TokenType.OFFSET,
    TokenType.UNION,
    TokenType.EXCEPT,
    TokenType.INTERSECT,
}


def _window(parser: Any) -> tuple[str, Any]:
    """What begins with WINDOW: window clauses, or else Spark's own list of named windows.

    The clauses are kept in the place of CONNECT BY, which Spark has not: between WHERE and GROUP BY in all text that
    is made of the tree, in Spark's dialect too.
    """
    if parser._next is None or parser._next.text.upper() != "ASSIGN":
        named: tuple[str, Any] = _PARSERS[TokenType.WINDOW](parser)
        return named
    first = parser._curr
    depth = 0
    while parser._curr and (depth or parser._curr.token_type not in _AFTER_CLAUSES):
        kind = parser._curr.token_type
        if kind == TokenType.R_PAREN and not depth:
            break
        depth += (kind == TokenType.L_PAREN) - (kind == TokenType.R_PAREN)
        parser._advance()
    return "connect", exp.Var(this="\n" + parser._find_sql(first, parser._prev))


class Winsql(Spark):
    """Spark's dialect with window clauses."""

    class Parser(Spark.Parser):  # type: ignore[valid-type, misc]
        QUERY_MODIFIER_PARSERS = _PARSERS | {TokenType.WINDOW: _window}


def _registering(cursor: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def registering(connection: Any) -> Any:
        register_if_wanted(connection.spark)
        return cursor(connection)

    return registering


if find_spec("sqlmesh") is not None and find_spec("sqlmesh.engines") is not None:  # sqlglot is used without it, too
    from sqlmesh.engines.spark.db_api.spark_session import SparkSessionConnection

    SparkSessionConnection.cursor = _registering(SparkSessionConnection.cursor)
