"""Random names, conditions, expressions and aggregates over relations with windows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

__all__ = ["Column", "Drawing", "Kind", "Relation"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its type, the window column that it is, and whether it tells all events apart."""

    name: str
    type: str
    role: str = ""
    is_unique: bool = False


Kind = str
"""The types: text, int, double, time."""


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
        forms = {
            "text": [f"{x} IS NOT NULL", f"{x} IN ('a', 'b', 'A')", f"{x} <> 'c'", f"coalesce({x}, 'z') > 'a'"],
            "time": [f"{x} >= TIMESTAMP'2024-01-01 00:00:30'", f"{x} < TIMESTAMP'2024-01-01 00:02:00'"],
        }
        numbers = [
            f"{x} % 3 <> 0",
            f"{x} > 2",
            f"{x} BETWEEN 1 AND 60",
            f"CASE WHEN {x} > 4 THEN true ELSE {x} = 1 END",
        ]
        return self.rng.choice(forms.get(column.type, numbers))

    def expression(self, columns: Sequence[Column], alias: str) -> tuple[str, Kind]:
        column = self.rng.choice([c for c in columns if not c.role])
        x = self.reference(alias, column)
        forms = {
            "text": [(f"upper({x})", "text"), (f"coalesce({x}, '-')", "text"), (f"length({x})", "int")],
            "int": [(f"{x} % 2", "int"), (f"{x} + 1", "int"), (f"CASE WHEN {x} > 3 THEN 'hi' ELSE 'lo' END", "text")],
            "double": [(f"{x} * 2", "double"), (f"CAST({x} AS INT)", "int"), (f"if({x} > 2, 1, 0)", "int")],
            "time": [(f"unix_timestamp({x})", "int")],
        }
        return self.rng.choice(forms[column.type])

    def aggregate(self, relation: Relation, alias: str) -> tuple[str, Kind]:
        """One whose result does not depend on the order of rows."""
        forms, known = [("count(*)", "int")], relation.of_type("text", "int", "double")
        for column in self.rng.sample(known, k=min(2, len(known))):
            forms += self._aggregates_of(column, self.reference(alias, column))
        text, kind = self.rng.choice(forms)
        if self.chance(0.2) and text.startswith(("count(", "sum(", "min(", "max(", "avg(")) and text.endswith(")"):
            text += f" FILTER (WHERE {self.condition(relation.columns, alias)})"
        return (f"coalesce({text}, 0) + 1", kind) if kind != "text" and self.chance(0.1) else (text, kind)

    def _aggregates_of(self, column: Column, x: str) -> list[tuple[str, Kind]]:
        forms = [(f"{name}({x})", column.type) for name in ("min", "max")]
        forms += [(text, "int") for text in (f"count({x})", f"count(DISTINCT {x})", f"size(collect_set({x}))")]
        if column.type != "text":
            forms += [(text, column.type) for text in (f"sum({x})", f"sum(DISTINCT {x})")]
            forms += [(f"avg({x})", "double"), (f"count_if({x} > 2)", "int")]
        if column.type == "int":
            forms += [(f"bit_xor({x})", "int"), (f"array_join(array_sort(collect_list({x})), ',')", "text")]
        return forms
