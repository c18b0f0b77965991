"""What it costs to read a statement, in calls of Python functions: the same on every machine, unlike time."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest
from golden_cases import golden_cases

from winsql.errors import WinsqlError
from winsql.syntax import parse_statement
from winsql.syntax.text.tokens import tokenize


def has_windows(text: str) -> bool:
    """Whether a statement has windowed queries; those that need registered functions are left out."""
    try:
        return bool(parse_statement(text).queries)
    except WinsqlError:
        return False


CASES = [case.input for kind in ("identity", "rewrite", "plans") for case in golden_cases(kind)]
STATEMENTS = [text for text in CASES if has_windows(text)]


def calls(run: Callable[[], Any], of: Callable[..., Any] | None = None) -> int:
    """How many Python functions are called, or how often this one is."""
    code = None if of is None else of.__code__
    count = 0

    def seen(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event == "call" and code in (None, frame.f_code)

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def test_reading_takes_few_calls_per_token() -> None:
    found = [calls(partial(parse_statement, text)) / len(tokenize(text)) for text in STATEMENTS]
    assert len(found) > 150
    assert statistics.median(found) < 66


@pytest.mark.parametrize("text", [text for text in STATEMENTS if "(SELECT" in text or "WITH" in text][:40])
def test_a_statement_is_cut_into_tokens_once(text: str) -> None:
    made = []
    assert calls(lambda: made.append(parse_statement(text)), tokenize) == 1
    (statement,) = made

    def use() -> None:
        relations: dict[int, str] = {}
        for index in range(len(statement.queries)):
            statement.query(index, relations)
            statement.context(index, relations)
            relations[index] = f"relation_{index}"
        statement.replace(relations)

    assert calls(use, tokenize) == 0
