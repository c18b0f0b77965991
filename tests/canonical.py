"""A windowed query as canonical text: the clauses in the order of the language reference, arguments normalised.

What winsql does not own (select list, FROM body, WHERE, keys and everything after them) stays as the user wrote it.
Reading the text again gives the same query, spans aside, which shows that nothing that was written is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from winsql.errors import as_written
from winsql.model.assigners import CountWindows, GlobalWindows
from winsql.model.query import WindowQuery
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.clauses.policy_text import call_end, render_duration, render_policy
from winsql.syntax.fragments import find_fragments
from winsql.syntax.text.deep import room_for
from winsql.syntax.text.parts import TAIL, Part, Select
from winsql.syntax.text.source import Extent, Source


def render_query(query: WindowQuery) -> str:
    """The windowed SELECT in canonical form, one clause per line.

    A call of a table function is shown as written, in a query that returns what it returns.
    """
    source = Source(query.text, settings=query.settings)
    with room_for(source):
        found = find_fragments(source)[0]
    fragment = next(fragment for fragment in found if source.span(fragment.extent) == query.span)
    select = fragment.select
    if select is None:
        return f"SELECT *\nFROM {source.text[slice(*query.span)]}"
    lines = [_verbatim(source, select, part) for part in _BEFORE]
    lines += _window_clauses(query, source, select)
    lines += [_verbatim(source, select, part) for part in _AFTER]
    return as_written("\n".join(line for line in lines if line))


_BEFORE = (Part.SELECT, Part.FROM, Part.WHERE)
_AFTER = tuple(part for part in TAIL if part is not Part.WHERE)


def _verbatim(source: Source, select: Select, part: Part) -> str:
    section = select.get(part)
    return f"{part.words} {source.verbatim(section.body)}" if section else ""


def _window_clauses(query: WindowQuery, source: Source, select: Select) -> Iterator[str]:
    for clause in CLAUSES:
        text = _RENDERED[clause.words](query, source, select)
        if text:
            yield f"{clause.words} {text}"


def _assign(query: WindowQuery, source: Source, select: Select) -> str:
    body = select.sections[ASSIGN].body
    end = call_end(source, body) or body.stop
    keys = [source.verbatim(key) for key in source.split(Extent(min(end + 2, body.stop), body.stop))]
    return render_policy(query.spec.assigner) + (f" PARTITION BY {', '.join(keys)}" if keys else "")


def _trigger(query: WindowQuery, source: Source, select: Select) -> str:
    spec = query.spec
    is_default = spec.has_default_trigger and not isinstance(spec.assigner, GlobalWindows)
    is_other = query.emit is not None or isinstance(spec.assigner, CountWindows)
    return "" if is_default or is_other else render_policy(spec.trigger)


def _emit(query: WindowQuery, source: Source, select: Select) -> str:
    emit = query.emit
    if emit is None:
        return ""
    words = [f"EARLY EVERY {emit.early_rows} ROWS"] if emit.early_rows is not None else []
    words += [f"EARLY EVERY {render_duration(emit.early)}"] if emit.early is not None else []
    words += ["ON TIME"] if emit.on_time else []
    words += ["LATE ON ROW"] if emit.late_on_row else []
    words += [f"LATE EVERY {render_duration(emit.late)}"] if emit.late is not None else []
    words += [f"AS {emit.changes.name if emit.changes is not None else 'APPEND'}"]
    return " ".join([*words, "DISCARDING" if emit.discards else "ACCUMULATING"])


def _evict(query: WindowQuery, source: Source, select: Select) -> str:
    spec = query.spec
    if spec.evictor is None or isinstance(spec.assigner, CountWindows):
        return ""
    return f"{render_policy(spec.evictor)}{' AFTER' if spec.evict_after else ''}"


def _ttl(query: WindowQuery, source: Source, select: Select) -> str:
    return "" if query.spec.state_ttl is None else render_duration(query.spec.state_ttl)


def _lateness(query: WindowQuery, source: Source, select: Select) -> str:
    return render_duration(query.spec.allowed_lateness) if query.spec.allowed_lateness else ""


_RENDERED: dict[str, Callable[[WindowQuery, Source, Select], str]] = {
    "WINDOW ASSIGN": _assign,
    "TRIGGER": _trigger,
    "EMIT": _emit,
    "EVICT": _evict,
    "ALLOWED LATENESS": _lateness,
    "LATE INTO": lambda query, source, select: query.late_into or "",
    "STATE TTL": _ttl,
    "APPLY": lambda query, source, select: query.apply or "",
}
