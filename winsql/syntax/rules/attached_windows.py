"""Windows over rows that already have window columns, as of Flink's window-attached operators.

Windows that end together have the same last instant: each of the new windows holds one such instant. Tumbling windows
that start together end together, also where clocks change: of those that begin in an hour that is skipped only the last
one has rows. So the column of ends beside that of starts says when all of them are there, as in

    SELECT k, window_start, count(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), size)) GROUP BY window_start, k
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from winsql.model.assigners import TumblingWindows
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.query import WINDOW_COLUMNS, EndColumn, Form, WindowQuery, WindowSpec
from winsql.syntax.expressions.field_paths import column_at, field_path, name_at
from winsql.syntax.expressions.items import quoted
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.records import Output, Relation, Role, Scope


def last_instant(column: str, role: Role) -> str:
    """The last instant of windows as SQL, given the column of their ends or of their last instants."""
    return f"{column} - INTERVAL 1 MICROSECOND" if role is Role.END else column


def instants(column: str, written: str | None = None) -> WindowSpec:
    """Windows of one instant each, by a time column; `written` as in `TimeAttribute`."""
    return WindowSpec.of(TumblingWindows(TimeAttribute(TimeDomain.EVENT, (column,), written), 1))


def end_column(source: Source, scope: Scope, name: int) -> tuple[EndColumn, Role]:
    """The window column whose name is this token, and whether it is the end or the last instant of windows."""
    meaning, column = scope.meanings[name], column_at(source, name)
    times = scope.relations[meaning.relations[0]].names_of(Role.TIME)
    is_call = source.at(name).is_symbol(")")
    bare = WINDOW_COLUMNS[meaning.role.value] if is_call else name_at(source, name).lower()
    return EndColumn(source.verbatim(column), bare, times), meaning.role


def attached_windows(source: Source, select: Select, column: EndColumn, role: Role) -> WindowQuery:
    """A query with windows by the ends, or last instants, of those that a SELECT reads; it has no keys and results."""
    return WindowQuery(
        text=source.text,
        span=source.span(select.extent),
        source=_read_by(source, select),
        spec=instants(last_instant(column.sql, role)),
        time_span=source.span(select.sections[Part.FROM].extent),
        form=Form.AGGREGATE,
        ends=(column,) if role is Role.END else (),
        settings=source.settings,
    )


def _read_by(source: Source, select: Select) -> str:
    """The FROM body of a SELECT."""
    body = select.sections[Part.FROM].body
    if select.before_pipe is None:
        return source.verbatim(body)
    alias = f" AS {quoted(select.alias)}" if select.alias else ""
    rest = Extent(select.before_pipe.stop, max(select.before_pipe.stop, body.stop))
    return f"({source.verbatim(select.before_pipe)}\n){alias} {source.verbatim(rest)}".rstrip()


def windows_of(scope: Scope, relations: Iterable[int]) -> dict[int, str]:
    """References to the ends or last instants of windows of these relations, as `Source.windows` has them."""
    known = set(relations)
    return {
        token: meaning.role.value
        for token, meaning in scope.meanings.items()
        if meaning.level == 0 and meaning.role is not Role.START
        if len(meaning.relations) > 1 or known.issuperset(meaning.relations)
    }


def window_keys(source: Source, scope: Scope, keys: Iterable[Extent]) -> dict[Role, int]:
    """The tokens of the names of those keys that are window columns."""
    found: dict[Role, int] = {}
    for key in keys:
        if key.is_empty or column_at(source, key.stop - 1) != key:
            continue
        meaning = scope.meanings.get(key.stop - 1)
        if meaning is not None and meaning.level == 0:
            found.setdefault(meaning.role, key.stop - 1)
    return found


def end_told_by(source: Source, block: QueryBlock, named: Mapping[Role, int]) -> tuple[EndColumn, Role] | None:
    """The end of windows, or their last instant, that `window_keys` of a SELECT tell; None where they do not."""
    end = next((named[role] for role in (Role.END, Role.TIME) if role in named), None)
    if end is not None:
        return end_column(source, block.scope, end)
    implied = implied_end(source, block.relations[block.windowed[0]]) if Role.START in named else None
    return None if implied is None else (implied, Role.END)


def end_in_row(source: Source, block: QueryBlock, keys: Iterable[Extent]) -> tuple[EndColumn, Role] | None:
    """The end of windows, or their last instant, that is a field of a struct among the keys, as in `GROUP BY w`."""
    relation = block.relations[block.windowed[0]]
    for key in () if source.settings.case_sensitive else keys:
        struct = Output("", fields=relation.fields_at(field_path(source, key)))
        for role in (Role.END, Role.TIME):
            paths = [path for path, of in struct.fields if path and of is role]
            if paths and struct.inside(paths[0]) == (((), role),):
                return EndColumn(source.verbatim(key), "").field(paths[0]), role
    return None


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
