"""The core of the suites on Spark Connect, in a process of its own: its session cannot live beside a classic one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import is_sample

ROOT = Path(__file__).resolve().parents[2]
PATHS = ["", "tests", "tests/columnar", "tests/conformance", "tests/runtime", "tests/spark"]
"""What the server's own Python processes import of the tests."""

TESTS = {
    "bounded tables: plans of both kinds, errors with their place, arguments, late rows, NULL times": [
        "tests/spark/test_plans.py",
        "tests/spark/test_errors.py",
        "tests/spark/test_messages.py::test_by_sql",
        "tests/spark/test_messages.py::test_golden_errors",
        "tests/spark/test_messages.py::test_a_syntax_error_has_one_place",
        "tests/spark/test_messages.py::test_golden_errors_in_the_shell",
        "tests/spark/test_messages.py::test_streams",
        "tests/spark/test_late_rows.py",
        "tests/spark/test_places.py::test_windows_of_windows",
        "tests/spark/test_places.py::test_parameters",
        "tests/spark/test_places.py::test_alone_and_nested",
        "tests/spark/test_places.py::test_null_times_are_counted",
        "tests/conformance/test_spark_batch.py::test_batch_cases",
    ],
    "random statements": [
        "tests/differential/test_differential.py::test_sample",
    ],
    "joins and co-groups": [
        "tests/spark/test_window_joins.py::test_triggers_and_evictors_see_both_sides",
        "tests/spark/test_window_joins.py::test_co_group",
    ],
    "sessions that winsql was registered in": [
        "tests/spark/test_register.py::test_sql_takes_the_language",
        "tests/spark/test_register.py::test_aggregates_of_the_pack",
        "tests/spark/test_register.py::test_a_dataframe_may_be_named_in_the_text",
        "tests/spark/test_register.py::test_unregister_undoes_it",
        "tests/spark/test_pass_through.py::test_on_any_session",
        "tests/spark/test_variable_values.py",
    ],
    "streams": [
        "tests/spark/test_streams.py::test_clock_rows_apply_and_one_global_key",
        "tests/spark/test_streams.py::test_a_restart_goes_on_and_another_query_is_refused",
        "tests/spark/test_streams.py::test_refused_before_the_start",
        "tests/spark/test_streams.py::test_state_store_and_collation_are_checked",
        "tests/spark/test_streams.py::test_explain_says_how_a_stream_runs",
        "tests/spark/test_stream_metrics.py",
        "tests/spark/test_streaming_tables.py::test_result_late_rows_and_restarts",
        "tests/spark/test_started_twice.py::test_replacing_ends_the_run_of_another_session",
        "tests/spark/test_stream_places.py::test_windows_over_windows_that_are_refused",
        "tests/spark/test_stream_places.py::test_windows_are_ranked_and_grouped_on_connect",
        "tests/spark/test_stream_places.py::test_many_operators_over_each_other_on_connect",
        "tests/spark/test_over.py",
    ],
}


SAMPLE = {
    "tests/spark/test_places.py::test_parameters",
    "tests/spark/test_window_joins.py::test_co_group",
    "tests/spark/test_register.py::test_sql_takes_the_language",
    "tests/spark/test_pass_through.py::test_on_any_session",
    "tests/spark/test_streaming_tables.py::test_result_late_rows_and_restarts",
}
"""What runs on the older versions of Spark: and where a sample does."""


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_tables_and_sessions_on_spark_connect() -> None:
    _run([test for feature, tests in TESTS.items() if feature != "streams" for test in tests])


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.since("4.1")
@pytest.mark.timeout(1800)
def test_streams_on_spark_connect() -> None:
    _run(TESTS["streams"])


def _run(tests: list[str]) -> None:
    if is_sample():
        tests = [test for test in tests if test in SAMPLE]
    environment = {**os.environ, "WINSQL_CONNECT": "1", "WINSQL_INTERPRETED": "1", "PYSPARK_PYTHON": sys.executable}
    paths = [str(ROOT / path) for path in PATHS]
    environment["PYTHONPATH"] = os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")])
    environment["SPARK_LOCAL_IP"] = "127.0.0.1"
    command = [sys.executable, "-m", "pytest", "-q", "--durations=10", "-p", "no:cacheprovider", *tests]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1700, check=False)
    assert run.returncode == 0, run.stdout[-8000:]
