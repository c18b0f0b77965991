"""The streams of a process over HTTP: Prometheus' text, the listing, and the table that winsql streams makes of it."""

from __future__ import annotations

import datetime
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from io import StringIO

import pytest
from rich.console import Console

from winsql.shell.cli import main
from winsql.shell.metrics import MetricsServer, exposition, listing
from winsql.shell.streams import Watched
from winsql.spark.tables.reports import StreamReport

NOW = datetime.datetime(2024, 5, 1, 10, 0, 30, tzinfo=datetime.UTC)
RUNNING = StreamReport(
    name='default.`a "b"\\c`',
    status="running",
    batch=7,
    rows_per_second=1234.5,
    watermark=NOW - datetime.timedelta(seconds=90),
    late_rows=3,
    open_windows=4000,
    state_bytes=5 << 20,
    guarantee="exactly once",
    error=None,
)
FAILED = StreamReport(
    "default.f", "failed", None, None, None, None, None, None, "at least once", "no [red] disk\x1b[2J"
)


@pytest.fixture
def server() -> Iterator[MetricsServer]:
    server = MetricsServer(0)
    yield server
    server.close()


def get(url: str) -> tuple[str, str]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.headers["Content-Type"], answer.read().decode()


def test_prometheus_text() -> None:
    lines = exposition([RUNNING, FAILED], NOW).split("\n")
    stream = r'{stream="default.`a \"b\"\\c`"}'
    for sample in (
        f"winsql_stream_up{stream} 1",
        f"winsql_stream_batch{stream} 7",
        f"winsql_stream_rows_per_second{stream} 1234.5",
        f"winsql_stream_watermark_seconds{stream} 1714557540",
        f"winsql_stream_watermark_lag_seconds{stream} 90",
        f"winsql_stream_open_windows{stream} 4000",
        f"winsql_stream_late_rows{stream} 3",
        f"winsql_stream_state_bytes{stream} 5242880",
        'winsql_stream_up{stream="default.f"} 0',
        'winsql_stream_failed{stream="default.f"} 1',
        'winsql_stream_info{stream="default.f",status="failed",guarantee="at least once"} 1',
    ):
        assert sample in lines
    assert lines[-1] == ""
    names = [line.split("{")[0].split()[-1 if line.startswith("winsql") else 2] for line in lines if line]
    assert all(name.startswith("winsql_stream_") for name in names)
    assert sum("default.f" in line for line in lines) == 3  # what is not known has no sample
    assert [line for line in exposition([], NOW).split("\n") if line and not line.startswith("#")] == []


def test_the_listing() -> None:
    (stream,) = json.loads(listing([RUNNING], NOW))["streams"]
    assert (stream["watermark"], stream["lag"], stream["batch"]) == ("2024-05-01T09:59:00+00:00", 90.0, 7)


def test_the_server_answers_on_the_loopback_alone(server: MetricsServer) -> None:
    server.start(lambda: [RUNNING])
    assert server.url.startswith("http://127.0.0.1:")
    kind, body = get(f"{server.url}/metrics")
    assert kind.startswith("text/plain; version=0.0.4")
    assert "winsql_stream_batch" in body
    assert json.loads(get(f"{server.url}/streams")[1])["streams"][0]["batch"] == 7
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(f"{server.url}/other")


def test_a_session_that_does_not_answer(server: MetricsServer, capsys: pytest.CaptureFixture[str]) -> None:
    def reports() -> list[StreamReport]:
        raise RuntimeError("swordfish")

    server.start(reports)
    with pytest.raises(urllib.error.HTTPError) as caught:
        get(f"{server.url}/metrics")
    assert caught.value.code == 503
    assert "swordfish" not in caught.value.read().decode()
    assert main(["streams", "--url", server.url]) == 1
    assert "503" in capsys.readouterr().err


def test_the_command_shows_a_table(server: MetricsServer, capsys: pytest.CaptureFixture[str]) -> None:
    server.start(lambda: [RUNNING, FAILED])
    assert main(["streams", "--once", "--url", f"{server.url}/"]) == 0
    out = capsys.readouterr().out
    for shown in ("running", "1,234.5", "2024-05-01 09:59:00", "4,000", "5.0 MiB", "no [red] disk", "2 streams"):
        assert shown in out
    assert "\x1b" not in out


def test_rates_are_drawn_and_forgotten() -> None:
    rates = iter((0, 5, 10, *[10] * 30))
    watched = Watched("here", lambda: [{"name": "s", "rows_per_second": next(rates)}])
    for _ in range(33):
        watched.look()
    assert watched.table(200).columns[3]._cells == ["█" * 20 + " 10.0"]


@pytest.mark.parametrize("width", [44, 60, 80, 120, 200])
def test_nothing_is_cut_in_a_narrow_terminal(width: int) -> None:
    stream = {"name": "default.totals", "status": "running", "watermark": "2024-05-01T09:59:00", "late_rows": 4000}
    watched = Watched("here", lambda: [stream, {**stream, "name": "x" * 300, "error": "no disk"}])
    watched.look()
    console = Console(width=width, record=True, file=StringIO())
    console.print(watched.table(width))
    out = console.export_text()
    for shown in ("default.totals", "running", "2024-05-01 09:59:00", "4,000", "no disk"):
        assert shown in out
    assert out.count("x") == 300


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, ""),
        (0, "0 s"),
        (-0.2, "0 s"),
        (59.6, "1 min"),
        (3605, "1 h 5 s"),
        (-90, "-1 min 30 s"),
        (93784, "1 d 2 h"),
    ],
)
def test_lags(seconds: float | None, shown: str) -> None:
    watched = Watched("here", lambda: [{"name": "s", "lag": seconds}])
    watched.look()
    assert watched.table(200).columns[5]._cells == [shown]


def test_nobody_answers(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        assert main(["streams", "--url", f"http://127.0.0.1:{free.getsockname()[1]}"]) == 1
    assert "--metrics-port" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--every", "0"], ["--every", "x"], ["--url", "file:///etc/passwd"]])
def test_wrong_options(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["streams", *arguments])
    assert caught.value.code == 2
    assert "expected" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["-e", "SELECT 1"]])
def test_a_port_that_somebody_has(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main([*command, "--metrics-port", str(taken.getsockname()[1])]) == 1
    assert "cannot listen on 127.0.0.1" in capsys.readouterr().err
