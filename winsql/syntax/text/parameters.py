"""Parameters of a statement, `:name` and `?`, in the place of constants of window clauses.

A window is planned before Spark sees the statement, so winsql reads the value itself, as Spark would read a literal of
it. Where only the text is known (`winsql check`, `winsql fmt`) a parameter is assumed to have a value that fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from winsql.errors import WindowSpecError, WinsqlError
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

T = TypeVar("T")


class Unknown(int):
    """The value of a parameter of which only the text is known, as the statement has it."""

    text: str

    @classmethod
    def of(cls, text: str, value: int = 1) -> Unknown:
        """One with this text, which counts as this number."""
        unknown = cls(value)
        unknown.text = text
        return unknown


def is_parameter(source: Source, extent: Extent) -> bool:
    """Whether a range is a parameter and nothing else."""
    return not extent.is_empty and _end(source, extent.first, extent.stop) == extent.stop


def has_parameter(source: Source, extent: Extent) -> bool:
    """Whether a range holds a parameter."""
    return any(_end(source, index, extent.stop) is not None for index in extent.indexes)


def parameter_value(source: Source, extent: Extent, what: str) -> Any:
    """The value of the parameter that a range is, `Unknown` where only the text is known.

    Raises WindowSpecError where it has none.
    """
    parameters = source.parameters
    shown = source.written(extent)
    if parameters is None:
        return Unknown.of(shown)
    key = _key(source, extent)
    if not parameters.has(key):
        raise _no_value(source, extent, key, what)
    value = parameters.value(key)
    if value is None:
        hint = f"leave {what} out of the statement, or give {shown} a value"
        raise source.spec_error(f"{what}: the parameter {shown} is NULL", extent, hint=hint)
    return value


def require_values(source: Source) -> None:
    """Raises WindowSpecError for a marker `?` without a value, which Spark would report by a name of winsql's."""
    parameters = source.parameters
    if parameters is None or all(parameters.has(n) for n in range(len(source.markers))):
        return
    missing = next(n for n in range(len(source.markers)) if not parameters.has(n))
    index = source.tokens.index(source.markers[missing])
    raise _no_value(source, Extent(index, index + 1), missing, None)


def fitting(make: Callable[..., T], values: dict[str, Any]) -> T:
    """`make(**values)`, with numbers in the place of unknown parameters that `make` accepts, where some can be found.

    Raises what `make` does.
    """
    unknown = [name for name, value in values.items() if type(value) is Unknown]
    if not unknown:
        return make(**values)
    tries = [values | trial for trial in _trials(values, unknown)]
    for tried in tries[:-1]:
        try:
            return make(**tried)
        except (WindowSpecError, TypeError, ValueError, ArithmeticError):  # the next value may suit it
            continue
    return make(**tries[-1])


def _trials(values: Mapping[str, Any], unknown: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Values to try for unknown parameters: lengths that fit the known ones, then others; 0 for an offset."""
    known = [abs(value) for value in values.values() if type(value) is int and value]
    for tried in chain(known, (2 * value for value in known), (1, 86_400_000_000, 0, 2, 10, 1_000)):
        yield {name: Unknown.of(values[name].text, 0 if name == "offset" else tried) for name in unknown}
    yield {name: Unknown.of(values[name].text) for name in unknown}


def _end(source: Source, index: int, stop: int) -> int | None:
    """The index after the parameter that begins at `index`, None where none does."""
    token = source.at(index, stop)
    if token.kind is TokenKind.PARAMETER:
        return index + 1
    return index + 2 if token.is_symbol(":") and source.at(index + 1, stop).is_name else None


def _key(source: Source, extent: Extent) -> str | int:
    token = source.tokens[extent.first]
    return source.markers.index(token) if token.kind is TokenKind.PARAMETER else source.name(extent.stop - 1)


def _no_value(source: Source, extent: Extent, key: str | int, what: str | None) -> WinsqlError:
    shown = source.written(extent)
    place = "" if what is None else f"{what}: "
    if isinstance(key, int):
        problem = f"{place}the parameter {shown} at position {key + 1} has no value"
        hint = f"give as many values as there are markers: args=[...] with {len(source.markers)}"
    else:
        problem = f"{place}the parameter {shown} has no value"
        hint = f'give it one: args={{"{key}": ...}}'
    rule = "a statement has its parameters by name or by position, and each of them has a value"
    return source.spec_error(problem, extent, rule=rule, hint=hint)
