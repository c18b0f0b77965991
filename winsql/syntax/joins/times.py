"""The pair of times of a window join, `((x.ts, y.ts), ...)`: one expression per side, in either order."""

from __future__ import annotations

from dataclasses import dataclass, field

from winsql.errors import WinsqlError
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.query import JOIN_TIME
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.joins.clause import LEFT, RIGHT, Sides
from winsql.syntax.text.source import Extent

__all__ = ["JoinTimes"]


@dataclass(slots=True)
class JoinTimes:
    """Reads the pair; `found` is (left, right) once it has been read."""

    sides: Sides
    found: tuple[Extent, Extent] | None = field(default=None)

    def read(self, parser: ClauseParser, extent: Extent, what: str) -> TimeAttribute:
        """The time of the union of both sides; its text is the pair."""
        source = self.sides.source
        inner = source.unwrapped(extent, rows=True)
        parts = source.split(inner)
        if inner == extent or len(parts) != 2 or any(part.is_empty for part in parts):
            raise self._no_pair(extent, what, len(parts) if inner != extent else 1)
        for part in parts:
            parser.check_time(part, what)
        self.found = self._ordered(parts[0], parts[1], what)
        text = f"({', '.join(source.verbatim(part) for part in self.found)})"
        return TimeAttribute(TimeDomain.EVENT, (JOIN_TIME,), text)

    def _ordered(self, first: Extent, second: Extent, what: str) -> tuple[Extent, Extent]:
        read = [self.sides.read_by(part, what) for part in (first, second)]
        for part, sides in zip((first, second), read, strict=True):
            if len(sides) > 1:
                raise self._refused(f"{what} reads both sides of the join", part)
        if read[0] and read[0] == read[1]:
            name = self.sides.names[next(iter(read[0]))]
            raise self._refused(f"{what}: both times are of {name}", Extent(first.first, second.stop))
        is_swapped = RIGHT in read[0] or LEFT in read[1]
        return (second, first) if is_swapped else (first, second)

    def _no_pair(self, extent: Extent, what: str, count: int) -> WinsqlError:
        problem = f"{what} is not a pair" if count == 1 else f"{what} must be a pair, not {count} expressions"
        return self._refused(problem, extent)

    def _refused(self, problem: str, extent: Extent) -> WinsqlError:
        left, right = self.sides.names
        return self.sides.source.spec_error(
            problem,
            extent,
            rule="a window join has one time per side, over that side's columns alone",
            hint=f"write ({left}.ts, {right}.ts), or PROCTIME()",
        )
