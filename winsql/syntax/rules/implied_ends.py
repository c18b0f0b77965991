"""The starts of windows in the place of their ends.

    SELECT k, window_start, count(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), size)) GROUP BY window_start, k

Tumbling windows that start together end together, also where clocks change: of those that begin in an hour that is
skipped only the last one has rows. So the column of ends beside that of starts says when all of them are there.
"""

from __future__ import annotations

from collections.abc import Mapping

from winsql.model.query import EndColumn
from winsql.syntax.expressions.items import quoted
from winsql.syntax.rules.attached_windows import end_column
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.text.source import Source
from winsql.syntax.tree.records import Relation, Role

__all__ = ["end_told_by", "implied_end", "tumbling_windows"]


def end_told_by(source: Source, block: QueryBlock, named: Mapping[Role, int]) -> tuple[EndColumn, Role] | None:
    """The end of windows, or their last instant, that `window_keys` of a SELECT tell; None where they do not."""
    end = next((named[role] for role in (Role.END, Role.TIME) if role in named), None)
    if end is not None:
        return end_column(source, block.scope, end)
    implied = implied_end(source, block.relations[block.windowed[0]]) if Role.START in named else None
    return None if implied is None else (implied, Role.END)


def tumbling_windows(relation: Relation) -> tuple[int | str, ...] | None:
    """What tumbling windows a relation has, as in `Origin`; None where it has others, or several."""
    found = {origin.tumbling for origin in relation.origins}
    return found.pop() if len(found) == 1 else None


def implied_end(source: Source, relation: Relation) -> EndColumn | None:
    """The column of ends that the starts of a relation's windows tell; None where they do not, or it has none."""
    names = [name for name in relation.names_of(Role.END) if name and relation.column(name)]
    if not names or tumbling_windows(relation) is None or source.settings.case_sensitive:
        return None
    qualifier = f"{quoted(relation.name)}." if relation.name else ""
    return EndColumn(qualifier + quoted(names[0]), names[0], relation.names_of(Role.TIME))
