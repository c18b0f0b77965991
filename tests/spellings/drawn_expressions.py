"""Random names, conditions, expressions and aggregates over relations with windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

KEYS = ("text", "int", "decimal", "flag", "date", "struct", "array")
"""Types of columns that group, rank and join."""
NUMBERS = ("int", "double", "decimal")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its type, the window column that it is, and whether it tells all events apart."""

    name: str
    type: str
    role: str = ""
    is_unique: bool = False


Kind = str
"""The types: those of KEYS, double, time, map. A struct has the fields a, a number, and `B b`, a text."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A query and its columns; `direct` may stand in FROM in its place, and `is_grouped` where groups are inside."""

    query: str
    columns: tuple[Column, ...]
    direct: str = ""
    is_grouped: bool = False

    def role(self, name: str) -> Column | None:
        return next((column for column in self.columns if column.role == name), None)

    @property
    def own(self) -> list[Column]:
        """The columns that are none of the windows."""
        return [column for column in self.columns if not column.role]

    def of_type(self, *types: Kind) -> list[Column]:
        return [column for column in self.own if column.type in types]


class Drawing:
    """Draws what a statement is made of. The same seed draws the same, whatever the names of the relations are."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.ctes: list[str] = []
        self._names = 0

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def fresh(self, kind: str = "c") -> str:
        """A name that is not taken; some need backquotes."""
        self._names += 1
        return f"{kind} {self._names}é" if kind == "x" and self.chance(0.1) else f"{kind}{self._names}"

    def spelled(self, name: str) -> str:
        """A name in one of its spellings."""
        if not name.isascii() or " " in name:
            return f"`{name}`"
        return self.rng.choices([name, name.upper(), f"`{name}`"], [85, 8, 7])[0]

    def reference(self, alias: str, column: Column) -> str:
        return f"{alias}.{self.spelled(column.name)}" if alias and self.chance(0.5) else self.spelled(column.name)

    def source(self, relation: Relation) -> tuple[str, str]:
        """What FROM says for a relation, and its alias."""
        alias, how = self.fresh("r"), self.rng.random()
        if relation.direct and how < 0.6:
            return f"{relation.direct} {self.rng.choice(['', 'AS '])}{alias}", alias
        if how < 0.3:
            name = self.fresh("cte")
            self.ctes.append(f"{name} AS ({relation.query})")
            return f"{name} AS {alias}", alias
        return f"({relation.query}) {self.rng.choice(['', 'AS '])}{alias}", alias

    def condition(self, columns: Sequence[Column], alias: str, *, is_inner: bool = False) -> str:
        how = self.rng.random()
        if not is_inner and how < 0.2:
            first, second = (self.condition(columns, alias, is_inner=True) for _ in range(2))
            return self.rng.choice([f"({first} OR {second})", f"({first} AND {second})", f"NOT ({first})"])
        column = self.rng.choice([c for c in columns if c.role != "window_time"])
        x = self.reference(alias, column)
        return self.rng.choice(_conditions(x).get(column.type, _conditions(x)["int"]))

    def filtering(self, columns: Sequence[Column], alias: str) -> str:
        """A condition of WHERE, which may have a subquery over a table."""
        texts = [c for c in columns if c.type == "text" and not c.role]
        if not texts or self.chance(0.9):
            return self.condition(columns, alias)
        x = f"{alias}.{self.rng.choice(texts).name}" if alias else self.rng.choice(texts).name
        asked = f"{x} IN (SELECT id FROM names)", f"{x} <> (SELECT max(id) FROM names)"
        return self.rng.choice([*asked, f"EXISTS (SELECT 1 FROM names d WHERE d.id = {x})"])

    def key(self, alias: str, column: Column) -> tuple[str, Column]:
        """A column, or a field of it, that groups rows."""
        text = self.reference(alias, column)
        if column.type != "struct" or self.chance(0.5):
            return text, column
        field, kind = self.rng.choice([("a", "int"), ("`B b`", "text")])
        return f"{text}.{field}", Column(self.fresh("f"), kind)

    def expression(self, columns: Sequence[Column], alias: str) -> tuple[str, Kind]:
        column = self.rng.choice([c for c in columns if not c.role])
        x = self.reference(alias, column)
        return self.rng.choice(_expressions(x)[column.type])

    def aggregate(self, relation: Relation, alias: str) -> tuple[str, Kind]:
        """One whose result does not depend on the order of rows."""
        forms, known = [("count(*)", "int")], relation.of_type(*KEYS, "double", "map")
        for column in self.rng.sample(known, k=min(2, len(known))):
            forms += self._aggregates_of(column, self.reference(alias, column))
        text, kind = self.rng.choice(forms)
        is_number = kind in NUMBERS
        if self.chance(0.2) and text.startswith(("count(", "sum(", "min(", "max(", "avg(")) and text.endswith(")"):
            text += f" FILTER (WHERE {self.condition(relation.columns, alias)})"
        return (f"coalesce({text}, 0) + 1", kind) if is_number and self.chance(0.1) else (text, kind)

    def _aggregates_of(self, column: Column, x: str) -> list[tuple[str, Kind]]:
        if column.type == "map":
            return [(f"max({x}['x'])", "int"), (f"count({x})", "int"), (f"sum(element_at({x}, 'y'))", "int")]
        forms = [(f"{name}({x})", column.type) for name in ("min", "max")]
        forms += [(text, "int") for text in (f"count({x})", f"count(DISTINCT {x})", f"size(collect_set({x}))")]
        if column.type in NUMBERS:
            forms += [(text, column.type) for text in (f"sum({x})", f"sum(DISTINCT {x})")]
            forms += [(f"avg({x})", "double"), (f"count_if({x} > 2)", "int"), *_percentiles(x)]
        forms.append((f"approx_count_distinct({x})", "int"))
        return forms + _others(x).get(column.type, [])


def _conditions(x: str) -> dict[Kind, list[str]]:
    return {
        "text": [f"{x} IS NOT NULL", f"{x} IN ('a', 'b', 'A')", f"{x} <> 'c'", f"coalesce({x}, 'z') > 'a'"],
        "time": [f"{x} >= TIMESTAMP'2024-01-01 00:00:30'", f"{x} < TIMESTAMP'2024-01-01 00:02:00'"],
        "flag": [x, f"NOT {x}", f"{x} IS NOT TRUE", f"{x} = false"],
        "date": [f"{x} > DATE'2024-01-02'", f"day({x}) % 2 = 1", f"{x} BETWEEN DATE'2024-01-02' AND DATE'2024-01-04'"],
        "struct": [f"{x}.a > 0", f"{x}.`B b` IS NOT NULL", f"{x}.A IN (0, 2)"],
        "array": [f"{x}[0] = 1", f"array_contains({x}, 1)", f"exists({x}, e -> e > 1)", f"size({x}) > 1"],
        "map": [f"{x}['x'] > 0", f"element_at({x}, 'y') = 1", f"map_contains_key({x}, 'x')"],
        "decimal": [f"{x} > 2.5", f"{x} BETWEEN 0 AND 200", f"{x} = CAST({x} AS INT)"],
        "int": [f"{x} % 3 <> 0", f"{x} > 2", f"{x} BETWEEN 1 AND 60", f"CASE WHEN {x} > 4 THEN true ELSE {x} = 1 END"],
    }


def _expressions(x: str) -> dict[Kind, list[tuple[str, Kind]]]:
    return {
        "text": [(f"upper({x})", "text"), (f"coalesce({x}, '-')", "text"), (f"length({x})", "int")],
        "int": [(f"{x} % 2", "int"), (f"{x} + 1", "int"), (f"CASE WHEN {x} > 3 THEN 'hi' ELSE 'lo' END", "text")],
        "double": [(f"{x} * 2", "double"), (f"CAST({x} AS INT)", "int"), (f"if({x} > 2, 1, 0)", "int")],
        "decimal": [(f"{x} * 2", "decimal"), (f"round({x}, 1)", "decimal"), (f"{x}::int", "int"), (f"{x} > 9", "flag")],
        "time": [(f"unix_timestamp({x})", "int"), (f"date_add(date({x}), 1)", "date")],
        "flag": [(f"NOT {x}", "flag"), (f"CASE WHEN {x} THEN 1 ELSE 0 END", "int"), (f"{x} IS NULL", "flag")],
        "date": [(f"date_add({x}, 1)", "date"), (f"day({x})", "int"), (f"{x} + INTERVAL '1' DAY", "date")],
        "struct": [(f"{x}.a", "int"), (f"{x}.`B b`", "text"), (f"named_struct('a', {x}.a, 'B b', 'u')", "struct")],
        "array": [(f"{x}[1]", "int"), (f"transform({x}, e -> e + 1)", "array"), (f"array_sort({x})", "array"),
                  (f"aggregate({x}, 0, (s, e) -> s + e)", "int")],
        "map": [(f"{x}['x']", "int"), (f"map_concat({x}, map('z', 1))", "map"), (f"map_keys({x})[0]", "text")],
    }  # fmt: skip


def _percentiles(x: str) -> list[tuple[str, Kind]]:
    within = [("percentile_cont(0.3)", " DESC"), ("percentile_cont(0.75)", ""), ("percentile_disc(0.4)", " DESC")]
    forms = [f"{name} WITHIN GROUP (ORDER BY {x}{how})" for name, how in within]
    return [(form, "double") for form in (*forms, f"percentile({x}, array(0.2, 1))[0]")]


def _others(x: str) -> dict[Kind, list[tuple[str, Kind]]]:
    """Aggregates of one type."""
    return {
        "int": [(f"bit_xor({x})", "int"), (f"array_join(array_sort(collect_list({x})), ',')", "text"),
                (f"approx_percentile({x}, 0.6)", "int"), (f"mode() WITHIN GROUP (ORDER BY {x} DESC)", "int")],
        "text": [(f"listagg({x}, ',') WITHIN GROUP (ORDER BY {x} DESC)", "text"),
                 (f"mode() WITHIN GROUP (ORDER BY {x})", "text"),
                 (f"string_agg(DISTINCT {x}) WITHIN GROUP (ORDER BY {x})", "text")],
        "flag": [(f"bool_or({x})", "flag"), (f"every({x})", "flag"), (f"count_if({x})", "int")],
        "struct": [(f"max({x}.a)", "int"), (f"max({x}).`B b`", "text"), (f"sum({x}.A)", "int")],
        "array": [(f"max({x}[0])", "int"), (f"sum(size({x}))", "int"), (f"array_sort(collect_set({x}))[0][0]", "int")],
    }  # fmt: skip
