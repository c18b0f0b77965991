"""Ctrl-C while a statement runs. No Spark: what stands for it only takes tags and cancels nothing."""

from __future__ import annotations

import os
import signal
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.sql import SparkSession

from winsql.shell.supervise import Cancelled, supervised


def _spark() -> SparkSession:
    context = SimpleNamespace(addJobTag=lambda tag: None, cancelJobsWithTag=lambda tag: None)
    return cast(SparkSession, SimpleNamespace(sparkContext=context))


def _interrupted(outcome: Exception | int) -> Any:
    os.kill(os.getpid(), signal.SIGINT)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def test_ctrl_c_is_not_lost_where_the_statement_ends_all_the_same() -> None:
    """Else the rest of a script would run, and \\watch go on."""
    with pytest.raises(Cancelled, match=r"^interrupted; the statement had ended after \d+\.\d s$"):
        supervised(_spark(), "SELECT 1", lambda: _interrupted(1))


def test_a_statement_that_ctrl_c_ends() -> None:
    with pytest.raises(Cancelled, match=r"^cancelled after \d+\.\d s$"):
        supervised(_spark(), "SELECT 1", lambda: _interrupted(ValueError("cancelled")))


def test_without_ctrl_c() -> None:
    assert supervised(_spark(), "SELECT 1", lambda: 1) == 1
