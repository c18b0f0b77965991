"""Random subqueries over windows, beside OR, in conditions and among the items of a SELECT."""

from __future__ import annotations

from dataclasses import replace

from drawn_expressions import KEYS, NUMBERS, Column, Relation
from drawn_pairs import END, Pairs


class Subqueries(Pairs):
    """Draws what a SELECT over windows asks of another relation with the same windows."""

    def asks(self, left: Relation, right: Relation) -> bool:
        return END.role in [x.role for x, _ in self.same_windows(left, right)]

    def chosen(self, left: Relation, right: Relation) -> Relation:
        """EXISTS or IN beside OR."""
        if not self.asks(left, right):
            return left
        source, a = self.source(left)
        ways = [
            self.condition(left.columns, a),
            *(self.exists(left, right, a) for _ in range(self.rng.choice([1, 1, 2]))),
        ]
        self.rng.shuffle(ways)
        where = " OR ".join(ways)
        if self.chance(0.25):
            where = f"{self.condition(left.columns, a)} AND ({where})"
        return _filtered(left, source, where)

    def exists(self, left: Relation, right: Relation, a: str, *, takes_in: bool = True) -> str:
        """EXISTS, or IN of the same window."""
        on, (other, b) = [], self.source(right)
        keys = [(x, y) for x in left.of_type(*KEYS) for y in right.of_type(*KEYS) if x.type == y.type]
        pairs = self.same_windows(left, right)
        pairs += [self.rng.choice(keys)] if keys and self.chance(0.7) else []
        for x, y in pairs:
            sides = [f"{a}.{self.spelled(x.name)}", f"{b}.{self.spelled(y.name)}"]
            self.rng.shuffle(sides)
            on.append(" = ".join(sides))
        if self.chance(0.3):
            on.append(self.condition(right.columns, b))
        if takes_in and keys and self.chance(0.3):
            x, y = self.rng.choice(keys)
            listed = f"SELECT {b}.{self.spelled(y.name)} FROM {other} WHERE {' AND '.join(on)}"
            return f"{a}.{self.spelled(x.name)} IN ({listed})"
        no = self.rng.choice(["", "NOT "])
        return f"{no}EXISTS (SELECT {self.rng.choice(['1', '*'])} FROM {other} WHERE {' AND '.join(on)})"

    def weighed(self, left: Relation, right: Relation) -> Relation:
        """Aggregates of the same window anywhere in WHERE."""
        numbers, others = left.of_type(*NUMBERS), right.of_type(*NUMBERS)
        if not self.asks(left, right) or not numbers or not others:
            return left
        source, a = self.source(left)
        x, y = f"{a}.{self.spelled(self.rng.choice(numbers).name)}", self.rng.choice(others)
        value = [self.value(left, right, a, y.name, call) for call in ("min", "max", "avg", "sum")]
        count = self.value(left, right, a, y.name, "count")
        where = self.rng.choice([
            f"{x} BETWEEN {value[0]} AND {value[2]}",
            f"{x} > {value[2]} OR {self.condition(left.columns, a)}",
            f"{count} < 3 OR {x} = {value[1]}",
            f"NOT ({x} < {value[3]} AND {count} > 1)",
            f"CASE WHEN {self.condition(left.columns, a)} THEN {x} >= {value[2]} ELSE {count} <> 2 END",
            f"coalesce({value[1]}, 0) - {x} < 9",
        ])  # fmt: skip
        return _filtered(left, source, where)

    def told(self, left: Relation, right: Relation) -> Relation:
        """Aggregates of the same window among the items, or EXISTS."""
        others = right.of_type(*NUMBERS)
        if not self.asks(left, right) or not others:
            return left
        source, a = self.source(left)
        columns = [column for column in left.columns if column.role or self.chance(0.8)]
        items = [f"{a}.{self.spelled(column.name)}" for column in columns]
        for _ in range(self.rng.choice([1, 1, 2])):
            call, column, name = (
                self.rng.choice(["min", "max", "avg", "sum", "count"]),
                self.rng.choice(others),
                self.fresh("s"),
            )
            if self.chance(0.3):
                item, kind = f"if({self.exists(left, right, a, takes_in=False)}, 1, 0)", "int"
            else:
                item, kind = (
                    self.value(left, right, a, column.name, call),
                    {"avg": "double", "count": "int"}.get(call, column.type),
                )
            items.append(f"{item} AS {name}")
            columns.append(Column(name, kind))
        where = f" WHERE {self.condition(left.columns, a)}" if self.chance(0.3) else ""
        query = f"SELECT {', '.join(items)} FROM {source}{where}"
        return replace(left, query=query, columns=tuple(columns), direct="", is_grouped=True)

    def value(self, left: Relation, right: Relation, a: str, column: str, call: str) -> str:
        """The aggregate of a column of the other relation, of the rows of the same window."""
        on, (other, b) = [], self.source(right)
        for x, y in self.same_windows(left, right):
            sides = [f"{a}.{self.spelled(x.name)}", f"{b}.{self.spelled(y.name)}"]
            self.rng.shuffle(sides)
            on.append(" = ".join(sides))
        if self.chance(0.3):
            on.append(self.condition(right.columns, b))
        return f"(SELECT {call}({b}.{self.spelled(column)}) FROM {other} WHERE {' AND '.join(on)})"

    def bracketed(self, left: Relation, right: Relation) -> Relation:
        """Inner joins of windows and a table, in brackets or not, the table in any place."""
        texts = right.of_type("text")
        if not self.asks(left, right) or not texts:
            return left
        (source, a), (other, b), d = self.source(left), self.source(right), self.fresh("d")
        on = " AND ".join(self.equalities(left, right, a, b))
        names = f"{b}.{self.spelled(self.rng.choice(texts).name)} = {d}.id"
        relations = self.rng.choice([
            f"{source} JOIN ({other} JOIN names {d} ON {names}) ON {on}",
            f"({source} JOIN {other} ON {on}) JOIN names {d} ON {names}",
            f"{source} LEFT JOIN {other} ON {on} LEFT JOIN names {d} ON {names}",
            f"names {d} JOIN {other} ON {names} JOIN {source} ON {on}",
            f"{other}, {source}, names {d} WHERE {on} AND {names}",
        ])  # fmt: skip
        kept = [(c, f"{a}.{self.spelled(c.name)}") for c in left.columns if c.role != "window_time"]
        label, columns = self.fresh("l"), tuple(replace(c, name=self.fresh("b"), is_unique=False) for c, _ in kept)
        items = [f"{text} AS {column.name}" for (_, text), column in zip(kept, columns, strict=True)]
        query = f"SELECT {', '.join([*items, f'{d}.label AS {label}'])} FROM {relations}"
        return Relation(query, (*columns, Column(label, "text")), is_grouped=True)


def _filtered(left: Relation, source: str, where: str) -> Relation:
    return replace(left, query=f"SELECT * FROM {source} WHERE {where}", direct="", is_grouped=True)
