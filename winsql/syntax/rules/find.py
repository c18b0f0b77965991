"""Finds the SELECTs of a statement that do more with windows than hand them on; one rule after the other is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from winsql.errors import WindowSpecError, WindowSyntaxError
from winsql.syntax.parts import Part, Select
from winsql.syntax.rules.group import bind_group, find_group
from winsql.syntax.rules.join import bind_join, find_join
from winsql.syntax.rules.semi_join import bind_semi_join, find_semi_join
from winsql.syntax.scanner import select_at
from winsql.syntax.source import Extent, Source
from winsql.syntax.tree.lineage import Reading
from winsql.syntax.tree.reading import read_selects

__all__ = ["find_stages"]

S = TypeVar("S")
Rule = tuple[Callable[..., Any], Callable[..., Any]]
RULES: tuple[Rule, ...] = (
    (find_semi_join, bind_semi_join),
    (find_join, bind_join),
    (find_group, bind_group),
)
"""What finds a SELECT, and what binds it."""


def find_stages(
    make: Callable[..., S], source: Source, calls: Iterable[Extent], others: Iterable[Extent], selects: Iterable[Select]
) -> list[S]:
    """The SELECTs that a stream plans as windows of their own; `make` is the class `Site`.

    calls    calls of Flink's window table functions; `others` those of winsql's other table functions
    selects  the SELECTs with window clauses
    """
    windowed = list(selects)
    own = {select.extent.first for select in windowed}
    stages = []
    for reading in read_selects(source, calls, others, windowed):
        if reading.first in own or not reading.origins:
            continue
        stage = _stage(make, source, reading)
        if stage is not None:
            stages.append(stage)
    return stages


def _stage(make: Callable[..., S], source: Source, reading: Reading) -> S | None:
    try:
        select = select_at(source, reading.first)
    except WindowSyntaxError:
        return None
    if Part.FROM not in select.sections:
        return None
    for find, bind in RULES:
        try:
            found = find(source, reading, select)
        except WindowSpecError as error:  # it is one on streams alone
            found, bind = error, _refuse
        if found is not None:
            body = select.sections[Part.FROM].body
            needs = frozenset(origin.extent for origin in reading.origins)
            binder = partial(_binder, bind, found)
            replaces: frozenset[Extent] = getattr(found, "replaces", frozenset())
            return make(select.extent, body, binder(None), needs=needs, knowing=binder, replaces=replaces)
    return None


def _refuse(source: Source, error: WindowSpecError, is_aggregate: Any, columns: Any) -> None:
    raise error


def _binder(bind: Callable[..., Any], found: Any, columns: frozenset[str] | None) -> Callable[..., Any]:
    return lambda source, is_aggregate: bind(source, found, is_aggregate, columns)
