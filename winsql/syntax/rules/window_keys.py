"""Keys, of GROUP BY or of a window of OVER, that are window columns."""

from __future__ import annotations

from collections.abc import Iterable

from winsql.syntax.expressions.items import Item
from winsql.syntax.rules.moment import column_at
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.records import Role, Scope

__all__ = ["meant_key", "window_keys"]


def window_keys(source: Source, scope: Scope, keys: Iterable[Extent]) -> dict[Role, int]:
    """Those of the keys that are window columns of what the SELECT reads, as the tokens of their names."""
    found: dict[Role, int] = {}
    for key in keys:
        if key.is_empty or column_at(source, key.stop - 1) != key:
            continue
        meaning = scope.meanings.get(key.stop - 1)
        if meaning is not None and meaning.level == 0:
            found.setdefault(meaning.role, key.stop - 1)
    return found


def meant_key(source: Source, scope: Scope, key: Extent, items: tuple[Item, ...], columns: frozenset[str]) -> Extent:
    """The expression of the item that a key names, where that is a window column; else the key itself.

    columns   names, as `Source.folded` gives them, that are columns too: these come first
    """
    name = source.folded(key.first) if len(key.indexes) == 1 else ""
    if not name or key.first in scope.meanings or name in columns:
        return key
    named = (item.expression for item in items if name in map(source.fold, item.names))
    return next((source.unwrapped(e) for e in named if e.stop - 1 in scope.meanings), key)
