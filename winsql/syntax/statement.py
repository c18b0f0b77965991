"""A statement with its windowed queries, and the text that Spark gets in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from winsql.errors import Span, WinsqlError
from winsql.model.parameters import Parameters
from winsql.model.query import WindowQuery
from winsql.model.settings import ParserSettings
from winsql.model.window_tables import FindWindowTable
from winsql.syntax.expressions.item_names import named
from winsql.syntax.fragments import Parsed, Stages, bound, find_fragments, in_order, may_have_fragments
from winsql.syntax.joins.types import may_have_window_join, refuse_joins_without_window
from winsql.syntax.refusals import refuse_defaults, refuse_own_names, refuse_scripts, windows_in_view
from winsql.syntax.row_by_row import not_whole, require_row_by_row, whole_query
from winsql.syntax.rules.fragment import Fragment
from winsql.syntax.rules.lateral_conditions import lateral_conditions, with_conditions_apart
from winsql.syntax.selects.correlation import is_inside, lateral_relations, operand_queries, place_of, readable_around
from winsql.syntax.selects.stream_relations import StreamRelation, find_stream_relations, with_stand_in
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.statement_kind import StatementKind, Target, is_raw, read_target
from winsql.syntax.stream_statements.reader import CREATES, AnyStreamStatement, read_own_statement
from winsql.syntax.stream_statements.secrets import hidden
from winsql.syntax.stream_statements.statements import may_be_stream_statement
from winsql.syntax.stream_statements.views import CreateStreamView
from winsql.syntax.text.deep import room_for
from winsql.syntax.text.openers import holds_any, matches
from winsql.syntax.text.parameters import require_values
from winsql.syntax.text.source import Extent, IsAggregate, IsVariable, Source, parameter_name


@dataclass(frozen=True, slots=True)
class Statement:
    """A parsed statement; Spark's own one when `is_plain`.

    text      as given, but for secrets in OPTIONS, in whose place are as many asterisks
    queries   the windowed queries in the order in which they must be planned: a query comes after those nested in
              it and those of earlier CTEs. Their texts show nested queries as written: see `query`
    target    what the statement does with its query
    stream    one of winsql's statements about streams, or their sources; the queries of CREATE STREAMING TABLE and
              CREATE STREAM are `queries`
    """

    text: str
    queries: tuple[WindowQuery, ...]
    target: Target
    stream: AnyStreamStatement | None = None
    _parsed: Parsed | None = field(default=None, repr=False, compare=False)

    @property
    def is_plain(self) -> bool:
        """Whether the statement is Spark's own and must reach Spark as it is."""
        return not self.queries and not self.target.explains_windows and self.stream is None

    def is_query(self) -> bool:
        """Whether the statement returns rows and does nothing else; asked of Spark's own statements too."""
        source = self._parsed.source if self._parsed is not None else Source(self.text)
        return read_target(source).kind is StatementKind.QUERY

    def whole_query(self) -> int | None:
        """Index of the windowed query that is the whole statement, but for brackets and a WITH list; None: none is."""
        parsed = self._parsed
        whole = None if parsed is None else whole_query(parsed.source, self.target.body)
        extents = [] if parsed is None else [fragment.extent for fragment in parsed.fragments]
        return extents.index(whole) if whole in extents else None

    def batch_query(self) -> int:
        """Index of the windowed SELECT that is the whole statement, whose firings may be taken batch by batch.

        Raises WindowSpecError when there is none, or when it does more with its firings than row by row.
        """
        parsed, index = self._known, self.whole_query()
        select = None if index is None else parsed.fragments[index].select
        if index is None or select is None:
            raise not_whole(parsed.source, self.target.body)
        require_row_by_row(parsed.source, select)
        return index

    def check(self) -> None:
        """Raises what is wrong with SELECTs over windows, which are read no sooner than a query is planned."""
        if self._parsed is not None:
            _ = self._parsed.stages.all

    def query(self, index: int, relations: Mapping[int, str]) -> WindowQuery:
        """The query with the queries nested in it replaced; `relations` says by what, for all earlier ones."""
        return self._known.query(self.queries, index, self._with_relations(relations))

    def differs_on_stream(self, index: int) -> bool:
        """Whether the statement is another one where query `index` reads a stream: see `on_stream`."""
        parsed, fragment = self._known, self._known.fragments[index]
        has_stages = bool(parsed.stages.all) or parsed.stages.mistaken is not None
        return fragment.key in parsed.undecided and (fragment.ranked is not None or has_stages)

    def on_stream(self, index: int) -> Statement | None:
        """The statement as it is planned when query `index` reads a stream; None where it is the same.

        SELECTs that aggregate, rank or join windows again are then queries of their own, which come later; some replace
        the function that they read. The rankings of this query are winsql's, and the queries before it stay.
        Raises WindowSyntaxError and WindowSpecError with their place.
        """
        parsed = self._known
        if parsed.stages.mistaken is not None:
            raise parsed.stages.mistaken
        if not self.differs_on_stream(index):
            return None
        own = fragment = parsed.fragments[index]
        filtered = parsed.stages.filtered(fragment)
        if fragment.ranked is not None:
            own = fragment.bound_by(fragment.ranked)
        elif filtered is not None:
            own = filtered
        return self._with_stages(index, own, parsed.streaming | {fragment.extent})

    def on_table(self, index: int) -> Statement:
        """The statement as it is planned when query `index` reads a table.

        The sessions of a window table function are those of the rows that the SELECT that groups by them keeps.
        """
        parsed, fragment = self._known, self._known.fragments[index]
        if fragment.key not in parsed.undecided:
            return self
        known = {s.extent for s in parsed.fragments[: index + 1]} - parsed.streaming
        if any(fragment.extent in stage.unless and stage.unless <= known for stage in parsed.stages.all):
            return self._with_stages(index, fragment, parsed.streaming)
        filtered = parsed.stages.filtered(fragment)
        if filtered is None:
            return self
        statement = self._with_fragment(index, filtered)
        return replace(statement, _parsed=replace(statement._known, undecided=parsed.undecided - {fragment.key}))

    def _with_stages(self, index: int, own: Fragment, streaming: frozenset[Extent]) -> Statement:
        """The statement with the stages that are known to apply once it is known what query `index` reads; `own` is its
        fragment, where no stage takes its place."""
        parsed, fragment = self._known, self._known.fragments[index]
        tables = {s.extent for s in parsed.fragments[: index + 1]} - streaming
        queries = self._by_key()
        stages = []
        for stage in in_order(parsed.stages.all):
            applies = stage.needs <= streaming and stage.unless <= tables
            if applies and (stage.key not in queries or stage.extent in stage.replaces):
                stages.append(stage)
                queries[stage.key] = bound(stage, parsed.source)
            streaming |= {stage.extent} if stage.key in queries else frozenset()
        kept = [] if any(fragment.extent in stage.replaces for stage in stages) else [own]
        if kept and own.bind is not fragment.bind:
            queries[fragment.key] = bound(own, parsed.source)
        later = in_order([*kept, *parsed.fragments[index + 1 :], *stages])
        undecided = parsed.undecided - {fragment.key}
        parsed = replace(
            parsed, fragments=(*parsed.fragments[:index], *later), streaming=streaming, undecided=undecided
        )
        return self._with_parsed(parsed, queries)

    def grouped(self, index: int) -> tuple[Statement, WindowQuery] | None:
        """The statement with a windowed query in the place of function `index` and of the SELECT that groups by its
        windows, and that query; None where there is none. Raises WindowSpecError where it cannot be one."""
        parsed, fragment = self._known, self._known.fragments[index]
        if not fragment.is_function or fragment.key not in parsed.undecided:
            return None
        own = frozenset({fragment.extent})  # and nothing else is asked
        stage = next((stage for stage in parsed.stages.all if own == stage.replaces == stage.needs), None)
        if stage is None:
            return None
        query = bound(stage, parsed.source)
        fragments = (*parsed.fragments[:index], *in_order([*parsed.fragments[index + 1 :], stage]))
        parsed = replace(parsed, fragments=fragments)
        return self._with_parsed(parsed, self._by_key() | {stage.key: query}), query

    def with_columns(self, index: int, left: tuple[str, ...], right: tuple[str, ...]) -> Statement:
        """The statement where the columns of both tables of query `index` are known: a call of window_join then gives
        each of its columns a name of its own. The query reads the same, so that it need not be planned again."""
        fragment = self._known.fragments[index]
        if fragment.named is None:
            return self
        return self._with_fragment(index, replace(fragment, bind=fragment.named((left, right))))

    def with_names(self, index: int, names: Sequence[str]) -> Statement:
        """The statement where Spark's names for the items of query `index` are known: see `WindowQuery.unnamed`."""
        fragment = self._known.fragments[index]

        def bind(source: Source) -> WindowQuery:
            return named(bound(fragment, source), names)

        return self._with_fragment(index, replace(fragment, bind=bind))

    def with_source_columns(self, index: int, columns: frozenset[str]) -> Statement:
        """The statement where it is known which of the `contested` names of query `index` are columns of its source."""
        fragment = self._known.fragments[index]
        if fragment.knowing is None:
            return self
        return self._with_fragment(index, replace(fragment, bind=fragment.knowing(columns)))

    def stream_relations(self) -> list[StreamRelation]:
        """The relations with words that not every version of Spark has, inner ones first; see `with_stand_in`."""
        return [] if self._parsed is None else find_stream_relations(self._parsed.source)

    def watermark_around(self, index: int) -> Span | None:
        """The relation with a watermark of its own that query `index` is in; None where it is in none."""
        source, inside = self._known.source, self._known.fragments[index].extent
        around = (r.extent for r in self.stream_relations() if r.delay is not None)
        found = (r for r in around if r.holds(inside) and r != inside)
        return next((source.span(extent) for extent in found), None)

    def with_stand_in(self, relation: StreamRelation, name: str) -> Statement:
        """The statement with `name` in the place of one of the `stream_relations`."""
        return self._with_source(with_stand_in(self._known.source, relation, name))

    def has_lateral_conditions(self) -> bool:
        """Whether a LATERAL join has a condition that a stream needs apart from it."""
        return bool(lateral_conditions(self._known.source))

    def with_lateral_conditions_apart(self) -> Statement:
        """The statement with the conditions of LATERAL joins apart from them."""
        return self._with_source(with_conditions_apart(self._known.source))

    def _with_source(self, source: Source) -> Statement:
        """The statement with further edits."""
        parsed = replace(self._known, source=source)
        return self._with_parsed(parsed, {fragment.key: bound(fragment, source) for fragment in parsed.fragments})

    def _with_fragment(self, index: int, fragment: Fragment) -> Statement:
        """The statement where query `index` is bound by another fragment of the same place."""
        parsed = self._known
        parsed = replace(parsed, fragments=(*parsed.fragments[:index], fragment, *parsed.fragments[index + 1 :]))
        return self._with_parsed(parsed, self._by_key() | {fragment.key: bound(fragment, parsed.source)})

    def _by_key(self) -> dict[tuple[Extent, int], WindowQuery]:
        """The queries by the keys of their fragments."""
        return {s.key: query for s, query in zip(self._known.fragments, self.queries, strict=True)}

    def _with_parsed(self, parsed: Parsed, queries: Mapping[tuple[Extent, int], WindowQuery]) -> Statement:
        """The statement with other fragments, and the queries that these are."""
        return replace(self, queries=tuple(queries[s.key] for s in parsed.fragments), _parsed=parsed)

    def context(self, index: int, relations: Mapping[int, str]) -> str:
        """The WITH list, with a blank after it, that must precede a query over the source of query `index`, or ''.

        It holds the CTEs the source can see: outer ones, and of its own WITH the earlier ones.
        """
        return Context(self._with_relations(relations)).prefix(self._known.fragments[index].extent.first)

    def around(self, index: int, relations: Mapping[int, str]) -> Iterator[tuple[str, str]]:
        """For each query around query `index`, the inner ones first: a WITH list and the FROM body it can read."""
        yield from readable_around(self._with_relations(relations), self._known.fragments[index].extent)

    def is_subquery(self, index: int) -> bool:
        """Whether another query is around query `index`."""
        return is_inside(self._known.source, self._known.fragments[index].extent)

    def has_lateral(self) -> bool:
        """Whether a relation is LATERAL; a LATERAL VIEW is none."""
        return self._parsed is not None and bool(lateral_relations(self._parsed.source))

    def has_operand_queries(self) -> bool:
        """Whether a query may be an operand of an expression, as of IN."""
        return self._parsed is not None and bool(operand_queries(self._parsed.source))

    def first_subquery(self) -> Span:
        """Where its first LATERAL relation is, or else its first query that may be an operand."""
        source = self._known.source
        first = [*lateral_relations(source), *operand_queries(source), 0][0]
        return source.span(Extent(first, first + 1))

    def place(self, index: int, path: tuple[str, ...]) -> Span:
        """Where query `index` names a column by these parts, upper case."""
        source = self._known.source
        return source.span(place_of(source, self._known.fragments[index].extent, path))

    def replace(self, relations: Mapping[int, str]) -> str:
        """The statement with every windowed query over its relation: a name, or a query in brackets.

        All else is as given, byte for byte, but for EXPLAIN WINDOW and CREATE STREAMING TABLE ... AS, which are left
        out, and for the markers of positional parameters, which have become names (see `arguments`).
        """
        if self._parsed is None:
            return self.text[self.target.body.start :]
        return self._with_relations(relations).slice(Span(self.target.body.start, len(self.text)))

    def arguments(self, given: Mapping[str, Any] | Sequence[Any] | None) -> Mapping[str, Any] | Sequence[Any] | None:
        """The arguments for the texts of this statement: positional ones by the names their markers have got.

        A plan may need a marker's value in several places, in another order or not at all; names allow for that.
        """
        if self._parsed is None or given is None or isinstance(given, Mapping):
            return given
        return {parameter_name(n): value for n, value in enumerate(given)}

    @property
    def _known(self) -> Parsed:
        """What the queries were read from; only a statement that has some is asked about them."""
        assert self._parsed is not None
        return self._parsed

    def _with_relations(self, relations: Mapping[int, str]) -> Source:
        return self._known.with_relations(self.queries, relations)


def parse_statement(
    text: str,
    is_aggregate: IsAggregate | None = None,
    settings: Callable[[], ParserSettings] = ParserSettings,
    parameters: Parameters | None = None,
    is_variable: IsVariable | None = None,
    window_table: FindWindowTable | None = None,
) -> Statement:
    """Find and read the windowed queries of a statement.

    `is_aggregate` says whether a name that is no built-in function is an aggregate of the session (a UDAF), and
    `is_variable` whether one is a variable of the session; `settings` gives those of the session and is called where
    the statement is not plainly Spark's own. `window_table` tells of streams that have windows already: SELECTs over
    these may be windowed queries too. Without `parameters` a parameter in a window clause may have any value. Raises
    WindowSyntaxError and WindowSpecError for mistakes in window clauses; what has none is never refused.
    """
    may_join = may_have_window_join(text)
    has_own_words = may_join or may_have_fragments(text)
    may_window = has_own_words or matches(text, _EXPLAIN_WINDOW)
    reads_windows = window_table is not None and holds_any(text, _OVER_WINDOWS)
    may_stream = may_be_stream_statement(text)
    if not may_window and not reads_windows and not may_stream:
        return Statement(text, (), Target.unknown(text))
    source_of = partial(
        Source, parameters=parameters, is_variable=is_variable, is_aggregate=is_aggregate, window_table=window_table
    )
    source = source_of(text, settings=settings())
    if is_raw(source):
        return Statement(text, (), Target.unknown(text))
    stream = read_own_statement(source) if may_stream else None
    if isinstance(stream, CreateStreamView) and may_window:
        shown = Source(hidden(text, source.settings), settings=source.settings)
        for fragment in _found(shown)[0]:
            raise windows_in_view(shown, fragment.extent, stream)
    creates = isinstance(stream, CREATES)
    if creates:
        text = hidden(text, source.settings)
        source = source_of(text, settings=source.settings)
    if not creates and (stream is not None or not (may_window or reads_windows)):
        return Statement(text, (), Target.unknown(text), stream)
    target = _target(source, stream)
    fragments, stages = _found(source) if has_own_words or creates else _found_over_tables(source)
    if may_join:
        refuse_joins_without_window(source)
    if not fragments and not creates:
        return Statement(text, (), target)
    refuse_scripts(source)
    for fragment in fragments:
        refuse_defaults(source, fragment.extent)
    refuse_own_names(source)
    require_values(source)
    Context(source).check((fragment.extent.first, fragment.reads) for fragment in fragments)
    queries = tuple(bound(fragment, source) for fragment in fragments)
    undecided = frozenset(fragment.key for fragment in stages.fragments)
    parsed = Parsed(source, tuple(fragments), stages, undecided, stages.streams)
    return Statement(text, queries, target, stream, parsed)


def _found(source: Source) -> tuple[list[Fragment], Stages]:
    with room_for(source):
        return find_fragments(source)


def _found_over_tables(source: Source) -> tuple[list[Fragment], Stages]:
    """The fragments of a statement without words of winsql; whatever is wrong with such a text, Spark says it."""
    try:
        return _found(source)
    except WinsqlError:
        return [], Stages(source, ())


def _target(source: Source, stream: AnyStreamStatement | None) -> Target:
    if not isinstance(stream, CREATES):
        return read_target(source)
    explains = source.words(0, "EXPLAIN")
    return Target(StatementKind.STREAM, stream.query, explains, str(stream.name))


_OVER_WINDOWS = ("GROUP", "DISTINCT", "OVER", "JOIN", "EXISTS", "IN", "UNION", "(")
"""Words of which a SELECT has one that does more with windows than hand them on."""

# cheap enough to look for in every statement; comments may be between the two words
_EXPLAIN_WINDOW = re.compile(r"EXPLAIN\b.*\bWINDOW\b", re.DOTALL)
