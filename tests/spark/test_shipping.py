"""winsql's code reaches the executors once, whoever asks first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from winsql.spark import shipping

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_threads_with_sessions_of_their_own(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        monkeypatch.setattr(shipping, "_digest", lambda files, number=number: f"threads{number}")
        sessions = [spark.newSession() for _ in range(8)]
        with ThreadPoolExecutor(len(sessions)) as pool:
            list(pool.map(shipping.ship_code, sessions))  # raises what a thread raises
        assert {session.conf.get("spark.winsql.code") for session in sessions} == {f"threads{number}"}
