"""The JVM of a classic session, to which PySpark has no public way in any version so far.

Nothing here is for Spark Connect, whose client may have no JVM and no py4j.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, Observation, Row, SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.versions.java_errors import Py4JJavaError


def require_jvm() -> None:
    """Raises WindowPlanError where no classic session can be built."""
    if find_spec("py4j") is None:
        raise WindowPlanError(
            "pyspark-client has no Spark to start, only a client of Spark Connect",
            hint="pip install 'winsql[spark]', or run statements on a server: winsql --remote sc://localhost:15002",
        )


def java_session(spark: SparkSession) -> Any:
    """The session in the JVM."""
    return spark._jsparkSession


def default_file_system(spark: SparkSession) -> str:
    """That of paths without a scheme, such as file:///"""
    return str(java_session(spark).sessionState().newHadoopConf().get("fs.defaultFS") or "")


def qualified_path(spark: SparkSession, path: str) -> str:
    """A path with its file system, and for a relative one the folder in which Spark begins; an unknown scheme is an
    error of Java."""
    found = jvm_of(spark).org.apache.hadoop.fs.Path(path)
    system = found.getFileSystem(java_session(spark).sessionState().newHadoopConf())
    return str(system.makeQualified(found).toString())


def session_id(spark: SparkSession) -> str:
    """The same for all Python objects of one classic session."""
    return str(spark._jsparkSession.sessionUUID())


def jvm_of(spark: SparkSession) -> Any:
    """The classes of the session's JVM, by their names."""
    return spark._jvm


def table_location(spark: SparkSession, name: str) -> str:
    """Where the session's own catalog has the files of a table now; `name` is quoted, and has all its parts."""
    parser = getattr(getattr(jvm_of(spark).org.apache.spark.sql.catalyst.parser, "CatalystSqlParser$"), "MODULE$")
    catalog = java_session(spark).sessionState().catalog()
    table = parser.parseTableIdentifier(name.partition(".")[2])
    location = catalog.getTableMetadata(table).location()  # a URI, in which a space is %20
    return str(jvm_of(spark).org.apache.hadoop.fs.Path(location).toString())


def jvm_lock(spark: SparkSession, path: str) -> Any:
    """A lock on a local file that goes with the JVM, to be closed; None where another JVM holds one."""
    file = jvm_of(spark).java.io.RandomAccessFile(path, "rw")
    with suppress(Py4JJavaError):  # there are no locks, or this JVM has it for a process that is gone
        if file.getChannel().tryLock() is None:
            file.close()
            return None
    return file


def running_jvm() -> Any:
    """The classes of the JVM that this process has started; None before the first classic session."""
    gateway = _gateway()
    return None if gateway is None else gateway.jvm


def launch_jvm(settings: Mapping[str, str], errors: int) -> None:
    """Start the JVM of this process, unless it runs, with a file descriptor as its standard error.

    The first classic session would start it with the terminal there.
    """
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway

    if running_jvm() is not None:
        return
    conf = SparkConf()
    for key, value in settings.items():
        conf.set(key, value)
    gateway = launch_gateway(conf, {"stderr": errors})  # type: ignore[no-untyped-call]
    SparkContext._ensure_initialized(gateway=gateway)


def with_callbacks() -> Any:
    """The gateway to the JVM, which may call Python from now on."""
    from pyspark.java_gateway import ensure_callback_server_started

    gateway = _gateway()
    assert gateway is not None
    ensure_callback_server_started(gateway)  # type: ignore[no-untyped-call]
    return gateway


def new_array(*values: Any) -> Any:
    """Java's array of objects with these values."""
    gateway = _gateway()
    assert gateway is not None
    array = gateway.new_array(gateway.jvm.java.lang.Object, len(values))
    for index, value in enumerate(values):
        array[index] = value
    return array


def calling_connection() -> Any:
    """The connection by which the JVM has called the thread that runs; None where it has not."""
    return _gateway()._gateway_client.get_thread_connection()


def _gateway() -> Any:
    from pyspark import SparkContext

    return SparkContext._gateway


def analyzed_plan(frame: DataFrame) -> Any:
    """The logical plan of a DataFrame."""
    return frame._jdf.queryExecution().analyzed()


def analyzed(spark: SparkSession, plan: Any) -> Any:
    """A logical plan of the JVM after its analysis, which runs no command; raises AnalysisException."""
    skips = jvm_of(spark).org.apache.spark.sql.execution.CommandExecutionMode.SKIP()
    return java_session(spark).sessionState().executePlan(plan, skips).analyzed()


def source_numbers(frame: DataFrame) -> list[int]:
    """Which of its sources each streaming relation of a DataFrame reads, in the order of a checkpoint's offsets.

    Relations that are equal, as those of a view that is read twice, share a source: see Spark's MicroBatchExecution.
    """
    found: list[Any] = []
    numbers = []
    for relation in _streaming_relations(frame):
        known = next((number for number, other in enumerate(found) if relation.equals(other)), len(found))
        found += [relation] if known == len(found) else []
        numbers.append(known)
    return numbers


def picks_files_by_name(frame: DataFrame) -> bool:
    """Whether a stream that a DataFrame reads has the option `pathGlobFilter`."""
    relations = _streaming_relations(frame)
    sources = (found.dataSource() for found in relations if found.getClass().getSimpleName() == "StreamingRelation")
    return any("pathglobfilter" in str(source.options()).lower() for source in sources)


def _streaming_relations(frame: DataFrame) -> list[Any]:
    leaves = analyzed_plan(frame).collectLeaves()
    relations = (leaves.apply(place) for place in range(leaves.size()))
    return [relation for relation in relations if "StreamingRelation" in relation.getClass().getSimpleName()]


def collected_in_jvm(frame: DataFrame) -> Any:
    """The rows of a DataFrame as Java's list of Java's rows."""
    return frame._jdf.collectAsList()


def optimize(frame: DataFrame) -> None:
    """Have Spark optimize a DataFrame of a classic session; nothing happens on Connect."""
    execution = getattr(getattr(frame, "_jdf", None), "queryExecution", None)
    if execution is not None:
        execution().optimizedPlan()


def rows_as_they_come(frame: DataFrame) -> Iterator[Row]:
    """The rows of a DataFrame, one partition at a time in memory; errors of its job are raised as `collect` does."""
    from winsql.spark.versions.java_errors import Py4JJavaError

    try:
        yield from frame.toLocalIterator()
    except Py4JJavaError as error:
        from pyspark.errors.exceptions.captured import convert_exception

        cause = error.java_exception
        while cause.getCause() is not None and (cause.getMessage() or "").startswith("Exception thrown in awaitResult"):
            cause = cause.getCause()
        raise convert_exception(cause) from None


def refused_in_every_mode(frame: DataFrame) -> AnalysisException | None:
    """Spark's error for a stream that it starts in no output mode; None for a stream that it starts."""
    return _refused(frame, "Append", "Update", "Complete")


def refused_on_append(frame: DataFrame) -> AnalysisException | None:
    """Spark's error for a stream that it does not start where each row is appended once."""
    return _refused(frame, "Append")


def refused_once_optimized(frame: DataFrame) -> AnalysisException | None:
    """Spark's error for a stream of a classic session that fails in its first micro-batch, as it cannot take its
    subqueries apart row by row; None for a stream that does not."""
    if refused_on_append(frame) is not None:
        return None
    optimizer = frame.sparkSession._jsparkSession.sessionState().optimizer()
    return _refused(frame, "Append", plan=optimizer.execute(analyzed_plan(frame).clone()))


def _refused(frame: DataFrame, *modes: str, plan: Any = None) -> AnalysisException | None:
    """Spark's error where it starts a stream in none of these output modes; `plan` as for its analyzed one."""
    jvm, plan = jvm_of(frame.sparkSession), analyzed_plan(frame) if plan is None else plan
    known = jvm.org.apache.spark.sql.streaming.OutputMode
    found = None
    for mode in (getattr(known, name)() for name in modes):
        try:
            jvm.org.apache.spark.sql.catalyst.analysis.UnsupportedOperationChecker.checkForStreaming(plan, mode)
        except AnalysisException as error:
            found = found or error
        else:
            return None
    return found


def thrown_in_jvm(error: Exception) -> Any:
    """The JVM's exception that PySpark's error was made from; None where there is none."""
    return getattr(error, "_origin", None)


def column_of(java_column: Any) -> Column:
    """A column of the JVM for Python."""
    from pyspark.sql.classic.column import Column as ClassicColumn

    return ClassicColumn(java_column)


def observed(observation: Observation) -> dict[str, Any] | None:
    """What an observation has found; None before the action's end, and where Spark left out what was to be observed.

    `Observation.get` of a classic session would wait for an action, and raises where Spark left it out.
    """
    java = getattr(observation, "_jo", None)
    if java is None:
        return observation.get
    _wait_for_listeners(java.future())
    ended = java.future().value()
    if ended.isEmpty() or ended.get().isFailure() or ended.get().get().length() == 0:
        return None
    return observation.get


PATIENCE = 2.0
"""Seconds for Spark's listener bus, which other listeners can keep busy for long."""


def _wait_for_listeners(future: Any) -> None:
    """Wait for Spark's listener bus: observations learn there that an action has ended, a moment after it returned."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    deadline = time.monotonic() + PATIENCE
    while context is not None and not future.isCompleted() and time.monotonic() < deadline:
        try:
            context._jsc.sc().listenerBus().waitUntilEmpty(50)
        except Py4JJavaError:  # not empty after these milliseconds
            continue
        return
