"""What a statement does with its query: returns it, keeps it in a view or table, explains it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from winsql.errors import Span
from winsql.syntax.text.parts import words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import QUERY_STARTS


class StatementKind(Enum):
    """The kind of a statement, by its first words."""

    QUERY = "a query"
    VIEW = "CREATE VIEW ... AS"
    FUNCTION = "CREATE FUNCTION ... RETURN"
    TABLE = "CREATE TABLE ... AS"
    INSERT = "INSERT INTO"
    CHANGE = "MERGE INTO"
    EXPLAIN = "EXPLAIN"
    STREAM = "CREATE STREAMING TABLE"
    KEPT = "CACHE TABLE ... AS"
    ALTERED = "ALTER VIEW ... AS"
    DESCRIBE = "DESCRIBE QUERY"
    OTHER = "another statement"


@dataclass(frozen=True, slots=True)
class Target:
    """Kind and destination of a statement.

    body              the statement after EXPLAIN WINDOW, the query of CREATE STREAMING TABLE; all of it otherwise
    explains_windows  whether EXPLAIN WINDOW begins it
    name              of the view, function or table, as written
    is_temporary, is_global   of a view or function that is created; of one that is altered the session knows it
    parameters        of a function, their names in upper case
    collation         DEFAULT COLLATION of a view, function or table that is created
    """

    kind: StatementKind
    body: Span
    explains_windows: bool = False
    name: str | None = None
    is_temporary: bool = False
    is_global: bool = False
    parameters: frozenset[str] = frozenset()
    collation: Span | None = None

    @classmethod
    def unknown(cls, text: str) -> Target:
        """The target of a statement that was not looked into."""
        return cls(StatementKind.OTHER, Span(0, len(text)))


def is_raw(source: Source) -> bool:
    """Whether Spark takes what follows the first words as it is: `SET key = any text`, `REFRESH path`."""
    index = 0
    while source.words(index, "EXPLAIN"):
        index += 1
    if source.words(index, "SET"):
        return not source.at(index + 1).is_word("VAR", "VARIABLE")
    return source.at(index).is_word("RESET", "REFRESH", "ADD", "LIST", "DFS")


def read_target(source: Source) -> Target:
    """The target of a statement. Raises WindowSyntaxError for EXPLAIN WINDOW alone, or with a word of Spark's."""
    explains = source.words(0, "EXPLAIN", "WINDOW")
    if explains and (len(source) == 2 or source.at(2).is_symbol(";")):
        rule = "EXPLAIN WINDOW says how the windows of a statement run"
        hint = "write EXPLAIN WINDOW SELECT ... FROM ... WINDOW ASSIGN ..."
        raise source.syntax_error("EXPLAIN WINDOW needs a statement", Extent(0, 2), rule=rule, hint=hint)
    if explains and source.at(2).is_word(*WAYS_OF_SPARK):
        rule = "EXPLAIN WINDOW says how winsql runs a statement; Spark's plan of it comes by EXPLAIN"
        hint = "leave it out, or leave out WINDOW"
        raise source.syntax_error(f"EXPLAIN WINDOW takes no {source.at(2).upper}", 2, rule=rule, hint=hint)
    index = 2 if explains else 0
    start = source.tokens[index].start if explains else 0
    body = Span(start, len(source.text))
    if source.words(index, "CREATE"):
        return _created(source, index + 1, body, explains)
    if source.words(index, "ALTER", "VIEW"):
        name = source.verbatim(Extent(index + 2, min(source.path_end(index + 2), len(source))))
        return Target(StatementKind.ALTERED, body, explains, name)
    kind = _KINDS.get(_first_word(source, index), StatementKind.OTHER)
    if kind is StatementKind.QUERY and _inserts(source, index):
        kind = StatementKind.INSERT
    elif source.words(index, "WITH") and _KINDS.get(_after_with(source, index)) is StatementKind.CHANGE:
        kind = StatementKind.CHANGE
    return Target(kind, body, explains)


WAYS_OF_SPARK = ("CODEGEN", "COST", "EXTENDED", "FORMATTED", "LOGICAL")
"""Words after EXPLAIN in Spark's grammar."""

_KINDS = {
    **dict.fromkeys(QUERY_STARTS, StatementKind.QUERY),
    "INSERT": StatementKind.INSERT,
    "EXPLAIN": StatementKind.EXPLAIN,
    "CACHE": StatementKind.KEPT,
    **dict.fromkeys(("DESCRIBE", "DESC"), StatementKind.DESCRIBE),
    **dict.fromkeys(("DELETE", "MERGE", "UPDATE"), StatementKind.CHANGE),
}


def _first_word(source: Source, index: int) -> str:
    while source.at(index).is_symbol("("):
        index += 1
    return source.at(index).upper


def _inserts(source: Source, index: int) -> bool:
    """Whether a statement that begins with WITH or FROM goes on with INSERT."""
    inserts = words_in(source, Extent(index, len(source)), "INSERT")
    return any(source.at(place + 1).is_word("INTO", "OVERWRITE", "WITH") for place in inserts)


def _after_with(source: Source, index: int) -> str:
    """The first word after a WITH list, whose last query neither a comma nor another bracket follows."""
    for place in words_in(source, Extent(index, len(source)), "("):
        closing = source.partner[place]
        after = None if closing is None else source.at(closing + 1)
        if after is not None and not after.is_symbol(",", "(") and not after.is_word("AS", "MAX"):
            return after.upper
    return ""


def _created(source: Source, index: int, body: Span, explains: bool) -> Target:
    """After CREATE: `[OR REPLACE] [GLOBAL] [TEMPORARY] VIEW | FUNCTION | TABLE [IF NOT EXISTS] name`."""
    before = set()
    while index < len(source) and not source.at(index).is_word(*_CREATED):
        before.add(source.at(index).upper)
        index += 1
    kind = _CREATED.get(source.at(index).upper, StatementKind.TABLE)
    if index >= len(source) or before - _MODIFIERS:
        return Target(StatementKind.OTHER, body, explains)
    index += 1
    if source.words(index, "IF", "NOT", "EXISTS"):
        index += 3
    stop = min(source.path_end(index), len(source))
    return Target(
        kind,
        body,
        explains,
        name=source.verbatim(Extent(index, stop)),
        is_temporary=bool(before & {"TEMPORARY", "TEMP"}),
        is_global="GLOBAL" in before,
        parameters=_parameters(source, stop) if kind is StatementKind.FUNCTION else frozenset(),
        collation=_collation(source, stop),
    )


def _collation(source: Source, index: int) -> Span | None:
    """The words DEFAULT COLLATION before the query."""
    while index < len(source) and not source.at(index).is_word("AS", "RETURN"):
        if source.words(index, "DEFAULT", "COLLATION"):
            return Span(source.tokens[index].start, source.tokens[index + 1].end)
        index += 1
    return None


def _parameters(source: Source, opening: int) -> frozenset[str]:
    """The names in `(name type, ...)`."""
    if not source.at(opening).is_symbol("("):
        return frozenset()
    parts = source.split(Extent(opening + 1, source.closing(opening)))
    return frozenset(source.name(part.first).upper() for part in parts if not part.is_empty)


_CREATED = {"VIEW": StatementKind.VIEW, "FUNCTION": StatementKind.FUNCTION, "TABLE": StatementKind.TABLE}
_MODIFIERS = frozenset({"OR", "REPLACE", "GLOBAL", "TEMPORARY", "TEMP", "EXTERNAL"})
