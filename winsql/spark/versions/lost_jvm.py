"""What py4j and PySpark print when their JVM has died: traces of calls that the error of the statement tells of."""

from __future__ import annotations

import logging
from typing import Any


def quiet_when_lost(spark: Any) -> None:
    """Leave these traces out, in a process of winsql's own."""
    logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
    logging.getLogger().addFilter(_is_of_others)  # once, however often; py4j logs there too
    server = getattr(spark.sparkContext, "_accumulatorServer", None)
    if server is not None:
        server.handle_error = lambda request, client_address: None


def _is_of_others(record: logging.LogRecord) -> bool:
    return not (record.levelno >= logging.ERROR and "py4j" in record.pathname.replace("\\", "/").split("/"))
