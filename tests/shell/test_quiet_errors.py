"""What a command's own JVM leaves out of its standard error: Spark's talk of its worker, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import winsql.shell
from winsql.spark.java_source import compiled

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

WORKER = "Streaming TransformWithStateInPandas Python worker"
TALK = f"Starting {WORKER}.\n\n{WORKER} finish init stage of Python runner. Received UDF from JVM: <f>.\n\n"
OTHERS = f"WARN first\n\nStarting over\n  {WORKER} in a line\n\nStr\n\nprogress 10%\rprogress 20%\nü, no end of line"


@pytest.mark.spark
def test_only_the_talk_of_the_worker_is_left_out(spark: SparkSession) -> None:
    jvm = spark._jvm
    assert jvm is not None
    source = Path(winsql.shell.__file__).with_name("QuietErrors.java")
    quiet_class = compiled(jvm, source, jvm.java.lang.Thread.currentThread().getContextClassLoader())
    gateway = spark.sparkContext._gateway
    assert gateway is not None
    said = (TALK + OTHERS.replace("ü", f"\n{TALK}ü")).encode()
    for size in (1, 7, len(said)):
        sink = jvm.java.io.ByteArrayOutputStream()
        arguments = gateway.new_array(jvm.java.lang.Object, 1)
        arguments[0] = jvm.java.io.PrintStream(sink)
        quiet = quiet_class.getConstructors()[0].newInstance(arguments)
        for begin in range(0, len(said), size):
            quiet.write(said[begin : begin + size])
            quiet.flush()
        assert bytes(sink.toByteArray()).decode() == OTHERS.replace("ü", "\nü")
