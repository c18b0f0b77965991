"""What a sink raises when its stream is stopped in the middle of a micro-batch. No session is needed."""

from __future__ import annotations

import traceback

import pytest
from py4j.protocol import Py4JJavaError

from winsql.spark.tables.interrupted import interruptible


class _Thrown(Py4JJavaError):
    """One of py4j's without a JVM."""

    def __init__(self, text: str) -> None:
        Exception.__init__(self, text)
        self.text = text

    def __str__(self) -> str:
        return self.text


STACK = "\n".join(f"\tat org.apache.spark.Some$Class.method{n}(Some.scala:{n})" for n in range(400))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("java.lang.InterruptedException", "java.lang.InterruptedException"),
        ("org.apache.spark.SparkException: Job 5 cancelled [SPARK_JOB_CANCELLED]", "Job 5 cancelled"),
        (f"java.io.IOException: no\n{STACK}\nCaused by: java.nio.channels.ClosedByInterruptException", "IOException"),
        ("java.io.InterruptedIOException: " + 100_000 * "x", "InterruptedIOException: xx"),
    ],
)
def test_an_interrupt_is_raised_in_the_one_line_that_spark_looks_for(error: str, said: str) -> None:
    with pytest.raises(Exception, match="InterruptedException") as caught, interruptible():
        raise _Thrown(f"An error occurred while calling o7.count.\n: {error}\n{STACK}")
    printed = "".join(traceback.format_exception(caught.value))
    name = "py4j.protocol.Py4JJavaError: An error occurred while calling o7.count.\n: java.lang.InterruptedException"
    _, found, after = printed.rpartition(name)
    assert found
    assert said in after
    assert len(after) < 300
    assert "Some.scala" not in printed


def test_other_errors_stay_as_they_are() -> None:
    for error in (_Thrown(f"An error occurred while calling o7.count.\n: java.lang.Error{STACK}"), ValueError("mine")):
        with pytest.raises(type(error)) as caught, interruptible():
            raise error
        assert caught.value is error
