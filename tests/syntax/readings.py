"""What a query reads and names, as records that sqlglot's tree and Spark's plan can both be brought to.

CROSS is INNER here, as commas are the one to sqlglot and the other to Spark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, NamedTuple

Path = tuple[str, ...]
"""A name with what qualifies it; `*` is a star, and what is after EXCEPT comes with that word before it."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of a FROM: a name or a query, or neither for a function after LATERAL."""

    path: Path = ()
    alias: str = ""
    columns: Path = ()
    query: Query | None = None

    def renamed(self, alias: str, columns: Path) -> Relation:
        """The relation in brackets, with an alias after them."""
        if not alias:
            return self
        if self.alias:
            return Relation((), alias, columns, Query(relations=(self,)))
        return Relation(self.path, alias, columns or self.columns, self.query)


class Join(NamedTuple):
    """A join or a PIVOT: the numbers of the relations that it adds, or turns."""

    first: int
    stop: int
    kind: str
    using: Path = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A SELECT; a set operation, which has `branches`; or a relation that is read whole, which names nothing.

    aliases     the new names of each item
    columns     the column references outside of subqueries, in order of their letters
    subqueries  those of expressions, in such an order too
    """

    ctes: tuple[tuple[str, Path, Query], ...] = ()
    operation: str = ""
    branches: tuple[Query, ...] = ()
    relations: tuple[Relation, ...] = ()
    joins: tuple[Join, ...] = ()
    aliases: tuple[Path, ...] = ()
    columns: tuple[Path, ...] = ()
    subqueries: tuple[Query, ...] = ()

    def as_relation(self) -> Relation:
        """The query in brackets; a relation that is read whole is the relation itself."""
        is_relation = len(self.relations) == 1 and self == Query(relations=self.relations)
        return self.relations[0] if is_relation else Relation(query=self)


_NO_COLUMNS = frozenset(
    {"all", "current_catalog", "current_date", "current_schema", "current_time", "current_timestamp"}
)
_NO_COLUMNS |= {"current_user", "localtime", "localtimestamp", "session_user", "user"}
"""The ALL of `GROUP BY ALL`, and functions without brackets, which Spark's parser takes for columns."""


def ordered(columns: list[Path], subqueries: list[Query]) -> tuple[tuple[Path, ...], tuple[Query, ...]]:
    """Column references and subqueries in the order in which a `Query` has them."""
    known = [column for column in columns if len(column) > 1 or column[0].lower() not in _NO_COLUMNS]
    return tuple(sorted(known)), tuple(sorted(subqueries, key=repr))


def differences(one: Any, other: Any, place: str = "query") -> Iterator[str]:
    """The innermost parts in which two readings differ."""
    if one == other:
        return
    if is_dataclass(one) and is_dataclass(other):
        for field in fields(one):
            yield from differences(getattr(one, field.name), getattr(other, field.name), f"{place}.{field.name}")
    elif place.endswith(".columns"):
        left, right = Counter(one), Counter(other)
        yield f"{place}: {[*(left - right).elements()]} / {[*(right - left).elements()]}"
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{place}[{number}]")
    else:
        yield f"{place}: {one} / {other}"
