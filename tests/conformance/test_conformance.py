"""Every case of real Flink 2.3.0, streaming and batch, and cases made wrong, to prove that the runner can fail."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from case import Case, read_cases
from run import DEVIATING_FLAGS, check, main, read_deviations
from stream import inexpressible

HERE = Path(__file__).resolve().parent

CASES = list(read_cases(HERE / "cases"))
DRAWN_CASES = list(read_cases(HERE / "drawn_cases"))
BATCH_CASES = list(read_cases(HERE / "batch_cases"))
WRONG_CASES = list(read_cases(HERE / "wrong_cases"))
DEVIATIONS = read_deviations()


def _name(case: Case) -> str:
    return case.name


def test_the_cases_are_all_there() -> None:
    assert len(CASES) == 534
    assert len({case.name for case in CASES}) == 534


@pytest.mark.parametrize("executor", ["operator", "operator-restarts", "stream"])
@pytest.mark.parametrize("case", CASES, ids=_name)
def test_case(case: Case, executor: str) -> None:
    assert check(case, executor, DEVIATIONS) is None


@pytest.mark.parametrize("executor", ["operator", "operator-restarts", "stream", "columnar"])
@pytest.mark.parametrize("case", DRAWN_CASES, ids=_name)
def test_drawn_case(case: Case, executor: str) -> None:
    assert check(case, executor, {}) is None


def test_drawn_cases_are_of_all_kinds() -> None:
    kinds = Counter(case.json["assigner"]["type"] for case in DRAWN_CASES)
    assert len(kinds) == 5
    assert min(kinds.values()) > 20
    assert sum(bool(case.flags & DEVIATING_FLAGS) for case in DRAWN_CASES) < 10


def test_cases_that_are_no_micro_batches() -> None:
    """The list may only shrink: the live clock's one millisecond, and the end of a stream."""
    reasons = Counter(inexpressible(case) for case in CASES)
    assert sorted(reasons[reason] for reason in reasons if reason) == [6, 12]


@pytest.mark.parametrize("case", BATCH_CASES, ids=_name)
def test_batch_case(case: Case) -> None:
    assert check(case, "operator", DEVIATIONS) is None


@pytest.mark.parametrize("case", WRONG_CASES, ids=_name)
def test_wrong_case_fails(case: Case) -> None:
    why = check(case, "operator", DEVIATIONS)
    assert why is not None
    assert case.json["fails_with"] in why


def test_runner_exits_1_on_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(HERE / "wrong_cases")]) == 1
    assert f"0 passed, {len(WRONG_CASES)} failed" in capsys.readouterr().out


def test_runner_exits_1_without_cases(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 1


def test_runner_as_a_command() -> None:
    command = [sys.executable, str(HERE / "run.py"), str(HERE / "cases"), "--executor", "operator"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "534 passed, 0 failed" in result.stdout


def test_deviations_are_only_the_allowed_ones() -> None:
    """Each deviation is flagged in the case, rests on 64-bit wrap-around, or is the stagger that is not offered."""
    by_name = {f"{case.json.get('mode', 'stream')}:{case.name}": case for case in CASES + BATCH_CASES}
    wrapping = {
        "stream:extreme/lateness_overflow_session_merge_after_watermark_fails",
        "stream:extreme/lateness_overflow_gap_element",
        "stream:extreme/window_end_overflows",
        "batch:extreme/window_end_overflows",
        "batch:extreme/session_end_overflows",
        "batch:evictor/time_no_timestamps",
        "batch:evictor/time_no_timestamps_window_zero",
        "batch:evictor/time_no_timestamps_processing",
    }
    refused = {"batch:extreme/count_zero_trigger"}
    for name, deviation in DEVIATIONS.items():
        case = by_name[name]
        assert case.flags & DEVIATING_FLAGS or name in wrapping | refused or case.topic == "stagger"
        assert deviation["reason"]


def test_flagged_cases_have_their_own_expectation() -> None:
    flagged = {f"stream:{case.name}" for case in CASES if case.flags & DEVIATING_FLAGS}
    assert flagged <= set(DEVIATIONS)
