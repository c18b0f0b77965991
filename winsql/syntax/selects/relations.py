"""Relations of a FROM body: where each begins and ends, its alias, and the names that may come before its columns.

    relation   = primary {extension} [[AS] alias [( name {, name} )]]
    primary    = [STREAM] name {. name} | name {. name} ( arguments ) | ( query ) | ( relation ) | VALUES list
               | { name }                                                     a DataFrame that the caller hands over
    extension  = [FOR] (VERSION | SYSTEM_VERSION | TIMESTAMP | SYSTEM_TIME) AS OF expression
               | WITH ( options ) | TABLESAMPLE [SYSTEM] ( sample ) [REPEATABLE ( seed )]
               | IDENTIFIED BY name | WATERMARK expression DELAY OF interval

The parts are read by Spark; here only their ends are looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from winsql.syntax.expressions.items import column_path, quoted
from winsql.syntax.text.intervals import interval_end
from winsql.syntax.text.operands import OperandState
from winsql.syntax.text.parts import beside, holds_query, outside_brackets, words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import Token, TokenKind
from winsql.syntax.text.vocabulary import INFIX, JOIN_WORDS, SET_OPERATORS, words


@dataclass(frozen=True, slots=True)
class WrittenRelation:
    """A relation in the text.

    extent       all of it
    body         the relation without its alias
    name         the token that names it: the alias, else the last part of a table's name; None where nothing does
    has_columns  whether the alias names the columns too, as in `AS x(id, ts)`
    """

    extent: Extent
    body: Extent
    name: int | None
    has_columns: bool = False

    def qualifier(self, source: Source) -> str:
        """The name before the columns of a named relation, upper case, as Spark compares names."""
        assert self.name is not None
        return source.tokens[self.name].upper

    def name_sql(self, source: Source) -> str:
        """The name as SQL, in backquotes where it was, or where an alias needs them."""
        assert self.name is not None
        token = source.tokens[self.name]
        is_plain = token.kind is TokenKind.WORD and token.upper not in NO_ALIAS
        return source.name(self.name) if is_plain else quoted(source.name(self.name))

    def sql(self, source: Source) -> str:
        """The relation without its alias; a query where the alias names the columns too."""
        if self.has_columns:
            return f"(SELECT * FROM {source.verbatim(self.extent)})"
        return source.stand_ins.get(self.body) or source.verbatim(self.body)


NO_ALIAS = JOIN_WORDS | SET_OPERATORS | words("AS LATERAL ON USING")
"""Words that cannot be the alias of a table without quotes, and AS, which comes before one."""


def read_relation(source: Source, first: int, stop: int) -> WrittenRelation:
    """The relation that begins at `first`; it ends before `stop` or the first token that cannot belong to it.

    The extent is empty when no relation begins there.
    """
    return _Reader(source, first, stop).read()


def relation_names(source: Source, body: Extent) -> frozenset[str]:
    """The names and aliases of the relations of a FROM body, upper case: what may come before a column's name."""
    return frozenset(path[-1] for path in relation_paths(source, body))


def relation_paths(source: Source, body: Extent) -> frozenset[tuple[str, ...]]:
    """The same, also with the schema and the catalog that are written before a name: `s.t` is both t and s.t."""
    paths: frozenset[tuple[str, ...]] = frozenset()
    index, may_begin = body.first, True
    while index < body.stop:
        token = source.tokens[index]
        if source.words(index, "LATERAL", "VIEW"):  # no relation comes after these: a comma begins a column
            return paths.union((name,) for name in _view_names(source, Extent(index, body.stop)))
        relation = read_relation(source, index, body.stop) if may_begin else None
        if relation is not None and not relation.extent.is_empty:
            paths |= _paths_of(source, relation)
            index, may_begin = relation.extent.stop, False
            continue
        is_unpivot = token.is_word("UNPIVOT", "NULLS") and source.at(index + 1).is_symbol("(")  # it may have an alias
        may_begin = token.is_word("JOIN", "LATERAL") or token.is_symbol(",") or is_unpivot
        index = source.skip(index, body.stop)
    return paths


def _paths_of(source: Source, relation: WrittenRelation) -> frozenset[tuple[str, ...]]:
    """The name of a relation: for a call without an alias that of the function, for bare brackets those inside."""
    if relation.name is not None:
        first = relation.name
        while first - 2 >= relation.extent.first and source.at(first - 1).is_symbol("."):
            first -= 2
        path = tuple(source.at(index).upper for index in range(first, relation.name + 1, 2))
        return frozenset(path[start:] for start in range(len(path)))
    bracket = source.partner[relation.body.stop - 1]
    if bracket is None:
        return frozenset()
    if bracket > relation.body.first:
        called = column_path(source, Extent(relation.body.first, bracket)) or ()
        return frozenset((name,) for name in called[-1:] if name != "TABLE")
    inside = Extent(bracket + 1, relation.body.stop - 1)
    return frozenset() if holds_query(source, bracket) else relation_paths(source, inside)


def _view_names(source: Source, views: Extent) -> Iterator[str]:
    """The names of each `LATERAL VIEW [OUTER] call name [[AS] columns]`."""
    for index in words_in(source, views, "LATERAL"):
        if source.words(index + 1, "VIEW"):
            call = read_relation(source, index + 2 + source.words(index + 2, "OUTER"), views.stop).body
            yield source.at(call.stop, views.stop).upper


def may_begin_relation(source: Source, index: int) -> bool:
    """Whether the token before `index` allows a relation there; it may allow an expression too."""
    before = source.at(index - 1)
    return before.is_word("FROM", "JOIN", "TABLE", "LATERAL") or before.is_symbol(",", "(")


def begins_relation(source: Source, index: int) -> bool:
    """Whether a relation begins at `index`, or a bracket around joined relations."""
    before = source.at(index - 1)
    if before.is_word("USING") and source.at(index).is_symbol("("):  # the source of a MERGE, or the columns of a join
        return bool(source.places("MERGE"))
    if before.is_word("FROM", "JOIN", "LATERAL", "USING"):
        return is_of_query(source, index - 1)
    if before.is_symbol(","):
        return _is_in_from(source, index)
    return before.is_symbol("(") and (source.words(index - 2, "TABLE") or begins_relation(source, index - 1))


def is_of_query(source: Source, index: int) -> bool:
    """Whether the FROM or JOIN at `index` is not that of `IS DISTINCT FROM`, `extract(YEAR FROM ts)` or `t.from`."""
    before, bracket = source.at(index - 1), source.group[index]
    in_call = bracket >= 0 and source.at(bracket - 1).is_word(*_CALLS_WITH_FROM)
    return not before.is_word("DISTINCT") and not before.is_symbol(".") and not in_call


_CALLS_WITH_FROM = ("EXTRACT", "TRIM", "SUBSTRING", "SUBSTR", "OVERLAY")


def _is_in_from(source: Source, index: int) -> bool:
    """Whether a comma before `index` is between relations: by the last word before it that begins a clause."""
    words = beside(source, index, *_OF_RELATIONS, *_OF_EXPRESSIONS)
    before = (place for place in reversed(words) if place < index and not source.at(place - 1).is_symbol("."))
    return source.at(next(before, -1)).is_word(*_OF_RELATIONS)


_OF_RELATIONS = ("FROM", "JOIN", "ON", "USING")
_OF_EXPRESSIONS = ("SELECT", "WHERE", "BY", "HAVING", "QUALIFY", "VALUES", "SET", "LIMIT", "OFFSET", "WINDOW", "WHEN")


def delay_of(source: Source, index: int, stop: int) -> int | None:
    """Where the DELAY OF is that belongs to the WATERMARK at `index`; None where that word is a name."""
    after = outside_brackets(source, Extent(index + 1, stop))
    return next((place for place in after if source.words(place, "DELAY", "OF")), None)


def watermark_column(
    source: Source, time: Extent, *, is_qualified: bool = True, rule: str | None = None
) -> tuple[str, str]:
    """The column of `time [AS name]` as SQL, and the items that have it: `*`, and the time where it is computed.

    is_qualified   whether a relation's name may be before a column; else what has dots is a field

    Raises WindowSyntaxError for an expression without a name.
    """
    if column_path(source, time) is not None and (is_qualified or time.is_single):
        return quoted(source.name(time.stop - 1)), "*"
    name = time.stop - 1
    if len(time.indexes) < 3 or not source.words(name - 1, "AS") or not source.at(name).is_name:
        hint = "write WATERMARK expression AS name DELAY OF ..., or a column"
        raise source.syntax_error("the column of a watermark needs a name", time, rule=rule, hint=hint)
    column = quoted(source.name(name))
    return column, f"*, {source.verbatim(Extent(time.first, name - 1))} AS {column}"


class _Reader:
    def __init__(self, source: Source, first: int, stop: int) -> None:
        self.source = source
        self.first = first
        self.stop = stop

    def read(self) -> WrittenRelation:
        end, name = self._primary()
        while end > self.first and (further := self._extension(end)) > end:
            end = further
        body = Extent(self.first, end)
        alias = end + 1 if self._at(end).is_word("AS") else end
        if body.is_empty or not self._is_alias(alias, has_as=alias > end):
            return WrittenRelation(body, body, name)
        has_columns = self._at(alias + 1).is_symbol("(")
        after = self.source.closing(alias + 1) + 1 if has_columns else alias + 1
        return WrittenRelation(Extent(self.first, after), body, alias, has_columns)

    def _at(self, index: int) -> Token:
        return self.source.at(index, self.stop)

    def _is_alias(self, index: int, *, has_as: bool) -> bool:
        token = self._at(index)
        if not token.is_name or token.is_word(*NO_ALIAS):
            return False
        if has_as:
            return True
        after = self.source.at(index + 1, self.stop)
        pivots = token.is_word("PIVOT", "UNPIVOT") and (after.is_symbol("(") or after.is_word("INCLUDE", "EXCLUDE"))
        joins = token.is_word("ASOF", "WINDOW") and after.is_word("JOIN")
        matches = token.is_word("MATCH_CONDITION") and after.is_symbol("(")
        return not pivots and not joins and not matches

    # the relation itself

    def _primary(self) -> tuple[int, int | None]:
        """The index after it, and the token that names it."""
        token = self._at(self.first)
        if token.is_symbol("("):
            return self.source.closing(self.first) + 1, None
        if token.is_symbol("{") and self._at(self.first + 2).is_symbol("}"):
            return self.first + 3, None
        if not token.is_name or token.is_word(*NO_ALIAS - {"LEFT", "RIGHT"}):
            return self.first, None
        if token.is_word("VALUES") and not self._at(self.first + 1).is_symbol("."):
            return self._values(self.first + 1), None
        return self._named(self.first + 1 if self._is_stream() else self.first)

    def _is_stream(self) -> bool:
        after = self._at(self.first + 1)
        is_name = after.is_name and not after.is_word("AS", "WITH", "TABLESAMPLE", "FOR", *NO_ALIAS)
        return self._at(self.first).is_word("STREAM") and is_name

    def _named(self, index: int) -> tuple[int, int | None]:
        end = self.source.path_end(index, self.stop)
        if self._at(end).is_symbol("("):
            return self.source.closing(end) + 1, None
        return end, end - 1

    def _values(self, index: int) -> int:
        index = self._expression(index)
        while self._at(index).is_symbol(","):
            index = self._expression(index + 1)
        return index

    # what may follow it

    def _extension(self, index: int) -> int:
        """The index after the extension that begins at `index`; `index` itself where none does."""
        token = self._at(index)
        if token.upper not in _EXTENSIONS:
            return index
        at = index + 1 if token.is_word("FOR") else index
        if self._at(at).is_word(*_VERSIONS) and self.source.words(at + 1, "AS", "OF"):
            return self._expression(at + 3)
        if token.is_word("WITH", "OPTIONS") and self._at(index + 1).is_symbol("("):
            return self.source.closing(index + 1) + 1
        if token.is_word("TABLESAMPLE"):
            return self._sample(index + 1)
        if token.is_word("IDENTIFIED"):  # the source of a stream has a name
            return index + 3 if self._at(index + 1).is_word("BY") and self._at(index + 2).is_name else index
        delay = delay_of(self.source, index, self.stop) if token.is_word("WATERMARK") else None
        return index if delay is None else self._expression(delay + 2)

    def _sample(self, index: int) -> int:
        bracket = index + 1 if self._at(index).is_word("SYSTEM") else index
        if not self._at(bracket).is_symbol("("):
            return bracket
        end = self.source.closing(bracket) + 1
        has_seed = self._at(end).is_word("REPEATABLE") and self._at(end + 1).is_symbol("(")
        return self.source.closing(end + 1) + 1 if has_seed else end

    def _expression(self, index: int) -> int:
        """The index after an expression: that of the first word or comma that cannot belong to it."""
        state = OperandState(self.source)
        while index < self.stop:
            token = self._at(index)
            if state.is_done and (token.is_symbol(",", ")") or self._is_foreign(token)):
                break
            end = index if state.is_done else interval_end(self.source, index, self.stop)
            if end > index:
                index, state.is_done = end, True
                continue
            index = state.advance(index)
        return min(index, self.stop)

    def _is_foreign(self, token: Token) -> bool:
        return token.is_name and (token.kind is TokenKind.QUOTED or token.upper not in _OPERATORS)


_OPERATORS = INFIX - {"AS", "ON", "JOIN", "USING", "SELECT"}
_VERSIONS = ("VERSION", "SYSTEM_VERSION", "TIMESTAMP", "SYSTEM_TIME")
_EXTENSIONS = frozenset({"FOR", *_VERSIONS, "WITH", "OPTIONS", "TABLESAMPLE", "IDENTIFIED", "WATERMARK"})
