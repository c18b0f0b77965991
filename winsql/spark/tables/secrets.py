"""Options that nobody shall read: passwords, tokens and keys, told by their names and by what they look like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from winsql.errors import Span

__all__ = ["REDACTED", "hidden", "is_secret", "shown_options"]

REDACTED = "*********(redacted)"
"""What Spark writes for a secret."""
_KEY = re.compile(
    r"secret|passw|pwd|passphrase|token|credential|private|jaas|auth|sas$|signature|"
    r"(access|account|api|encryption|master|shared|ssl)[._-]?key",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"://[^/@\s]*:[^/@\s]*@|-----BEGIN|(password|passwd|pwd|secret|token|accountkey|accesskey|sharedaccesskey)\s*[=:]",
    re.IGNORECASE,
)


def is_secret(key: str, value: str) -> bool:
    """Whether an option is one."""
    return _KEY.search(key) is not None or _VALUE.search(value) is not None


def shown_options(options: Mapping[str, str]) -> dict[str, str]:
    """The options as anybody may see them."""
    return {key: REDACTED if is_secret(key, value) else value for key, value in options.items()}


def hidden(text: str, secrets: Iterable[Span]) -> str:
    """The text with asterisks over these places: each character keeps its own."""
    for span in secrets:
        stars = "".join(letter if letter == "\n" else "*" for letter in span.text(text))
        text = text[: span.start] + stars + text[span.end :]
    return text
