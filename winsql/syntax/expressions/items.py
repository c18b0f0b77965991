"""The select list: its items, their aliases, and the names Spark would give to items without one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from winsql.syntax.expressions.references import Reference, ReferenceKind, aggregates_in, has_window_function
from winsql.syntax.text.intervals import interval_end
from winsql.syntax.text.literals import string_value
from winsql.syntax.text.operands import OperandState
from winsql.syntax.text.parts import SORTS, Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.text.vocabulary import CONSTANTS, GENERATORS, KEYWORDS, NILADIC


@dataclass(frozen=True, slots=True)
class Item:
    """One item: its expression, its alias as written (None: it has none), and the names the alias gives it."""

    expression: Extent
    alias: Extent | None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SelectList:
    """`SELECT` with hints and DISTINCT as written (`opening`), and its items; `has_all` columns come before these."""

    opening: str
    is_distinct: bool
    items: tuple[Item, ...]
    has_all: bool = False

    @property
    def without_distinct(self) -> SelectList:
        """The same without DISTINCT."""
        opening = self.opening[: -len("DISTINCT")].rstrip() if self.is_distinct else self.opening
        return replace(self, opening=opening, is_distinct=False)


def read_select_list(source: Source, select: Select) -> SelectList:
    head, body = select.sections[Part.SELECT].head, select.sections[Part.SELECT].body
    if select.is_aggregate:
        keys = select.body(Part.GROUP_BY)
        return SelectList("SELECT", False, read_items(source, *([] if keys is None else [keys]), body))
    if select.has_all:
        return SelectList("SELECT", False, read_items(source, body), has_all=True)
    start = body.first
    while source.at(start, body.stop).is_symbol("/*+"):
        start = source.after_hint(start)
    quantifier = source.at(start, body.stop)
    has_quantifier = quantifier.is_word("ALL", "DISTINCT") and not source.at(start + 1).is_symbol(".", ",")
    start = start + 1 if has_quantifier else start
    items = read_items(source, Extent(start, body.stop))
    if not items:
        raise source.syntax_error("the select list is empty", head, hint="write what to return, or *")
    opening = source.verbatim(Extent(head.first, start))
    return SelectList(opening, has_quantifier and quantifier.is_word("DISTINCT"), items)


def read_items(source: Source, *lists: Extent) -> tuple[Item, ...]:
    parts = [part for listed in lists for part in source.split(listed)]
    empty = next((part for part in parts if part.is_empty), None)
    if empty is not None:
        raise source.syntax_error("an item of the select list is missing here", empty, hint="leave out the comma")
    return tuple(_item(source, part) for part in parts)


def column_path(source: Source, extent: Extent) -> tuple[str, ...] | None:
    """The upper-cased parts of a range that is a plain column `a.b.c`; None for anything else."""
    is_constant = extent.is_single and source.at(extent.first).is_word(*CONSTANTS)
    if is_constant or not source.is_path(extent):
        return None
    return tuple(source.tokens[index].upper for index in extent.indexes[::2])


def quoted(name: str) -> str:
    """A name in backquotes."""
    return "`" + name.replace("`", "``") + "`"


def automatic_name(
    source: Source, extent: Extent, references: list[Reference], paths: frozenset[tuple[str, ...]] = frozenset()
) -> str:
    """The name of an item without an alias: Spark's for columns and single aggregates, else the text itself.

    Spark leaves out the names of relations, `paths`, in front of columns.
    """
    if column_path(source, extent) is not None:
        return source.name(extent.stop - 1)
    whole = [r for r in references if r.extent == extent and r.kind is ReferenceKind.AGGREGATE]
    if not whole or whole[0].call is None:
        return _text(source, extent)
    call = whole[0].call
    last = call.arguments.first - 2
    name = (source.name(last) if source.at(last).is_name else call.name).lower()
    distinct = "DISTINCT " if source.at(call.arguments.first).is_word("DISTINCT") else ""
    start = call.arguments.first + (1 if distinct else 0)
    arguments = source.split(Extent(start, call.arguments.stop))
    inner = ", ".join(_argument_name(source, argument, paths) for argument in arguments)
    rest = _text(source, Extent(call.arguments.stop + 1, extent.stop))
    return f"{name}({distinct}{'1' if inner == '*' else inner})" + (f" {rest}" if rest else "")


def _argument_name(source: Source, extent: Extent, paths: frozenset[tuple[str, ...]]) -> str:
    path = column_path(source, extent)
    if path is None:
        return _text(source, extent)
    before = max((n for n in range(len(path)) if path[:n] in paths), default=0)
    return ".".join(source.name(i) for i in range(extent.first + 2 * before, extent.stop, 2))


def _text(source: Source, extent: Extent) -> str:
    return " ".join(source.written(extent).split())


def _item(source: Source, extent: Extent) -> Item:
    alias = _alias(source, extent)
    expression = extent
    if alias is not None:
        has_as = source.at(alias.first - 1).is_word("AS")
        expression = Extent(extent.first, alias.first - 1 if has_as else alias.first)
    if expression.is_empty:
        hint = "write the expression before AS, or put a column of that name into backquotes"
        raise source.syntax_error("there is an alias without an expression", extent, hint=hint)
    names = () if alias is None else tuple(source.name(i) for i in alias.indexes if source.at(i).is_name)
    return Item(expression, alias, names)


def _alias(source: Source, extent: Extent) -> Extent | None:
    """The alias at the end of an item: `AS name`, `AS (name, ...)` of a generator, a name after an expression."""
    last = extent.stop - 1
    opening = source.partner[last]
    if opening is not None and opening > extent.first and source.at(opening - 1).is_word("AS"):
        return Extent(opening, extent.stop)
    if opening is not None and opening > extent.first + 1 and source.words(opening - 2, "AS", "IDENTIFIER"):
        written = Extent(opening - 1, extent.stop)
        rule = "in a SELECT with window clauses an alias is a name"
        raise source.syntax_error("IDENTIFIER(...) cannot be an alias here", written, rule=rule, hint="write the name")
    before = source.at(last - 1)
    is_string = source.tokens[last].kind is TokenKind.STRING and before.kind is not TokenKind.STRING
    if is_string and before.is_word(*KEYWORDS) and not before.is_word("AS", "END"):  # a literal or an operand
        return None
    if extent.stop - extent.first < 2 or not (source.tokens[last].is_name or is_string):
        return None
    if not before.is_word("AS") and not _is_after_operand(source, extent, last):
        return None
    if is_string:
        hint = f"write AS {quoted(string_value(source, last))}"
        raise source.syntax_error("a string cannot be an alias", last, rule="an alias is a name", hint=hint)
    return Extent(last, extent.stop)


def _is_after_operand(source: Source, extent: Extent, last: int) -> bool:
    """Whether the last token of an item comes after a whole expression."""
    state = OperandState(source)
    index = extent.first
    depth = 0
    while index < last:
        depth += source.at(index).is_word("CASE") - (source.at(index).is_word("END") and depth > 0)
        index = state.advance(index)
    return index == last and state.is_done and depth == 0 and not _is_suffix(source, extent, last)


def _is_suffix(source: Source, extent: Extent, last: int) -> bool:
    """Whether the last word belongs to the expression: a unit of time, NULLS, the end of CASE."""
    token, before = source.tokens[last], source.at(last - 1)
    if token.kind is TokenKind.QUOTED:
        return False
    says_nulls = token.is_word("NULLS") and before.is_word("IGNORE", "RESPECT")
    if says_nulls or before.is_symbol(".", ":", "::") or before.is_word("TO"):
        return True
    return any(interval_end(source, index, extent.stop) > last for index in range(extent.first, last))


_COLUMNS_FIRST = (Part.SELECT, Part.GROUP_BY, Part.WINDOWS, Part.QUALIFY)
"""Clauses in which a column of the source comes before an alias of its name."""


def contested_names(source: Source, select: Select, items: tuple[Item, ...]) -> frozenset[str]:
    """The aliases that are used where a column of the same name would come first, in the form of `Source.fold`.

    An alias that names exactly that column is not among them.
    """
    aliases = {
        source.fold(item.names[0])
        for item in items
        if len(item.names) == 1 and not _is_column_of_its_name(source, item)
    }
    if not aliases:
        return frozenset()
    own = {index for item in items if item.alias for index in item.alias.indexes}
    return frozenset(
        source.folded(index)
        for index in _tokens(select, _COLUMNS_FIRST)
        if source.at(index).is_name and source.folded(index) in aliases and index not in own
        if not source.at(index - 1).is_symbol(".") and not source.at(index + 1).is_symbol("(")
    )


def _is_column_of_its_name(source: Source, item: Item) -> bool:
    path = column_path(source, item.expression)
    return path is not None and len(path) == 1 and source.folded(item.expression.first) == source.fold(item.names[0])


def niladic_names(source: Source, select: Select) -> frozenset[str]:
    """The names that are calls without brackets unless the source has such columns, in the form of `Source.fold`."""
    return frozenset(
        source.folded(index)
        for index in _tokens(select, _OUTSIDE)
        if source.at(index).is_word(*NILADIC) and _is_bare(source, index)
    )


def _tokens(select: Select, parts: Iterable[Part]) -> Iterator[int]:
    """The tokens after the words of these clauses."""
    return chain.from_iterable(select.sections[part].body.indexes for part in parts if part in select.sections)


def _is_bare(source: Source, index: int) -> bool:
    """Whether a name has no dot beside it, and no bracket after it."""
    return not source.at(index - 1).is_symbol(".") and not source.at(index + 1).is_symbol("(", ".")


_OUTSIDE = (Part.SELECT, Part.HAVING, Part.WINDOWS, Part.QUALIFY, *SORTS)


def generates_rows(source: Source, extent: Extent) -> bool:
    """Whether an expression calls a function that makes several rows of one."""
    return any(i in extent.indexes and source.at(i + 1).is_symbol("(") for i in source.places(*GENERATORS))


def schema_names(schema: str) -> list[str]:
    """The column names of a Spark SQL schema, `a INT, b STRUCT<c: INT>`."""
    source = Source(schema)
    columns = source.split_columns(Extent(0, len(source)))
    return [source.name(column.first) for column in columns if not column.is_empty]


def first_gathering(source: Source, select: Select) -> Extent | None:
    """The first word, clause or item that takes several rows of a SELECT together: DISTINCT, groups, aggregates, OVER.

    None where each row is taken by itself.
    """
    listed = read_select_list(source, select)
    if listed.is_distinct:
        return select.sections[Part.SELECT].head
    for part in (Part.GROUP_BY, Part.HAVING):
        if part in select.sections:
            return select.sections[part].extent
    for item in listed.items:
        for aggregate in aggregates_in(source, item.expression):
            return aggregate.extent
        if has_window_function(source, item.expression):
            return item.expression
    return select.sections[Part.QUALIFY].extent if Part.QUALIFY in select.sections else None
