"""Words, symbols and literals of a Spark SQL text, with their offsets.

The rules are those of Spark's own lexer (`SqlBaseLexer.g4`), to the letter where a mistake could move a clause:
comments that nest, `--` comments continued by a backslash, hints whose inside is ordinary text, backslash escapes
and doubled quotes, raw strings, dollar-quoted bodies, names that begin with a digit, addresses as names
(`csv.hdfs://host/a--b`, whose two dashes begin no comment), `|` as a pipe. sqlglot's Spark tokenizer differs in
these: it takes `/*/**/*/` for code and `{# #}` for a comment.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from winsql.model.settings import ParserSettings
from winsql.syntax.text.vocabulary import OPERATORS_OF_PIPES


class TokenKind(Enum):
    """What a token is."""

    WORD = auto()
    """A keyword or an unquoted name; Spark tells them apart by place only, and so does winsql."""
    QUOTED = auto()
    """A name in backquotes, or in double quotes where the session's settings say so."""
    STRING = auto()
    NUMBER = auto()
    SYMBOL = auto()
    PARAMETER = auto()
    """A positional parameter marker `?`."""
    UNCLOSED = auto()
    """A quote or comment that nothing closes."""


class Token(NamedTuple):
    """One token; `upper` is the upper-cased text of a word or number, the bare upper-cased name of a quoted name.

    That of `|` is `|>` where it is such a pipe.
    """

    kind: TokenKind
    start: int
    end: int
    upper: str

    @property
    def is_name(self) -> bool:
        """Whether the token can name something."""
        return self.kind is TokenKind.WORD or self.kind is TokenKind.QUOTED

    @property
    def is_literal(self) -> bool:
        """Whether the token is a string or a number."""
        return self.kind is TokenKind.STRING or self.kind is TokenKind.NUMBER

    def is_word(self, *words: str) -> bool:
        """Whether the token is one of these unquoted words, given in upper case."""
        return self.kind is TokenKind.WORD and self.upper in words

    def is_symbol(self, *symbols: str) -> bool:
        """Whether the token is one of these symbols."""
        return self.kind is TokenKind.SYMBOL and self.upper in symbols


def tokenize(text: str, settings: ParserSettings | None = None) -> list[Token]:
    """All tokens of `text` but white space and comments. Never fails: anything unknown is a symbol, or UNCLOSED."""
    names_in_double_quotes = settings is not None and settings.double_quoted_identifiers
    tokens: list[Token] = []
    bars: list[int] = []
    search, position = _TOKEN.search, 0
    while match := search(text, position):
        group, raw = match.lastgroup, match.group()
        start, position = match.span()
        if group == "line_comment":
            continue
        if group == "open_comment":
            end = _end_of_comment(text, start)
            if end is None:
                tokens.append(Token(TokenKind.UNCLOSED, start, start + 2, "/*"))
                break
            position = end
            continue
        if group == "quoted" or (names_in_double_quotes and group == "string" and raw[0] == '"'):
            tokens.append(Token(TokenKind.QUOTED, start, position, upper_name(raw[1:-1].replace(raw[0] * 2, raw[0]))))
        elif group == "string":
            tokens.append(Token(TokenKind.STRING, start, position, raw))
        else:
            if raw == "|":
                bars.append(len(tokens))
            tokens.append(Token(_KINDS[str(group)], start, position, upper_name(raw)))
    if settings is None or settings.single_character_pipes:
        _name_pipes(tokens, bars)
    return tokens


def _name_pipes(tokens: list[Token], bars: list[int]) -> None:
    """Of `|` those before the first word of a pipe's operator, as Spark's parser tells them from a bitwise OR."""
    for bar in bars:
        if bar + 1 < len(tokens) and tokens[bar + 1].is_word(*OPERATORS_OF_PIPES):
            tokens[bar] = tokens[bar]._replace(upper="|>")


_TOKEN = re.compile(
    r"""
      (?P<line_comment> -- (?: \\\n | [^\r\n] )* )
    | (?P<open_comment> /\* (?!\+) )
    | (?P<string>       r'[^']*' | r"[^"]*"
                      | '[^'\\]* (?: (?: \\. | '' ) [^'\\]* )* '
                      | "[^"\\]* (?: (?: \\. | "" ) [^"\\]* )* "
                      | \$(?P<tag>[a-z]*)\$ .*? \$(?P=tag)\$ )
    | (?P<quoted>       ` [^`]* (?: `` [^`]* )* ` )
    | (?P<unclosed>     ['"`] )
    | (?P<number>       (?: [0-9]+ (?: \.[0-9]* )? | \.[0-9]+ ) (?: e[+-]?[0-9]+ )? (?: bd | [lsydf] )? (?!\w) )
    | (?P<word>         \w+ (?: (?<=[^\W\d_]) :// [\w/.?=&\#%-]+ )? )
    | (?P<parameter>    \? )
    | (?P<symbol>       /\*\+ | \*/ | <=> | >>> | [-=]> | \|> | \|\| | :: | <= | >= | <> | != | == | << | >> | \S )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
# inside a comment `/*+` opens nothing: Spark's lexer does not take a hint for a nested comment
_COMMENT_EDGE = re.compile(r"/\*(?!\+)|\*/")
_KINDS = {
    "unclosed": TokenKind.UNCLOSED,
    "number": TokenKind.NUMBER,
    "word": TokenKind.WORD,
    "parameter": TokenKind.PARAMETER,
    "symbol": TokenKind.SYMBOL,
}


def upper_name(name: str) -> str:
    """Upper case letter by letter, as Spark compares names: `ß` is not `SS`."""
    return name.upper() if name.isascii() else "".join(u if len(u := c.upper()) == 1 else c for c in name)


def _end_of_comment(text: str, start: int) -> int | None:
    depth = 1
    position = start + 2
    while depth:
        edge = _COMMENT_EDGE.search(text, position)
        if edge is None:
            return None
        depth += 1 if edge.group() == "/*" else -1
        position = edge.end()
    return position
