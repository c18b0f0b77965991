"""Broken statements give a statement or a WinsqlError, never another exception."""

from __future__ import annotations

import pytest
from canonical import render_query
from golden_cases import golden_cases
from hypothesis import given, settings
from hypothesis import strategies as st
from on_streams import on_streams

from winsql.errors import WinsqlError
from winsql.model.query import INTERNAL_PREFIX
from winsql.syntax import parse_statement
from winsql.syntax.text.source import Source

VALID = [case.input for kind in ("identity", "rewrite", "plans") for case in golden_cases(kind)]
BROKEN = [case.input for case in golden_cases("errors")]


def survives(text: str) -> None:
    """Parses, renders and rewrites what can be read, over tables and over streams; a refusal names nothing of ours."""
    refusal = ""
    try:
        statement = parse_statement(text)
        relations: dict[int, str] = {}
        for index, query in enumerate(statement.queries):
            render_query(query)
            statement.query(index, relations)
            statement.context(index, relations)
            relations[index] = f"r{index}"
        statement.replace(relations)
        on_streams(statement)
    except WinsqlError as error:
        refusal = str(error)
    assert INTERNAL_PREFIX not in refusal or INTERNAL_PREFIX in text


def tokens_of(text: str) -> list[str]:
    source = Source(text)
    return [text[token.start : token.end] for token in source.tokens]


@st.composite
def mutated_tokens(draw: st.DrawFn) -> str:
    """A valid statement with some tokens dropped, repeated, swapped, cut off, or taken from another one."""
    tokens = tokens_of(draw(st.sampled_from(VALID + BROKEN)))
    for _ in range(draw(st.integers(1, 4))):
        if not tokens:
            break
        index = draw(st.integers(0, len(tokens) - 1))
        other = draw(st.integers(0, len(tokens) - 1))
        change = draw(st.sampled_from(["drop", "repeat", "swap", "truncate", "move", "graft"]))
        if change == "drop":
            del tokens[index]
        elif change == "repeat":
            tokens.insert(index, tokens[index])
        elif change == "swap":
            tokens[index], tokens[other] = tokens[other], tokens[index]
        elif change == "truncate":
            del tokens[index:]
        elif change == "move":
            tokens.insert(other, tokens.pop(index))
        else:
            donor = tokens_of(draw(st.sampled_from(VALID)))
            start = draw(st.integers(0, len(donor) - 1))
            tokens[index:other] = donor[start : start + draw(st.integers(1, 8))]
    return " ".join(tokens)


@st.composite
def mutated_characters(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 4))):
        index = draw(st.integers(0, len(text)))
        end = draw(st.integers(index, min(len(text), index + 5)))
        inserted = draw(st.one_of(st.just(""), st.sampled_from(list("()[]'\"`,.;*-+=<>:?{}$\\/ \n")), st.characters()))
        text = text[:index] + inserted + text[end:]
    return text


@pytest.mark.slow
@settings(max_examples=2500)
@given(mutated_tokens())
def test_mutated_tokens(text: str) -> None:
    survives(text)


@pytest.mark.slow
@settings(max_examples=1500)
@given(mutated_characters())
def test_mutated_characters(text: str) -> None:
    survives(text)


WINDOWED = "SELECT {item} FROM {source} WINDOW ASSIGN TUMBLING({time}, '1 hour') TRIGGER {trigger} GROUP BY {key}"
JOINED = "SELECT * FROM a AS x WINDOW JOIN b AS y ON {} WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')"
PLAIN = {"item": "k", "source": "t", "time": "ts", "trigger": "WHEN(sum(v) > 1)", "key": "k"}


@pytest.mark.parametrize("place", ["item", "source", "time", "key"])
@pytest.mark.parametrize("opening", ["(", "f(", "a[", "(SELECT (", "CASE WHEN (", "x -> (", "NOT (", "- ("])
def test_deep_nesting(place: str, opening: str) -> None:
    depth = 1200
    closing = "".join({"(": ")", "[": "]"}[c] for c in reversed(opening) if c in "([")
    survives(WINDOWED.format(**{**PLAIN, place: opening * depth + "k" + closing * depth}))


@pytest.mark.parametrize("opening", ["(", "f(", "(x.k = y.k AND (", "NOT (", "CASE WHEN (", "- ("])
@pytest.mark.parametrize("joint", [" AND ", " OR ", " = ", " BETWEEN "])
def test_deep_and_long_conditions(opening: str, joint: str) -> None:
    for depth in (30, 1200):
        condition = opening * depth + joint.join(["x.k = y.k"] * depth) + ")" * opening.count("(") * depth
        survives(JOINED.format(condition))


@pytest.mark.parametrize("prefix", ["NOT ", "- ", "CASE WHEN a THEN ", "PURGING(", "ANY(WHEN("])
def test_deep_triggers(prefix: str) -> None:
    trigger = prefix * 500 + "sum(v) > 1"
    survives(WINDOWED.format(**{**PLAIN, "trigger": trigger if "(" in prefix else f"WHEN({trigger})"}))
    survives(WINDOWED.format(**{**PLAIN, "trigger": prefix * 500 + "COUNT(3)" + ")" * 1000}))


@pytest.mark.parametrize("joint", [" + ", " AND ", " OR ", ", ", " = ", " BETWEEN ", " || ", " IN "])
def test_long_chains(joint: str) -> None:
    chain = joint.join(["sum(v)"] * 1000)
    survives(WINDOWED.format(**{**PLAIN, "trigger": f"WHEN({chain})"}))
    survives(WINDOWED.format(**{**PLAIN, "item": chain}))
    survives(WINDOWED.format(**{**PLAIN, "key": joint.join(["v"] * 1000)}))


def test_a_hint_that_does_not_end() -> None:
    survives(
        "SELECT x.k FROM a x RIGHT WINDOW JOIN b y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')"
        " WINDOW w AS (ORDER BY window_end), /*+ AS w LIMIT 3"
    )
