"""The settings of a session on which it depends what a text means: how quotes and backslashes are read."""

from __future__ import annotations

from winsql.model.settings import BACKSLASHES, CONSECUTIVE_STRINGS, DOUBLE_QUOTES, ParserSettings
from winsql.syntax.text.tokens import TokenKind, tokenize


def quoting_settings(text: str, settings: ParserSettings) -> dict[str, str]:
    """Those that matter to this text, with their values; of double quotes the value in effect, which needs ANSI."""
    strings = [text[token.start : token.end] for token in tokenize(text) if token.kind is TokenKind.STRING]
    strings = [string for string in strings if string[0] in "'\""]  # no raw ones
    found = {}
    if any(string[0] == '"' for string in strings):
        found[DOUBLE_QUOTES] = settings.double_quoted_identifiers
    if any("\\" in string for string in strings):
        found[BACKSLASHES] = settings.escaped_string_literals
    if any(string[0] * 2 in string[1:-1] for string in strings):
        found[CONSECUTIVE_STRINGS] = settings.consecutive_strings
    return {name: str(is_on).lower() for name, is_on in found.items()}
