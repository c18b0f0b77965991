"""Calls with OVER in a SELECT, and their windows: in brackets, or by a name that WINDOW defines.

over  = OVER name | OVER ( name ) | OVER ( spec )
spec  = [CLUSTER BY keys | (PARTITION | DISTRIBUTE) BY keys] [(ORDER | SORT) BY keys] [frame]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from winsql.errors import WindowSpecError
from winsql.model.window_functions import RankingFunction
from winsql.syntax.expressions.function_calls import Call, find_call
from winsql.syntax.expressions.references import has_window_function
from winsql.syntax.text.parts import Part, Select, outside_brackets, outside_queries
from winsql.syntax.text.source import Extent, Source


@dataclass(frozen=True, slots=True)
class SortPart:
    """`expression [ASC | DESC] [NULLS FIRST | LAST]`"""

    expression: Extent
    is_descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class OverCall:
    """A call with OVER: the call alone, all of it, and the parts of its window."""

    call: Call
    extent: Extent
    partition: tuple[Extent, ...]
    order: tuple[SortPart, ...]
    frame: Extent

    @property
    def name(self) -> str:
        """The name of the function, upper case."""
        return self.call.name


def over_calls(source: Source, select: Select) -> tuple[OverCall, ...]:
    """The calls with OVER in the clauses of a SELECT, subqueries left out.

    Raises WindowSpecError for a window that no WINDOW defines.
    """
    bodies = (select.body(part) for part in _PARTS)
    return tuple(call for body in bodies if body is not None for call in _calls(source, select, body))


_PARTS = (Part.SELECT, Part.QUALIFY, Part.ORDER_BY)


def sort_part(source: Source, part: Extent) -> SortPart:
    """A part of ORDER BY; raises WindowSyntaxError where the expression is missing."""
    expression = sorted_by(source, part)
    if expression.is_empty:
        raise source.syntax_error("ORDER BY needs an expression", part)
    said = [source.at(index).upper for index in range(expression.stop, part.stop)]
    is_descending = "DESC" in said
    return SortPart(expression, is_descending, "FIRST" in said if "NULLS" in said else not is_descending)


def sorted_by(source: Source, part: Extent) -> Extent:
    """The expression of a part of ORDER BY, without ASC, DESC, NULLS FIRST and NULLS LAST."""
    stop = part.stop
    if source.words(stop - 2, "NULLS", "FIRST") or source.words(stop - 2, "NULLS", "LAST"):
        stop -= 2
    is_column = stop - 1 <= part.first or source.at(stop - 2).is_symbol(".")
    return Extent(part.first, stop - 1 if source.at(stop - 1).is_word("ASC", "DESC") and not is_column else stop)


def window_definitions(source: Source, body: Extent) -> list[tuple[int, Extent]]:
    """Each `name AS specification` after WINDOW: the token of the name, and those of the specification."""
    return [(part.first, Extent(part.first + 2, part.stop)) for part in source.split(body)]


def named_windows(source: Source, body: Extent, rewritten: Callable[[Extent], str]) -> str:
    """The definitions after WINDOW with rewritten specifications; one that is a name alone stays as it is."""
    texts = []
    for name, spec in window_definitions(source, body):
        inside = Extent(spec.first + 1, spec.stop - 1)
        if source.is_bracketed(spec) and len(inside.indexes) > 1:
            texts.append(f"{source.verbatim(Extent(name, spec.first))} ({rewritten(inside)})")
        else:
            texts.append(source.verbatim(Extent(name, spec.stop)))
    return ", ".join(texts)


def check_rankings(source: Source, calls: Iterable[OverCall]) -> None:
    """Raises WindowSpecError for calls that cannot have OVER, lack the order that they need, or rank within a frame."""
    for call in calls:
        if source.at(call.call.arguments.first).is_word("DISTINCT"):
            hint = "take distinct rows in a subquery: SELECT DISTINCT with window_start and window_end"
            raise source.spec_error(f"{call.name} DISTINCT cannot have OVER", call.extent, hint=hint)
        if has_window_function(source, call.call.arguments):
            hint = "compute the inner one in a subquery"
            raise source.spec_error("a call with OVER is inside another one", call.extent, hint=hint)
        if call.call.within is not None:
            hint = "GROUP BY window_end in a subquery, and join its result on window_end"
            raise source.spec_error(f"{call.name} WITHIN GROUP cannot have OVER on a stream", call.extent, hint=hint)
        if call.name in _ORDERED and not call.order:
            hint = "write OVER (PARTITION BY window_start, window_end ORDER BY ...)"
            rule = "it depends on the order"
            raise source.spec_error(f"{call.name} needs an order", call.extent, rule=rule, hint=hint)
        is_whole = call.frame.is_empty or source.normal(call.frame) in _WHOLE_FRAMES
        if call.name in RankingFunction.__members__ and not is_whole:
            raise source.spec_error("a ranking has no frame", call.frame, rule="it numbers all rows of its partition")


_ORDERED = {*RankingFunction.__members__, "PERCENT_RANK", "CUME_DIST", "NTILE", "LAG", "LEAD"}
_WHOLE_FRAMES = (
    ("ROWS", "UNBOUNDED", "PRECEDING"),
    ("ROWS", "BETWEEN", "UNBOUNDED", "PRECEDING", "AND", "CURRENT", "ROW"),
)
"""The frame that a ranking has in Spark."""


def no_end(source: Source, call: OverCall, end: str | None) -> WindowSpecError:
    """The error for a call over rows of several windows. `end` is window_end as SQL; None where it is not selected."""
    rule = "on a stream OVER sees rows of windows that end together: then all of them are there"
    hint = "select window_end in the subquery, as it is, and add it to PARTITION BY"
    if end is not None:
        hint = f"write OVER (PARTITION BY {end}, ...{' ORDER BY ...' if call.name in _ORDERED else ''})"
    return source.spec_error("PARTITION BY has no window_end", call.extent, rule=rule, hint=hint)


def _calls(source: Source, select: Select, body: Extent) -> Iterator[OverCall]:
    after = body.first
    for index in outside_queries(source, body):
        if index >= after and source.at(index).is_name and not source.at(index - 1).is_symbol("."):
            bracket = source.path_end(index)
            call = find_call(source, index, bracket) if source.at(bracket, body.stop).is_symbol("(") else None
            if call is not None and call.is_windowed:
                found = _over(source, select, call)
                yield found
                after = found.extent.stop


def _over(source: Source, select: Select, call: Call) -> OverCall:
    place = call.extent.stop + 1
    stop = source.closing(place) + 1 if source.at(place).is_symbol("(") else place + 1
    partition, order, frame = _spec(source, _specification(source, select, place))
    return OverCall(call, Extent(call.extent.first, stop), partition, order, frame)


def _specification(source: Source, select: Select, place: int) -> Extent:
    """The inside of the brackets that define the window at `place`."""
    seen: set[str] = set()
    while True:
        inside = Extent(place + 1, source.closing(place)) if source.at(place).is_symbol("(") else None
        if inside is not None and not (inside.is_single and source.at(inside.first).is_name):
            return inside
        token = place if inside is None else inside.first
        if not source.at(token).is_name:
            hint = "write OVER (PARTITION BY ... ORDER BY ...)"
            rule = "OVER takes the name of a window, or its keys and order in brackets"
            raise source.syntax_error("OVER needs a window", place - 1, rule=rule, hint=hint)
        name = source.name(token)
        found = _definition(source, select, name)
        if found is None or name in seen:
            hint = f"write WINDOW {name} AS (PARTITION BY ... ORDER BY ...) after GROUP BY and HAVING"
            raise source.spec_error(f"there is no window {name}", token, hint=hint)
        seen.add(name)
        place = found


def _definition(source: Source, select: Select, name: str) -> int | None:
    """Where the specification of a window of this name begins."""
    body = select.body(Part.WINDOWS)
    known = [] if body is None else window_definitions(source, body)
    found = [spec.first for first, spec in known if not spec.is_empty and source.name(first) == name]
    if len(found) > 1:
        raise source.syntax_error(f"there are two windows {name}", found[1] - 2, hint="leave one of them out")
    return found[0] if found else None


_OPENERS = {
    ("PARTITION", "BY"): "PARTITION",
    ("DISTRIBUTE", "BY"): "PARTITION",
    ("CLUSTER", "BY"): "PARTITION",
    ("ORDER", "BY"): "ORDER",
    ("SORT", "BY"): "ORDER",
}


def _spec(source: Source, inside: Extent) -> tuple[tuple[Extent, ...], tuple[SortPart, ...], Extent]:
    """The keys, the order and the frame of `(...)`."""
    places: list[tuple[int, str]] = []
    frame = _frame_place(source, inside)
    for index in outside_brackets(source, Extent(inside.first, frame)):
        is_start = index == inside.first or (places and index > places[-1][0] + 2)
        for words, kind in _OPENERS.items() if is_start else ():
            if source.words(index, *words):
                places.append((index, kind))
    if frame < inside.stop:
        places.append((frame, "FRAME"))
    _require_order(source, inside, places)
    ends = [*(place for place, _ in places), inside.stop][1:]
    found = {
        kind: Extent(place + (0 if kind == "FRAME" else 2), end)
        for (place, kind), end in zip(places, ends, strict=True)
    }
    empty = Extent(inside.stop, inside.stop)
    order = tuple(sort_part(source, part) for part in source.split(found.get("ORDER", empty)))
    keys = tuple(source.split(found.get("PARTITION", empty)))
    missing = next((key for key in keys if key.is_empty), None)
    if missing is not None:
        raise source.syntax_error("a key of PARTITION BY is missing here", missing, hint="leave out the comma")
    return keys, order, found.get("FRAME", empty)


def _require_order(source: Source, inside: Extent, places: list[tuple[int, str]]) -> None:
    """Raises for parts of a window that come twice or not in their order, and for what comes before the first one."""
    kinds = [kind for _, kind in places]
    first = next((n for n in range(1, len(kinds)) if _IN_ORDER.index(kinds[n]) <= _IN_ORDER.index(kinds[n - 1])), None)
    place = inside.first if not inside.is_empty and (not places or places[0][0] != inside.first) else None
    if first is not None:
        place = places[first][0]
    if place is not None:
        hint = "write OVER (PARTITION BY ... ORDER BY ...)"
        rule = "a window has PARTITION BY, ORDER BY and a frame, each once and in this order"
        raise source.syntax_error("this is not in its place in a window", place, rule=rule, hint=hint)


_IN_ORDER = ("PARTITION", "ORDER", "FRAME")


def _frame_place(source: Source, inside: Extent) -> int:
    """Where the frame begins: the last ROWS or RANGE with a bound after it; the end where there is no frame."""
    last = source.at(inside.stop - 1)
    ends_as_bound = last.is_word("PRECEDING", "FOLLOWING") or source.words(inside.stop - 2, "CURRENT", "ROW")
    found = inside.stop
    for index in outside_brackets(source, inside):
        after = source.at(index + 1, inside.stop)
        is_frame = ends_as_bound or after.is_word("BETWEEN", "UNBOUNDED", "CURRENT", "INTERVAL")
        is_column = source.at(index - 1).is_symbol(".") or after.is_symbol(",", ".") or after.is_word(*_SORTED)
        if source.at(index).is_word("ROWS", "RANGE") and is_frame and not is_column:
            found = index
    return found


_SORTED = ("ASC", "DESC", "NULLS")
