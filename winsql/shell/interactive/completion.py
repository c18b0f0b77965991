"""What Tab offers: policies after their clauses, tables after FROM, columns and functions elsewhere, keywords."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from winsql.model.policy import Kind, Policy
from winsql.model.query import WINDOW_COLUMNS
from winsql.model.registry import TRIGGERS
from winsql.model.settings import ParserSettings
from winsql.shell.formats import Format
from winsql.shell.interactive.commands import COMMAND_NAMES
from winsql.shell.interactive.words import FIRST, KEYWORDS, PHRASES, policies
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.expressions.items import quoted
from winsql.syntax.text.tokens import Token, TokenKind, tokenize


class Found(NamedTuple):
    """A completion: its text, how many characters before the cursor it replaces, and what it is."""

    text: str
    replaces: int
    what: str


class Catalog(Protocol):
    """Where names come from; tables and databases are given as SQL writes them."""

    def tables(self, database: str | None = None) -> list[str]: ...
    def databases(self) -> list[str]: ...
    def columns(self, table: str) -> list[str]: ...
    def functions(self) -> list[str]: ...
    def settings(self) -> ParserSettings: ...


_Offer = tuple[str, str]
"""A text and what it is."""


def complete(before: str, text: str, catalog: Catalog) -> list[Found]:
    """The completions of the word that ends at the cursor; `text` is the whole input, `before` its part up to there."""
    command = re.match(r"\s*[\\.](\w*)(\s+)?", before)
    if command is not None:
        return _of_command(before, command, catalog)
    prefix = re.search(r"\w*$", before)
    typed = prefix.group() if prefix else ""
    tokens = tokenize(before[: len(before) - len(typed)], catalog.settings())
    if any(token.kind is TokenKind.UNCLOSED for token in tokens):
        return []
    offers = _offers(before, text, tokens, typed, catalog)
    return _matching(offers, typed)


def _matching(offers: Iterable[_Offer], typed: str) -> list[Found]:
    found: dict[str, Found] = {}
    for offer, what in offers:
        if offer.strip("`").lower().startswith(typed.lower()) and offer.lower() != typed.lower():
            shown = offer.lower() if what in _WORDS and typed.islower() else offer
            found.setdefault(shown.lower(), Found(shown, len(typed), what))
    return list(found.values())


_WORDS = frozenset({"keyword", "clause", "assigner", "trigger", "evictor"})
"""Written in the case of what was typed."""


def _of_command(before: str, command: re.Match[str], catalog: Catalog) -> list[Found]:
    if command.group(2) is None:
        return _matching(((name, "command") for name in COMMAND_NAMES), command.group(1))
    typed = before[command.end() :]
    switch = [("on", ""), ("off", "")]
    arguments: dict[str, Iterable[_Offer]] = {
        "d": ((name, "table") for name in catalog.tables()),
        "df": ((name, "function") for name in catalog.functions()),
        **{name: ((database, "database") for database in catalog.databases()) for name in ("dt", "dv")},
        "format": ((form.value, "format") for form in Format),
        "x": (*switch, ("auto", "")),
        **dict.fromkeys(("timing", "pager", "headers"), switch),
    }
    return _matching(arguments.get(command.group(1), ()), typed)


def _offers(before: str, text: str, tokens: Sequence[Token], typed: str, catalog: Catalog) -> Iterator[_Offer]:
    last = tokens[-1] if tokens else None
    if last is not None and last.is_symbol("."):
        yield from _after_dot(before, text, tokens, catalog)
        return
    policies = _policies(tokens)
    if policies is not None:
        yield from policies
        return
    yield from _arguments(tokens)
    rest = [offer for offer in _rest_of_phrases(tokens) if offer[0].lower().startswith(typed.lower())]
    if rest:
        yield from rest
        return
    if last is not None and last.is_word(*_BEFORE_TABLES):
        yield from ((_quoted(name), "table") for name in catalog.tables())
        yield from ((_quoted(name), "database") for name in catalog.databases())
        yield from ((word, "keyword") for word in ("STREAM", "TABLE", "IF EXISTS", "IF NOT EXISTS"))
        return
    tables = [table for table, _ in _relations(text, catalog.settings())]
    if not tables and typed:  # FROM comes later: the columns of what there is
        tables = [_quoted(table) for table in catalog.tables()[:_TABLES]]
    for table in tables:
        yield from ((_quoted(name), "column") for name in catalog.columns(table))
    if typed:
        yield from ((name, "column of the window") for name in WINDOW_COLUMNS)
    yield from ((phrase, "clause") for phrase in PHRASES)
    yield from ((word, "keyword") for word in sorted(KEYWORDS))
    if typed and not (last is not None and _ends_operand(last)):
        yield from ((name, "function") for name in catalog.functions())


_BEFORE_TABLES = frozenset(
    {"FROM", "JOIN", "INTO", "TABLE", "STREAM", "UPDATE", "DESCRIBE", "DESC", "VIEW", "OF", "REFRESH"}
)


def _ends_operand(token: Token) -> bool:
    """Whether a value may end with the token, so that none begins after it."""
    if token.kind is TokenKind.WORD:
        return token.upper not in KEYWORDS
    return token.kind in (TokenKind.QUOTED, TokenKind.STRING, TokenKind.NUMBER) or token.is_symbol(")", "]")


_TABLES = 30
"""Tables whose columns are asked for where none is named: each is a question to the catalog."""


def _arguments(tokens: Sequence[Token]) -> Iterator[_Offer]:
    """The names of the arguments that a policy still takes, at the beginning of one."""
    if not tokens or not tokens[-1].is_symbol("(", ","):
        return
    opening, commas = _open_bracket(tokens)
    known = None if opening < 1 else _policy(tokens, opening - 1)
    if known is None:
        return
    given = {tokens[i - 1].upper.lower() for i in range(opening, len(tokens)) if tokens[i].is_symbol("=>")}
    for place, parameter in enumerate(known.parameters()):
        if parameter.name not in given and (place >= commas or parameter.named_only):
            yield f"{parameter.name} => ", "argument"


def _policy(tokens: Sequence[Token], index: int) -> type[Policy] | None:
    """The policy that a token names; COUNT and others are aggregates elsewhere."""
    name, before = tokens[index].upper, tokens[index - 1].upper if index else ""
    for clause in CLAUSES:
        if clause.policies is not None and clause.words.split()[-1] == before and name in clause.policies:
            found: type[Policy] | None = clause.policies.find(name)
            return found
    return TRIGGERS.find(name) if name in policies() else None


def _open_bracket(tokens: Sequence[Token]) -> tuple[int, int]:
    """The innermost bracket that is open at the end, -1 for none, and the commas in it."""
    depth = commas = 0
    for index in range(len(tokens) - 1, -1, -1):
        depth += tokens[index].is_symbol(")") - tokens[index].is_symbol("(")
        commas += depth == 0 and tokens[index].is_symbol(",")
        if depth < 0:
            return index, commas
    return -1, commas


def _rest_of_phrases(tokens: Sequence[Token]) -> Iterator[_Offer]:
    """What follows the first words of a phrase: ASSIGN after WINDOW, and TABLES after SHOW."""
    if len(tokens) == 1:
        yield from ((word, "keyword") for word in FIRST.get(tokens[0].upper, ()))
    for words in map(str.split, PHRASES):
        for count in range(1, len(words)):
            if [token.upper for token in tokens[-count:]] == words[:count]:
                yield " ".join(words[count:]), "keyword"


def _policies(tokens: Sequence[Token]) -> list[_Offer] | None:
    """The policies that may follow the tokens; None where none may."""
    if tokens and tokens[-1].is_symbol("(", ",") and _nests_triggers(tokens):
        return [(f"{name}(", "trigger") for name in TRIGGERS]
    said = tuple(token.upper for token in tokens[-2:])
    clause = next((c for c in CLAUSES if any(said[-len(words) :] == words for words in c.spellings)), None)
    return None if clause is None else clause.completions()


def _nests_triggers(tokens: Sequence[Token]) -> bool:
    """Whether the bracket that is open at the end is that of a trigger, and takes triggers at this place."""
    opening, commas = _open_bracket(tokens)
    cls = TRIGGERS.find(tokens[opening - 1].upper) if opening > 0 else None
    kinds = [parameter.kind for parameter in cls.parameters()] if cls is not None else []
    return bool(kinds) and (kinds[0] is Kind.TRIGGERS or (kinds[0] is Kind.TRIGGER and commas == 0))


def _after_dot(before: str, text: str, tokens: Sequence[Token], catalog: Catalog) -> Iterator[_Offer]:
    """`alias.`, `table.` or `database.`"""
    if len(tokens) < 2 or not tokens[-2].is_name:
        return
    owner = tokens[-2]
    for table, alias in _relations(text, catalog.settings()):
        if owner.upper in (alias.upper(), table.rpartition(".")[2].strip("`").upper()):
            yield from ((_quoted(name), "column") for name in catalog.columns(table))
    database = before[owner.start : owner.end]
    if len(tokens) > 2 and tokens[-3].is_word(*_BEFORE_TABLES):
        yield from ((_quoted(name), "table") for name in catalog.tables(database))


def _relations(text: str, settings: ParserSettings) -> Iterator[tuple[str, str]]:
    """Tables that a text names after FROM, JOIN or INTO, as written, each with its alias or ''."""
    tokens = tokenize(text, settings)
    for index, token in enumerate(tokens):
        if not token.is_word("FROM", "JOIN", "INTO", "TABLE", "STREAM"):
            continue
        stop = index + 1
        while stop < len(tokens) and tokens[stop].is_name:
            stop += 1
            if stop + 1 >= len(tokens) or not tokens[stop].is_symbol(".") or not tokens[stop + 1].is_name:
                break
            stop += 1
        if stop == index + 1 or (stop == index + 2 and tokens[index + 1].upper in KEYWORDS):
            continue
        alias = stop + 1 if stop < len(tokens) and tokens[stop].is_word("AS") else stop
        named = alias < len(tokens) and tokens[alias].is_name and tokens[alias].upper not in KEYWORDS
        yield text[tokens[index + 1].start : tokens[stop - 1].end], tokens[alias].upper if named else ""


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else quoted(name)
