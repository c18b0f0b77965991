"""The streams of a session over HTTP, for programs on this machine, as Prometheus and `winsql streams` read them.

GET /metrics    gauges in Prometheus' text format 0.0.4, one sample for each stream
GET /streams    {"streams": [{"name": ..., "status": ..., ...}]}, as SHOW STREAMS has them
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from winsql.spark.tables.reports import StreamReport

HOST = "127.0.0.1"
DEFAULT_PORT = 10010

Reports = Callable[[], Sequence["StreamReport"]]


class MetricsServer:
    """Listens from its construction on; raises OSError when somebody has the port. Port 0 is any free one."""

    def __init__(self, port: int) -> None:
        self._server = HTTPServer((HOST, port), _Handler)
        self._thread: Thread | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://{HOST}:{self._server.server_port}"

    def start(self, reports: Reports) -> None:
        """Answer, one question after the other; `reports` is asked for each."""
        self._server.RequestHandlerClass = type("_Bound", (_Handler,), {"reports": staticmethod(reports)})
        self._thread = Thread(target=self._server.serve_forever, name="winsql-metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


@contextmanager
def serving_metrics(server: MetricsServer | None, spark: SparkSession) -> Iterator[None]:
    """The streams of a session are served meanwhile; without a server nothing happens."""
    if server is None:
        yield
        return
    from winsql.spark.tables.reports import reports_of

    server.start(lambda: reports_of(spark))
    try:
        yield
    finally:
        server.close()


class _Handler(BaseHTTPRequestHandler):
    reports: Reports
    timeout = 10  # seconds for a client to say what it wants

    def do_GET(self) -> None:
        """Answer one of the two paths."""
        answer = _ANSWERS.get(self.path.partition("?")[0])
        if answer is None:
            self.send_error(404, "there are /metrics and /streams")
            return
        kind, make = answer
        try:
            body = make(self.reports(), datetime.datetime.now(datetime.UTC)).encode()
        except Exception as error:  # noqa: BLE001  whoever asks gets to know; the server goes on
            self.send_error(503, "the session does not answer", type(error).__name__)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: scrapes come every few seconds."""


def exposition(reports: Sequence[StreamReport], now: datetime.datetime) -> str:
    """The reports as Prometheus reads them; what is not known of a stream has no sample."""
    lines = []
    for name, (help_text, value) in _GAUGES.items():
        samples = [(report, value(report, now)) for report in reports]
        lines += [f"# HELP winsql_stream_{name} {help_text}", f"# TYPE winsql_stream_{name} gauge"]
        lines += [
            f'winsql_stream_{name}{{stream="{_label(report.name)}"}} {sample:.15g}'
            for report, sample in samples
            if sample is not None
        ]
    lines += ["# HELP winsql_stream_info status and guarantee as labels", "# TYPE winsql_stream_info gauge"]
    for report in reports:
        labels = {"stream": report.name, "status": report.status, "guarantee": report.guarantee}
        pairs = ",".join(f'{key}="{_label(text)}"' for key, text in labels.items())
        lines.append(f"winsql_stream_info{{{pairs}}} 1")
    return "\n".join(lines) + "\n"


def listing(reports: Sequence[StreamReport], now: datetime.datetime) -> str:
    """The reports as JSON, times in ISO 8601; `lag` is how far the clock is past the watermark, in seconds."""
    streams = []
    for report in reports:
        found = asdict(report)
        found["watermark"] = None if report.watermark is None else report.watermark.isoformat()
        found["lag"] = _lag(report, now)
        streams.append(found)
    return json.dumps({"streams": streams})


def _lag(report: StreamReport, now: datetime.datetime) -> float | None:
    return None if report.watermark is None else (now - report.watermark).total_seconds()


def _watermark(report: StreamReport, now: datetime.datetime) -> float | None:
    return None if report.watermark is None else report.watermark.timestamp()


_GAUGES: dict[str, tuple[str, Callable[[StreamReport, datetime.datetime], float | None]]] = {
    "up": ("1 while the stream runs", lambda report, now: float(report.status in ("running", "waiting"))),
    "failed": ("1 after the stream has failed", lambda report, now: float(report.status == "failed")),
    "batch": ("number of the last micro-batch", lambda report, now: report.batch),
    "rows_per_second": ("rows read per second of micro-batches", lambda report, now: report.rows_per_second),
    "watermark_seconds": ("the watermark, in seconds since 1970", _watermark),
    "watermark_lag_seconds": ("how far the clock is past the watermark", _lag),
    "open_windows": ("windows that have not ended, each of each key", lambda report, now: report.open_windows),
    "late_rows": ("late rows since the start", lambda report, now: report.late_rows),
    "state_bytes": ("size of the windows' state", lambda report, now: report.state_bytes),
}
_ANSWERS: dict[str, tuple[str, Callable[[Sequence[StreamReport], datetime.datetime], str]]] = {
    "/metrics": ("text/plain; version=0.0.4; charset=utf-8", exposition),
    "/streams": ("application/json", listing),
}


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
