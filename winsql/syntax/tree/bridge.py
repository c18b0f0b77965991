"""Parses the tokens of winsql's lexer with sqlglot's parser.

sqlglot's own tokenizer is not used: it differs from Spark's. Each token carries its index in `Source`, so that
identifiers of the tree have places in the statement. A relation that sqlglot does not know is masked: it becomes one
name. Where the parser fails, the innermost item or bracket around the token becomes a placeholder, and the query is
parsed again: nothing is refused because sqlglot does not know it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError
from sqlglot.tokens import Token as TreeToken  # type: ignore[attr-defined]
from sqlglot.tokens import TokenType  # type: ignore[attr-defined]

from winsql.model.query import INTERNAL_PREFIX
from winsql.syntax.text.deep import MAX_LEVELS, levels_of
from winsql.syntax.text.literals import string_value
from winsql.syntax.text.operands import asks_for_operand, begins_operand
from winsql.syntax.text.parts import is_column, is_query_start
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import Token, TokenKind
from winsql.syntax.text.vocabulary import SET_OPERATORS, UNIT_FUNCTIONS, words
from winsql.syntax.tree.pipes import SELECT_OF_FROM, Name, Pipes, pipes_in

_DIALECT = "databricks"
"""The one of sqlglot's dialects that takes most of Spark's statements."""
_MOST_PLACEHOLDERS = 50
NAME = -1
"""In the place of the end of a mask: the token is a name, whatever word it is."""
NAME_AFTER_AS = -2
"""The same, but sqlglot needs an AS before it that Spark does not."""
_NAMES = words(
    """
    ALTER ANALYZE APPLY AUTOINCREMENT AUTO_INCREMENT BEGIN CACHE COLUMN COMMENT COMMIT CONSTRAINT COPY CREATE DATABASE
    DEFAULT DELETE DESCRIBE DROP EXECUTE FETCH FILE FUNCTION GLOB GRANT INDEX ISNULL KEEP KILL LOAD LOCK
    MATCH_RECOGNIZE MERGE NAMESPACE NOTNULL OPERATOR ORDINALITY OUT OVERLAPS PARTITIONED_BY PRAGMA PROCEDURE
    REFERENCES REFRESH RENAME RETURNING REVOKE ROLLBACK SCHEMA SESSION SET SETTINGS SHOW STRAIGHT_JOIN STREAM TEMP
    TEMPORARY TRIGGER TRUNCATE UNCACHE UNIQUE UPDATE USE UUID VOLATILE XOR
    """
)
"""Words that sqlglot has a meaning for, but Spark, in a query, has none."""
_INEXACT = "inexact"
_MASK = f"{INTERNAL_PREFIX}mask"
_MASKED = re.compile(rf"{_MASK}(\d+)_(\d+)")


def parse_query(source: Source, extent: Extent, masks: Mapping[int, int]) -> exp.Expr | None:
    """The tree of the query that is these tokens; None where even with placeholders it cannot be parsed.

    masks   see `Masks`
    """
    if levels_of(source) > MAX_LEVELS:  # sqlglot's compiled modules do not see the end of the stack
        return None
    known, pipes = dict(masks), pipes_in(source, extent)
    names: set[int] = set()
    for _ in range(_MOST_PLACEHOLDERS):
        tokens = list(_tokens(source, extent, known, pipes))
        try:
            found = Dialect.get_or_raise(_DIALECT).parser().parse(tokens, source.text)
        except ParseError as error:
            hole = _hole(source, extent, error.errors[0].get("col") if error.errors else None, known)
            if hole is None:
                return None
            known = {first: stop for first, stop in known.items() if not hole.first <= first < hole.stop}
            is_word = hole.is_single and source.at(hole.first).kind is TokenKind.WORD
            known[hole.first] = NAME if is_word and hole.first not in names else hole.stop
            names.add(hole.first)  # not twice: then it is more than a name
            continue
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
            return None  # sqlglot raises these for some broken texts, as for date_trunc(SELECT 'day')
        tree = found[0] if found else None
        if tree is not None:
            tree.meta[_INEXACT] = known != masks or pipes.cuts(source)
            if pipes.places:
                _mend_pipes(source, tree, pipes)
        return tree
    return None


def _mend_pipes(source: Source, tree: exp.Expr, pipes: Pipes) -> None:
    """The CTEs that sqlglot makes of pipes: their names have places in texts of its own, or are aliases in FROM.

    A SELECT that is made of an operator gets the place of this; DISTINCT is lost.
    """
    for node in list(tree.find_all(exp.Identifier, exp.From)):
        if isinstance(node, exp.From) and isinstance(node.this, exp.TableAlias):
            node.set("this", exp.Table(this=node.this.this.copy()))
        index = index_of(node) if isinstance(node, exp.Identifier) else None
        if index is not None and source.at(index).start != node.meta["start"]:
            del node.meta["col"]
    for select in tree.find_all(exp.Select) if pipes.selects else ():
        operator = _operator_of(select, pipes) if select_index(select) is None else None
        if operator is not None:
            select.add_comments([str(operator.first)])
            if source.words(operator.first + 1, "DISTINCT"):
                select.set("distinct", exp.Distinct())


def _operator_of(select: exp.Select, pipes: Pipes) -> Extent | None:
    """The operator after a pipe that the items of a SELECT come from."""
    nodes = (node for item in select.expressions for node in item.walk())
    places = {index for node in nodes if (index := index_of(node)) is not None}
    return next((o for o in pipes.selects if places and places <= set(o.indexes)), None)


def is_exact(tree: exp.Expr) -> bool:
    """Whether a tree holds all of its query, in order; sqlglot reads `|> LIMIT 3 |> WHERE ...` as one SELECT."""
    return not tree.meta.get(_INEXACT)


def index_of(node: exp.Expr) -> int | None:
    """The index of the token of an identifier, literal, star or call; None for other nodes."""
    found = node.meta.get("col")
    return found if isinstance(found, int) else None


def select_index(node: exp.Select) -> int | None:
    marks = [comment for comment in node.comments or () if comment.isdigit()]
    return int(marks[0]) if marks else None


@dataclass(frozen=True, slots=True)
class _Words:
    """sqlglot's keywords: single ones by their text, those of several words by the first one, longer ones first."""

    single: Mapping[str, TokenType]
    joined: Mapping[str, tuple[tuple[tuple[str, ...], TokenType], ...]]
    symbols: Mapping[str, TokenType]


@cache
def _words() -> _Words:
    tokenizer = Dialect.get_or_raise(_DIALECT).tokenizer_class
    joined: dict[str, list[tuple[tuple[str, ...], TokenType]]] = {}
    single, symbols = {}, dict(tokenizer.SINGLE_TOKENS)
    for text, kind in tokenizer.KEYWORDS.items():
        first, *rest = text.split()
        if rest:
            joined.setdefault(first, []).append(((first, *rest), kind))
        elif text.replace("_", "").isalnum():
            if text not in _NAMES:
                single[text] = kind
        else:
            symbols[text] = kind
    longest_first = {first: tuple(sorted(found, key=lambda f: -len(f[0]))) for first, found in joined.items()}
    return _Words(single, longest_first, symbols)


def _tokens(source: Source, extent: Extent, masks: Mapping[int, int], pipes: Pipes) -> Iterator[TreeToken]:
    index = extent.first
    while index < extent.stop:
        yield from _of_pipes(source, pipes, index)
        token = source.tokens[index]
        if index in pipes.left_out:
            index += 1
        elif index in masks:
            after = masks[index]
            if after == NAME_AFTER_AS:
                yield _token(source, TokenType.ALIAS, "AS", index, index)
            if after < 0:
                yield from _tokens_of(source, TokenType.IDENTIFIER, index, index)
            elif after > index:
                yield _token(source, TokenType.VAR, mask_name(Extent(index, after)), index, after - 1)
            index = max(after, index + 1)
        elif token.is_symbol("/*+"):
            index = source.after_hint(index)
        elif token.is_symbol("[") and _is_field(source, index):
            yield _token(source, TokenType.DOT, ".", index, index)
            yield _token(source, TokenType.IDENTIFIER, string_value(source, index + 1), index + 2, index + 2)
            index += 3
        else:
            kind, count = _kind(source, index)
            yield from _tokens_of(source, kind, index, index + count - 1)
            index += count
            if kind is TokenType.UNION and source.at(index).is_symbol("("):  # after GROUP BY ALL it would be a call
                yield _token(source, TokenType.DISTINCT, "DISTINCT", index - 1, index - 1)
    yield from _of_pipes(source, pipes, extent.stop)


def _is_field(source: Source, index: int) -> bool:
    """Whether a bracket begins a field as in `w['e']`, which is the same as `w.e`."""
    before = source.at(index - 1)
    is_after_name = (before.is_name and not before.is_word("END")) or before.is_symbol("]")
    return is_after_name and source.at(index + 1).kind is TokenKind.STRING and source.at(index + 2).is_symbol("]")


def _of_pipes(source: Source, pipes: Pipes, index: int) -> Iterator[TreeToken]:
    """What comes before a token because of pipes."""
    at = min(index, len(source) - 1)
    for word in pipes.before.get(index, ()):
        if isinstance(word, Extent):
            yield from _tokens(source, word, {}, Pipes([]))
        elif isinstance(word, Name):
            yield _token(source, TokenType.IDENTIFIER, word.text, word.first, word.first)
        elif word == SELECT_OF_FROM:
            yield _token(source, TokenType.SELECT, "SELECT", index, index)
        elif isinstance(word, int):
            yield from _tokens_of(source, TokenType.IDENTIFIER, word, word)
        else:
            kind = _words().single.get(word) or _words().symbols.get(word, TokenType.VAR)
            yield TreeToken(kind, word, 1, at, source.tokens[at].start, source.tokens[at].end - 1)


def mask_name(extent: Extent) -> str:
    """The name in the tree for a masked range."""
    return f"{_MASK}{extent.first}_{extent.stop}"


def mask_at(name: str) -> Extent | None:
    """The range that a name of the tree masks; None for other names."""
    found = _MASKED.fullmatch(name.lower())
    return None if found is None else Extent(int(found[1]), int(found[2]))


def _kind(source: Source, index: int) -> tuple[TokenType, int]:
    """sqlglot's type for a token, and how many tokens it takes as one."""
    token = source.tokens[index]
    if token.kind is TokenKind.WORD:
        if _is_name(source, index):
            return TokenType.VAR, 1
        if (token.upper in _OF_CASES and _is_operand(source, index)) or is_column(source, index):
            return TokenType.IDENTIFIER, 1
        if token.upper == "X" and source.at(index + 1).kind is TokenKind.STRING:
            return TokenType.STRING, 2
        words = _words()
        for spelling, kind in words.joined.get(token.upper, ()):
            if source.words(index, *spelling):
                return kind, len(spelling)
        if token.upper == "TABLE" and source.at(index + 1).is_name and _begins_branch(source, index):
            return TokenType.FROM, 1
        return words.single.get(token.upper, TokenType.VAR), 1
    if token.kind is TokenKind.SYMBOL:
        return _words().symbols.get(token.upper, TokenType.VAR), 1
    return _KINDS[token.kind], 1


def _is_name(source: Source, index: int) -> bool:
    """Whether a word is a name here, whatever it is elsewhere."""
    if source.words(index, "WINDOW"):
        return not source.words(index + 2, "AS")
    if source.words(index, "INTO"):
        return not source.at(index - 1).is_word("INSERT")
    if source.at(index).is_word("MAP", "STRUCT"):
        return not source.at(index + 1).is_symbol("<")
    return source.at(index - 1).is_symbol(".") or source.at(index + 1).is_symbol(".")


def _is_operand(source: Source, index: int) -> bool:
    """Whether one of the words of CASE and EXISTS is the name of a column: an operand, and one that is complete."""
    return begins_operand(source, index) and not asks_for_operand(source, index)


_OF_CASES = words("CASE WHEN THEN ELSE EXISTS")


def _begins_branch(source: Source, index: int) -> bool:
    """Whether a bracket, a set operator or a CTE is before a word, so that a query begins there."""
    before = source.at(index - 1)
    if before.is_symbol(")"):
        bracket = source.partner[index - 1] or 0
        return source.at(bracket - 1).is_word("AS") and is_query_start(source, bracket + 1)
    is_branch = source.at(index - 2 if before.is_word("ALL", "DISTINCT") else index - 1).is_word(*SET_OPERATORS)
    return is_branch or before.is_symbol("(")


_KINDS = {
    TokenKind.QUOTED: TokenType.IDENTIFIER,
    TokenKind.STRING: TokenType.STRING,
    TokenKind.NUMBER: TokenType.NUMBER,
    TokenKind.PARAMETER: TokenType.PLACEHOLDER,
    TokenKind.UNCLOSED: TokenType.VAR,
}


def _tokens_of(source: Source, kind: TokenType, first: int, last: int) -> Iterator[TreeToken]:
    token = source.tokens[first]
    if token.upper in (">>", ">>>") and token.kind is TokenKind.SYMBOL:
        yield from (_token(source, TokenType.GT, ">", first, last) for _ in token.upper)
    else:
        yield _token(source, kind, _text(source, token, first, last), first, last)


def _text(source: Source, token: Token, first: int, last: int) -> str:
    if token.kind is TokenKind.QUOTED:
        return source.name(first)
    if token.kind is TokenKind.NUMBER:
        return token.upper.rstrip("BDLSYF") or token.upper
    text = source.text[token.start : source.tokens[last].end]
    return text[1:-1] if token.kind is TokenKind.STRING else text


def _token(source: Source, kind: TokenType, text: str, first: int, last: int) -> TreeToken:
    token = TreeToken(kind, text, 1, first, source.tokens[first].start, source.tokens[last].end - 1)
    if kind is TokenType.SELECT:
        token.comments.append(str(first))
    elif kind is TokenType.R_PAREN and not source.at((source.partner[first] or 0) - 1).is_word(*UNIT_FUNCTIONS):
        token.comments.append(exp.SQLGLOT_ANONYMOUS)  # sqlglot drops some arguments of functions that it knows
    return token


def _hole(source: Source, extent: Extent, failed: object, masks: Mapping[int, int]) -> Extent | None:
    """The innermost item, clause or bracket around a token that is no placeholder yet; None where all are."""
    if not isinstance(failed, int) or not extent.first <= failed < extent.stop:
        return None
    place = failed
    while True:
        bracket = source.group[place]
        inside = extent if bracket < extent.first else Extent(bracket + 1, source.closing(bracket))
        for part in _parts_around(source, inside, place):
            if not part.is_empty and part != extent and masks.get(part.first, -1) < part.stop:
                return part
        if bracket < extent.first:
            return None
        place = bracket


def _parts_around(source: Source, inside: Extent, place: int) -> Iterator[Extent]:
    """The item around a token, without the word that begins its clause, and then all of the bracket."""
    item = next((part for part in source.split(inside) if part.first <= place < part.stop), inside)
    words = [i for i in item.indexes if source.at(i).is_word(*_CLAUSES) and source.group[i] == source.group[place]]
    first = max((i + 1 for i in words if i <= place), default=item.first)
    stop = min((i for i in words if i > place), default=item.stop)
    yield Extent(first, stop)
    if not is_query_start(source, inside.first):
        yield inside


_CLAUSES = words(
    "SELECT FROM WHERE BY HAVING QUALIFY ON JOIN LEFT RIGHT FULL INNER CROSS ORDER GROUP SORT CLUSTER DISTRIBUTE LIMIT "
    "OFFSET UNION INTERSECT EXCEPT WINDOW ALL DISTINCT"
)
