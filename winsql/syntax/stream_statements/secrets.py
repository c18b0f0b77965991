"""Secrets in OPTIONS of sinks and sources: which options are secret, and texts without them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from winsql.errors import Span
from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.syntax.stream_statements.names import begins_create
from winsql.syntax.text.source import Source
from winsql.syntax.text.tokens import Token, TokenKind
from winsql.syntax.text.vocabulary import QUERY_STARTS


def is_secret(key: str, value: str) -> bool:
    """Whether the value of an option must not be shown: a password, a token, a URL with one."""
    return _KEY.search(key) is not None or _VALUE.search(value) is not None


def hidden(text: str, settings: ParserSettings = DEFAULTS) -> str:
    """A statement of a sink or source with an asterisk for each character of secrets; others as they are."""
    upper = text.upper()
    if "STREAM" not in upper or ("INTO" not in upper and "OPTIONS" not in upper):
        return text
    source = Source(text, settings=settings)
    if not _may_hold_secrets(source):
        return text
    return starred(text, _places(source.tokens, text))


def _may_hold_secrets(source: Source) -> bool:
    """Whether the statement begins as CREATE STREAM, CREATE STREAMING TABLE, CREATE STREAMING VIEW or ALTER STREAM."""
    first = 2 if source.words(0, "EXPLAIN", "WINDOW") else 0
    if any(begins_create(source, first, words) for words in (("STREAM",), ("STREAMING", "TABLE"))):
        return True
    if source.words(0, "CREATE"):
        return any(source.words(index, "STREAMING", "VIEW") for index in range(1, _HEAD))
    return source.words(0, "ALTER") and source.at(1).is_word("STREAM", "STREAMING")


_HEAD = 6
"""Words before STREAMING VIEW: CREATE OR REPLACE GLOBAL TEMPORARY."""


def starred(text: str, places: Iterable[Span]) -> str:
    """The text with an asterisk for each character of these places."""
    for span in places:
        stars = "".join("\n" if letter == "\n" else "*" for letter in span.text(text))
        text = text[: span.start] + stars + text[span.end :]
    return text


def shown_options(options: Mapping[str, str]) -> dict[str, str]:
    """The options with Spark's own word in the place of secrets."""
    return {key: "*********(redacted)" if is_secret(key, value) else value for key, value in options.items()}


def secrets_in(options: Mapping[str, str]) -> tuple[str, ...]:
    """The secret values, those of URLs part by part, the longest first."""
    values = {value for key, value in options.items() if is_secret(key, value)}
    urls = {part for value in values for found in _VALUE.finditer(value) for part in found.groups() if part}
    return tuple(sorted((value for value in values | urls if value.strip()), key=len, reverse=True))


def scrubbed(text: str, secrets: Iterable[str]) -> str:
    """A message with asterisks in the place of secrets."""
    for secret in secrets:
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "***", text)
    return text


_KEY = re.compile(
    r"secret|pass|pwd|user|token|credential|private|jaas|auth|sas$|signature|"
    r"(access|account|api|encryption|master|shared|ssl)[._-]?key",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"//[^/?#@\s:]*:([^/?#@\s]+)@|-----BEGIN|"
    r"(?<![a-z])(?:password|passwd|pwd|user|token|secret|accountkey|accesskey|sharedaccesskey)\w*\s*[=:]\s*'?([^\s'&;]+)",
    re.IGNORECASE,
)


def _places(tokens: list[Token], text: str) -> Iterator[Span]:
    for index, token in enumerate(tokens):
        if token.kind is TokenKind.UNCLOSED:
            yield Span(token.start + 1, len(text))
            return
        if token.is_word("AS") and tokens[index + 1 : index + 2] and tokens[index + 1].is_word(*QUERY_STARTS):
            return
        if token.kind is TokenKind.STRING and is_secret(_key(tokens, index, text), text[token.start : token.end]):
            yield Span(token.start + 1, token.end - 1)
        elif token.kind is TokenKind.NUMBER and _KEY.search(_key(tokens, index, text)):
            yield Span(token.start, token.end)


def _key(tokens: list[Token], index: int, text: str) -> str:
    """The name before a value: its tokens, up to the bracket or comma."""
    first = index
    while first and not tokens[first - 1].is_symbol("(", ",", ")"):
        first -= 1
    return text[tokens[first].start : tokens[index].start]
