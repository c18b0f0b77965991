"""SELECTs over a window table function that become windowed queries over the function's table.

As with `FROM t WINDOW ASSIGN TUMBLING(ts, size)`, each row is then kept once, however many windows it is in. Subqueries
between the SELECT and the function, `(SELECT * FROM ... WHERE ...)`, are kept and read the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from winsql.model.query import WindowQuery
from winsql.syntax.functions.table_function_calls import TableCall
from winsql.syntax.functions.window_table_functions import bind_function, has_named_data
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.tree.bridge import index_of, mask_at
from winsql.syntax.tree.nodes import clauses_of, outside_queries, relations_of
from winsql.syntax.tree.outputs import is_star_alone, left_out_by, star_of
from winsql.syntax.tree.records import Origin, Role, Scope


@dataclass(frozen=True, slots=True)
class FunctionRows:
    """The rows of a function that a SELECT reads, before they get their windows.

    function     what the call says
    body         the FROM body of the SELECT
    is_filtered  whether the SELECT, or a subquery, has a WHERE
    """

    call: TableCall
    function: WindowQuery
    body: Extent
    is_filtered: bool

    @classmethod
    def of(cls, origin: Origin, body: Extent, scope: Scope, *, is_filtered: bool) -> FunctionRows | None:
        """The rows of a fragment that a SELECT reads in a FROM body.

        None where it is no function, or a broken one, or one that makes sessions that PIVOT or UNPIVOT turns.
        """
        if origin.call is None or origin.function is None or origin.extent.first not in body.indexes:
            return None
        rows = cls(origin.call, origin.function, body, is_filtered)
        turns = any(relation.args.get("pivots") for relation in relations_of(scope.node))
        return None if turns and rows.is_merging else rows

    @property
    def is_merging(self) -> bool:
        """Whether the function makes sessions, which depend on all of its rows."""
        return self.function.spec.assigner.is_merging

    def query(self, source: Source) -> WindowQuery:
        """The query over the function's table, with its windows, under the name that the function has here."""
        function = bind_function(self.call, source)
        after = source.at(self.call.extent.stop, self.body.stop)
        has_alias, table = after.is_name and not after.is_word(*_NO_ALIAS), function.source
        if has_alias and has_named_data(source, self.call):
            table = f"(SELECT * FROM {table}\n)"
        named = f"{table} AS" if has_alias and not after.is_word("AS") else table
        return replace(function, source=source.verbatim(self.body, [Edit(*source.span(self.call.extent), named)]))


_NO_ALIAS = ("WHERE", "SELECT", "PIVOT", "UNPIVOT", "TABLESAMPLE", "LATERAL")
"""Words that may come after a relation without an alias."""


def function_rows(block: QueryBlock) -> FunctionRows | None:
    """The rows of the only function that a SELECT reads; None where they must have their windows before."""
    scope: Scope | None = block.scope
    is_filtered = False
    while scope is not None and len(scope.relations) == 1 and not _needs_windows(scope):
        is_filtered = is_filtered or "where" in clauses_of(scope.node)
        (relation,) = scope.relations
        if relation.origin is not None:
            return FunctionRows.of(relation.origin, block.body, scope, is_filtered=is_filtered)
        scope = None if relation.select is None else block.scopes.get(relation.select)
        if scope is None or scope.first not in block.body.indexes or not _hands_on_all(scope):
            return None
    return None


def _hands_on_all(scope: Scope) -> bool:
    """Whether a SELECT is `SELECT * FROM ... WHERE ...`, with all window columns and their time."""
    if not is_star_alone(scope.node) or clauses_of(scope.node) - _ROW_BY_ROW:
        return False
    left_out = left_out_by(star_of(scope.node.expressions[0]) or exp.Star())
    is_whole = left_out.isdisjoint(name for relation in scope.relations for name in relation.times)
    return is_whole and {*Role} <= {column.role for column in scope.output}


_ROW_BY_ROW = {"expressions", "from", "where", "operation_modifiers"}
"""What a SELECT may have that only filters and projects: SELECT, ALL, FROM, WHERE."""


def _needs_windows(scope: Scope) -> bool:
    """Whether WHERE, a subquery or a star in a call reads window columns, so that the rows must have them."""
    if any(meaning.level > 0 for inner in scope.inner for meaning in inner.meanings.values()):
        return True
    where = outside_queries([scope.node.args.get("where")])
    if any(isinstance(found, exp.Column) and index_of(found.this) in scope.meanings for found in where):
        return True
    clauses = [value for name, value in scope.node.args.items() if name.rstrip("_") not in ("from", "with")]
    return any(_may_be_all_columns(found) for found in outside_queries(clauses))


def _may_be_all_columns(node: exp.Expr) -> bool:
    """Whether a node is a star in a call other than `count(*)`, or a placeholder for what sqlglot cannot parse."""
    if isinstance(node, exp.Identifier):
        return mask_at(node.name) is not None
    if not isinstance(node, exp.Star):
        return False
    around = node.parent.parent if isinstance(node.parent, exp.Column) else node.parent
    counts = isinstance(node.parent, exp.Anonymous) and node.parent.name.upper() == "COUNT"
    return not (isinstance(around, exp.Select) or counts)
