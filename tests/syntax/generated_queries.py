"""Queries by chance, of all that Spark's grammar has around relations and names; most have no meaning.

The same seed gives the same queries.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import count

_TABLES = ("t", "Orders", "db.u", "cat.db.v", "`my table`", "`X``Y`", "window", "c0", "c1", "stream_of")
_NAMES = ("x", "Y", "`a b`", "l", "r", "trigger", "into", "`select`", "session", "`größe`")
_COLUMNS = ("k", "V", "window_start", "`the end`", "s.f", "n_1", "state", "x.k", "l.V", "`a b`.k", "x.s.f.g", "R.`c d`")
_LITERALS = ("1", "2.5", "'text'", "NULL", "TRUE", "DATE '2024-01-01'", "INTERVAL 3 DAYS", "-7L", "1e3", "X'1F'", ":p")
_OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "%",
    "=",
    "<>",
    "<=>",
    "<",
    ">=",
    "==",
    "!=",
    "AND",
    "OR",
    "||",
    "&",
    "|",
    "DIV",
    "LIKE",
)
_TYPES = ("INT", "STRING", "DECIMAL(10, 2)", "ARRAY<INT>", "MAP<STRING, ARRAY<INT>>", "STRUCT<x: INT, y: DATE>")
_CALLS = ("sum", "max", "coalesce", "nvl2", "date_trunc", "struct", "log", "trunc", "trigger", "my.f")
_AGGREGATES = (
    *("count(*)", "count(DISTINCT {}, k)", "sum(V) FILTER (WHERE {})", "first({}) IGNORE NULLS", "max(k) OVER w"),
    *("percentile_cont(0.5) WITHIN GROUP (ORDER BY {})", "extract(YEAR FROM ({}))", "trim(BOTH 'x' FROM ({}))"),
)
_LAMBDAS = ("transform(xs, x -> x + {})", "filter({}, (x, i) -> x.f > i + k)", "aggregate(xs, {}, (p, q) -> p + q.g)")
_JOINS = ("JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "FULL JOIN", "FULL OUTER JOIN")
_ONE_SIDED = ("LEFT SEMI JOIN", "SEMI JOIN", "LEFT ANTI JOIN", "ANTI JOIN")
_SETS = ("UNION", "UNION ALL", "UNION DISTINCT", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL", "MINUS")
_KEYWORD = re.compile(r"(`[^`]*`|'[^']*')|\b[A-Z]{2,}\b")


def queries(seed: int = 1) -> Iterator[str]:
    """Queries that have a SELECT, every third with its keywords in lower case; there is no end of them."""
    chance = random.Random(seed)
    for number in count():
        text = _Writer(chance).query(number % 2 + 1)
        if "SELECT" in text:
            yield _KEYWORD.sub(lambda match: match[1] or match[0].lower(), text) if number % 3 == 2 else text


class _Writer:
    """Writes parts of queries; `depth` is how deep others may be in them."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def one(self, *of: Callable[[int], str], depth: int) -> str:
        return self.chance.choice(of)(depth)

    def maybe(self, share: float, text: Callable[[], str]) -> str:
        return f" {text()}" if self.chance.random() < share else ""

    def some(self, write: Callable[[], str], most: int = 3) -> str:
        return ", ".join(write() for _ in range(self.chance.randint(1, most)))

    def name(self) -> str:
        return self.chance.choice(_NAMES)

    def names(self) -> str:
        return ", ".join(self.chance.sample(_NAMES, self.chance.randint(1, 3)))

    # queries

    def query(self, depth: int) -> str:
        ctes = self.chance.random() < 0.3 and depth > 0
        body = self.body(depth)
        return f"WITH {self.ctes(depth - 1)} {body}" if ctes else body

    def ctes(self, depth: int) -> str:
        names = self.chance.sample(("c0", "c1", "x", "`a b`"), self.chance.randint(1, 2))
        columns = [self.maybe(0.3, lambda: f"({self.names()})") for _ in names]
        return ", ".join(f"{name}{own} AS ({self.query(depth)})" for name, own in zip(names, columns, strict=True))

    def body(self, depth: int) -> str:
        kind = self.chance.random()
        if depth > 0 and kind < 0.2:
            return f"{self.branch(depth - 1)} {self.chance.choice(_SETS)} {self.branch(depth - 1)}{self.order(depth)}"
        if kind < 0.25:
            return f"({self.query(depth - 1)}){self.order(0)}" if depth > 0 else "TABLE t"
        return self.select(depth)

    def branch(self, depth: int) -> str:
        inner = self.query(depth) if self.chance.random() < 0.3 else None
        return f"({inner})" if inner else self.chance.choice((self.select(depth, False), "VALUES (1, 2)", "TABLE u"))

    def select(self, depth: int, has_order: bool = True) -> str:
        head = f"SELECT{self.maybe(0.2, lambda: 'DISTINCT')} {self.some(lambda: self.item(depth), 4)}"
        body = f"FROM {self.some(lambda: self.relations(depth), 2)}{self.maybe(0.1, lambda: self.lateral(depth))}"
        body += self.maybe(0.15, lambda: self.view(depth))
        rest = self.maybe(0.5, lambda: f"WHERE {self.value(depth)}")
        rest += self.maybe(
            0.3, lambda: f"GROUP BY {self.groups(depth)}{self.maybe(0.4, lambda: f'HAVING {self.value(depth)}')}"
        )
        has_window = self.chance.random() < 0.1
        rest += " WINDOW w AS (PARTITION BY k ORDER BY V DESC)" if has_window else ""
        rest += self.maybe(0.15, lambda: f"QUALIFY {self.over(depth)} = 1")
        rest += self.order(depth) if has_order else ""
        return f"{body} {head}{rest}" if has_order and self.chance.random() < 0.1 else f"{head} {body}{rest}"

    def order(self, depth: int) -> str:
        return self.maybe(0.2, lambda: f"ORDER BY {self.value(depth)} DESC NULLS LAST, 1") + self.maybe(
            0.1, lambda: "LIMIT 3"
        )

    def groups(self, depth: int) -> str:
        value = self.value(min(depth, 1))
        return self.chance.choice(
            (
                value,
                f"{value}, k",
                "ALL",
                "1, 2",
                "ROLLUP(k, x.V)",
                f"k, CUBE(({value}), V)",
                "GROUPING SETS ((k, V), (k), ())",
            )
        )

    def item(self, depth: int) -> str:
        star = self.chance.choice(("*", "x.*", "`a b`.*", "* EXCEPT (k)", "x.* EXCEPT (V, s.f)"))
        alias = self.chance.choice((f" AS {self.name()}", f" {self.name()}", "", ""))
        names = f" AS ({self.names()})" if self.chance.random() < 0.1 else alias
        return star if self.chance.random() < 0.15 else self.value(depth) + names

    # relations

    def relations(self, depth: int) -> str:
        return self.relation(depth) + "".join(self.join(depth) for _ in range(self.chance.choice((0, 0, 1, 1, 2))))

    def join(self, depth: int) -> str:
        right = self.relation(depth - 1)
        using = f"USING ({self.names()})"
        condition = self.chance.choice((f"ON {self.value(depth - 1)}", f"ON x.k = {self.value(0)}", using))
        kind = self.chance.random()
        if kind < 0.2:
            return f" {self.chance.choice(('CROSS JOIN', 'NATURAL JOIN', 'NATURAL LEFT JOIN', 'JOIN'))} {right}"
        if kind < 0.3 and depth > 0:
            return f" JOIN LATERAL ({self.query(depth - 1)}) {self.name()}"
        return f" {self.chance.choice(_JOINS if kind < 0.8 else _ONE_SIDED)} {right} {condition}"

    def relation(self, depth: int) -> str:
        if depth <= 0 or self.chance.random() < 0.5:
            return self.named()
        return self.one(self.subquery, self.bracket, self.values, depth=depth)

    def named(self) -> str:
        return self.chance.choice(_TABLES) + self.alias()

    def alias(self) -> str:
        name = self.name()
        return self.chance.choice(
            ("", f" AS {name}", f" {name}", f" AS {name}({self.names()})", f" {name} ({self.names()})")
        )

    def subquery(self, depth: int) -> str:
        return f"({self.query(depth - 1)}){self.alias()}"

    def bracket(self, depth: int) -> str:
        first = self.bracket(depth - 1) if depth > 0 and self.chance.random() < 0.3 else self.named()
        joins = "".join(self.join(depth - 1) for _ in range(self.chance.randint(0, 2)))
        return f"({first}{joins}){self.maybe(0.3, lambda: f'AS {self.name()}')}"

    def values(self, depth: int) -> str:
        return f"VALUES (1, 'a'), (2, 'b'){self.chance.choice((' AS v', ' AS v(p, q)', ' v'))}"

    def lateral(self, depth: int) -> str:
        what = self.chance.choice((f"({self.query(depth - 1)})", f"explode({self.value(1)})"))
        return f", LATERAL {what} AS {self.name()}{self.maybe(0.3, lambda: '(x)')}"

    def view(self, depth: int) -> str:
        outer = self.maybe(0.3, lambda: "OUTER")
        columns = self.chance.choice(("", f" AS {self.names()}", f" {self.names()}"))
        return f"LATERAL VIEW{outer} explode({self.value(depth)}) {self.name()}{columns}"

    # expressions

    def operand(self, depth: int) -> str:
        return f"({self.value(depth)})" if depth > 0 else self.value(0)

    def value(self, depth: int) -> str:
        if depth <= 0 or self.chance.random() < 0.3:
            return self.chance.choice(_COLUMNS if self.chance.random() < 0.7 else _LITERALS)
        simple = (self.binary, self.unary, self.call, self.case, self.between, self.cast, self.field, self.listed)
        nested = (self.exists, self.within, self.scalar, self.lambda_, self.over, self.aggregate)
        return self.one(*simple, *nested, depth=depth - 1)

    def binary(self, depth: int) -> str:
        return f"{self.operand(depth)} {self.chance.choice(_OPERATORS)} {self.operand(depth)}"

    def unary(self, depth: int) -> str:
        return self.chance.choice(("(({}))", "NOT ({})", "-({})", "({}) IS NOT NULL", "(! {})", "~k + ({})")).format(
            self.value(depth)
        )

    def call(self, depth: int) -> str:
        return f"{self.chance.choice(_CALLS)}({self.some(lambda: self.value(depth))})"

    def case(self, depth: int) -> str:
        start = self.chance.choice(("CASE", f"CASE {self.operand(depth)}"))
        end = self.maybe(0.5, lambda: f"ELSE {self.value(0)}")
        return f"{start} WHEN {self.value(depth)} THEN {self.value(depth)} WHEN 2 THEN k{end} END"

    def between(self, depth: int) -> str:
        return f"{self.value(0)}{self.maybe(0.3, lambda: 'NOT')} BETWEEN {self.value(0)} AND ({self.value(depth)})"

    def cast(self, depth: int) -> str:
        kind = self.chance.choice(_TYPES)
        return self.chance.choice((f"CAST({self.value(depth)} AS {kind})", f"({self.value(depth)})::{kind}"))

    def field(self, depth: int) -> str:
        return self.chance.choice(
            (
                "a.b.c.d.e.f",
                "xs[({})]",
                "f({}).g",
                "x.xs[0].f[({})]",
                "({}).f",
                "m['k'].f",
                "array({}, 1)[0]",
                "if({}, k, V)",
                "k:a.b[0]",
            )
        ).format(self.value(depth))

    def listed(self, depth: int) -> str:
        return f"{self.value(0)}{self.maybe(0.3, lambda: 'NOT')} IN ({self.some(lambda: self.value(depth))})"

    def exists(self, depth: int) -> str:
        return f"{self.chance.choice(('EXISTS', 'NOT EXISTS'))} ({self.select(depth)})"

    def within(self, depth: int) -> str:
        left = self.chance.choice((self.value(0), f"(k, {self.value(0)})"))
        return f"{left}{self.maybe(0.3, lambda: 'NOT')} IN ({self.query(depth)})"

    def scalar(self, depth: int) -> str:
        return f"({self.query(depth)})"

    def lambda_(self, _: int) -> str:
        return self.chance.choice(_LAMBDAS).format(self.value(0))

    def over(self, depth: int) -> str:
        frame = self.maybe(0.3, lambda: "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW")
        return f"rank() OVER (PARTITION BY {self.value(depth)} ORDER BY {self.value(0)}{frame})"

    def aggregate(self, depth: int) -> str:
        return self.chance.choice(_AGGREGATES).format(self.value(depth))
