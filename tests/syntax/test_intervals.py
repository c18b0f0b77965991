"""Where interval literals end, and which words before numbers are columns."""

from __future__ import annotations

import pytest

from winsql.syntax.text.intervals import interval_end
from winsql.syntax.text.source import Source

LITERALS = [
    "INTERVAL 1 DAY",
    "interval 1 day 2 hours",
    "INTERVAL 1 DAY -2 HOURS",
    "INTERVAL -'1' DAY",
    "INTERVAL '1 02:00:00' DAY TO SECOND",
    "INTERVAL '1' '2' MONTHS",
    "INTERVAL '1 day'",
    "INTERVAL 1.5 SECONDS 3 NANOSECONDS",
]
AFTER = ["", " AS x", " x", " - 5", " - INTERVAL 1 DAY", ", day", ") FROM t"]
NAMES = ["interval", "interval - 5", "interval + x", "interval * 2", "interval 5", "interval.day", "`interval` 1 DAY"]


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("literal", LITERALS)
def test_the_end_of_a_literal(literal: str, after: str) -> None:
    source = Source(literal + after)
    assert interval_end(source, 0, len(source)) == len(Source(literal))


@pytest.mark.parametrize("text", NAMES)
def test_a_column_of_this_name(text: str) -> None:
    source = Source(text)
    assert interval_end(source, 0, len(source)) == 0


def test_nothing_is_read_after_the_stop() -> None:
    assert interval_end(Source("INTERVAL 1 DAY 2 HOURS"), 0, 3) == 3
