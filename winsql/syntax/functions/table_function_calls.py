"""Calls of winsql's table functions: where they are, and the arguments that all of them have.

    relation   = TABLE ( call ) | call
    call       = name ( argument {, argument} )
    table      = (TABLE name | TABLE ( relation ) | TABLE ( query )) [PARTITION BY key | PARTITION BY ( key {, key} )]
    times      = DESCRIPTOR ( column {, column} )

A call is winsql's where a relation may be and one of its arguments is a TABLE or a DESCRIPTOR: tables and functions of
the user's may have the same names. It may have an alias, other relations beside it, or be the table of another call.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from winsql.syntax.selects.relations import begins_relation, read_relation
from winsql.syntax.text.deep import require_shallow
from winsql.syntax.text.parts import holds_query, is_query_start, outside_brackets
from winsql.syntax.text.source import Extent, Source


@dataclass(frozen=True, slots=True)
class TableCall:
    """A call of a table function.

    name    of the function, upper case
    extent  what it takes up as a relation: the call, with TABLE ( ... ) around it where it is written so
    call    the call alone
    """

    name: str
    extent: Extent
    call: Extent

    @property
    def arguments(self) -> Extent:
        """The inside of the brackets."""
        return Extent(self.call.first + 2, self.call.stop - 1)


def find_calls(source: Source, names: Collection[str]) -> list[TableCall]:
    """The calls of functions of these names, upper case, that are relations.

    Raises WindowSyntaxError for a bracket or quote without its partner in a statement that has one.
    """
    openers = [index for index in source.places(*names) if _says_table(source, index)]
    if openers:
        source.require_balance()
        require_shallow(source)
    return [_call_at(source, index) for index in openers if begins_relation(source, index)]


def _call_at(source: Source, index: int) -> TableCall:
    call = Extent(index, source.closing(index + 1) + 1)
    return TableCall(source.at(index).upper, _with_table(source, call), call)


def _says_table(source: Source, index: int) -> bool:
    """Whether an argument of the call at `index` is a TABLE or DESCRIPTOR."""
    if not source.at(index + 1).is_symbol("(") or source.at(index - 1).is_symbol("."):
        return False
    if is_table(source, index + 2):
        return True
    closing = source.partner[index + 1]
    parts = [] if closing is None else source.split(Extent(index + 2, closing))
    return any(is_table(source, part.first) or _is_descriptor(source, part) for part in parts)


def _with_table(source: Source, call: Extent) -> Extent:
    """The call with TABLE ( ... ) around it, unless that is an argument of another function."""
    around = Extent(call.first - 1, call.stop + 1)
    if not source.is_bracketed(around) or not source.words(around.first - 1, "TABLE"):
        return call
    return call if _is_argument(source, around.first - 1) else Extent(around.first - 1, around.stop)


def _is_argument(source: Source, index: int) -> bool:
    """Whether the token is directly between the brackets of a function's call."""
    bracket = source.group[index]
    if bracket < 0 or holds_query(source, bracket):
        return False
    before = source.at(bracket - 1)
    return before.is_name and not before.is_word(*_NO_FUNCTIONS)


_NO_FUNCTIONS = ("FROM", "JOIN", "LATERAL", "IN", "EXISTS", "AS", "ANY", "SOME", "ALL", "ON", "AND", "OR", "NOT")


# arguments


def is_table(source: Source, index: int, stop: int | None = None) -> bool:
    """Whether the argument at `index` is a table, with or without `name =>` before it."""
    index = _after_name(source, index)
    after = source.at(index + 1, stop)
    return source.at(index, stop).is_word("TABLE") and (after.is_name or after.is_symbol("("))


def relation_of(source: Source, table: Extent) -> tuple[Extent, Extent]:
    """The relation of `TABLE name`, `TABLE ( relation )` or `( query )`, and what comes after it.

    Brackets belong to the relation where they are those of a query.
    """
    first = table.first + source.words(table.first, "TABLE")
    if source.at(first, table.stop).is_symbol("("):
        closing = source.closing(first)
        is_query = is_query_start(source, first + 1)
        relation = Extent(first, closing + 1) if is_query else Extent(first + 1, closing)
        return relation, Extent(closing + 1, table.stop)
    relation = read_relation(source, first, table.stop).body
    if relation.is_empty and source.at(first, table.stop).is_name:  # Spark has tables called CROSS and the like
        relation = Extent(first, source.path_end(first, table.stop))
    return relation, Extent(relation.stop, table.stop)


def keys_of(source: Source, partition_by: Extent, function: str) -> list[Extent]:
    """The keys of `PARTITION BY key` or `PARTITION BY ( key {, key} )`, which is all of a range."""
    keys = source.listed(Extent(partition_by.first + 2, partition_by.stop))
    if not keys or any(key.is_empty for key in keys):
        hint = "write PARTITION BY k, or PARTITION BY (k, j)"
        raise source.syntax_error(f"{function}: a key is missing after PARTITION BY", partition_by, hint=hint)
    return keys


def end_of_keys(source: Source, rest: Extent) -> int:
    """Where PARTITION BY ends: at an order, which may follow it in Spark's own calls."""
    if not source.words(rest.first, "PARTITION", "BY"):
        return rest.first
    after = outside_brackets(source, Extent(rest.first + 2, rest.stop))
    return next((n for n in after if source.at(n).is_word("ORDER", "SORT") and source.words(n + 1, "BY")), rest.stop)


def columns_of_descriptor(source: Source, extent: Extent) -> list[Extent] | None:
    """The parts between the brackets of DESCRIPTOR( ... ); None where the range is something else."""
    inside = Extent(extent.first + 2, extent.stop - 1)
    is_call = source.words(extent.first, "DESCRIPTOR") and source.is_bracketed(Extent(extent.first + 1, extent.stop))
    return source.split(inside) if is_call else None


def _is_descriptor(source: Source, argument: Extent) -> bool:
    first = _after_name(source, argument.first)
    return source.words(first, "DESCRIPTOR") and source.at(first + 1).is_symbol("(")


def _after_name(source: Source, index: int) -> int:
    """The index after `name =>`."""
    return index + 2 if source.at(index).is_name and source.at(index + 1).is_symbol("=>") else index
