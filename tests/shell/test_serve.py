"""winsql serve: a server process, and Spark's own beeline as its clients."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from golden_cases import golden_cases
from py4j.protocol import Py4JJavaError

from winsql.shell.cli import main

INIT = """\
CREATE TEMPORARY VIEW readings AS
SELECT * FROM VALUES
  ('north', TIMESTAMP_NTZ'2024-05-01 10:00:00', 20), ('north', TIMESTAMP_NTZ'2024-05-01 10:04:00', 26),
  ('north', TIMESTAMP_NTZ'2024-05-01 10:11:00', 21), ('south', TIMESTAMP_NTZ'2024-05-01 10:02:00', 14)
  AS t(meter, ts, value);
CREATE TEMPORARY VIEW alarms AS
SELECT * FROM VALUES ('north', TIMESTAMP_NTZ'2024-05-01 10:08:00', '${level}') AS t(meter, ts, level);
"""
MODULE = """\
from pathlib import Path

import pandas as pd
from pyspark.sql.functions import pandas_udf, udf

STARTED = Path({started!r})


def twice(value):
    return value * 2


@udf("int")
def doubled(value):
    return twice(value)


@pandas_udf("double")
def spread(values: pd.Series) -> float:
    return float(values.max() - values.min())


@udf("bigint")
def noticed(value):
    STARTED.touch()
    return value


def winsql_init(spark):
    for function in (doubled, spread, noticed):
        spark.udf.register(function.__name__, function)
"""
FIRST = """\
SELECT meter, max(ts) AS at, collect_list(value) AS last_two FROM readings
WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(1) EVICT COUNT(2) GROUP BY meter ORDER BY meter, at;
CREATE TEMPORARY VIEW peaks AS
SELECT meter, max(value) AS peak FROM readings WINDOW ASSIGN COUNT(2, time => ts) GROUP BY meter;
SELECT meter FROM readings
WINDOW ASSIGN TUMBLNG(ts, '1 hour');
"""
SECOND = """\
SELECT r.value, a.level FROM readings AS r INNER WINDOW JOIN alarms AS a ON r.meter = a.meter AND r.value > 20
WINDOW ASSIGN TUMBLING((r.ts, a.ts), INTERVAL 10 MINUTES);
SELECT doubled(value), tumble_start_ntz(ts, INTERVAL 10 MINUTES) FROM readings WHERE value < 20;
SELECT meter, spread(value) FROM readings GROUP BY meter ORDER BY meter;
"""
# the rows are more than ever end; two partitions of them keep both cores
ENDLESS = """\
SELECT window_start, count(*) FROM (SELECT timestamp_micros(noticed(id)) AS ts FROM range(0, 10000000000000, 1, 2)) AS r
WINDOW ASSIGN TUMBLING(ts, '1 day');
SELECT * FROM peaks ORDER BY peak;
"""

EXPLAINED = "EXPLAIN WINDOW SELECT count(*) AS c FROM readings WINDOW ASSIGN TUMBLING(ts, '1 hour')"
TICKS = "CREATE STREAMING VIEW ticks USING rate WATERMARK timestamp DELAY OF INTERVAL 1 SECOND"
OVER_TICKS = "SELECT count(*) AS c FROM ticks WINDOW ASSIGN TUMBLING(timestamp, '1 minute')"


class Server(NamedTuple):
    process: subprocess.Popen[str]
    url: str
    folder: Path
    log: Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a free port, whose scripts, module and working folder are one temporary folder."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "init.sql").write_text(INIT, encoding="utf-8")
    (folder / "served.py").write_text(MODULE.format(started=str(folder / "started")), encoding="utf-8")
    options = ["--port", "0", "--master", "local[2]", "--conf", "spark.sql.shuffle.partitions=2"]
    options += ["--import", "served", "-i", "init.sql", "-d", "level=high"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    # Hive would rather listen where these say
    environment |= {"HIVE_SERVER2_THRIFT_BIND_HOST": "0.0.0.0", "HIVE_SERVER2_THRIFT_PORT": "1"}
    log = folder.with_name("served.log")
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "winsql.shell.cli", "serve", *options],
            cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True,
        )  # fmt: skip
    try:
        line = process.stdout.readline()
        url = re.fullmatch(r"winsql serve: (jdbc:hive2://127\.0\.0\.1:\d\d+)\n", line)
        assert url is not None, line + log.read_text(encoding="utf-8")
        yield Server(process, url.group(1), folder, log)
    finally:
        process.kill()
        process.wait()


def client(server: Server, name: str, text: str) -> subprocess.Popen[str]:
    """beeline that runs the statements of `text`, also those after one that fails."""
    import pyspark

    home = Path(pyspark.__file__).parent
    script = server.folder / f"{name}.sql"
    script.write_text(text, encoding="utf-8")
    command = [str(home / "bin" / "beeline"), "-u", server.url, "--force=true", "--outputformat=tsv2"]
    return subprocess.Popen(
        [*command, "--showHeader=false", "-f", str(script)],
        cwd=server.folder, env=os.environ | {"SPARK_HOME": str(home)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def result(beeline: subprocess.Popen[str]) -> tuple[list[str], str]:
    """Its rows, and all that it says beside."""
    out, err = beeline.communicate()
    without_prompts = (re.sub(r"^(?:[^>]*> ?)*(?=[^>]*$)", "", line) for line in out.splitlines())
    return [line for line in without_prompts if line], err


@pytest.mark.spark
@pytest.mark.slow
def test_two_clients_at_once_have_windows_joins_functions_and_errors(server: Server) -> None:
    first, second = client(server, "first", FIRST), client(server, "second", SECOND)
    rows, errors = result(first)
    assert rows == [
        "north\t2024-05-01 10:00:00.0\t[20]",
        "north\t2024-05-01 10:04:00.0\t[20,26]",
        "north\t2024-05-01 10:11:00.0\t[26,21]",
        "south\t2024-05-01 10:02:00.0\t[14]",
    ], errors
    message = """\
Error running query: TUMBLNG is not a window assigner
  at line 2, column 15:
    WINDOW ASSIGN TUMBLNG(ts, '1 hour')
                  ^^^^^^^
  rule: this must be the name of a window assigner, built in or registered
  hint: did you mean TUMBLING?
"""
    assert message in errors
    assert "(state=42000,code=0)" in errors
    assert "py4j" not in errors
    rows, errors = result(second)
    assert rows == ["26\thigh", "28\t2024-05-01 10:00:00.0", "north\t6.0", "south\t0.0"], errors


@pytest.mark.spark
@pytest.mark.slow
def test_a_cancelled_statement_ends_and_the_session_goes_on_with_views_of_other_clients(server: Server) -> None:
    beeline = client(server, "endless", ENDLESS)
    deadline = time.monotonic() + 300
    while not (server.folder / "started").exists():
        assert beeline.poll() is None, result(beeline)
        assert time.monotonic() < deadline
        time.sleep(0.1)
    beeline.send_signal(signal.SIGINT)
    beeline.communicate()
    # the statement had both cores: a job runs only when they are free again
    rows, errors = result(client(server, "after", ENDLESS.split(";\n")[1] + ";\n"))
    assert rows == ["north\t26"], errors


@pytest.mark.slow
@pytest.mark.spark
def test_mistakes_have_their_place_over_jdbc_and_no_name_of_ours(spark, server: Server) -> None:
    """With Hive's driver, as BI tools use it; a server in another process."""
    manager = spark._jvm.java.sql.DriverManager
    spark._jvm.java.lang.Class.forName("org.apache.hive.jdbc.HiveDriver")
    connection = manager.getConnection(server.url)
    try:
        statement = connection.createStatement()
        said = {case.id: _said(statement, case.input) for case in golden_cases("errors")}
        statement.execute(TICKS)
        said["endless"] = _said(statement, OVER_TICKS)
        over_view = "SELECT * FROM (SELECT value AS n FROM later) WHERE n > 1"
        assert _said(statement, "CREATE TEMPORARY VIEW later AS SELECT * FROM ticks WHERE value > 2") == ""
        plain = [_said(statement, text) for text in ("SELECT * FROM ticks", "TABLE ticks", over_view)]
        others = [_said(statement, text) for text in ("SELECT 1", "DESCRIBE later", "SELECT * FROM range(3)")]
        assert _said(statement, "SELECT nope FROM ticks").count("UNRESOLVED_COLUMN")
        assert _said(statement, f"CREATE TEMPORARY VIEW ticking AS {OVER_TICKS}") == ""
    finally:
        connection.close()
    for text in (said["endless"], *plain):
        assert "this query reads a stream and has no end" in text
        assert "hint: write CREATE STREAMING TABLE" in text
    assert others == [""] * len(others)
    assert len(said) > 300
    without = {case: text for case, text in said.items() if not _place(text)}
    assert without == {}, "\n".join(f"{case}: {text}" for case, text in without.items())
    named = {case for case, text in said.items() if "__winsql" in text or "windowed__" in text}
    assert {case for case in named if "winsql's own" not in case} == set()


def _place(text: str) -> re.Match[str] | None:
    return re.search(r"at line \d+, column \d+|== SQL \(line \d+, position \d+\)|line \d+ pos \d+", text)


def _said(statement: Any, text: str) -> str:
    try:
        statement.execute(text)
    except Py4JJavaError as error:
        return str(error.java_exception.getMessage())
    return ""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted as Linux has them")
@pytest.mark.slow
@pytest.mark.spark
def test_no_statement_leaves_a_thread_in_python(spark, server: Server) -> None:
    """Spark has a new thread of Java for almost each of them."""
    threads = Path("/proc", str(server.process.pid), "task")
    connection = spark._jvm.java.sql.DriverManager.getConnection(server.url)
    try:
        statement = connection.createStatement()
        statement.execute(EXPLAINED)
        before = len(list(threads.iterdir()))
        for _ in range(30):
            statement.execute(EXPLAINED)
        assert len(list(threads.iterdir())) <= before + 1
    finally:
        connection.close()


@pytest.mark.spark
@pytest.mark.slow
def test_sigterm_ends_it_and_leaves_nothing(server: Server) -> None:
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait() == 0
    with socket.socket() as probe, pytest.raises(ConnectionRefusedError):
        probe.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
    left = {path.name for path in server.folder.iterdir() if not path.name.endswith((".sql", ".py"))}
    assert left <= {"started", "spark-warehouse", "__pycache__"}
    log = server.log.read_text(encoding="utf-8")
    assert "ERROR" not in log


# ---------------------------------------------------------------- without Spark


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--host", "0.0.0.0"], "--host 0.0.0.0 may be reached from other machines: add --allow-remote"),
        (["--host", "db.example.org"], "--host db.example.org may be reached from other machines"),
        (["--port", "70000"], "argument --port: expected a port, 0 to 65535, got '70000'"),
        (["--hiveconf", "hive.server2.thrift.port=1"], "hive.server2.thrift.port is set by --host and --port"),
        (["--conf", "spark.hadoop.hive.server2.thrift.bind.host=::"], "is set by --host and --port"),
        (["--conf", "spark.sql.hive.thriftServer.singleSession=false"], "stays true"),
        (["--remote", "sc://x"], "unrecognized arguments: --remote sc://x"),
    ],
)
def test_a_wrong_option_is_refused(argv: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["serve", *argv])
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_a_port_in_use_is_told_before_spark_starts(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    assert capsys.readouterr().err == f"winsql serve: cannot listen on 127.0.0.1, port {port}: Address already in use\n"


def test_a_script_that_cannot_be_read_fails_before_spark_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "-i", "no-such.sql"]) == 2
    assert capsys.readouterr().err == "winsql serve: cannot read no-such.sql: No such file or directory\n"
