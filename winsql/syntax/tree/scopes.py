"""The SELECTs of a statement, those inside calls of table functions included."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from sqlglot import exp

from winsql.errors import WinsqlError
from winsql.model.assigners import TumblingWindows
from winsql.model.query import Form
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.expressions.items import quoted
from winsql.syntax.functions.table_function_calls import TableCall, find_calls
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES, bind_function, time_column
from winsql.syntax.joins.arguments import JOIN_FUNCTIONS
from winsql.syntax.joins.join_functions import bind_join_call
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.literals import string_value
from winsql.syntax.text.parts import Select, is_query_start
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.tree.bridge import parse_query
from winsql.syntax.tree.lineage import read_lineage
from winsql.syntax.tree.masks import inner_queries, masks_of, root_of
from winsql.syntax.tree.records import GAP, WINDOW_OUTPUT, Origin, Output, Relation, Scope


def read_scopes(source: Source, selects: Iterable[Select]) -> list[Scope]:
    """The SELECTs around and inside windows, inner before outer; `selects` are those with window clauses."""
    functions, joins = find_calls(source, FUNCTION_NAMES), find_calls(source, JOIN_FUNCTIONS)
    masked, windowed = [call.extent for call in (*functions, *joins)], list(selects)
    masks = masks_of(source, masked, windowed)
    origins = {call.extent.first: _of_function(source, call) for call in functions}
    origins |= {call.extent.first: _of_join(source, call) for call in joins}
    origins |= {select.first: _of_select(source, select) for select in windowed}
    unread = [Extent(first, stop) for first, stop in masks.items() if stop > first + 1]
    inside = {mask.first: _trees(source, inner_queries(source, mask), masks) for mask in unread}
    own = (*masked, *(select.extent for select in windowed))
    outer = [e for e in own if not any(call.first < e.first and e.stop <= call.stop for call in masked)]
    first = [extent.first for extent in outer]
    if source.window_table is not None:
        places = source.places("FROM", "TABLE")
        first += [place for place in places if not any(place in call.indexes for call in masked)]
    roots = sorted({root_of(source, index) for index in first})
    table, mentions = partial(_table, source), _mentions(source) if source.places("WITH") else {}
    trees = _trees(source, roots, masks)
    return [scope for tree in trees for scope in read_lineage(tree, origins, inside, table, mentions, source.fold)]


def _mentions(source: Source) -> dict[str, set[int]]:
    """The tokens that may name a relation, by the name in lower case; those next to dots belong to paths."""
    found: dict[str, set[int]] = {}
    for index, token in enumerate(source.tokens):
        if token.is_name and not (source.at(index - 1).is_symbol(".") or source.at(index + 1).is_symbol(".")):
            found.setdefault(source.name(index).lower(), set()).add(index)
    return found


def _table(source: Source, first: int) -> Relation | None:
    """The table of the session that is named here, if it has window columns."""
    relation = read_relation(source, first, len(source))
    is_stream = source.words(first, "STREAM") and source.at(first + 1, relation.body.stop).is_name
    path = Extent(first + is_stream, relation.body.stop)
    named = None if source.window_table is None else _named(source, path)
    found = None if named is None or source.window_table is None else source.window_table(named[0])
    if named is None or found is None:
        return None
    origin = Origin(relation.body, found.are_rows, is_table=True)
    output = tuple(Output(c.name.lower(), c.role, is_time=c.is_time, written=c.name) for c in found.columns)
    origins, rows = frozenset({origin}), found.are_rows
    return Relation(named[1], first, output, origins, is_row_stream=rows, is_window_result=not rows)


def _named(source: Source, path: Extent) -> tuple[str, str] | None:
    """A table, or the call of a function, as SQL, and the name before its columns; None for anything else, and for a
    call that reads a query, which may have windows of its own."""
    if any(source.at(index - 1).is_symbol("(") and is_query_start(source, index) for index in path.indexes):
        return None
    bracket = next((index for index in path.indexes if source.at(index).is_symbol("(")), path.stop)
    names = [index for index in range(path.first, bracket) if not source.at(index).is_symbol(".")]
    if not names or not all(source.at(index).is_name for index in names):
        return None
    if bracket == path.stop:
        return ".".join(quoted(source.name(index)) for index in names), source.name(names[-1]).lower()
    name = source.name(names[-1]).lower()
    if source.words(path.first, "IDENTIFIER"):
        is_told = source.at(bracket + 1).kind is TokenKind.STRING and bracket + 3 == path.stop
        name = string_value(source, bracket + 1).rpartition(".")[2].strip("`").lower() if is_told else ""
    return source.verbatim(path), name


def _of_function(source: Source, call: TableCall) -> Origin:
    """A call of a window table function; sessions are known only when they have ended."""
    function = None
    with suppress(WinsqlError):  # its own query tells
        function = bind_function(call, source)
    assigner = None if function is None else function.spec.assigner
    is_merging = assigner is not None and assigner.is_merging
    tumbling = (assigner.size, assigner.offset) if isinstance(assigner, TumblingWindows) else None
    time = time_column(source, call)
    return Origin(call.extent, not is_merging, time, call=call, function=function, tumbling=tumbling)


def _of_select(source: Source, select: Select) -> Origin:
    """A SELECT with window clauses; two with the same text of a size have windows of one size, but for markers."""
    first = select.sections[ASSIGN].body.first
    is_tumbling = source.words(first, TumblingWindows.NAME) and source.at(first + 1).is_symbol("(")
    parts = source.split(Extent(first + 2, source.closing(first + 1))) if is_tumbling else []
    written = [source.verbatim(part).upper() for part in parts]
    lengths = written if "=>" in "".join(written) else written[1:]
    is_known = bool(lengths) and "?" not in "".join(lengths)
    return Origin(select.extent, is_row_stream=False, tumbling=tuple(lengths) if is_known else None)


def _of_join(source: Source, call: TableCall) -> Origin:
    """A call of window_join or co_group: keys, windows and the rest. What an APPLY function returns is not known."""
    query = None
    with suppress(WinsqlError):  # its own query tells
        query = bind_join_call(call, None, source)
    if query is None or query.apply is not None:
        return Origin(call.extent, is_row_stream=False, output=(GAP,))
    windows = WINDOW_OUTPUT[:2] if query.form is Form.CO_GROUP else WINDOW_OUTPUT
    return Origin(call.extent, is_row_stream=False, output=(*[Output("")] * len(query.keys), *windows, GAP))


def _trees(source: Source, extents: Iterable[Extent], masks: dict[int, int]) -> list[exp.Expr]:
    found = (parse_query(source, extent, masks) for extent in extents if not extent.is_empty)
    return [tree for tree in found if tree is not None]
