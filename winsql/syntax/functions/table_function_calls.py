"""Calls of winsql's table functions: where they are, and their tables.

    relation = TABLE ( call ) | call
    call     = name ( argument {, argument} )
    table    = TABLE name | TABLE ( relation ) | TABLE ( query )      [PARTITION BY key | PARTITION BY ( key {, key} )]

A call is winsql's where a relation may be and its arguments say TABLE or DESCRIPTOR, which no function of Spark's own
asks for under these names. It may have an alias, be beside other relations, or in a table of another call.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from winsql.errors import WinsqlError
from winsql.syntax.expressions.arguments import Argument
from winsql.syntax.expressions.references import ReferenceKind, find_references, has_window_function
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.deep import require_shallow
from winsql.syntax.text.parts import is_query_start
from winsql.syntax.text.source import Extent, Source

__all__ = ["TableArgument", "TableCall", "find_calls", "is_relation", "is_table", "read_table", "says_table"]


@dataclass(frozen=True, slots=True)
class TableCall:
    """A call.

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


@dataclass(frozen=True, slots=True)
class TableArgument:
    """A table: the tokens of its relation, with brackets where it is a query, and the keys after PARTITION BY."""

    extent: Extent
    relation: Extent
    keys: tuple[Extent, ...]


def find_calls(source: Source, names: Collection[str]) -> list[TableCall]:
    """The calls of functions of these names, upper case.

    Raises WindowSyntaxError for a bracket or quote without its partner in a statement that has one.
    """
    openers = [i for i in source.places(*names) if source.at(i + 1).is_symbol("(")]
    openers = [i for i in openers if not source.at(i - 1).is_symbol(".") and says_table(source, i + 2)]
    if any(is_table(source, i + 2) for i in openers):
        source.require_balance()
        require_shallow(source)
    elif not source.is_balanced:
        return []
    return [_call(source, index) for index in openers if is_relation(source, index)]


def read_table(source: Source, argument: Argument, function: str) -> TableArgument:
    """`TABLE name | TABLE (...)` with its keys."""
    extent = argument.value
    if not is_table(source, extent.first, extent.stop):
        raise _no_table(source, extent, function)
    place = extent.first + 1
    if source.at(place).is_symbol("("):
        closing = source.closing(place)
        is_query = is_query_start(source, place + 1)
        relation = Extent(place, closing + 1) if is_query else Extent(place + 1, closing)
        end = closing + 1
        is_whole = is_query or read_relation(source, relation.first, relation.stop).body == relation
        if relation.is_empty or not is_whole:
            raise _no_table(source, Extent(extent.first, end), function)
    else:
        relation = read_relation(source, place, extent.stop).body
        end = relation.stop
    return TableArgument(extent, relation, _keys(source, Extent(end, extent.stop), function))


# where calls are


def says_table(source: Source, first: int) -> bool:
    """Whether an argument of the call whose arguments begin at `first` is a TABLE or DESCRIPTOR."""
    if is_table(source, first):
        return True
    closing = source.partner[first - 1]
    parts = [] if closing is None else source.split(Extent(first, closing))
    return any(is_table(source, part.first) or _is_descriptor(source, part.first) for part in parts)


def is_table(source: Source, index: int, stop: int | None = None) -> bool:
    """Whether an argument that begins at `index` is a table, with or without a name of its own."""
    index = _after_name(source, index)
    after = source.at(index + 1, stop)
    return source.at(index, stop).is_word("TABLE") and (after.is_name or after.is_symbol("("))


def _is_descriptor(source: Source, index: int) -> bool:
    index = _after_name(source, index)
    return source.words(index, "DESCRIPTOR") and source.at(index + 1).is_symbol("(")


def _after_name(source: Source, index: int) -> int:
    return index + 2 if source.at(index).is_name and source.at(index + 1).is_symbol("=>") else index


def _call(source: Source, index: int) -> TableCall:
    call = Extent(index, source.closing(index + 1) + 1)
    bracket = index - 1
    is_wrapped = source.at(bracket).is_symbol("(") and source.words(bracket - 1, "TABLE")
    is_wrapped = is_wrapped and source.partner[bracket] == call.stop and is_relation(source, bracket - 1)
    extent = Extent(bracket - 1, call.stop + 1) if is_wrapped else call
    return TableCall(source.at(index).upper, extent, call)


_BEFORE = ("FROM", "JOIN", "LATERAL", "USING")
_RELATIONS = ("FROM", "JOIN", "ON", "USING")
_EXPRESSIONS = ("SELECT", "WHERE", "BY", "HAVING", "QUALIFY", "VALUES", "SET", "LIMIT", "OFFSET", "WINDOW", "WHEN")


def is_relation(source: Source, index: int) -> bool:
    """Whether a relation may begin at `index`."""
    before = source.at(index - 1)
    if before.is_word(*_BEFORE):
        return not source.words(index - 2, "DISTINCT", "FROM")
    if before.is_symbol(","):
        return _is_in_from(source, index)
    if not before.is_symbol("("):
        return False
    opener = index - 1
    if source.at(opener - 1).is_word("TABLE"):
        return True
    return is_relation(source, opener)


def _is_in_from(source: Source, index: int) -> bool:
    """Whether a comma before `index` is between relations: by the last word before it that begins a clause."""
    group = source.group[index]
    for place in range(index - 1, group, -1):
        if source.group[place] != group or source.at(place - 1).is_symbol("."):
            continue
        if source.at(place).is_word(*_RELATIONS):
            return True
        if source.at(place).is_word(*_EXPRESSIONS):
            return False
    return False


# tables


def _keys(source: Source, rest: Extent, function: str) -> tuple[Extent, ...]:
    if rest.is_empty:
        return ()
    end = _keys_first(source, rest)
    if end < rest.stop:
        raise source.syntax_error(
            f"{function}: only PARTITION BY may come after a table",
            Extent(end, rest.stop),
            hint="hand over a query for anything else: TABLE(SELECT ... FROM t WHERE ...)",
        )
    keys = Extent(rest.first + 2, rest.stop)
    is_list = source.at(keys.first, keys.stop).is_symbol("(") and source.partner[keys.first] == keys.stop - 1
    inside = Extent(keys.first + 1, keys.stop - 1) if is_list and not is_query_start(source, keys.first + 1) else keys
    parts = [source.unwrapped(part) for part in source.split(inside)]
    if not parts or any(part.is_empty for part in parts):
        hint = "write PARTITION BY k, or PARTITION BY (k, j)"
        raise source.syntax_error(f"{function}: a key is missing after PARTITION BY", rest, hint=hint)
    for part in parts:
        _check_key(source, part, function)
    return tuple(parts)


def _keys_first(source: Source, rest: Extent) -> int:
    """Where PARTITION BY ends: Spark's own tables may have an order after it."""
    if not source.words(rest.first, "PARTITION", "BY"):
        return rest.first
    index = rest.first + 2
    while index < rest.stop and not source.words(index, "ORDER", "BY") and not source.words(index, "SORT", "BY"):
        index = source.skip(index, rest.stop)
    return index


def _check_key(source: Source, extent: Extent, function: str) -> None:
    rule = "a key is computed from each row alone"
    for reference in find_references(source, extent):
        if reference.kind in _NO_KEYS:
            problem = f"{function}: {_NO_KEYS[reference.kind]} cannot be part of a key"
            raise source.spec_error(problem, reference.extent, rule=rule, hint=_KEY_BEFORE)
    if has_window_function(source, extent):
        problem = f"{function}: a window function cannot be part of a key"
        raise source.spec_error(problem, extent, rule=rule, hint=_KEY_BEFORE)


_KEY_BEFORE = "compute it as a column of the table: TABLE(SELECT *, ... AS k FROM t) PARTITION BY k"
_NO_KEYS = {
    ReferenceKind.AGGREGATE: "an aggregate",
    ReferenceKind.STAR: "*",
    ReferenceKind.SUBQUERY: "a subquery",
}


def _no_table(source: Source, extent: Extent, function: str) -> WinsqlError:
    tokens = [source.tokens[i] for i in extent.indexes]
    is_name = all(t.is_name for t in tokens[::2]) and all(t.is_symbol(".") for t in tokens[1::2])
    name = source.verbatim(extent) if is_name and len(tokens) % 2 else "a"
    hint = "hand over a query for anything but a table's name"
    if not source.words(extent.first, "TABLE"):
        hint = f"write TABLE({name})"
    return source.syntax_error(
        f"{function} needs a table here",
        extent,
        rule="a table comes after the word TABLE: TABLE(a), TABLE a or TABLE(SELECT ...)",
        hint=hint,
    )
