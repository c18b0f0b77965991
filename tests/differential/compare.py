"""Whether what came is what was expected."""

from __future__ import annotations

from collections import Counter

from differential.record import Result


def difference(expected: Result, actual: Result, *, names: bool = True) -> str | None:
    """What differs, in words; None when nothing does."""
    if len(actual.types) != len(expected.types):
        return f"{len(actual.types)} columns, not {len(expected.types)}"
    if list(map(str, actual.types)) != list(map(str, expected.types)):
        return f"types {', '.join(map(str, actual.types))}, not {', '.join(map(str, expected.types))}"
    told = [(held, name) for held, name in zip(actual.names, expected.names, strict=True) if name is not None]
    if names and any(held != name for held, name in told):
        return f"names {', '.join(map(str, actual.names))}, not {', '.join(map(str, expected.names))}"
    if any("windowed__" in str(name) for name in actual.names):
        return f"an internal name among {', '.join(map(str, actual.names))}"
    if Counter(actual.rows) != Counter(expected.rows):
        return "rows"
    if expected.is_sorted and actual.rows != expected.rows:
        return "order of rows"
    return None
