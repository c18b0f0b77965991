"""The query over the operator's result: `head` before its FROM, `tail` after it, in one of three forms.

Aggregate form: items are computed outside, from keys, aggregates and window columns.
Rows form: items that read no window column and no other row are computed inside, over the source, where every name
means what it means to Spark, and carried through the window; the others are computed outside from carried columns.
APPLY: items are computed outside from what the function returns, the keys and the window columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from winsql.model.aggregate_calls import AggregateCall
from winsql.model.query import RANK, WINDOW_COLUMNS, Constant, Form, PayloadColumn, ResultColumn, Unnamed, Variable
from winsql.model.window_functions import Ties, WindowFunctions
from winsql.syntax.bind.binding import Binding
from winsql.syntax.bind.column_rules import all_columns, rules_of
from winsql.syntax.bind.rewriter import Rewriter
from winsql.syntax.bind.window_functions import window_function
from winsql.syntax.expressions.item_names import Naming
from winsql.syntax.expressions.items import Item, column_path, contested_names, generates_rows, quoted
from winsql.syntax.expressions.keys import Key, KeyMatcher, constant_of
from winsql.syntax.expressions.over import OverCall, named_windows, sorted_by, window_definitions
from winsql.syntax.expressions.references import (
    Reference,
    ReferenceKind,
    aggregates_in,
    find_references,
    has_window_function,
)
from winsql.syntax.functions.window_table_functions import WHOLE_ROW
from winsql.syntax.once import once
from winsql.syntax.text.compose import clause
from winsql.syntax.text.parts import COUNTS, SORTS, Part, Section, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

# where ORDER BY follows, Spark wants named windows before QUALIFY
_OVER_RESULT = (Part.WINDOWS, Part.QUALIFY, *SORTS)
# names of a generator's columns when the query gives none
GENERATED_NAMES = ("col", "pos", "key", "value")


@dataclass(frozen=True, slots=True)
class Projection:
    """What a form makes of the select list and the clauses after the window: parts of a `WindowQuery`."""

    form: Form
    head: str
    tail: str
    is_distinct: bool
    aggregates: tuple[AggregateCall, ...]
    payload: tuple[PayloadColumn, ...]
    variables: tuple[Variable, ...]
    window_columns: tuple[str, ...]
    returned: tuple[ResultColumn, ...] = ()
    unnamed: Unnamed | None = None
    over: WindowFunctions | None = None

    def values(self) -> dict[str, Any]:
        """Its parts by their names in a `WindowQuery`."""
        return {name: getattr(self, name) for name in self.__slots__}


def project(
    binding: Binding,
    keys: list[Key],
    function: str | None = None,
    ranked: Sequence[OverCall] = (),
    star_windows: tuple[str, ...] = (),
) -> Projection:
    """Head and tail of a windowed SELECT.

    function   the name after APPLY
    ranked     the calls with OVER whose results head and tail read
    star_windows   as for `Rewriter`
    """
    source, select = binding.source, binding.select
    aggregate = _first_aggregate(binding)
    form = _form(select, aggregate, function)
    if form is Form.APPLY and aggregate is not None:
        rule = "the apply function gets the rows of each firing and returns the result"
        hint = "compute it in the function, or aggregate the windowed SELECT in an outer query"
        raise source.spec_error("an aggregate cannot be used with APPLY", aggregate.extent, rule=rule, hint=hint)
    on_column, on_star = rules_of(form, function)
    # a row keeps its own values: a key may differ from them, by the case of a collated string or the sign of a zero
    known = [] if form is Form.ROWS else keys
    rewriter = Rewriter(
        source,
        known,
        KeyMatcher(source, known, binding.paths),
        on_column,
        on_star,
        {call.extent.first: (call.extent.stop, f"{RANK}_{n}") for n, call in enumerate(ranked)},
        star_windows,
        binding.columns or frozenset(),
    )
    _check_having(source, select, form)
    writer = _Writer(rewriter, binding, form)
    head, tail, over = writer.head(), writer.tail(), writer.over(ranked)
    payload = WHOLE_ROW if form is Form.APPLY else tuple(rewriter.payload.values())
    expressions = [key.extent for key in keys if constant_of(source, key.extent) is not Constant.NUMBER]
    grouping = [*map(source.verbatim, expressions)] if form is Form.AGGREGATE else []
    head, tail, unnamed = writer.naming.record(head, tail, grouping, select.body(Part.WINDOWS))
    aggregates, variables = tuple(rewriter.aggregates.values()), tuple(rewriter.variables)
    windows = tuple(column for column in WINDOW_COLUMNS.values() if column in rewriter.windows)
    returned = tuple(writer.returned)
    is_distinct = binding.select_list.is_distinct
    return Projection(form, head, tail, is_distinct, aggregates, payload, variables, windows, returned, unnamed, over)


def _form(select: Select, aggregate: Reference | None, function: str | None) -> Form:
    if function is not None:
        return Form.APPLY
    return Form.AGGREGATE if aggregate is not None or Part.GROUP_BY in select.sections else Form.ROWS


def _first_aggregate(binding: Binding) -> Reference | None:
    """The first aggregate call among the items and in the clauses after the window."""
    source = binding.source
    extents = [item.expression for item in binding.items]
    for part in (Part.HAVING, *_OVER_RESULT):
        section = binding.select.get(part)
        if section is not None:
            is_windows = part is Part.WINDOWS
            extents += [s for _, s in window_definitions(source, section.body)] if is_windows else [section.body]
    return next((aggregate for extent in extents for aggregate in aggregates_in(source, extent)), None)


def _check_having(source: Source, select: Select, form: Form) -> None:
    having = select.get(Part.HAVING)
    if having is None:
        return
    if form is not Form.AGGREGATE:
        rule = "HAVING filters groups; this query returns rows"
        hint = "filter with WHERE before the window, or put the windowed SELECT into a subquery and filter there"
        raise source.spec_error("HAVING needs aggregates or GROUP BY", having.extent, rule=rule, hint=hint)
    if has_window_function(source, having.body):
        raise source.spec_error("HAVING holds a window function", having.body, hint="use QUALIFY")


class _Writer:
    """Writes head and tail from the parts of a SELECT."""

    def __init__(self, rewriter: Rewriter, binding: Binding, form: Form) -> None:
        items = binding.items
        self.rewriter = rewriter
        self.source = binding.source
        self.select = binding.select
        self.list = binding.select_list
        self.form = form
        self.columns = binding.columns
        contested = frozenset() if self.columns is None else contested_names(self.source, self.select, items)
        self.lateral = contested - (self.columns or frozenset())
        self.naming = Naming(self.source, items, rewriter.match.paths)
        self.names = {self.source.fold(name): item for item in items for name in self._names(item)}
        self.items_first = any(has_window_function(self.source, item.expression) for item in items)
        """Whether names in QUALIFY are those of items before columns, as in Spark beside an item with OVER."""
        self.earlier: dict[str, str | None] = {}
        self.returned: list[ResultColumn] = []

    def head(self) -> str:
        """`SELECT ...` with hints and DISTINCT, items with their names."""
        place = self.select.sections[Part.SELECT].head
        items = [all_columns(self.rewriter, place, "*")] if self.list.has_all else []
        for item in self.list.items:
            items.append(self._item(item))
            if item.alias is not None:
                names = map(self.source.fold, item.names)
                self.earlier |= dict.fromkeys(name for name in names if name not in (self.columns or ()))
        return f"{self.list.opening} {', '.join(items)}"

    def tail(self) -> str:
        """`WHERE ... WINDOW ... QUALIFY ... ORDER BY ... LIMIT ... OFFSET ...`"""
        having = self.select.body(Part.HAVING)
        parts = [] if having is None or self.rewriter.ranks else [clause("WHERE", self._having(having))]
        for part in (*_OVER_RESULT, *COUNTS):
            section = self.select.get(part)
            if section is not None and self.rewriter.ranks and part in (Part.WINDOWS, Part.QUALIFY):
                if part is Part.QUALIFY:
                    parts.append(clause("WHERE", self._with_items(section.body, columns_first=not self.items_first)))
            elif section is not None:
                parts.append(clause(part.words, self._clause(section)))
        return " ".join(parts)

    def over(self, calls: Sequence[OverCall]) -> WindowFunctions | None:
        """The record of the calls with OVER; None where there are none."""
        having = self.select.body(Part.HAVING)
        where = None if having is None or not calls else self._having(having)
        found = tuple(
            window_function(self.source, call, f"{RANK}_{n}", self._before_over(call)) for n, call in enumerate(calls)
        )
        ties = Ties.COLUMNS if self.form is Form.AGGREGATE else Ties.FIRST_ARRIVED
        return WindowFunctions(found, where, ties) if found else None

    def _before_over(self, call: OverCall) -> Callable[[Extent], str]:
        """Says what a call with OVER reads: items, but for those that have such calls themselves."""
        qualify = self.select.body(Part.QUALIFY)
        items_first = self.items_first and qualify is not None and call.extent.first in qualify.indexes
        return partial(self._with_items, columns_first=not items_first, before_over=True)

    def _with_items(self, extent: Extent, *, columns_first: bool, before_over: bool = False) -> str:
        """A range in which the names of items are not known: each gives way to its expression."""
        names = dict(self.names)
        if columns_first:
            read = set() if self.form is Form.AGGREGATE else self._columns_read - self.lateral
            names = {name: item for name, item in names.items() if name not in {*read, *(self.columns or ())}}
        if before_over:
            names = {name: item for name, item in names.items() if name not in self._names_of_over}
        texts = self._written_out(extent, names)
        return self._keys_first(extent, texts) if columns_first else self.rewriter.rewrite(extent, texts)

    # items

    def _names(self, item: Item) -> tuple[str, ...]:
        """The columns an item makes in the result; none for a star."""
        if item.alias is not None:
            return item.names
        if self._is_star(item):
            return ()
        if generates_rows(self.source, item.expression):
            return GENERATED_NAMES
        return (self.naming.name(item),)

    def _name(self, item: Item) -> str:
        """The name of an item without an alias, as SQL."""
        return self.naming.labels.get(item) or quoted(self._names(item)[0])

    def _item(self, item: Item) -> str:
        if self._is_star(item):
            return self.rewriter.rewrite(item.expression)
        text = self._expression(item, self.earlier)
        if item.alias is None and generates_rows(self.source, item.expression):
            return text
        if text in self.rewriter.windows or any(text == key.column for key in self.rewriter.keys):
            self.returned += [ResultColumn(name, text) for name in self._names(item)[:1]]
        name = self._name(item) if item.alias is None else self.source.verbatim(item.alias)
        return f"{text} AS {name}"

    def _is_star(self, item: Item) -> bool:
        found = [(reference.kind, reference.extent) for reference in find_references(self.source, item.expression)]
        return found == [(ReferenceKind.STAR, item.expression)]

    def _written_out(self, extent: Extent, names: Iterable[str]) -> dict[str, str | None]:
        """Those of these names that a range reads: the items as expressions, with earlier items written out in them."""
        written: dict[str, str | None] = {}
        earlier: dict[str, str | None] = {}
        items, read = self._items_read(extent)
        for item in items:
            own = [self.source.fold(name) for name in self._names(item)]
            text = f"({self._expression(item, earlier)})" if own else None
            written |= dict.fromkeys(own, text)
            if item.alias is not None:
                earlier |= {name: text for name in own if name not in (self.columns or ())}
        return {name: written[name] for name in names if name in read}

    def _items_read(self, extent: Extent) -> tuple[list[Item], set[str]]:
        """The items whose names may be in a range, or in one of these items, and the names in the range."""
        found: list[Item] = []
        read = self._words(extent)
        known = set(read)
        for item in reversed(self.list.items):
            if known.intersection(map(self.source.fold, self._names(item))):
                found.insert(0, item)
                known |= self._words(item.expression)
        return found, read

    def _words(self, extent: Extent) -> set[str]:
        return {self.source.folded(index) for index in extent.indexes if self.source.at(index).is_name}

    def _expression(self, item: Item, earlier: Mapping[str, str | None]) -> str:
        """The item for the outer query; names of earlier items come after columns, as Spark's lateral aliases.

        earlier   these names, each with the text that replaces it, or None
        """
        extent = item.expression
        if self.form is not Form.ROWS:
            return self._keys_first(extent, earlier)
        names = {name: text for name, text in earlier.items() if name in self.lateral}
        columns = (r for r in find_references(self.source, extent) if r.path)
        reads_names = any(self.source.folded(r.extent.first) in names for r in columns)
        if reads_names or not self._is_inner(extent):
            return self._keys_first(extent, names)
        return self.rewriter.carry(extent)

    def _keys_first(self, extent: Extent, names: Mapping[str, str | None]) -> str:
        """Rewrites a range in which names of items come after keys and window columns."""
        columns = (key.extent for key in self.rewriter.keys if column_path(self.source, key.extent))
        keys = {self.source.folded(extent.stop - 1) for extent in columns}
        windows = {self.source.folded(r.extent.first) for r in find_references(self.source, extent) if r.window}
        own = {name: text for name, text in names.items() if name not in keys and name not in windows}
        return self.rewriter.rewrite(extent, own)

    def _columns_first(self, extent: Extent) -> str:
        """Rewrites a range in which names of items come after columns: keys, or what the items are seen to read."""
        names: dict[str, str | None] = dict.fromkeys(name for name in self.names if name not in (self.columns or ()))
        if self.form is not Form.AGGREGATE:
            names = {name: None for name in names if name not in self._columns_read}
        return self._keys_first(extent, names)

    @once
    def _names_of_over(self) -> set[str]:
        """The names of items that have calls with OVER."""
        return {name for name, item in self.names.items() if has_window_function(self.source, item.expression)}

    @once
    def _columns_read(self) -> set[str]:
        """The bare names of the columns that items read, and of none of the items before them but in the rows form."""
        read: set[str] = set()
        earlier: set[str] = set()
        for item in self.list.items:
            for reference in find_references(self.source, item.expression):
                if reference.path and reference.window is None:
                    read |= {self.source.folded(reference.extent.stop - 1)} - earlier
            if self.form is Form.APPLY:
                earlier |= {*map(self.source.fold, item.names)}
        return read

    def _is_inner(self, extent: Extent) -> bool:
        """Whether an item of the rows form can be computed over the source."""
        references = find_references(self.source, extent)
        if generates_rows(self.source, extent):
            return False
        reads = any(r.kind in (ReferenceKind.COLUMN, ReferenceKind.STAR, ReferenceKind.SUBQUERY) for r in references)
        reads_windows = any(reference.window is not None for reference in references)
        return reads and not reads_windows and not has_window_function(self.source, extent)

    # clauses after the window

    def _having(self, extent: Extent) -> str:
        """HAVING becomes WHERE, where the names of items are not known: each gives way to its expression.

        As in Spark, a key comes before an item of its name.
        """
        own = (name for name in self.names if name not in self._names_of_over)
        return self._keys_first(extent, self._written_out(extent, own))

    def _clause(self, section: Section) -> str:
        """A clause after the window; as in Spark, names of items come first where it sorts, last where it filters."""
        if section.part is Part.WINDOWS:
            return named_windows(self.source, section.body, self._columns_first)
        if section.part is Part.QUALIFY:
            return self._qualify(section.body)
        if section.part in COUNTS or self.source.words(section.body.first, "ALL"):
            return self.source.verbatim(section.body)
        names: dict[str, str | None] = dict.fromkeys([*self.names, *self._names_of_spark(section.body)])
        if not self.list.is_distinct:
            return self.rewriter.rewrite(section.body, names)
        if any(self._is_star(item) for item in self.list.items):
            return self.source.verbatim(section.body)
        return ", ".join(self._sort(part, names) for part in self.source.split(section.body))

    def _names_of_spark(self, extent: Extent) -> set[str]:
        """Quoted names that may be those that Spark gives to items: it will see."""
        quotes = (self.source.tokens[i] for i in extent.indexes if self.source.tokens[i].kind is TokenKind.QUOTED)
        return {token.upper for token in quotes if not token.upper.isidentifier()} if self.naming.labels else set()

    def _qualify(self, extent: Extent) -> str:
        known = len(self.rewriter.variables)
        items = dict.fromkeys(self.names)
        text = self.rewriter.rewrite(extent, items) if self.items_first else self._columns_first(extent)
        if len(self.rewriter.variables) > known:
            variable = self.rewriter.variables[-1]
            problem = f"QUALIFY cannot read the session variable {variable.text}"
            rule, hint = "Spark looks for columns alone there", f"write (SELECT {variable.text})"
            raise self.source.spec_error(problem, variable.span, rule=rule, hint=hint)
        return text

    def _sort(self, extent: Extent, names: dict[str, str | None]) -> str:
        """After SELECT DISTINCT only items can be sorted by: an equal expression becomes the item's name."""
        expression = sorted_by(self.source, extent)
        for item in self.names.values():
            if self.rewriter.match.same(expression, item.expression):
                rest = Extent(expression.stop, extent.stop)
                direction = "" if rest.is_empty else self.source.verbatim(rest)
                return f"{self._name(item) if item.alias is None else quoted(item.names[0])} {direction}".rstrip()
        return self.rewriter.rewrite(extent, names)
