"""Views on the server of Spark Connect that no plan reads any more."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest

from winsql.spark.versions import connect_views


class Shared(deque[str]):
    """Views of which another thread takes the last one after this one has seen that there is one."""

    def __bool__(self) -> bool:
        return True


class Plan:
    """Of a DataFrame."""


def test_two_threads_drop_them(monkeypatch: pytest.MonkeyPatch) -> None:
    dropped: list[str] = []
    client = Plan()
    session: Any = SimpleNamespace(client=client, catalog=SimpleNamespace(dropTempView=dropped.append))
    monkeypatch.setitem(connect_views._UNUSED, client, Shared(["a", "b"]))
    connect_views.keep(SimpleNamespace(sparkSession=session, _plan=Plan()), ())  # type: ignore[arg-type]
    assert dropped == ["a", "b"]
