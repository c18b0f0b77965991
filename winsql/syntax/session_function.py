"""What to write where Spark refuses a call of the aggregate session_windows, which is a function in Python to it."""

from __future__ import annotations

from winsql.errors import WindowSyntaxError
from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.syntax.text.source import Extent, Source

__all__ = ["refused_sessions"]

_NAMES = ("SESSION_WINDOWS", "SESSION_WINDOWS_NTZ")


def refused_sessions(text: str, settings: ParserSettings = DEFAULTS) -> WindowSyntaxError | None:
    """The error for DISTINCT and FILTER, and else for aggregates beside the call; None where there is no call."""
    source = Source(text, settings=settings)
    names = (place for place in range(len(source)) if source.at(place).is_name and source.at(place).upper in _NAMES)
    calls = [place for place in names if source.at(place + 1).is_symbol("(")]
    for place in calls:
        name, after = source.at(place).upper.lower(), source.closing(place + 1) + 1
        if source.words(place + 2, "DISTINCT"):
            rule = "sessions of equal rows are one session"
            return source.syntax_error(f"{name} takes no DISTINCT", place + 2, rule=rule, hint="leave out DISTINCT")
        if source.words(after, "FILTER"):
            rule, hint = "a NULL is in no session", f"write {name}(CASE WHEN ... THEN ts END, gap)"
            return source.syntax_error(f"{name} takes no FILTER", after, rule=rule, hint=hint)
    if not calls:
        return None
    name = source.at(calls[0]).upper.lower()
    return source.syntax_error(
        f"{name} cannot be used beside aggregates of Spark's",
        Extent(calls[0], source.closing(calls[0] + 1) + 1),
        rule="Spark computes aggregates in Python by themselves",
        hint=f"write array_{name}(collect_list(ts), gap)",
    )
