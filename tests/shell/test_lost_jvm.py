"""What is not printed when Spark's process has died."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from winsql.spark.versions.lost_jvm import _is_of_others, quiet_when_lost


@pytest.fixture(autouse=True)
def _as_before() -> Any:
    before = logging.getLogger("py4j").level
    yield
    logging.getLogger("py4j").setLevel(before)
    logging.getLogger().removeFilter(_is_of_others)


def test_only_what_py4j_logs_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    server = SimpleNamespace()
    quiet_when_lost(SimpleNamespace(sparkContext=SimpleNamespace(_accumulatorServer=server)))
    logging.getLogger("py4j.clientserver").error("an exception of a function")
    logging.getLogger("mine").error("mine")
    root = logging.getLogger()
    root.handle(root.makeRecord("root", logging.ERROR, "/lib/py4j/java_gateway.py", 1, "while sending", (), None))
    root.handle(root.makeRecord("root", logging.ERROR, "/lib/mine/java_gateway.py", 1, "of the root", (), None))
    assert [record.message for record in caplog.records] == ["mine", "of the root"]
    assert server.handle_error("request", ("127.0.0.1", 1)) is None


def test_a_session_without_that_server_is_taken() -> None:
    quiet_when_lost(SimpleNamespace(sparkContext=SimpleNamespace()))
