"""Calls of functions, and which of them aggregate.

call = name ( [DISTINCT] arguments ) {WITHIN GROUP (...) | FILTER (WHERE ...) | IGNORE NULLS | RESPECT NULLS} [OVER ...]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from winsql.model.registry import AGGREGATES as REGISTERED
from winsql.syntax.text.literals import string_value
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.text.vocabulary import AGGREGATES


@dataclass(frozen=True, slots=True)
class Call:
    """A call as it is in the text.

    arguments      the inside of its brackets
    filter         the condition after FILTER (WHERE
    within         the inside of the brackets of WITHIN GROUP
    ignores_nulls  True where IGNORE NULLS follows, False where RESPECT NULLS does
    is_windowed    whether OVER follows: a window function then
    """

    name: str
    extent: Extent
    arguments: Extent
    filter: Extent | None
    within: Extent | None
    ignores_nulls: bool | None
    is_windowed: bool

    @property
    def inside(self) -> list[Extent]:
        """Where the call has expressions over rows, in the order of the text: its arguments, FILTER, WITHIN GROUP."""
        return sorted(part for part in (self.arguments, self.filter, self.within) if part is not None)


def find_call(source: Source, first: int, bracket: int) -> Call:
    """The call whose name begins at token `first` and whose arguments are in the bracket at `bracket`."""
    name = _name(source, first, bracket)
    if name == "IDENTIFIER" and source.at(source.closing(bracket) + 1).is_symbol("("):
        said = _said(source, bracket)
        name, bracket = "IDENTIFIER" if said is None else said.upper(), source.closing(bracket) + 1
    closing = source.closing(bracket)
    index = closing + 1
    condition = within = ignores_nulls = None
    while True:
        if source.words(index, "FILTER") and source.at(index + 1).is_symbol("("):
            end = source.closing(index + 1)
            condition = Extent(index + 3 if source.words(index + 2, "WHERE") else index + 2, end)
            index = end + 1
        elif source.words(index, "WITHIN", "GROUP") and source.at(index + 2).is_symbol("("):
            within = Extent(index + 3, source.closing(index + 2))
            index = within.stop + 1
        elif says_nulls(source, index):
            ignores_nulls, index = source.words(index, "IGNORE"), index + 2
        else:
            break
    extent, arguments = Extent(first, index), Extent(bracket + 1, closing)
    return Call(name, extent, arguments, condition, within, ignores_nulls, source.words(index, "OVER"))


def says_nulls(source: Source, index: int) -> bool:
    """Whether IGNORE NULLS or RESPECT NULLS is at an index."""
    return source.words(index, "IGNORE", "NULLS") or source.words(index, "RESPECT", "NULLS")


def is_aggregate_call(source: Source, call: Call) -> bool:
    """Whether a call aggregates rows; `x LIKE ANY (...)` and calls with OVER do not."""
    if call.is_windowed or source.at(call.extent.first).is_symbol("."):
        return False
    if call.name in ("ANY", "SOME") and source.at(call.extent.first - 1).upper in ("LIKE", "ILIKE"):
        return False
    if call.name in AGGREGATES or call.name in REGISTERED:
        return True
    return source.is_aggregate(call.name)


_SYSTEM_SCHEMAS = (("BUILTIN",), ("SYSTEM", "BUILTIN"))


def _name(source: Source, first: int, bracket: int) -> str:
    parts = tuple(source.tokens[i].upper for i in range(first, bracket, 2))
    return parts[-1] if parts[:-1] in _SYSTEM_SCHEMAS else ".".join(parts)


def said_path(source: Source, bracket: int) -> list[str] | None:
    """The names in the literal of `IDENTIFIER('t.k')`, whose arguments are in this bracket; None for anything else."""
    said = _said(source, bracket)
    names = None if said is None else [*_NAMES.finditer(said)]
    if said is None or not names or ".".join(name[0] for name in names) != said:
        return None
    return [name["quoted"].replace("``", "`") if name["quoted"] else name[0] for name in names]


_NAMES = re.compile(r"`(?P<quoted>(?:[^`]|``)+)`|\w+")


def _said(source: Source, bracket: int) -> str | None:
    """The literal of `IDENTIFIER('sum')(v)`; None for anything else."""
    inside = Extent(bracket + 1, source.closing(bracket))
    is_literal = inside.is_single and source.at(inside.first).kind is TokenKind.STRING
    return string_value(source, inside.first) if is_literal else None


def is_proctime(source: Source, extent: Extent) -> bool:
    """Whether a range is PROCTIME() and nothing else."""
    return source.normal(extent) == ("PROCTIME", "(", ")")


def is_count_star(source: Source, call: Call) -> bool:
    return call.name == "COUNT" and source.normal(source.unwrapped(call.arguments)) == ("*",)
