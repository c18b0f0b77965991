"""What is checked, as records: tables, a statement and what is around it, and the session it runs in."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from differential.expressions import Aggregate, Column, Expression, walk
from differential.values import Type
from differential.windows import Windowing


@dataclass(frozen=True)
class Table:
    """Rows in the order in which they arrive."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]


class Shape(Enum):
    """What a source makes of its table."""

    TABLE = "the table"
    FILTERED = "a subquery with WHERE"
    DOUBLED = "UNION ALL of the table with itself"
    TIMES_ONE = "the table and one other row, by a comma"
    CROSS_ONE = "the table CROSS JOIN one other row"
    EXPLODED = "LATERAL VIEW over an array"
    LATERAL = "LATERAL explode"
    LOOKED_UP = "a join with a small table"


@dataclass(frozen=True)
class Source:
    """The FROM body; `extra` is the column that a join or an explosion adds."""

    table: Table
    shape: Shape = Shape.TABLE
    condition: Expression | None = None
    extra: Column | None = None
    is_cte: bool = False

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.table.columns if self.extra is None else (*self.table.columns, self.extra)

    @property
    def is_ordered(self) -> bool:
        """Whether the order in which rows arrive is that of the table."""
        return self.shape is not Shape.LOOKED_UP


class JoinType(Enum):
    INNER = "INNER"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    FULL = "FULL"
    SEMI = "SEMI"
    ANTI = "ANTI"


@dataclass(frozen=True)
class WindowJoin:
    """`left` and `right` name their columns `x.name` and `y.name`; keys are pairs, `=` unless `null_safe`."""

    type: JoinType
    left: Table
    right: Table
    left_time: Column
    right_time: Column
    keys: tuple[tuple[Column, Column], ...]
    null_safe: bool = False
    residual: Expression | None = None


@dataclass(frozen=True)
class Item:
    expression: Expression
    alias: str | None


@dataclass(frozen=True)
class Statement:
    """A windowed SELECT.

    keys        of GROUP BY, of PARTITION BY where firings return rows
    order       places of items, all of them when there is a limit; the last word is whether NULLs come last
    function    the window is one of Flink SQL's table functions
    """

    source: Source | WindowJoin
    windowing: Windowing
    items: tuple[Item, ...]
    keys: tuple[Expression, ...] = ()
    where: Expression | None = None
    having: Expression | None = None
    qualify: Expression | None = None
    order: tuple[tuple[int, bool, bool | None], ...] = ()
    limit: int | None = None
    returns_rows: bool = False
    function: bool = False

    @property
    def is_ordered(self) -> bool:
        return not isinstance(self.source, WindowJoin) and self.source.is_ordered


class Wrapper(Enum):
    """What is around the windowed SELECT."""

    NOTHING = "nothing"
    CTE = "WITH w AS (...) SELECT * FROM w"
    SUBQUERY = "SELECT * FROM (...)"
    VIEW = "a temporary view"
    SCALAR = "SELECT (SELECT count(*) FROM (...))"
    CROSS = "a join of the result with another row"
    UNION_ALL = "UNION ALL"
    UNION = "UNION"
    EXCEPT = "EXCEPT"
    INTERSECT = "INTERSECT"


SET_OPERATIONS = frozenset({Wrapper.UNION_ALL, Wrapper.UNION, Wrapper.EXCEPT, Wrapper.INTERSECT})


@dataclass(frozen=True)
class Query:
    """A statement with what is around it; `other` is the second one of a set operation.

    spelling   seed of how the text is written; 0 is plainly
    """

    statement: Statement
    around: Wrapper = Wrapper.NOTHING
    other: Statement | None = None
    outer: Expression | None = None
    spelling: int = 0

    @property
    def statements(self) -> tuple[Statement, ...]:
        return (self.statement,) if self.other is None else (self.statement, self.other)

    @property
    def tables(self) -> tuple[Table, ...]:
        found: dict[str, Table] = {}
        for statement in self.statements:
            source = statement.source
            tables = (source.left, source.right) if isinstance(source, WindowJoin) else (source.table,)
            found.update({table.name: table for table in tables})
        return tuple(found.values())


@dataclass(frozen=True)
class Session:
    """Settings of Spark by name."""

    settings: dict[str, str] = field(default_factory=dict)

    def on(self, name: str) -> bool:
        return self.settings.get(name) == "true"

    @property
    def zone(self) -> str:
        return self.settings.get(ZONE, "UTC")


ZONE = "spark.sql.session.timeZone"
ANSI = "spark.sql.ansi.enabled"
CASE = "spark.sql.caseSensitive"
QUOTED = "spark.sql.ansi.doubleQuotedIdentifiers"
RESERVED = "spark.sql.ansi.enforceReservedKeywords"
ESCAPED = "spark.sql.parser.escapedStringLiterals"


@dataclass(frozen=True)
class Result:
    """Names (None where none is expected), types, and rows as texts; `is_sorted`: in this order."""

    names: tuple[str | None, ...]
    types: tuple[Type, ...]
    rows: list[tuple[str | None, ...]]
    is_sorted: bool = False


def has_aggregates(node: Any) -> bool:
    return any(isinstance(part, Aggregate) for part in walk(node))
