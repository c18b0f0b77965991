"""Pipes that group or rank windows, which winsql reads in SELECTs alone: a stream cannot run them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from winsql.errors import WinsqlError
from winsql.syntax.rules.fragment import Fragment, Refusal
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.text.source import Extent, Source

__all__ = ["refused_pipes"]


def refused_pipes(source: Source, rows: Iterable[Extent], results: Iterable[Extent]) -> Iterator[Fragment]:
    """The refusals of calls with OVER after a pipe, and over results of windows of AGGREGATE and DISTINCT too.

    rows, results   what makes windows: functions that give rows with their windows, and what gives results of windows

    Rows Spark can aggregate itself, in the output modes that hand on unfinished groups.
    """
    made = {"OVER": [*rows, *results], "AGGREGATE": [*results], "SELECT": [*results]}
    for pipe in source.places("|>"):
        place = _gathering(source, pipe)
        if place is None:
            continue
        group = source.group[pipe]
        before = Extent(max((p + 1 for p in source.places(";") if p < pipe), default=group + 1), pipe)
        windows = made[source.at(place.first).upper]
        needs = frozenset(extent for extent in windows if _reads(source, before, extent))
        if needs:
            yield Fragment.stage(place, place, Refusal(_refused(source, place)).bind, needs)


def _gathering(source: Source, pipe: int) -> Extent | None:
    """The part of the operator after a pipe that takes several rows together."""
    group = source.group[pipe]
    end = len(source) if group < 0 else source.closing(group)
    stop = min((p for p in source.places("|>", ";") if p > pipe and source.group[p] == group), default=end)
    if source.words(pipe + 1, "AGGREGATE"):
        return Extent(pipe + 1, pipe + 2)
    if source.words(pipe + 1, "SELECT", "DISTINCT"):
        return Extent(pipe + 1, pipe + 3)
    if source.at(pipe + 1).is_word("SELECT", "EXTEND"):
        calls = (p for p in source.places("OVER") if pipe < p < stop and source.at(p - 1).is_symbol(")"))
        return next((Extent(p, p + 1) for p in calls if source.group[p] == group), None)
    return None


def _reads(source: Source, query: Extent, windows: Extent) -> bool:
    """Whether a query holds what makes windows, or names a CTE that does."""
    if query.first <= windows.first and windows.stop <= query.stop:
        return True
    definitions = [d for found in Context(source).lists for d in found.definitions]
    around = [d for d in definitions if d.extent.first <= windows.first and windows.stop <= d.extent.stop]
    return any(d.name == source.folded(i) for d in around for i in query.indexes if source.at(i).is_name)


def _refused(source: Source, place: Extent) -> WinsqlError:
    is_over = source.words(place.first, "OVER")
    words = "OVER" if is_over else " ".join(source.at(n).upper for n in place.indexes[:2])
    example = "SELECT ..., row_number() OVER (...) AS r" if is_over else "SELECT ..."
    return source.spec_error(
        f"{words} after |> cannot be used over windows of a stream",
        place,
        rule="on a stream windows are grouped and ranked in SELECTs; what comes after |> takes each row by itself",
        hint=f"put what is before it into a subquery: {example} FROM (FROM t |> ...)",
    )
