"""How words and names are written, in one of many ways."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from differential.record import (
    CASE,
    QUOTED,
    Session,
)

_GAPS = ("\n", "  ", " /* ) it's */ ", " -- SELECT (\n", "\t", " /**/ ", "\r\n")
_BARE = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*$")
_WORDS = frozenset(
    "select end from where order group window user table all as by on in interval timestamp date time".upper().split()
)


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


class Spelling:
    """Writes words and names; seed 0 does so plainly."""

    def __init__(self, seed: int, session: Session) -> None:
        self._random = random.Random(seed)
        self.is_plain = seed == 0
        self._any_case = not session.on(CASE)
        self._double = session.on(QUOTED)
        self.qualifier: str | None = None

    def chance(self, share: float) -> bool:
        return not self.is_plain and self._random.random() < share

    def choice(self, options: Iterable[str]) -> str:
        held = list(options)
        return held[0] if self.is_plain else self._random.choice(held)

    def shuffled(self, held: list[str]) -> list[str]:
        """In any order."""
        return held if self.is_plain else self._random.sample(held, len(held))

    def place(self, end: int) -> int:
        return end if self.is_plain else self._random.randint(0, end)

    def gap(self) -> str:
        return self._random.choice(_GAPS) if self.chance(0.15) else " "

    def word(self, words: str) -> str:
        written = self._cased(words) if self.chance(0.3) else words
        return self.gap().join(written.split(" "))

    def function(self, name: str) -> str:
        return self._cased(name) if self.chance(0.3) else name

    def name(self, name: str, *, exact: bool = False) -> str:
        """A name as it may be written; `exact` keeps its letters."""
        if not exact and self._any_case and _BARE.match(name) and self.chance(0.3):
            name = self._cased(name)
        if self._double and self.chance(0.4):
            return '"' + name.replace('"', '""') + '"'
        is_bare = _BARE.match(name) and name.upper() not in _WORDS
        return quoted(name) if not is_bare or self.chance(0.2) else name

    def column(self, name: str) -> str:
        return self._column(name, exact=False)

    def exact_column(self, name: str) -> str:
        return self._column(name, exact=True)

    def _column(self, name: str, *, exact: bool) -> str:
        if name.startswith(("x.", "y.")):
            return f"{name[0]}.{self.name(name[2:], exact=exact)}"
        written = self.name(name, exact=exact)
        # "c" is of the other relation of a join
        return f"{self.qualifier}.{written}" if self.qualifier and name != "c" and self.chance(0.3) else written

    def plain_name(self, name: str) -> str:
        return self._cased(name) if self._any_case and self.chance(0.2) else name

    def output(self, name: str) -> str:
        return self.name(name)

    def _cased(self, words: str) -> str:
        kind = self._random.choice((str.lower, str.upper, str.title, str.swapcase))
        return kind(words)
