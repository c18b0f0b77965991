"""Binds a windowed SELECT: its parts become a WindowQuery."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from winsql.errors import WindowSpecError
from winsql.model.assigners import Assigner
from winsql.model.emitting import Changes
from winsql.model.query import ROW_KIND, WindowQuery
from winsql.syntax.bind.binding import Binding, as_it_makes_sense
from winsql.syntax.bind.grouping import Grouping
from winsql.syntax.bind.projection import Projection, project
from winsql.syntax.clauses.assign import ASSIGN, read_assign
from winsql.syntax.clauses.window_spec import clause_parser, read_clauses
from winsql.syntax.expressions.item_names import is_row_kind, row_kind_twice
from winsql.syntax.expressions.items import column_path
from winsql.syntax.expressions.keys import key_columns
from winsql.syntax.expressions.over import OverCall, check_rankings, no_end
from winsql.syntax.joins.clause import read_join
from winsql.syntax.joins.query import bind_join
from winsql.syntax.selects.scanner import view_before
from winsql.syntax.selects.unexpected import first_unexpected
from winsql.syntax.text.parts import Part, Section, Select
from winsql.syntax.text.source import Extent, Source


def bind(
    source: Source, select: Select, columns: frozenset[str] | None = None, ranked: Sequence[OverCall] = ()
) -> WindowQuery:
    """The query of a windowed SELECT; every slice of text is verbatim but for the edits of the source.

    columns   as for `Binding`
    ranked    the calls with OVER that winsql computes, as on streams; the others are Spark's

    Raises WindowSyntaxError and WindowSpecError with their place.
    """
    binding = Binding.of(source, select, columns)
    contested = binding.contested if columns is None else frozenset[str]()
    try:
        query = as_it_makes_sense(lambda known: _bind(replace(binding, columns=known), ranked), columns, contested)
    except WindowSpecError as error:  # may be the consequence of a slip elsewhere
        raise first_unexpected(source, select) or error from None
    if not contested or query.join is not None or query.apply is not None:
        return query
    return replace(query, contested=tuple(sorted(contested)))


def _bind(binding: Binding, ranked: Sequence[OverCall]) -> WindowQuery:
    source, select = binding.source, binding.select
    _check_source(source, select.sections[Part.FROM])
    join = read_join(source, select.sections[Part.FROM])
    if join is not None:
        query = bind_join(source, select, join)
        return replace(query, is_distinct=binding.select_list.is_distinct)
    parser = clause_parser(source)
    assign = read_assign(parser, select.sections[ASSIGN])
    spec, values = read_clauses(source, select, parser, assign)
    keys = Grouping(binding).keys(select.get(Part.GROUP_BY), assign.partition_by)
    _check_over(source, ranked, spec.assigner)
    with _hint_of_settings(binding):
        projection = project(binding, keys, values.get("apply"), ranked)
    if spec.changes is not None:
        _check_row_kind(binding)
        projection = _with_row_kind(projection)
        if spec.changes is Changes.UPSERT and Part.HAVING in select.sections:
            spec = replace(spec, changes=Changes.DELETIONS)
    return WindowQuery(
        text=source.text,
        span=source.span(select.extent),
        source=source.verbatim(select.sections[Part.FROM].body),
        where=binding.verbatim(Part.WHERE),
        spec=spec,
        time_span=assign.time_span,
        operands=tuple(parser.operands),
        keys=key_columns(source, keys),
        trigger_aggregates=tuple(parser.aggregates),
        settings=source.settings,
        **projection.values(),
        **values,
    )


@contextmanager
def _hint_of_settings(binding: Binding) -> Iterator[None]:
    """Gives the error for a column that is no key the setting that keeps GROUP BY from naming its item."""
    try:
        yield
    except WindowSpecError as error:
        body = binding.select.body(Part.GROUP_BY)
        if body is not None and error.column is not None:
            error.hint = Grouping(binding).hint_of_settings(body) or error.hint
        raise


def _check_row_kind(binding: Binding) -> None:
    """Raises WindowSpecError for an item of a changelog with the name of the column that says what its rows do."""
    source = binding.source
    for item in binding.items:
        is_column = item.alias is None and column_path(source, item.expression) is not None
        names = (source.name(item.expression.stop - 1),) if is_column else item.names
        if is_row_kind(names):
            raise row_kind_twice(source.text, source.span(item.expression if item.alias is None else item.alias))


def _with_row_kind(projection: Projection) -> Projection:
    """The items of a changelog, and what each of its rows does."""
    added = f"\n, {ROW_KIND} AS row_kind"
    unnamed = projection.unnamed
    unnamed = None if unnamed is None else replace(unnamed, head=unnamed.head + added)
    windows = (*projection.window_columns, ROW_KIND)
    return replace(projection, head=projection.head + added, unnamed=unnamed, window_columns=windows)


def _check_over(source: Source, calls: Sequence[OverCall], assigner: Assigner) -> None:
    """Raises WindowSpecError for calls with OVER that a stream cannot have; the start tells windows of one size too."""
    check_rankings(source, calls)
    known = {"window_end", "window_time", *(["window_start"] if assigner.has_one_size else [])}
    for call in calls:
        parts = (source.unwrapped(part) for part in call.partition)
        if not any(not part.is_empty and source.window_column(part) in known for part in parts):
            raise no_end(source, call, "window_end")


def _check_source(source: Source, section: Section) -> None:
    if section.body.is_empty:
        raise source.syntax_error("FROM needs a relation", section.head)
    first = view_before(source, section.body.stop)
    if first is not None and first >= section.body.first:
        # Spark would take the word after it for its name: `LATERAL VIEW explode(a) WHERE ok`
        view = Extent(first, section.body.stop)
        hint = f"write {source.verbatim(view)} t, or t AS x to name its column"
        raise source.syntax_error("this LATERAL VIEW has no name", view, hint=hint)
