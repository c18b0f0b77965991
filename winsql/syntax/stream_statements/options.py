"""`OPTIONS (key value, ...)` of statements about streams.

option = key ["="] value          key: name {. name} or a string; value: a string, number or boolean

The option `trigger` says when micro-batches run: `OPTIONS (trigger '10 seconds')`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from winsql.model.nearest import nearest
from winsql.syntax.text.literals import read_duration, string_value
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


class Option(NamedTuple):
    """One option: its key, all its tokens, and those of its value."""

    key: str
    part: Extent
    value: Extent


def read_options(source: Source, index: int) -> tuple[list[Option], int]:
    """The options after the word OPTIONS at `index`, and the index after them. Case does not tell keys apart."""
    if not source.at(index + 1).is_symbol("("):
        raise source.syntax_error("OPTIONS needs brackets", index, hint="write OPTIONS (key 'value', ...)")
    closing = source.closing(index + 1)
    found: dict[str, Option] = {}
    for part in source.split(Extent(index + 2, closing)):
        key, place = _key(source, part)
        if key.lower() in found:
            hint = "leave one of them out; upper and lower case are the same"
            raise source.syntax_error(f"option {key} is given twice", part, hint=hint)
        first = place + 1 if source.at(place, part.stop).is_symbol("=", "==") else place
        found[key.lower()] = Option(key, part, Extent(first, part.stop))
    return list(found.values()), closing + 1


OwnOption: TypeAlias = tuple[str, Callable[[Source, Option], Any]]
"""The name of the value of an option that is the statement's own, and what reads it."""


def read_own(
    source: Source, options: Iterable[Option], own: Mapping[str, OwnOption]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of the options that are the statement's own, by their names, and those of its sink as text, by their
    keys. The keys in `own` are in lower case."""
    found: dict[str, Any] = {}
    others: dict[str, str] = {}
    for option in options:
        known = own.get(option.key.lower())
        if known is None:
            _check_spelling(source, option)
            others[option.key] = option_value(source, option)
        else:
            name, read = known
            found[name] = read(source, option)
    return found, others


def option_value(source: Source, option: Option) -> str:
    """The value as text; raises WindowSyntaxError for anything but a literal."""
    value = option.value
    tokens = [source.tokens[i] for i in value.indexes]
    signed = len(tokens) == 2 and tokens[0].is_symbol("-", "+") and tokens[1].kind is TokenKind.NUMBER
    if len(tokens) == 1 and tokens[0].kind is TokenKind.STRING:
        return string_value(source, value.first)
    if signed or (len(tokens) == 1 and (tokens[0].kind is TokenKind.NUMBER or tokens[0].is_word("TRUE", "FALSE"))):
        return source.verbatim(value).lower()
    rule, hint = "values are strings, numbers, TRUE or FALSE", f"write {option.key} '...'"
    raise source.syntax_error(f"option {option.key} needs a value", option.part, rule=rule, hint=hint)


def _check_spelling(source: Source, option: Option) -> None:
    """Raises WindowSpecError for an option of the sink that is spelled almost like one of the stream's.

    Sinks ignore what they do not know: with `triger 'available now'` a stream would never end, and `checkpoint '/a'`
    would be no place of its checkpoint.
    """
    letters = "".join(letter for letter in option.key.lower() if letter.isalpha())
    if letters.startswith("asyncprogresstracking"):
        rule = "Spark notes the progress of a stream beside its micro-batches only where no operator keeps state"
        problem = f"{option.key} is no option of these streams"
        raise source.spec_error(problem, option.part, rule=rule, hint="leave it out")
    meant = _OTHER_WORDS.get(letters) or nearest(option.key, _OF_STREAMS)
    if meant is None or meant.upper() == option.key.upper():
        return
    rule = "options that are not the stream's go to its sink, and one spelled almost like the stream's is a mistake"
    hint = f"did you mean {meant}?"
    raise source.spec_error(f"{option.key} is not an option", option.part, rule=rule, hint=hint)


_OF_STREAMS = ("checkpointLocation", "resume", "trigger")
_OTHER_WORDS = {
    **dict.fromkeys(
        ("checkpoint", "checkpointdir", "checkpointdirectory", "checkpointfolder", "checkpointpath"),
        "checkpointLocation",
    ),
    **dict.fromkeys(("availablenow", "processingtime", "triggerinterval"), "trigger"),
}
"""What the options are called elsewhere, without `_` and `-`."""


def _key(source: Source, part: Extent) -> tuple[str, int]:
    """`key`, `k.l` or `'key'`, and the index after it."""
    first = source.at(part.first, part.stop)
    if first.kind is TokenKind.STRING:
        return string_value(source, part.first), part.first + 1
    if not first.is_name:
        place = part if not part.is_empty else max(part.first - 1, 0)
        raise source.syntax_error("an option needs a name", place, hint="write OPTIONS (key 'value', ...)")
    end = source.path_end(part.first, part.stop)
    return ".".join(source.name(index) for index in range(part.first, end, 2)), end


@dataclass(frozen=True, slots=True)
class StreamTrigger:
    """When micro-batches run: `interval` is the microseconds between their starts; None: once over all there is now."""

    interval: int | None


def read_trigger(source: Source, option: Option) -> StreamTrigger:
    """The value of the option `trigger`; raises WindowSpecError and WindowSyntaxError."""
    value = option.value
    token = source.at(value.first, value.stop)
    is_text = token.kind is TokenKind.STRING
    words = string_value(source, value.first) if is_text else source.verbatim(value)
    given = re.sub(r"[\s_-]+", " ", words.strip()).lower()
    if is_text and given in _NOW:
        return StreamTrigger(None)
    if not any(letter.isdigit() for letter in source.verbatim(value)):
        near = nearest(given, [*_NOW, "once"])
        rule = "a trigger is 'available now' or an interval between micro-batches such as '10 seconds'"
        hint = "write trigger 'available now'" if near else "leave it out to run micro-batches one after the other"
        raise source.spec_error(f"{words or 'this'} is no trigger of a stream", value, rule=rule, hint=hint)
    hint = "write for instance '10 seconds' or 'available now'"
    return StreamTrigger(read_duration(source, value, "trigger", hint_below_zero=hint))


_NOW = frozenset({"available now", "availablenow"})
