"""The starts of windows in the place of their ends.

    SELECT k, window_start, count(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), size)) GROUP BY window_start, k

Tumbling windows that start together end together, also where clocks change: of those that begin in an hour that is
skipped only the last one has rows. So the column of ends beside that of starts says when all of them are there.
"""

from __future__ import annotations

from winsql.model.query import EndColumn
from winsql.syntax.expressions.items import quoted
from winsql.syntax.text.source import Source
from winsql.syntax.tree.records import Relation, Role

__all__ = ["implied_end", "tumbling_windows"]


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
