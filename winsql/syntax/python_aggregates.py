"""What to write where Spark refuses calls of aggregates in Python, as session_windows is one."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from winsql.errors import WindowSyntaxError
from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.syntax.text.source import Extent, Source

_NAMES = ("SESSION_WINDOWS", "SESSION_WINDOWS_NTZ")


def refused_sessions(text: str, settings: ParserSettings = DEFAULTS) -> WindowSyntaxError | None:
    """The error for DISTINCT and FILTER; None where there are none."""
    source = Source(text, settings=settings)
    for place in _calls(source, _NAMES):
        name, after = source.at(place).upper.lower(), source.closing(place + 1) + 1
        if source.words(place + 2, "DISTINCT"):
            rule = "sessions of equal rows are one session"
            return source.syntax_error(f"{name} takes no DISTINCT", place + 2, rule=rule, hint="leave out DISTINCT")
        if source.words(after, "FILTER"):
            rule, hint = "a NULL is in no session", f"write {name}(CASE WHEN ... THEN ts END, gap)"
            return source.syntax_error(f"{name} takes no FILTER", after, rule=rule, hint=hint)
    return None


def beside_others(text: str, names: Iterable[str]) -> WindowSyntaxError | None:
    """The error for a call of one of these aggregates in Python, beside those of Spark's; None where there is none."""
    source = Source(text)
    place = next(iter(_calls(source, [name.upper() for name in names])), None)
    if place is None:
        return None
    name = source.name(place)
    problem, call = f"{name} cannot be used beside aggregates of Spark's", Extent(place, source.closing(place + 1) + 1)
    rule = "Spark computes aggregates in Python by themselves"
    hint = "compute it in a SELECT of its own, and join the two"
    if name.upper() in _NAMES:
        hint = f"write array_{name.lower()}(collect_list(ts), gap)"
    return source.syntax_error(problem, call, rule=rule, hint=hint)


def _calls(source: Source, names: Collection[str]) -> list[int]:
    """Where functions of these names, upper case, are called."""
    named = (place for place in range(len(source)) if source.at(place).is_name and source.at(place).upper in names)
    return [place for place in named if source.at(place + 1).is_symbol("(")]
