"""The fragments of a statement: the parts that winsql plans, and replaces by what the plan gives.

A windowed SELECT is one; a call of one of winsql's table functions is another, and stands for a relation. Each kind is
found by tokens, read into a WindowQuery, and replaced by `query.head FROM relation query.tail` (brackets around a call
belong to head and tail). To add a kind, add it to `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from winsql.model.query import WindowQuery
from winsql.syntax.bind.select import bind
from winsql.syntax.expressions.gathering import first_gathering
from winsql.syntax.expressions.over import over_calls
from winsql.syntax.functions.table_function_calls import TableCall, find_calls
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES, bind_function, may_be_function
from winsql.syntax.joins.arguments import JOIN_FUNCTIONS
from winsql.syntax.joins.join_functions import bind_join_call
from winsql.syntax.joins.results import Columns
from winsql.syntax.selects.scanner import find_selects
from winsql.syntax.text.deep import room_for
from winsql.syntax.text.openers import holds_all, holds_any
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Edit, Extent, Source

if TYPE_CHECKING:
    from winsql.syntax.rules.find import Findings
    from winsql.syntax.rules.stage import Bind, Stage

__all__ = ["KINDS", "Fragment", "Kind", "Stages", "find_fragments", "in_order", "may_have_fragments"]

Binder = Callable[[Source], WindowQuery]
"""Reads a fragment; the source may have edits in the place of fragments inside it."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What is planned by itself.

    extent  the tokens it takes up
    reads   the tokens that say what it reads: a FROM body, the arguments of a call; of EXISTS they go on after it
    bind    reads it into a query
    select  the windowed SELECT it is, None for a call
    named   binds it once the columns of its two tables are known; None where that makes no difference
    needs   of a stage, the fragments that must read streams for it to apply
    unless  of a stage, the fragments that must read tables for it to apply
    knowing binds it once the contested names that are columns of its source are known
    is_function   whether it is a call of one of Flink's window table functions
    replaces  of a stage, the fragments in whose place it comes, which need no plan of their own
    ranked    binds it where its source is a stream, whose rows winsql ranks; as `knowing`; None where it ranks none
    layer     the order among fragments with the same tokens: each reads what the one before it returns
    """

    extent: Extent
    reads: Extent
    bind: Binder
    select: Select | None = None
    named: Callable[[Columns], Binder] | None = None
    needs: frozenset[Extent] = frozenset()
    unless: frozenset[Extent] = frozenset()
    knowing: Callable[[frozenset[str]], Binder] | None = None
    is_function: bool = False
    replaces: frozenset[Extent] = frozenset()
    ranked: Callable[[frozenset[str] | None], Binder] | None = None
    layer: int = 0

    @property
    def key(self) -> tuple[Extent, int]:
        """What no other fragment has, but for one in whose place it comes."""
        return self.extent, self.layer

    @property
    def all(self) -> Extent:
        """The fragment and what it reads."""
        return Extent(self.extent.first, max(self.extent.stop, self.reads.stop))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fragment: whether a text may have one, which must be cheap to say, and where they are."""

    may_have: Callable[[str], bool]
    find: Callable[[Source], list[Fragment]]


def may_have_fragments(text: str) -> bool:
    """Whether it is worth while to look for fragments."""
    return any(kind.may_have(text) for kind in KINDS)


def find_fragments(source: Source) -> tuple[list[Fragment], Stages]:
    """The fragments of a statement in the order in which they must be planned, inner ones and earlier ones first, and
    the stages over them. Over tables that are streams with windows already, stages are fragments from the start."""
    fragments = [fragment for kind in KINDS if kind.may_have(source.text) for fragment in kind.find(source)]
    stages = Stages(source, tuple(fragments))
    return in_order([*fragments, *stages.over_streams()]), stages


@dataclass(frozen=True)
class Stages:
    """The SELECTs of a statement that group, rank or join windows: on streams these are windows of their own.

    The tree tells, which is parsed when somebody asks for the first time: tables need none of it.
    """

    source: Source
    fragments: tuple[Fragment, ...]

    @cached_property
    def all(self) -> tuple[Fragment, ...]:
        """All of them, whichever fragments turn out to read streams."""
        return () if self._found is None else tuple(map(_fragment_of_stage, self._found.stages))

    @property
    def streams(self) -> frozenset[Extent]:
        """What is known to be a stream from the start: the tables of the session that have windows."""
        is_known = self.source.window_table is not None and self._found is not None
        return frozenset(self._found.tables) if is_known and self._found is not None else frozenset()

    def over_streams(self) -> Iterable[Fragment]:
        """The stages over such tables alone."""
        if not self.streams:
            return ()
        return {s.key: s for s in reversed(self.all) if s.needs <= self.streams and not s.unless}.values()

    def edits(self, fragment: Fragment) -> tuple[Edit, ...]:
        """What else reads differently where a fragment over a table is replaced."""
        may_be = fragment.is_function and bool(self.source.places("GROUPING_ID"))
        return self._found.edits.get(fragment.extent, ()) if may_be and self._found is not None else ()

    def filtered(self, fragment: Fragment) -> Fragment | None:
        """A window table function over the rows that the SELECT around it keeps; None where it keeps all."""
        is_known = fragment.is_function and self._found is not None and fragment.extent in self._found.filtered
        if not is_known or self._found is None:
            return None
        knowing = _knowing(self._found.filtered[fragment.extent].bind)
        return replace(fragment, bind=knowing(None), knowing=knowing)

    @cached_property
    def _found(self) -> Findings | None:
        own = [fragment.select for fragment in self.fragments if fragment.select is not None]
        if not (self.fragments or self.source.window_table) or not _has_others(self.source, own):
            return None
        from winsql.syntax.rules.find import find_stages  # sqlglot takes a tenth of a second, which others need not pay

        with room_for(self.source):
            return find_stages(self.source, own)


def _fragment_of_stage(stage: Stage) -> Fragment:
    knowing = _knowing(stage.bind)
    return Fragment(
        stage.extent,
        stage.reads,
        knowing(None),
        needs=stage.needs,
        unless=stage.unless,
        knowing=knowing,
        replaces=stage.replaces,
        layer=stage.layer,
    )


def _knowing(bind: Bind) -> Callable[[frozenset[str] | None], Binder]:
    """Reads what `bind` does where it is known which contested names are columns."""
    return lambda columns: lambda source: bind(source, columns)


def _has_others(source: Source, own: list[Select]) -> bool:
    """Whether there may be SELECTs that do more with windows: others than those with window clauses, and some of these
    with a window join."""
    return len(source.places("SELECT")) > len(own) or any(_gathers_pairs(source, select) for select in own)


def _gathers_pairs(source: Source, select: Select) -> bool:
    """Whether a SELECT with window clauses groups or ranks the pairs of a WINDOW JOIN, or has them once each."""
    joins = (index for index in source.places("WINDOW") if source.words(index + 1, "JOIN"))
    body = select.sections[Part.FROM].body
    return any(index in body.indexes for index in joins) and first_gathering(source, select) is not None


def in_order(fragments: Iterable[Fragment]) -> list[Fragment]:
    """The order in which they must be planned."""
    return sorted(fragments, key=lambda fragment: (fragment.all.stop, -fragment.extent.first, fragment.layer))


def _may_have_selects(text: str) -> bool:
    return holds_all(text, ("WINDOW", "ASSIGN"))


def _find_selects(source: Source) -> list[Fragment]:
    return [_fragment_of(source, select) for select in find_selects(source)]


def _fragment_of(source: Source, select: Select) -> Fragment:
    binder = partial(_bind_select, select, False)
    has_over = any(index in select.extent.indexes for index in source.places("OVER"))
    ranked = partial(_bind_select, select, True) if has_over else None
    body = select.sections[Part.FROM].body
    return Fragment(select.extent, body, binder(None), select, knowing=binder, ranked=ranked)


def _bind_select(select: Select, ranks: bool, columns: frozenset[str] | None) -> Binder:
    def binder(source: Source) -> WindowQuery:
        calls = over_calls(source, select) if ranks else ()
        return bind(source, select, columns, calls)

    return binder


def _may_have_joins(text: str) -> bool:
    return holds_any(text, JOIN_FUNCTIONS)


def _find_joins(source: Source) -> list[Fragment]:
    calls = find_calls(source, JOIN_FUNCTIONS)
    return [
        Fragment(call.extent, call.arguments, _bind_call(call, None), named=partial(_bind_call, call)) for call in calls
    ]


def _bind_call(call: TableCall, columns: Columns | None) -> Binder:
    return partial(bind_join_call, call, columns)


def _find_functions(source: Source) -> list[Fragment]:
    calls = find_calls(source, FUNCTION_NAMES)
    return [Fragment(call.extent, call.extent, partial(_bind_function, call), is_function=True) for call in calls]


def _bind_function(call: TableCall, source: Source) -> WindowQuery:
    return bind_function(source, call)


KINDS = (
    Kind(_may_have_selects, _find_selects),
    Kind(_may_have_joins, _find_joins),
    Kind(may_be_function, _find_functions),
)
