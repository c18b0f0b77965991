"""The select lists of window_join and co_group over the result of the operator."""

from __future__ import annotations

from dataclasses import dataclass

from winsql.model.joins import JoinType
from winsql.model.query import FUNCTION_COLUMNS, JOIN_LEFT, JOIN_RIGHT, WINDOW_COLUMNS
from winsql.model.registry import CO_GROUP_FUNCTIONS
from winsql.syntax.expressions.items import quoted, schema_names
from winsql.syntax.text.tokens import upper_name

__all__ = ["CallKey", "Columns", "co_group_head", "join_head"]

Columns = tuple[tuple[str, ...], tuple[str, ...]]
"""The names of the columns of the left and of the right table, in their order."""


@dataclass(frozen=True, slots=True)
class CallKey:
    """A key: its name in the result, and on each side its expression, and the column that this is, if it is one.

    column   the column of the operator's result that holds it
    """

    name: str
    sides: tuple[str, str]
    columns: tuple[str | None, str | None]
    column: str


def join_head(keys: list[CallKey], names: tuple[str, str], how: JoinType, columns: Columns | None) -> str:
    """Keys, window columns, then the other columns of the sides whose rows the join returns.

    Where the columns are known, `_left` or `_right` is added to a name that another column has already.
    """
    taken = set(map(upper_name, FUNCTION_COLUMNS))
    items = [f"{how.shared(*key.sides)} AS {quoted(_own(key.name, 0, taken))}" for key in keys]
    items += _windows(*FUNCTION_COLUMNS)
    returned = names if how.has_right else names[:1]
    for n, name in enumerate(returned):
        known = {upper_name(column): quoted(column) for key in keys if (column := key.columns[n]) is not None}
        if columns is None or len(set(map(upper_name, columns[n]))) < len(columns[n]):
            items.append(f"{name}.* EXCEPT ({', '.join(known.values())})" if known else f"{name}.*")
            continue
        others = [column for column in columns[n] if upper_name(column) not in known]
        items += [f"{name}.{quoted(column)} AS {quoted(_own(column, n, taken))}" for column in others]
    return f"(SELECT {', '.join(items)}"


def co_group_head(keys: list[CallKey], apply: str | None) -> str:
    """Keys, the window, and the rows of both sides; with a function, what it returns."""
    function = None if apply is None else CO_GROUP_FUNCTIONS.find(apply)
    if function is not None:
        return f"(SELECT {', '.join(quoted(name) for name in schema_names(function.returns))}"
    taken = {"WINDOW_START", "WINDOW_END", "LEFT", "RIGHT"}
    items = [f"{key.column} AS {quoted(_own(key.name, 0, taken))}" for key in keys]
    items += [*_windows("window_start", "window_end"), f"{JOIN_LEFT} AS `left`", f"{JOIN_RIGHT} AS `right`"]
    return f"(SELECT {', '.join(items)}"


def _windows(*names: str) -> list[str]:
    return [f"{WINDOW_COLUMNS[name]} AS {name}" for name in names]


def _own(column: str, side: int, taken: set[str]) -> str:
    """The name of a column, changed where it is taken."""
    name = column
    while upper_name(name) in taken:
        name += ("_left", "_right")[side]
    taken.add(upper_name(name))
    return name
