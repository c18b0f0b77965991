"""What \\h shows: a page for each statement, clause and policy."""

from __future__ import annotations

import re

import pytest

from winsql.errors import WinsqlError
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS
from winsql.shell.manual import RELATIONS, STATEMENTS, contents, pages
from winsql.syntax import parse_statement
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.mistakes import find_mistakes


@pytest.mark.parametrize("page", STATEMENTS, ids=lambda page: page.words)
def test_a_statement_has_its_grammar_and_an_example_that_is_one(page) -> None:
    shown = pages(page.words.lower())
    assert find_mistakes(page.example) == []
    statement = parse_statement(page.example)
    assert statement.stream is not None or statement.target.explains_windows
    assert f"\n    {page.example.splitlines()[0]}\n" in f"{shown}\n"
    assert page.words.split()[0] in shown.partition("\n\n")[2].partition("for example")[0]


@pytest.mark.parametrize("page", RELATIONS, ids=lambda page: page.words)
def test_a_relation_has_its_grammar_and_an_example_with_windows(page) -> None:
    shown = pages(page.words.lower())
    assert find_mistakes(page.example) == []
    assert parse_statement(page.example).queries
    assert page.words.lower() in shown.lower().partition("\n\n")[2].partition("for example")[0]


def test_every_statement_relation_clause_and_policy_has_a_page() -> None:
    listed = contents()
    clauses = [clause.words for clause in CLAUSES]
    policies = [name for registry in (ASSIGNERS, TRIGGERS, EVICTORS) for name in registry]
    for words in [*(page.words for page in (*STATEMENTS, *RELATIONS)), *clauses, *policies]:
        assert re.search(rf"\b{words}\b", listed)
        assert pages(words)


def test_the_first_words_find_all_that_begin_with_them() -> None:
    found = pages("create")
    assert [words in found for words in ("CREATE STREAMING TABLE name", "CREATE STREAM name INTO", "STREAMING VIEW")]
    assert "COUNT(n)" in pages("count(")
    assert "CREATE STREAMING" not in pages("create stream").partition("for example")[0]


@pytest.mark.parametrize(("words", "meant"), [("creat stream", "CREATE STREAM"), ("tumblng", "TUMBLING")])
def test_an_unknown_word_is_told_with_the_nearest(words: str, meant: str) -> None:
    with pytest.raises(WinsqlError) as caught:
        pages(words)
    assert caught.value.hint == rf"\h lists what there is; did you mean {meant}?"
