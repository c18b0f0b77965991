"""Which reference cases the columnar engine claims: the list is printed and pinned, and may only grow."""

from __future__ import annotations

from pathlib import Path

import pytest
from case import Case, read_cases
from columnar_cases import columnar_difference, falls_back, unclaimed
from run import read_deviations

TESTS = Path(__file__).resolve().parents[1]

CASES = list(read_cases(TESTS / "conformance" / "cases"))
CLAIMED = [case for case in CASES if unclaimed(case) is None]
DEVIATIONS = read_deviations()
PINNED = Path(__file__).with_name("claimed_cases.txt")


def _name(case: Case) -> str:
    return case.name


@pytest.mark.parametrize("case", CLAIMED, ids=_name)
def test_claimed_case(case: Case) -> None:
    deviation = DEVIATIONS.get(f"stream:{case.name}")
    assert columnar_difference(case, (deviation or case.json)["expected"]) is None


def test_the_claimed_list(update_golden: bool) -> None:
    claimed = "".join(f"{case.name}\n" for case in CLAIMED)
    print(claimed)
    if update_golden:
        PINNED.write_text(claimed, encoding="utf-8")
    assert claimed == PINNED.read_text(encoding="utf-8")


def test_only_times_that_columns_cannot_say_leave_the_engine() -> None:
    """A session of a row without time begins at the least one. A stream's watermark never gets to the end of time, at
    which these windows that never end would end. And the first: rows of which only some have the time it evicts by."""
    assert [case.name for case in CLAIMED if falls_back(case)] == [
        "evictor/time_mixed_first_has_none_keeps_all",
        "extreme/no_timestamp_session",
        "extreme/huge_timestamps",
        "extreme/window_end_overflows",
        "global/purging_end_of_stream_does_not_sort",
        "global/purging_end_of_stream_element_after_max",
        "global/purging_end_of_stream",
        "trigger/d064",
    ]
