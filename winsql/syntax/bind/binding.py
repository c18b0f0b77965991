"""A SELECT that is being bound, and what is known of the names in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from winsql.errors import WindowSpecError
from winsql.model.query import WindowQuery
from winsql.syntax.expressions.items import Item, SelectList, contested_names, niladic_names, read_select_list
from winsql.syntax.selects.relations import relation_paths
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Source

Bind = Callable[[frozenset[str] | None], WindowQuery]
"""Binds a SELECT whose `columns`, as for `Binding`, are these."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One SELECT.

    columns       those of its `contested` names that are columns of the source; None while nobody knows: then each
                  reads as it makes sense, the alias first
    """

    source: Source
    select: Select
    select_list: SelectList
    columns: frozenset[str] | None

    @classmethod
    def of(cls, source: Source, select: Select, columns: frozenset[str] | None = None) -> Binding:
        """The binding of a SELECT as it is written."""
        return cls(source, select, read_select_list(source, select), columns)

    @property
    def items(self) -> tuple[Item, ...]:
        return self.select_list.items

    @property
    def paths(self) -> frozenset[tuple[str, ...]]:
        """What may come before the names of columns, as `relation_paths` has it."""
        return relation_paths(self.source, self.select.sections[Part.FROM].body)

    @property
    def contested(self) -> frozenset[str]:
        """The names, as `Source.fold` has them, that are columns where the source has such columns, and otherwise items
        or calls without brackets."""
        return contested_names(self.source, self.select, self.items) | niladic_names(self.source, self.select)

    def verbatim(self, part: Part) -> str | None:
        """The text of a part; None where there is none."""
        body = self.select.body(part)
        return None if body is None else self.source.verbatim(body)


def as_it_makes_sense(bind: Bind, columns: frozenset[str] | None, contested: frozenset[str]) -> WindowQuery:
    """The query; while nobody knows the columns and it makes no sense, that where all of these names are columns, or
    none is."""
    try:
        return bind(columns)
    except WindowSpecError:
        for assumed in (contested, frozenset[str]()) if contested and columns is None else ():
            with suppress(WindowSpecError):
                return bind(assumed)
        raise
