"""Every batch case of real Flink through Spark: one query, the worker code of operator plans."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from case import read_cases
from run import DEVIATING_FLAGS, read_deviations
from spark_batch import run_cases, spark_difference

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).resolve().parent


def test_batch_cases(spark: SparkSession) -> None:
    cases = list(read_cases(HERE / "batch_cases"))
    deviations = {name.removeprefix("batch:"): entry for name, entry in read_deviations().items()}
    outcomes = run_cases(spark, cases)
    failed = {}
    for case in cases:
        expected = deviations[case.name]["expected"] if case.name in deviations else case.json["expected"]
        if case.flags & DEVIATING_FLAGS and case.name not in deviations:
            continue
        why = spark_difference(case, outcomes[case.name], expected)
        if why is not None:
            failed[case.name] = why
    assert failed == {}
    assert len(cases) == 366


def test_a_wrong_expectation_fails(spark: SparkSession) -> None:
    case = next(case for case in read_cases(HERE / "batch_cases") if case.json["expected"]["main"])
    wrong = {**case.json["expected"], "main": case.json["expected"]["main"][1:]}
    assert spark_difference(case, run_cases(spark, [case])[case.name], wrong) is not None
