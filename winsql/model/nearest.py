"""The word that was meant: by what it means where a table says so, else by how few letters differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def nearest(word: str, known: Iterable[str], meanings: Mapping[str, str] | None = None) -> str | None:
    """The known word most like this one, or what `meanings` says for it; None when nothing is near.

    Letters are compared in upper case. `meanings` maps words in upper case to whole phrases.
    """
    upper = word.upper()
    meant = None if meanings is None else meanings.get(upper)
    if meant is not None:
        return meant
    found = [(distance(upper, name.upper()), name) for name in known if abs(len(name) - len(upper)) <= _allowed(upper)]
    edits, name = min(found, default=(0, None))
    if name is None or edits > min(_allowed(upper), _allowed(name)):
        return None
    return name


def _allowed(word: str) -> int:
    """One wrong letter in a word of up to five, one more for every three letters; none in a word of one or two."""
    return min(1 + max(len(word) - 3, 0) // 3, 3) if len(word) > 2 else 0


def distance(one: str, other: str) -> int:
    """How many letters must be put in, left out, changed or swapped with their neighbour (optimal string alignment)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, wanted in enumerate(other, start=1):
            edits = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                edits = min(edits, before[j - 2] + 1)
            row.append(edits)
        before, last = last, row
    return last[-1]
