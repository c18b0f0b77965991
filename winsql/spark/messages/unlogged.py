"""PySpark logs every error of a query as JSON, also those by which winsql finds out what a name is."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pyspark.logger import PySparkLogger


@contextmanager
def unlogged() -> Iterator[None]:
    """Errors in this block are not logged; those that leave it tell what they have to tell as exceptions."""
    logger = PySparkLogger.getLogger("SQLQueryContextLogger")
    logger.addFilter(_is_logged)  # once, however often
    token = _QUIET.set(True)
    try:
        yield
    finally:
        _QUIET.reset(token)


_QUIET: ContextVar[bool] = ContextVar("winsql_quiet", default=False)


def _is_logged(_: logging.LogRecord) -> bool:
    return not _QUIET.get()
