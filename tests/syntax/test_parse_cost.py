"""What it costs to read a statement, in calls of Python functions: the same on every machine, unlike time."""

from __future__ import annotations

import re
import statistics
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from golden_cases import golden_cases

from winsql.errors import WinsqlError
from winsql.syntax import parse_statement
from winsql.syntax.bind.grouping import Grouping
from winsql.syntax.expressions.items import read_select_list
from winsql.syntax.expressions.references import has_window_function
from winsql.syntax.text.tokens import tokenize

ROOT = Path(__file__).resolve().parents[2]


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


def test_statements_of_many_lines_take_no_more() -> None:
    texts = [text for text in shown_statements() if 10 <= len(text.splitlines()) <= 19 and has_windows(text)]
    found = [calls(partial(parse_statement, text)) / len(tokenize(text)) for text in texts]
    assert len(found) >= 15
    assert statistics.median(found) < 50


def shown_statements() -> Iterator[str]:
    """The statements of the documentation and the examples."""
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for block in re.findall(r"```sql\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            yield from map(str.strip, block.split(";\n"))
    for script in (ROOT / "examples").rglob("*.sql"):
        yield from map(str.strip, script.read_text(encoding="utf-8").split(";\n"))


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


def test_aliases_of_aliases_are_written_out_where_they_are_read() -> None:
    aliases = ", ".join(f"a{n} + a{n} AS a{n + 1}" for n in range(60))
    text = f"SELECT count(*) AS a0, {aliases} FROM t WINDOW ASSIGN COUNT(9, time => ts) HAVING a1 > 1 AND count(*) > 2"
    (query,) = parse_statement(text).queries
    counts = query.aggregates[0].column
    assert query.tail == f"WHERE (({counts}) + ({counts})) > 1 AND {counts} > 2"


def test_grouping_sets_are_counted_before_they_are_made() -> None:
    sets = ", ".join(f"CUBE(a{n}, b{n}, c{n}, d{n}, e{n}, f{n})" for n in range(6))
    call = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
    statement = parse_statement(f"SELECT count(*) FROM {call} GROUP BY window_start, window_end, {sets}")
    with pytest.raises(WinsqlError, match=f"GROUP BY stands for {2**36} sets"):
        statement.on_stream(0)


@pytest.mark.parametrize(("sets", "count"), [("ROLLUP", 40), ("CUBE", 9)])
def test_a_key_of_many_grouping_sets_is_read_once(sets: str, count: int) -> None:
    names = ", ".join(f"k{n}" for n in range(count))
    call = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
    statement = parse_statement(f"SELECT count(*) FROM {call} GROUP BY window_start, window_end, {sets}({names})")
    assert calls(lambda: statement.on_stream(0), Grouping.key) <= count + 2
    assert calls(lambda: statement.on_stream(0), Grouping.meant) <= 5 * (count + 2)


def test_calls_with_over_share_what_they_read() -> None:
    calls_with_over = [f"rank() OVER (PARTITION BY window_end ORDER BY k{n}) AS r{n}" for n in range(40)]
    statement = parse_statement(f"SELECT {', '.join(calls_with_over)} FROM TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour')")
    assert calls(lambda: statement.on_stream(0), read_select_list) < 20
    assert calls(lambda: statement.on_stream(0), has_window_function) < 20 * len(calls_with_over)
