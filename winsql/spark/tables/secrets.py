"""Options that nobody shall read: passwords, tokens and keys, told by their names and by what they look like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from winsql.errors import Span
from winsql.syntax.secrets import is_secret

__all__ = ["REDACTED", "hidden", "shown_options"]

REDACTED = "*********(redacted)"
"""What Spark writes for a secret."""


def shown_options(options: Mapping[str, str]) -> dict[str, str]:
    """The options as anybody may see them."""
    return {key: REDACTED if is_secret(key, value) else value for key, value in options.items()}


def hidden(text: str, secrets: Iterable[Span]) -> str:
    """The text with asterisks over these places: each character keeps its own."""
    for span in secrets:
        stars = "".join(letter if letter == "\n" else "*" for letter in span.text(text))
        text = text[: span.start] + stars + text[span.end :]
    return text
