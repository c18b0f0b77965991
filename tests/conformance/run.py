"""Runs the cases of a folder: `python tests/conformance/run.py DIR [--executor NAME]`.

Prints passed and failed per topic, then each failure with its reason; exits 1 on a failure. Deliberate deviations from
Flink are those of `deviations.jsonl` and of the flags `merge_order` and `lost_contents`, nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from bounded import run_bounded  # noqa: E402
from case import Case, Json, NotOffered, read_cases  # noqa: E402
from columnar_cases import columnar_difference, unclaimed  # noqa: E402
from executors import EXECUTORS, run_operator  # noqa: E402
from outcome import bounded_difference, difference, firings_differ  # noqa: E402
from spark_stream import left_out, run_cases, session  # noqa: E402
from stream import inexpressible, outcome_difference, stream_difference  # noqa: E402

STREAM = "stream"
SPARK_STREAM = "spark-stream"
COLUMNAR = "columnar"
DEVIATING_FLAGS = frozenset({"merge_order", "lost_contents"})


def read_deviations() -> dict[str, Json]:
    """The deliberate deviations: by case a reason and what winsql itself gives (None: not offered)."""
    lines = (HERE / "deviations.jsonl").read_text(encoding="utf-8").splitlines()
    return {_identity(entry): entry for entry in map(json.loads, lines)}


def _identity(entry: Json) -> str:
    """Streaming and batch cases may share a name."""
    return f"{entry.get('mode', 'stream')}:{entry['name']}"


def check(case: Case, executor: str, deviations: dict[str, Json]) -> str | None:
    """Why the case fails on the executor; None when it passes."""
    deviation = deviations.get(_identity(case.json))
    if case.json.get("mode") == "batch":
        expected = deviation["expected"] if deviation else case.json["expected"]
        return bounded_difference(case, run_bounded(case), expected)
    if executor == STREAM:
        return _check_stream(case, deviation)
    if executor == COLUMNAR:
        return None if unclaimed(case) else columnar_difference(case, _expected_of_stream(case, deviation))
    try:
        outcome = EXECUTORS[executor](case)
    except NotOffered as refusal:
        return None if deviation and deviation["expected"] is None else f"not offered: {refusal}"
    if deviation is not None and deviation["expected"] is None:
        return "listed as not offered, but it ran"
    if case.flags & DEVIATING_FLAGS:
        why = firings_differ(case, outcome, case.json["expected"])
        if why or deviation is None:
            return why
    return difference(case, outcome, deviation["expected"] if deviation else case.json["expected"])


def _check_stream(case: Case, deviation: Json | None) -> str | None:
    """As micro-batches; where winsql deviates on purpose, as the operator does."""
    if inexpressible(case) or (deviation is not None and deviation["expected"] is None):
        return None
    return stream_difference(case, _expected_of_stream(case, deviation))


def _expected_of_stream(case: Case, deviation: Json | None) -> Json:
    if case.flags & DEVIATING_FLAGS and deviation is None:
        return {**vars(run_operator(case))}
    return deviation["expected"] if deviation else case.json["expected"]


def check_spark_stream(spark: SparkSession, cases: Sequence[Case]) -> dict[str, str | None]:
    """By name why a case fails in a real Structured Streaming query; those it does not take are left out."""
    chosen, deviations = [case for case in cases if left_out(case) is None], read_deviations()
    outcomes = run_cases(spark, chosen)
    expected = [_expected_of_stream(case, deviations.get(_identity(case.json))) for case in chosen]
    return {c.name: outcome_difference(c, e, outcomes[c.name]) for c, e in zip(chosen, expected, strict=True)}


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--executor", choices=[*sorted(EXECUTORS), STREAM, SPARK_STREAM, COLUMNAR], default="operator")
    options = parser.parse_args(arguments)
    deviations = read_deviations()
    results: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    if options.executor == SPARK_STREAM:
        for name, why in check_spark_stream(session(), list(read_cases(options.folder))).items():
            results[name.partition("/")[0]].append((name, why))
        return _report(results)
    for case in read_cases(options.folder):
        if options.executor == COLUMNAR and unclaimed(case):
            continue
        results[case.topic].append((case.name, check(case, options.executor, deviations)))
    if not results:
        print(f"no cases in {options.folder}", file=sys.stderr)
        return 1
    return _report(results)


def _report(results: dict[str, list[tuple[str, str | None]]]) -> int:
    failures = [(name, why) for cases in results.values() for name, why in cases if why is not None]
    for topic, cases in sorted(results.items()):
        failed = sum(why is not None for _, why in cases)
        print(f"{topic:24} {len(cases) - failed:4} passed {failed:4} failed")
    for name, why in failures:
        print(f"FAILED {name}: {why}")
    total = sum(map(len, results.values()))
    print(f"{total - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
