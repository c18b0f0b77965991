"""Pipes that take rows of windows together, as SELECTs over the query before them.

FROM TABLE(TUMBLE(...)) AS t |> WHERE v > 1 |> AGGREGATE sum(v) AS s GROUP BY window_start, window_end AS e
SELECT window_start, window_end AS e, sum(v) AS s FROM (FROM TABLE(TUMBLE(...)) AS t |> WHERE v > 1) GROUP BY ALL

FROM ... |> SELECT DISTINCT k, window_end
FROM ... |> SELECT k, row_number() OVER (PARTITION BY window_end ORDER BY v) AS n
FROM ... |> EXTEND row_number() OVER (PARTITION BY window_end ORDER BY v) AS n
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from winsql.errors import WinsqlError
from winsql.model.query import FUNCTION_COLUMNS
from winsql.syntax.bind.grouping_sets import sets_in
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.fragment import Binder, Fragment, Refusal
from winsql.syntax.rules.lateral_conditions import without_pipes_apart
from winsql.syntax.rules.sides import refused
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.text.parts import Part, Section, Select, beside, holds_query, words_in
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.vocabulary import SET_OPERATORS
from winsql.syntax.tree.from_alone import before_joins, begin_of_query, from_and_where, is_join
from winsql.syntax.tree.lineage import joins_windows
from winsql.syntax.tree.masks import query_around
from winsql.syntax.tree.pipes import gathering_words, named_windows_of
from winsql.syntax.tree.records import Scope


def piped_select(
    source: Source, first: int, relations: Sequence[str], *, asks: bool = False, joins: bool = False
) -> Select | None:
    """The SELECT that the operator after a pipe is, by its first word; None for one that is read in no SELECT.

    relations   the names of what it reads, as the tree has them
    asks        whether the WHERE before it has subqueries over windows
    joins       whether it reads a join of two with windows

    A join, and such a WHERE, must be all that is between FROM and it, but for operators over the first relation.
    """
    operator, is_whole = _operator(source, first - 1), asks or len(relations) > 1
    if not is_whole and gathering_words(source, operator) is None:
        return None
    before = Extent(begin_of_query(source, query_around(source, first)), first - 1)
    read = from_and_where(source, before, may_begin=not asks) if is_whole else [_from(source, before)]
    if is_whole and (not read or source.words(first, "EXTEND")):
        return None
    sections = {part.part: part for part in (*_sections(source, operator), *read)}
    if Part.GROUP_BY in sections and sets_in(source, sections[Part.GROUP_BY].body) is not None:
        return None
    has_one_from = is_whole or (source.words(before.first, "FROM") and not any(words_in(source, before, "|>")))
    extent, before_pipe = Extent(before.first, operator.stop), None if has_one_from else before
    begin = before_joins(source, sections[Part.FROM].body) if is_whole else None
    if begin is not None:
        is_name_lost = not relations[0] and source.at(begin.first - 1).is_name
        if _any_gathers(source, begin) or (is_name_lost and not joins):
            return None
        before_pipe = before_pipe if joins else Extent(before.first, begin.stop)
    is_written = any(source.at(n).is_name and source.name(n).lower() == relations[0] for n in before.indexes)
    groups, extends = source.words(first, "AGGREGATE"), source.words(first, "EXTEND")
    return Select(extent, sections, False, groups, extends, before_pipe, relations[0] if is_written else "")


def _any_gathers(source: Source, operators: Extent) -> bool:
    return any(gathering_words(source, _operator(source, pipe)) for pipe in words_in(source, operators, "|>"))


def _from(source: Source, before: Extent) -> Section:
    """The query before an operator as the FROM of a SELECT."""
    first = before.first + source.words(before.first, "FROM")
    return Section(Part.FROM, Extent(before.first, first), Extent(first, before.stop))


def without_pipes(source: Source, block: QueryBlock, stage: Fragment) -> Fragment:
    """A stage over the FROM of an operator, which is read as one without the pipes before its joins."""
    before = block.select.before_pipe or before_joins(source, block.body)
    pipes = [pipe for pipe in words_in(source, block.body, "|>") if before is None or pipe >= before.stop]
    edits = [Edit(*source.span(Extent(pipe, pipe + 1)), " ") for pipe in pipes]

    def edited(bind: Binder) -> Binder:
        return lambda source: bind(without_pipes_apart(reduce(Source.edited, edits, source)))

    knowing = stage.knowing
    assert knowing is not None
    return replace(stage, bind=edited(stage.bind), knowing=lambda columns: edited(knowing(columns)))


def _sections(source: Source, operator: Extent) -> Iterator[Section]:
    """The items of an operator, and the GROUP BY of an AGGREGATE or the WINDOW of a SELECT after them."""
    first, part, length, place = operator.first, Part.WINDOWS, 1, named_windows_of(source, operator)
    if source.words(first, "AGGREGATE"):
        groups = (p for p in words_in(source, operator, "GROUP") if source.words(p + 1, "BY"))
        part, length, place = Part.GROUP_BY, 2, next(groups, operator.stop)
    yield Section(Part.SELECT, Extent(first, first + 1), Extent(first + 1, place))
    if place < operator.stop:
        yield Section(part, Extent(place, place + length), Extent(place + length, operator.stop))


@dataclass(slots=True)
class JoinsByWindows:
    """The SELECTs of a tree that join relations by their windows.

    planned     those that a stream plans, or refuses
    unplanned   the first tokens of the relations that others join
    """

    planned: list[Extent] = field(default_factory=list)
    unplanned: set[int | None] = field(default_factory=set)

    def add(self, scope: Scope, planned: Extent | None) -> None:
        """Take a SELECT; `planned` is its place if it has stages."""
        if not joins_windows(scope.node, scope.relations, scope.meanings):
            return
        if planned is not None:
            self.planned.append(planned)
        else:
            self.unplanned |= {relation.first for relation in scope.relations if relation.is_windowed}

    def leave_to_spark(self, source: Source, operator: Extent) -> bool:
        """Whether an operator is a join by windows that Spark's own operators would run."""
        is_planned = any(operator.first in e.indexes and _is_beside(source, operator, e) for e in self.planned)
        if is_planned or not is_join(source, operator.first):
            return False
        named = any(source.at(n).upper.lower() in FUNCTION_COLUMNS for n in operator.indexes if source.at(n).is_name)
        is_known = any(first in operator.indexes for first in self.unplanned if first is not None)
        return named or is_known or source.words(operator.first, "NATURAL")


def _is_beside(source: Source, operator: Extent, other: Extent) -> bool:
    return source.group[operator.first] == source.group[other.first]


def refused_pipes(
    source: Source, rows: Iterable[Extent], results: Iterable[Extent], known: Container[int], joined: JoinsByWindows
) -> Iterator[Fragment]:
    """The refusals of operators over windows that a stream cannot run.

    rows, results   what makes windows: functions that give rows with their windows, and what gives results of windows
    known           the first words of the operators that it can run

    Rows Spark can aggregate itself, in the output modes that hand on unfinished groups.
    """
    own, others = list(rows), list(results)
    for pipe in source.places("|>"):
        operator = _operator(source, pipe)
        place, windows = operator, [*own, *others]
        words = None if pipe + 1 in known else gathering_words(source, operator)
        if joined.leave_to_spark(source, operator):
            error = _refused_join(source, operator)
        elif words is not None:
            place, error = words, _refused(source, words)
            windows = windows if source.words(words.first, "OVER") else others
        else:
            continue
        before = _query_before(source, pipe)
        if _has_where(source, before):
            continue
        needs = frozenset(extent for extent in windows if _reads(source, before, extent))
        if place == operator:  # a join of both
            right = frozenset(extent for extent in windows if _reads(source, operator, extent))
            needs = needs | right if needs and right else frozenset()
        if needs:
            yield Fragment.stage(place, place, Refusal(error).bind, needs)


def refused_subqueries_of_pipes(
    source: Source, scopes: Iterable[Scope], stages: Sequence[Fragment]
) -> Iterator[Fragment]:
    """The refusals of subqueries over windows after a pipe that no stage runs: Spark's own cannot read streams."""
    windowed = [scope for scope in scopes if scope.origins]
    for pipe in source.places("|>") if windowed else ():
        operator = _operator(source, pipe)
        if is_join(source, operator.first) or source.at(operator.first).is_word(*SET_OPERATORS):
            continue
        before = _query_before(source, pipe)
        if _has_where(source, before):
            continue
        for query in _queries_in(source, operator):
            place = Extent(query.first, query.first + 1)
            if any(
                s.extent == place or (before.first <= s.extent.first and query.stop <= s.extent.stop) for s in stages
            ):
                continue
            hint = "put what is before it into a subquery: SELECT * FROM (FROM t |> ...) AS x WHERE EXISTS (...)"
            error = refused(source, place, "this subquery over windows after |>", hint)
            origins = {origin.extent for scope in windowed if scope.first in query.indexes for origin in scope.origins}
            for origin in sorted(origins):
                yield Fragment.stage(place, place, Refusal(error).bind, frozenset({origin}))


def _queries_in(source: Source, operator: Extent) -> Iterator[Extent]:
    """The outermost subqueries of an operator."""
    stop = operator.first
    for bracket in source.places("("):
        if stop <= bracket < operator.stop and holds_query(source, bracket):
            stop = source.closing(bracket)
            yield Extent(bracket + 1, stop)


def _has_where(source: Source, query: Extent) -> bool:
    """Whether a query of FROM alone has a WHERE before a pipe, which Spark's grammar does not take."""
    first = next(words_in(source, query, "WHERE", "|>"), query.stop)
    return source.words(query.first, "FROM") and source.words(first, "WHERE")


def _operator(source: Source, pipe: int) -> Extent:
    """The operator after a pipe, up to the next one or the end of the query."""
    end = query_around(source, pipe).stop
    nexts = (place for place in beside(source, pipe, "|>", ";") if place > pipe)
    return Extent(pipe + 1, min(next(nexts, end), end))


def _query_before(source: Source, pipe: int) -> Extent:
    """The query before a pipe, without its WITH list."""
    return Extent(begin_of_query(source, query_around(source, pipe)), pipe)


def _reads(source: Source, query: Extent, windows: Extent) -> bool:
    """Whether a query holds what makes windows, or names a CTE that does."""
    if query.holds(windows):
        return True
    definitions = [d for found in Context(source).lists for d in found.definitions]
    around = [d for d in definitions if d.extent.holds(windows)]
    return any(d.name == source.folded(i) for d in around for i in query.indexes if source.at(i).is_name)


def _refused(source: Source, place: Extent) -> WinsqlError:
    is_over = source.words(place.first, "OVER")
    words = "OVER" if is_over else " ".join(source.at(n).upper for n in place.indexes)
    example = "SELECT ..., row_number() OVER (...) AS r" if is_over else "SELECT ..."
    rule = "on a stream windows are grouped and ranked by their end; what else comes after |> takes rows one by one"
    hint = f"put what is before it into a subquery: {example} FROM (FROM t |> ...)"
    return source.spec_error(f"{words} after |> cannot be used over windows of a stream", place, rule=rule, hint=hint)


def _refused_join(source: Source, operator: Extent) -> WinsqlError:
    place = Extent(operator.first, next(words_in(source, operator, "JOIN")) + 1)
    rule = "Spark's own join of streams would keep all rows for ever"
    hint = "join them in the FROM of a SELECT, or write |> SELECT right after the join"
    return source.spec_error("this join of windows after |> cannot run on streams", place, rule=rule, hint=hint)
