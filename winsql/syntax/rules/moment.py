"""Windows that hold one moment: the last instant of windows which end together."""

from __future__ import annotations

from collections.abc import Iterable

from winsql.model.assigners import TumblingWindows
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.query import EndColumn, Form, WindowQuery, WindowSpec
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.records import Relation, Role, Scope

__all__ = ["column_at", "end_column", "moment_query", "time_of", "window_keys", "windows_of"]


def column_at(source: Source, name: int) -> Extent:
    """The column reference whose name is this token, with what is before it."""
    first = name
    while source.at(first - 1).is_symbol(".") and source.at(first - 2).is_name:
        first -= 2
    return Extent(first, name + 1)


def time_of(column: str, role: Role) -> str:
    """The moment as SQL, of a column that is the end of windows or their last instant."""
    return f"{column} - INTERVAL 1 MICROSECOND" if role is Role.END else column


def end_column(source: Source, name: int, relation: Relation) -> EndColumn:
    """The column of a relation whose name is this token."""
    return EndColumn(source.verbatim(column_at(source, name)), source.name(name).lower(), relation.names_of(Role.TIME))


def moment_query(source: Source, select: Select, column: EndColumn, role: Role) -> WindowQuery:
    """Such windows over what a SELECT reads, by a column of it; the rest of the query is still to come."""
    place = source.span(select.sections[Part.FROM].extent)
    attribute = TimeAttribute(TimeDomain.EVENT, (time_of(column.sql, role),))
    return WindowQuery(
        text=source.text,
        span=source.span(select.extent),
        source=source.verbatim(select.sections[Part.FROM].body),
        spec=WindowSpec.of(TumblingWindows(attribute, 1)),
        time_span=place,
        form=Form.AGGREGATE,
        ends=(column,) if role is Role.END else (),
        settings=source.settings,
    )


def windows_of(scope: Scope, relations: Iterable[int]) -> dict[int, str]:
    """The references of a SELECT that are the end, or the last instant, of windows of these relations, for `Source`."""
    known = set(relations)
    return {
        token: meaning.role.value
        for token, meaning in scope.meanings.items()
        if meaning.level == 0 and meaning.relation in known and meaning.role is not Role.START
    }


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
