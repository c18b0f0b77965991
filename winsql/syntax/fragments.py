"""The fragments of a statement: the parts that winsql plans, and replaces by what the plan gives.

A windowed SELECT is one; a call of one of winsql's table functions is another, and stands for a relation. Each kind is
found by tokens, read into a WindowQuery, and replaced by `query.head FROM relation query.tail` (brackets around a call
belong to head and tail). To add a kind, add it to `_KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from winsql.errors import WinsqlError
from winsql.model.query import WindowQuery
from winsql.syntax.bind.select import bind
from winsql.syntax.expressions.items import first_gathering
from winsql.syntax.expressions.over import over_calls
from winsql.syntax.functions.table_function_calls import TableCall, find_calls
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES, bind_function, may_be_function
from winsql.syntax.joins.arguments import JOIN_FUNCTIONS
from winsql.syntax.joins.join_functions import Columns, bind_join_call
from winsql.syntax.once import once
from winsql.syntax.rules.fragment import Binder, Findings, Fragment, knowing_of
from winsql.syntax.selects.scanner import find_selects
from winsql.syntax.text.deep import room_for
from winsql.syntax.text.openers import holds_all, holds_any
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Edit, Extent, Source


def may_have_fragments(text: str) -> bool:
    """Whether it is worth while to look for fragments."""
    return any(may_have(text) for may_have, _ in _KINDS)


def find_fragments(source: Source) -> tuple[list[Fragment], Stages]:
    """The fragments of a statement in the order in which they must be planned, inner ones and earlier ones first, and
    the stages over them. Over tables that are streams with windows already, stages are fragments from the start."""
    fragments = [fragment for may_have, find in _KINDS if may_have(source.text) for fragment in find(source)]
    stages = Stages(source, tuple(fragments))
    return in_order([*fragments, *stages.over_streams()]), stages


@dataclass(frozen=True)
class Stages:
    """The SELECTs of a statement that group, rank or join windows: on streams these are windows of their own.

    The tree tells, which is parsed when somebody asks for the first time: tables need none of it.
    """

    source: Source
    fragments: tuple[Fragment, ...]

    @once
    def all(self) -> tuple[Fragment, ...]:
        """All of them, whichever fragments turn out to read streams."""
        return tuple(self._found.stages)

    @property
    def streams(self) -> frozenset[Extent]:
        """What is known to be a stream from the start: the tables of the session that have windows."""
        return frozenset() if self.source.window_table is None else frozenset(self._found.tables)

    @property
    def mistaken(self) -> WinsqlError | None:
        """Why a stream cannot run the statement, if it writes names that would be taken for one."""
        return self._found.mistaken if self.source.settings.case_sensitive else None

    def over_streams(self) -> Iterable[Fragment]:
        """The stages over such tables alone."""
        if not self.streams:
            return ()
        return {s.key: s for s in reversed(self.all) if s.needs <= self.streams and not s.unless}.values()

    def edits(self, fragment: Fragment) -> tuple[Edit, ...]:
        """What else reads differently where a fragment over a table is replaced."""
        may_be = fragment.is_function and bool(self.source.places("GROUPING_ID"))
        return self._found.edits.get(fragment.extent, ()) if may_be else ()

    def filtered(self, fragment: Fragment) -> Fragment | None:
        """A window table function over the rows that the SELECT around it keeps; None where it keeps all."""
        bind = self._found.filtered.get(fragment.extent) if fragment.is_function else None
        return None if bind is None else fragment.bound_by(knowing_of(bind))

    @once
    def _found(self) -> Findings:
        own = [fragment.select for fragment in self.fragments if fragment.select is not None]
        if not (self.fragments or self.source.window_table) or not _has_others(self.source, own):
            return Findings()
        from winsql.syntax.rules.find import find_stages  # sqlglot takes a tenth of a second, which others need not pay

        with room_for(self.source):
            return find_stages(self.source, self.fragments)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a statement with windowed queries was read from.

    undecided   the fragments of which nobody has said yet whether they read streams or tables, by their keys
    streaming   those that are known to read streams
    """

    source: Source
    fragments: tuple[Fragment, ...]
    stages: Stages
    undecided: frozenset[tuple[Extent, int]]
    streaming: frozenset[Extent] = frozenset()

    def query(self, queries: Sequence[WindowQuery], index: int, source: Source) -> WindowQuery:
        """A query as it is in a source with more edits; it is bound again only where one of them is inside it."""
        fragment = self.fragments[index]
        span = source.span(fragment.all)
        edits = source.edits[len(self.source.edits) :]
        if any(span.start <= edit.start and edit.end <= span.end for edit in edits):
            return bound(fragment, source)
        return queries[index]

    def with_relations(self, queries: Sequence[WindowQuery], relations: Mapping[int, str]) -> Source:
        """The source with edits for every query whose relation is known, inner ones applied first."""
        source = self.source
        for index, fragment in enumerate(self.fragments):
            if index not in relations:
                continue
            query, text = self.query(queries, index, source), relations[index]
            if query.head:  # without one what it reads there, a FROM body
                text = f"{query.head} FROM {text} {query.tail}".rstrip()
            for edit in () if fragment.extent in self.streaming else self.stages.edits(fragment):
                source = source.edited(edit)
            source = source.replaced(fragment.extent, text)
        return source


def bound(fragment: Fragment, source: Source) -> WindowQuery:
    """The query of a fragment; raises WindowSyntaxError and WindowSpecError with their place."""
    with room_for(source):
        return fragment.bind(source)


def _has_others(source: Source, own: list[Select]) -> bool:
    """Whether there may be SELECTs that do more with windows: others than those with window clauses, and some of these
    with a window join; and pipes, and FROM without SELECT."""
    selects, froms = len(source.places("SELECT")), len(source.places("FROM"))
    has_more = selects > len(own) or froms > selects or bool(source.places("|>"))
    return has_more or any(_gathers_pairs(source, select) for select in own)


def _gathers_pairs(source: Source, select: Select) -> bool:
    """Whether a SELECT with window clauses groups or ranks the pairs of a WINDOW JOIN, or has them once each."""
    joins = (index for index in source.places("WINDOW") if source.words(index + 1, "JOIN"))
    body = select.sections[Part.FROM].body
    return any(index in body.indexes for index in joins) and first_gathering(source, select) is not None


def in_order(fragments: Iterable[Fragment]) -> list[Fragment]:
    """The order in which they must be planned."""
    return sorted(fragments, key=lambda fragment: (fragment.all.stop, -fragment.extent.first, fragment.layer))


def _find_selects(source: Source) -> list[Fragment]:
    return [_fragment_of(source, select) for select in find_selects(source)]


def _fragment_of(source: Source, select: Select) -> Fragment:
    def unranked(source: Source, columns: frozenset[str] | None) -> WindowQuery:
        return bind(source, select, columns)

    def ranked(source: Source, columns: frozenset[str] | None) -> WindowQuery:
        return bind(source, select, columns, over_calls(source, select))

    knowing, body = knowing_of(unranked), select.sections[Part.FROM].body
    has_over = any(index in select.extent.indexes for index in source.places("OVER"))
    ranks = knowing_of(ranked) if has_over else None
    return Fragment(select.extent, body, knowing(None), select, knowing=knowing, ranked=ranks)


def _find_joins(source: Source) -> list[Fragment]:
    calls = find_calls(source, JOIN_FUNCTIONS)
    return [
        Fragment(call.extent, call.arguments, _bind_call(call, None), named=partial(_bind_call, call)) for call in calls
    ]


def _bind_call(call: TableCall, columns: Columns | None) -> Binder:
    return partial(bind_join_call, call, columns)


def _find_functions(source: Source) -> list[Fragment]:
    calls = find_calls(source, FUNCTION_NAMES)
    return [Fragment(call.extent, call.extent, partial(bind_function, call), is_function=True) for call in calls]


_KINDS: tuple[tuple[Callable[[str], bool], Callable[[Source], list[Fragment]]], ...] = (
    (partial(holds_all, words=("WINDOW", "ASSIGN")), _find_selects),
    (partial(holds_any, words=JOIN_FUNCTIONS), _find_joins),
    (may_be_function, _find_functions),
)
"""For each kind whether a text may have one, which must be cheap to say, and what finds them."""
