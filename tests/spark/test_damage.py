"""Damaged files and lost processes are told in one sentence: which file, what it held, what is at risk, the way on."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import PySparkException

import winsql
from winsql.errors import WindowDataError, WindowPlanError
from winsql.spark.messages.damage import damage_in
from winsql.spark.messages.failure import of_row, translate, without_plan
from winsql.spark.runner import is_connect
from winsql.spark.streaming.checkpoint_files import broken_file, planned_files, require_readable, require_resumable
from winsql.spark.tables.files import alone, writer_of
from winsql.spark.tables.reports import first_line

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from tests.spark.streaming import Source

WHOLE = {
    "metadata": '{"id":"5eba0399"}',
    "offsets/9": 'v1\n{"batchWatermarkMs":0}\n{"logOffset":1}\n-\n3',
    "offsets/10": 'v1\n{"batchWatermarkMs":0}\n{"logOffset":2}\n{"topic":{"0":5}}\n4',
    "offsets/1": "an older one that nobody reads",
    "commits/9": 'v1\n{"nextBatchWatermarkMs":0}',
    "commits/10": "v1\n{}",
    "sources/0/0": 'v1\n{"path":"a","timestamp":1,"batchId":0}',
    "sources/0/9.compact": 'v1\n{"path":"a"}\n{"path":"b"}',
    "sources/1/0": "\0v1\n{}",
}


def test_a_whole_checkpoint_is_readable() -> None:
    assert broken_file(WHOLE) is None
    assert broken_file({}) is None
    assert broken_file({"metadata": WHOLE["metadata"]}) is None


@pytest.mark.parametrize(
    "name", ["metadata", "offsets/9", "offsets/10", "commits/10", "sources/0/0", "sources/0/9.compact"]
)
@pytest.mark.parametrize("text", ["", "\ufffd\ufffd garbage", None, "v1", "v1\n", "v1\n[1]"])
def test_a_damaged_file_is_found(name: str, text: str | None) -> None:
    cut = WHOLE[name][:-3] if text is None else text
    if name.startswith(("offsets", "commits")) and text in ("v1", None):
        cut = WHOLE[name].split("\n")[0] + '\n{"batch'
    if name.startswith("sources") and text in ("v1", "v1\n"):
        assert broken_file({**WHOLE, name: "v1"}) is None  # a micro-batch without files
        return
    assert broken_file({**WHOLE, name: cut}) == name


def test_a_log_of_a_source_that_is_gone() -> None:
    assert broken_file({name: text for name, text in WHOLE.items() if "sources/0" not in name}) == "sources/0"


def test_the_newest_log_of_a_source_that_is_gone() -> None:
    texts = {name: text for name, text in WHOLE.items() if name != "sources/0/9.compact"}
    assert broken_file(texts, [0, 1, 2]) == "sources/0/2"
    assert broken_file({**texts, "sources/0/2": "v1"}, [0, 1, 2]) is None
    assert broken_file(texts) is None  # whose log it is, is a guess


def test_an_offset_that_is_gone() -> None:
    assert (
        broken_file({name: text for name, text in WHOLE.items() if name not in ("offsets/1", "offsets/10")})
        == "offsets/10"
    )


def test_relations_that_share_a_source_have_one_log() -> None:
    offsets = 'v1\n{}\n{"logOffset":2}\n{"logOffset":2}\n{"logOffset":1}'
    texts = {"metadata": WHOLE["metadata"], "offsets/0": offsets, "sources/0/2": "v1", "sources/1/1": "v1"}
    assert broken_file(texts, [0, 0, 1]) is None
    assert broken_file(texts) is None
    assert broken_file({**texts, "sources/1/2": "v1"}, [0, 1, 2]) == "sources/2"
    alone = {name: text for name, text in texts.items() if "sources/1" not in name}
    assert broken_file(alone, [0, 0, 1]) == broken_file(alone) == "sources/1"
    texts["sources/1/1"] = 'v1\n{"path":"second","batchId":1}'
    assert planned_files(texts, [0, 0, 1]) == ["second"]


def test_offsets_with_their_places() -> None:
    """Version 2 of the log, for a relation, another one, and the first one again: the last one has the offset."""
    texts = {
        "metadata": WHOLE["metadata"],
        "offsets/0": 'v2\n{}\n1:{"logOffset":1}\n2:{"logOffset":2}',
        "sources/0/2": 'v1\n{"path":"first","batchId":2}',
        "sources/1/1": 'v1\n{"path":"second","batchId":1}',
    }
    assert broken_file(texts, [0, 1, 0]) is None
    assert broken_file(texts) is None
    assert sorted(planned_files(texts, [0, 1, 0])) == ["first", "second"]
    cut = {**texts, "offsets/0": texts["offsets/0"][:-1]}
    assert broken_file(cut, [0, 1, 0]) == broken_file({**texts, "offsets/0": 'v2\n{}\n0:{"log'}) == "offsets/0"
    for number in (0, 1):
        gone = {name: text for name, text in texts.items() if f"sources/{number}" not in name}
        assert broken_file(gone, [0, 1, 0]) == f"sources/{number}"
    begun = {**texts, "offsets/0": 'v2\n{}\n0:{"logOffset":2}\n10:-'}
    assert broken_file(begun, [0, *range(1, 11), 11]) is None
    assert planned_files(begun, [0, *range(1, 11), 11]) == ["first"]


def test_the_files_of_a_micro_batch_that_has_not_ended() -> None:
    texts = {
        "offsets/4": 'v1\n{}\n{"logOffset":2}\n-\n{"logOffset":0}',
        "offsets/5": 'v1\n{}\n{"logOffset":4}\n-\n{"logOffset":0}',
        "commits/4": "v1\n{}",
        "sources/0/2": 'v1\n{"path":"old","batchId":2}',
        "sources/0/4.compact": 'v1\n{"path":"old","batchId":2}\n{"path":"a","batchId":3}\n{"path":"b%20c","batchId":4}',
        "sources/0/5": 'v1\n{"path":"later","batchId":5}',
        "sources/2/0": 'v1\n{"path":"other","batchId":0}',
    }
    assert planned_files(texts, range(3)) == ["a", "b%20c"]
    assert planned_files({**texts, "commits/5": "v1\n{}"}, range(3)) == []
    first = {name: text for name, text in texts.items() if name not in ("offsets/4", "commits/4")}
    assert planned_files(first, range(3)) == ["old", "a", "b%20c", "other"]
    assert planned_files({}, []) == []


@pytest.mark.parametrize("part", ["commits", "offsets"])
def test_a_folder_in_the_place_of_a_record(spark: SparkSession, tmp_path: Path, part: str) -> None:
    if is_connect(spark):
        pytest.skip("the server has the files")
    (tmp_path / part / "0").mkdir(parents=True)
    (tmp_path / "sources/0").mkdir(parents=True)
    with pytest.raises(WindowPlanError, match=rf"the checkpoint file \S+/{part}/0 cannot be read"):
        require_readable(spark, str(tmp_path))


LONG = "x" * 120_000


@pytest.fixture
def begun(spark: SparkSession, tmp_path: Path) -> tuple[DataFrame, Path]:
    """A source of files, and the checkpoint of its stream, whose micro-batch with the last two of 2,000 did not end."""
    source, checkpoint = tmp_path / "in", tmp_path / "checkpoint"
    source.mkdir()
    entries = [
        f'{{"path":"file://{source}/{number}.json","timestamp":1700000000000,"batchId":{number // 2}}}'
        for number in range(2_000)
    ]
    texts = {
        "metadata": WHOLE["metadata"],
        "commits/998": "v1\n{}",
        "offsets/998": 'v1\n{"batchWatermarkMs":0}\n{"logOffset":998}',
        "offsets/999": f'v1\n{{"conf":"{LONG}"}}\n{{"logOffset":999}}',
        "sources/0/999.compact": "\n".join(["v1", *entries]),
    }
    for name, text in texts.items():
        (checkpoint / name).parent.mkdir(parents=True, exist_ok=True)
        (checkpoint / name).write_text(text)
    (source / "1998.json").write_text("")
    return spark.readStream.schema("a INT").json(str(source)), checkpoint


def test_a_file_at_the_end_of_a_long_log_is_gone(begun: tuple[DataFrame, Path]) -> None:
    frame, checkpoint = begun
    with pytest.raises(WindowPlanError, match=r"in/1999\.json is gone: it held rows for a micro-batch"):
        require_resumable(frame, str(checkpoint))
    (checkpoint.parent / "in" / "1999.json").write_text("")
    require_resumable(frame, str(checkpoint))


@pytest.mark.parametrize("damage", ["cut", "garbage", "head"])
def test_the_end_of_a_long_log_is_damaged(begun: tuple[DataFrame, Path], damage: str) -> None:
    frame, checkpoint = begun
    log = checkpoint / "sources/0/999.compact"
    text = log.read_text()
    log.write_text({"cut": text[:-1], "garbage": f"{text}\n{LONG}", "head": text.removeprefix("v1\n")}[damage])
    with pytest.raises(WindowPlanError, match=r"checkpoint/sources/0/999.compact cannot be read"):
        require_resumable(frame, str(checkpoint))


UNWRITTEN = "cannot be written: its folder, or the file system"
PROXY = "An exception was raised by the Python Proxy. Return Message: Traceback (most recent call last):\n  File x\n"
WORKER = "org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n  File x\n"
LOAD = PROXY + "[CANNOT_LOAD_STATE_STORE"
CHANGELOG = "file:/t/_checkpoint/state/0/1/4.changelog"
SST = "hdfs://n/c/state/0/1/SSTs/08-e6.sst"
ENDED_WORKER = "a process that worked for the stream has ended"
TOLD = {
    f"{PROXY}java.io.IOException: No space left on device\n\tat": (
        "there is no room for the files of the stream, its table and its checkpoint /c"
    ),
    "java.nio.file.FileSystemException: /a/x -> /b/x: No space left on device": "there is no room for /b/x:",
    "java.io.FileNotFoundException: /t/.part-0.crc (No space left on device)": "there is no room for /t/.part-0.crc:",
    "java.nio.file.FileSystemException: /b/x.zip: File too large": "there is no room for /b/x.zip:",
    f"{PROXY}OSError: [Errno 27] File too large: '/t/x'": "there is no room for /t/x:",
    "SparkException: EOFException occurred while reading the port number from pyspark.daemon's stdout.": ENDED_WORKER,
    "(localhost executor driver): java.io.IOException: Stream closed\n\tat java.base/java.lang.ProcessBuilder$Null"
    "OutputStream.write(ProcessBuilder.java:442)\n\tat java.base/java.io.DataOutputStream.flush(DataOutputStream."
    "java:128)\n\tat org.apache.spark.api.python.PythonWorkerFactory.stopWorker(PythonWorkerFactory.scala:444)": (
        ENDED_WORKER
    ),
    "Caused by: java.io.IOException: File too large": "there is no room for the files of the stream",
    "java.io.FileNotFoundException: /c/commits/.4.tmp (Permission denied)": f"/c/commits/.4.tmp {UNWRITTEN}",
    "/c/sources/0/.3.tmp (Operation not permitted)\n=== Streaming Query ===": f"/c/sources/0/.3.tmp {UNWRITTEN}",
    f"{PROXY}[CANNOT_WRITE_STATE_STORE.CANNOT_COMMIT] Error writing\nCaused by: java.io.FileNotFoundException: "
    "/c/state/0/0/.5.zip.db2e.TID594.tmp (Operation not permitted)": f"/c/state/0/0/.5.zip.db2e.TID594.tmp {UNWRITTEN}",
    "java.io.IOException: Mkdirs failed to create file:/t/batch=7 (exists=false, cwd=file:/w)": (
        f"file:/t/batch=7 {UNWRITTEN}"
    ),
    "java.nio.file.FileSystemException: /c/state/0: Read-only file system": f"/c/state/0 {UNWRITTEN}",
    f"{PROXY}PermissionError: [Errno 1] Operation not permitted: '/t/_winsql_lock'": f"/t/_winsql_lock {UNWRITTEN}",
    "ParentNotDirectoryException: Parent path is not a directory: file:/t/x": f"file:/t/x {UNWRITTEN}",
    f"{PROXY}java.io.IOException: Failed to rename DeprecatedRawLocalFileStatus{{path=file:/t/_temporary/0/a/p.orc; "
    "isDirectory=false} to file:/t/p.orc\n\tat x": f"file:/t/_temporary/0/a/p.orc {UNWRITTEN}",
    f"{PROXY}java.io.IOException: Unable to clear output directory file:/t/batch=3 prior to writing to it": (
        f"file:/t/batch=3 {UNWRITTEN}"
    ),
    'AccessControlException: Permission denied: user=etl, access=WRITE, inode="/t/batch=3":hdfs:supergroup': (
        f"/t/batch=3 {UNWRITTEN}"
    ),
    'Permission denied: user=bob, access=READ_EXECUTE, inode="/data/in":hdfs:hdfs:drwx': "/data/in cannot be read: ",
    'Permission denied: user=bob, access=EXECUTE, inode="/data":hdfs:hdfs:drwx': "/data cannot be read or written: ",
    'Permission denied: user=bob, access=ALL, inode="/t":hdfs:hdfs:drwx': f"/t {UNWRITTEN}",
    "java.nio.file.AccessDeniedException: /data/in/a.json": "/data/in/a.json cannot be read or written: ",
    "java.io.FileNotFoundException: /data/a.json (Permission denied)": "/data/a.json cannot be read or written: ",
    "java.io.IOException: /c (Not a directory)": f"/c {UNWRITTEN}",
    "java.nio.file.AccessDeniedException: /c/offsets/1": f"/c/offsets/1 {UNWRITTEN}",
    f"{WORKER}PySparkRuntimeError: RocksDBException: While open a file: Read-only file system": (
        f"a file of the stream, its table or its checkpoint /c {UNWRITTEN}"
    ),
    f"{WORKER}PySparkRuntimeError: /c/state/0/0/.5.zip.tmp (Permission denied)": f"/c/state/0/0/.5.zip.tmp {UNWRITTEN}",
    "org.apache.spark.api.python.PythonException: Found error inside foreachBatch Python process: Traceback\n"
    "PermissionError: [Errno 1] Operation not permitted: '/t/_winsql_lock'": f"/t/_winsql_lock {UNWRITTEN}",
    "RocksDBException: While open a file: Read-only file system": (
        f"a file of the stream, its table or its checkpoint /c {UNWRITTEN}"
    ),
    f"{PROXY}[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///in/5.parquet. SQLSTATE: KD001\n"
    "java.io.FileNotFoundException: /in/5.parquet (Permission denied)": "the file file:///in/5.parquet cannot be read",
    f"{PROXY}[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///in/a.json. SQLSTATE: KD001\n"
    "Caused by: [MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION] Malformed records are detected": (
        "the file file:///in/a.json has a row that cannot be read as its columns"
    ),
    f"{PROXY}[FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH] Encountered error while reading file "
    "file:///in/6.parquet. Data type mismatches when reading Parquet column [s, v]. Expected Spark type double, actual "
    "Parquet type BINARY. SQLSTATE: KD001": (
        "the file file:///in/6.parquet has s.v as BINARY, which Parquet cannot give as DOUBLE"
    ),
    f"{LOAD}.CANNOT_READ_STREAMING_STATE_FILE] Error reading streaming state file of {CHANGELOG} does not exist.": (
        f"the state file {CHANGELOG} cannot be read"
    ),
    f"{LOAD}.UNEXPECTED_FILE_SIZE] Copied {SST} to /tmp/spark/08.sst, expected": f"the state file {SST} cannot be read",
    f"{LOAD}.UNCATEGORIZED] An error": "the state file /c/state cannot be read",
    "[STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY] Cannot": "the state file /c/state cannot be read",
    "[STDS_FAILED_TO_READ_OPERATOR_METADATA] Failed to read the operator metadata for "
    "checkpointLocation=file:/c/state/0 and batchId=6.": "the state file /c/state cannot be read",
    **dict.fromkeys(
        (
            "java.io.FileNotFoundException: File file:/c/commits does not exist\n\tat x",
            "File file:/c/offsets/..5.f3.tmp.crc does not exist",
            "ExitCodeException: chmod: cannot access '/c/sources/0/..2.f3.tmp.crc': No such file or directory",
            f"{PROXY}[CANNOT_WRITE_STATE_STORE.CANNOT_COMMIT] Error writing\n\tat x\nCaused by: "
            "java.io.FileNotFoundException: File file:/c/state/0/0 does not exist",
            f"{PROXY}FileNotFoundError: [Errno 2] No such file or directory: '/c/._winsql_newest'",
        ),
        "the checkpoint /c, or a folder of it, has been deleted while the stream ran",
    ),
    "java.io.FileNotFoundException: File file:/c/sources/0/1.compact does not exist\n\tat x": (
        "the checkpoint file file:/c/sources/0/1.compact is not there: it would hold which files have been read"
    ),
    f"{PROXY}[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///in/4.parquet.  SQLSTATE: KD001": (
        "the file file:///in/4.parquet cannot be read"
    ),
    f"{PROXY}[STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY] The checkpoint location": (
        "the checkpoint /c holds the beginning of a first micro-batch"
    ),
    "[MALFORMED_LOG_FILE] Log": "a file of the checkpoint /c cannot be read",
    "Unexpected end-of-input: was expecting closing quote for a string value\n at [Source: REDACTED; line: 1]\n=== ": (
        "a file of the checkpoint /c cannot be read"
    ),
    "org.apache.spark.SparkException: Python worker failed to connect back.": "a Python process of the stream has not",
    f"{PROXY}org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)": "a process that worked",
    **dict.fromkeys(
        (
            "assertion failed: There are [1] sources in the checkpoint offsets and now there are [2] sources requested",
            "Wrong basePath /in/b for the root path: file:/in/a/x.json",
            'For input string: "{"path":"file:///in/a/x.json","batchId":0}"',
            "No usable value for path\nDid not find value which can be converted into java.lang.String",
        ),
        "these are not the sources that the checkpoint /c is of",
    ),
    "Option 'basePath' not found\n=== Streaming Query ===\nCurrent Committed Offsets: {FileStreamSource[file:/in/a]: "
    '{"logOffset":1}}\n': "the folder file:/in/a is gone",
    "Option 'basePath' not found\nFileStreamSource[file:/in/b], FileStreamSource[file:/in/a]": (
        "the folder file:/in/a or file:/in/b is gone"
    ),
    "[CONCURRENT_STREAM_LOG_UPDATE] Concurrent update": "another process (process 7 on here) runs this stream too",
    "Multiple streaming queries are concurrently using file:/c/commits.": "another process (process 7 on here)",
    "Concurrent update to the log. Multiple streaming jobs detected for 3": "another process (process 7 on here)",
}


@pytest.mark.parametrize(("text", "problem"), TOLD.items())
def test_what_is_told(text: str, problem: str) -> None:
    error = damage_in(text, "/c", "process 7 on here")
    assert isinstance(error, WindowDataError)
    assert error.problem.startswith(problem)
    assert error.rule
    assert error.hint


def test_what_a_function_in_python_has_raised_is_told_in_one_line() -> None:
    nested = (
        "An exception was thrown from the Python worker:\nTraceback (most recent call last):\n"
        '  File "worker.py", line 4336, in invoke_udf\n    f(x)\n    ~^~\nValueError: no number\nat line 2\n'
    )
    assert first_line(PySparkException(nested)) == "ValueError: no number"
    assert first_line(PySparkException("[X] one\ntwo")) == "[X] one"


@pytest.mark.parametrize(
    "text",
    [
        f"{WORKER}PermissionError: [Errno 13] Permission denied: '/models/m.bin'",
        f"{PROXY}An exception was thrown from the Python worker:\nPermissionError: [Errno 13] Permission denied: '/m'",
        f"{WORKER}OSError: [Errno 30] Read-only file system: '/models/cache'",
        f"{WORKER}RuntimeError: Could not delete index/customer-42",
        "[FAILED_EXECUTE_UDF] User defined function (`f`) failed: java.io.FileNotFoundException: /m (Is a directory)",
        "[PYTHON_DATA_SOURCE_ERROR] Python data source `x` failed: [Errno 13] Permission denied: '/m'",
        "RuntimeError: Could not delete customer-42 from the index",
        f'{PROXY}  File "f.py", line 3, in f\n    raise OSError("Could not delete /index")\n    ~^~\n'
        "captured.PythonException: An exception was thrown from the Python worker:\nOSError: Could not delete /index",
    ],
)
def test_errors_of_functions_stay(text: str) -> None:
    assert damage_in(text, "/c") is None


def test_other_errors_stay() -> None:
    assert damage_in("[DIVIDE_BY_ZERO] Division by zero", "/c") is None
    assert damage_in('ValueError in my_sink: For input string: "12x"', "/c") is None


def test_writers_take_turns(tmp_path: Path) -> None:
    """What holds between processes holds between two descriptors of a file."""
    place, order = str(tmp_path), []
    waits, holds = threading.Event(), threading.Event()

    def second() -> None:
        holds.wait()
        waits.set()
        with alone(place):
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with alone(place):
        holds.set()
        waits.wait()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert str(writer_of(f"file:{place}")).startswith("process ")
    assert writer_of("hdfs://elsewhere/t") is None


COUNTS = "SELECT k, count(*) AS n FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"


def refused(spark: SparkSession, create: str, name: str) -> None:
    with pytest.raises(WindowPlanError, match=f"_checkpoint/{name} cannot be read") as caught:
        winsql.sql(spark, create)
    assert caught.value.span is not None


@pytest.mark.slow
def test_damage_on_the_way(session: SparkSession, events: Source, tmp_path: Path) -> None:
    """A micro-batch whose write was cut off is written anew; damage before and after the start is named."""
    spark, path = session, tmp_path / "t"
    create = f"CREATE STREAMING TABLE t OPTIONS (trigger 'available now', path '{path}') AS {COUNTS}"

    def run() -> None:
        winsql.sql(spark, create)
        assert winsql.sql(spark, "AWAIT STREAM t").collect()[0][1] == "finished"

    events.put([("a", 1, 1.0, 0)], [("a", 15, 1.0, 1)], [("b", 16, 1.0, 2)])
    run()
    (part,) = (path / "batch=2").glob("part-*")
    whole = part.read_bytes()
    for cut in (whole[:40], b"", b"PAR1 garbage"):
        for file in path.glob("_checkpoint/commits/*"):
            if file.name.lstrip(".").partition(".")[0] in ("2", "3"):
                file.unlink()
        for file in path.glob("_checkpoint/offsets/*3*"):
            file.unlink()
        (part,) = (path / "batch=2").glob("part-*")
        part.with_name(f".{part.name}.crc").unlink(missing_ok=True)
        part.write_bytes(cut)
        run()
        spark.catalog.refreshTable("t")
        assert [tuple(row) for row in spark.table("t").collect()] == [("a", 1)]

    for name in ("metadata", "commits/3", "offsets/3", "sources/0/1"):
        file = path / "_checkpoint" / name
        sums, kept = file.with_name(f".{file.name}.crc"), file.read_bytes()
        assert sums.exists()
        for ignored in ("false", "true"):  # is for the files of sources
            spark.conf.set("spark.sql.files.ignoreCorruptFiles", ignored)
            file.write_bytes(bytes([kept[0] ^ 1]) + kept[1:])
            refused(spark, create, name)
            if name == "offsets/3":
                with pytest.raises(WindowPlanError, match=f"_checkpoint/{name} cannot be read"):
                    winsql.state(spark, str(path / "_checkpoint"))
        spark.conf.unset("spark.sql.files.ignoreCorruptFiles")
        sums.unlink()
        file.write_bytes(kept[:20] if name != "commits/3" else b"")
        refused(spark, create, name)
        file.write_bytes(kept)

    bad = events.folder / "00003.parquet"
    bad.write_bytes(b"no parquet")
    winsql.sql(spark, create)
    with pytest.raises(WindowDataError, match=r"00003.parquet cannot be read: it held rows"):
        winsql.sql(spark, "AWAIT STREAM t")
    (shown,) = winsql.sql(spark, "SHOW STREAMS").collect()
    assert "00003.parquet cannot be read" in shown.error


RETRIED = """Job aborted due to stage failure: Task 1 in stage 9.0 failed 4 times, most recent failure:
Lost task 1.3 in stage 9.0 (TID 12):
org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "errors.py", line 40, in explained
winsql.errors.WindowDataError: SESSION: the gap g of a row is NULL (key: k = 'a', time: 2024-01-01 00:00:05Z)
  at line 1, column 8:
    SELECT g
           ^
  rule: a rule
  hint: a hint

	at org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:581)
Driver stacktrace:
"""


def test_an_error_of_a_row_after_retries() -> None:
    from pyspark.errors import PySparkException

    error = translate(PySparkException(RETRIED), "SELECT g")
    assert error is not None
    assert error.problem == "SESSION: the gap g of a row is NULL (key: k = 'a', time: 2024-01-01 00:00:05Z)"
    assert (error.rule, error.hint, error.span) == ("a rule", "a hint", (7, 8))


ENDED = """[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012
== SQL (line 1, position 8) ==
SELECT 1/(count(*)-2) AS z FROM S...
       ^^^^^^^^^^^^^^

=== Streaming Query ===
Identifier: s [id = 1, runId = 2]
Logical Plan:
WriteToMicroBatchDataSource MemorySink
+- ~Project [windowed__key_0#1246 AS user#1251]
"""


@pytest.mark.parametrize("said", [ENDED, f"[STREAM_FAILED] Query terminated with exception: {ENDED}"])
def test_an_error_of_a_stream_that_spark_writes_itself(said: str) -> None:
    from pyspark.errors import StreamingQueryException

    text = "SELECT 1/(count(*)-2) AS z FROM STREAM s"
    error = of_row(StreamingQueryException(said), text)
    assert error is not None
    assert (error.problem, error.span) == ("[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012", (7, 21))
    assert "windowed__" not in str(without_plan(StreamingQueryException(said)))
    plain = StreamingQueryException("the driver worker crashed")
    assert without_plan(plain) is plain


BAD_GAP = "SELECT count(*) FROM v WINDOW ASSIGN SESSION(ts, make_dt_interval(0, 0, 0, n)) {} GROUP BY k"
VALUES = "VALUES (TIMESTAMP'2024-01-01 00:00:05', 'a', 1), (TIMESTAMP'2024-01-01 00:01:07.5', 'b', -1) AS v(ts, k, n)"


@pytest.mark.parametrize("trigger", ["", "TRIGGER ANY(COUNT(1), EVENT_TIME())", "EVICT COUNT(3)"])
def test_an_error_of_a_row_says_whose_and_when(spark: SparkSession, trigger: str) -> None:
    text = BAD_GAP.format(trigger).replace("FROM v", f"FROM {VALUES}")
    with pytest.raises(Exception, match="not positive") as caught:
        winsql.sql(spark, text).collect()
    error = translate(caught.value, text)
    assert isinstance(error, WindowDataError)
    assert "(key: k = " in error.problem
    assert "time: 2024-01-01 00:01:07.5" in error.problem
    assert error.span is not None
    assert text[error.span.start : error.span.end].startswith("make_dt_interval")


RAISED = (
    'Reason: An exception was raised. Return Message: Traceback (most recent call last):\n  File "a", line 1\n    x\n'
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            f"{RAISED}py4j.protocol.Py4JJavaError: An error occurred while calling o4.count.\n: "
            "org.apache.spark.SparkException: [FAILED] No.\n\tat org.x",
            "[FAILED] No.",
        ),
        (f"{RAISED}pyspark.errors.exceptions.captured.AnalysisException: [U] No.\n\nJVM stacktrace", "[U] No."),
        (f"{RAISED}ValueError: two\nlines", "two\nlines"),
        ("Query terminated with exception: plain\n=== Streaming Query ===\nplan", "plain"),
    ],
)
def test_an_error_is_told_without_traceback_and_plan(text: str, told: str) -> None:
    assert str(without_plan(Exception(text))) == told
