"""Errors of a client of Spark Connect show statements, however old, and never a text that winsql made."""

from __future__ import annotations

from contextlib import suppress
from threading import Barrier, BrokenBarrierError, Thread
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("grpc")

from pyspark.errors import PySparkException

from winsql.spark.messages.places import Places
from winsql.spark.messages.shown_places import Shown
from winsql.spark.versions import connect

STATEMENT = "SELECT k, sum(v/0) FROM t WINDOW ASSIGN COUNT(10) GROUP BY k"
TEXT = "SELECT k AS windowed__key_0, v/0 AS windowed__value0 FROM t"
MESSAGE = f"[DIVIDE_BY_ZERO] Division by zero.\n== SQL (line 1, position 30) ==\n{TEXT}\n{' ' * 29}^^^\n"


class Client:
    """What a session's client does with an error of its server."""

    def _handle_error(self, error: Exception) -> None:
        raise error


def session() -> Any:
    return SimpleNamespace(client=Client())


def told(spark: Any, message: str = MESSAGE) -> str:
    with pytest.raises(PySparkException) as caught:
        spark.client._handle_error(PySparkException(message))
    return str(caught.value)


def other(number: int, size: int = 0) -> Shown:
    text = f"SELECT {number} AS windowed__key_0{' ' * size}"
    return Shown(text, Places(f"SELECT {number} FROM t WINDOW ASSIGN COUNT(1)"))


def test_of_an_old_statement() -> None:
    spark = session()
    connect.show_on_connect(spark, Shown(TEXT, Places(STATEMENT)))
    for number in range(2000):
        connect.show_on_connect(spark, other(number))
    assert told(spark).endswith(f"{STATEMENT}\n              ^^^\n")


def test_of_a_text_that_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of a view of another client; or an older one, as the texts of a session take no more than their room."""
    spark = session()
    connect.show_on_connect(spark, other(1))
    assert told(spark) == "[DIVIDE_BY_ZERO] Division by zero.\n"
    of_view = MESSAGE.replace("== SQL (", "== SQL of VIEW global_temp.v (")
    assert told(spark, of_view) == "[DIVIDE_BY_ZERO] Division by zero.\n"
    for plain in (MESSAGE.replace("windowed__", ""), of_view.replace("windowed__", "")):
        assert told(spark, plain) == plain
    monkeypatch.setattr(connect, "_KEPT", 10_000)
    connect.show_on_connect(spark, Shown(TEXT, Places(STATEMENT)))
    for _ in range(20):
        connect.show_on_connect(spark, other(2, 8_000))  # the same one again
    assert STATEMENT in told(spark)
    connect.show_on_connect(spark, other(3, 8_000))
    assert told(spark) == "[DIVIDE_BY_ZERO] Division by zero.\n"


def test_of_a_thread_beside_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another statement is run while the place is looked for."""
    spark = session()
    find = Places.find

    def meanwhile(self: Places, *arguments: Any) -> Any:
        connect.show_on_connect(spark, other(7))
        return None if self.statement != STATEMENT else find(self, *arguments)

    monkeypatch.setattr(Places, "find", meanwhile)
    connect.show_on_connect(spark, Shown(TEXT, Places(STATEMENT)))
    connect.show_on_connect(spark, Shown(TEXT, Places("SELECT 1 FROM t WINDOW ASSIGN COUNT(1)")))
    assert STATEMENT in told(spark)


def test_of_two_threads_that_are_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = Barrier(2)

    class Texts(connect._Texts):
        def __init__(self) -> None:
            super().__init__()
            with suppress(BrokenBarrierError):
                meeting.wait(0.5)

    monkeypatch.setattr(connect, "_Texts", Texts)
    spark = session()
    known = [Shown(TEXT, Places(STATEMENT)), other(1)]
    threads = [Thread(target=connect.show_on_connect, args=(spark, shown)) for shown in known]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert STATEMENT in told(spark)
