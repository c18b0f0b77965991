"""Which versions of Spark winsql runs on, and what it says on others."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from weakref import WeakSet

from winsql.errors import WindowPlanError
from winsql.spark.versions.number import Version, client_version, version_of
from winsql.spark.versions.pipeline_context import in_pipeline
from winsql.spark.versions.stopped import is_stopped

OLDEST, NEWEST = Version(4, 0), Version(4, 3)
_SUPPORTED = f"winsql runs on Spark {OLDEST} to {NEWEST}"
_CHECKED: WeakSet[Any] = WeakSet()


def require_pyspark() -> None:
    """Raises WindowPlanError where PySpark is missing or of a version that winsql does not know."""
    spec = find_spec("pyspark")
    if spec is None:
        raise WindowPlanError(
            "there is no PySpark in this Python environment",
            rule="winsql runs on the PySpark that is there, and brings none of its own",
            hint="pip install 'winsql[spark]'; pip install pyspark-client for Spark Connect alone",
        )
    found = _version_in(spec.origin)
    if not OLDEST <= (version_of(found) or OLDEST) <= NEWEST:
        raise WindowPlanError(
            f"this is PySpark {found}",
            rule=_SUPPORTED,
            hint=f"install another one, as in pip install 'pyspark=={NEWEST}.*', or a winsql made for this one",
        )


def _version_in(origin: str | None) -> str:
    """The version in a package's source, not imported, as workers need little of it; '' where there is none."""
    try:
        text = Path(origin or "").with_name("version.py").read_text(encoding="utf-8")
    except (OSError, ValueError):  # in an archive, as workers may have it
        return ""
    match = _VERSION.search(text)
    return "" if match is None else match[1]


_VERSION = re.compile(r"""^__version__.*=\s*["']([^"']+)["']""", re.MULTILINE)


def require_session(spark: Any) -> None:
    """Raises WindowPlanError for what is no session of a Spark that winsql knows, and where it cannot be used.

    The version of a session is asked for once.
    """
    if in_pipeline(spark):
        raise _in_pipeline()
    try:
        is_checked = spark in _CHECKED
    except TypeError:
        raise _no_session(spark) from None
    home = type(spark).__module__
    is_connect = home.startswith("pyspark.sql.connect.")
    is_session = any(base.__name__ == "SparkSession" for base in type(spark).__mro__)
    if not is_session or not (is_connect or hasattr(spark, "_jsparkSession")):
        raise _no_session(spark)
    if is_stopped(spark):
        raise _stopped()
    if not is_checked:
        _require_server(str(spark.version), is_connect=is_connect)
        _CHECKED.add(spark)


def _in_pipeline() -> WindowPlanError:
    return WindowPlanError(
        "definitions of a pipeline cannot use winsql like this",
        rule="Spark lets them look at no relation, and change nothing of the session",
        hint="in the function of the dataset, return winsql.pipeline_sql(text)",
    )


def _no_session(spark: Any) -> WindowPlanError:
    return WindowPlanError(
        f"{type(spark).__module__}.{type(spark).__qualname__} is no Spark session that winsql knows",
        rule="a session is a classic pyspark.sql.SparkSession, or one of Spark Connect",
        hint="build one with SparkSession.builder, of this PySpark",
    )


def _stopped() -> WindowPlanError:
    return WindowPlanError(
        "this Spark session has been stopped",
        rule="statements need a session that runs",
        hint="build a new one with SparkSession.builder, and register it",
    )


def _require_server(text: str, *, is_connect: bool) -> None:
    server, client = version_of(text), client_version()
    if server is None or not OLDEST <= server <= NEWEST:
        raise WindowPlanError(
            f"the session's Spark is {text}", rule=_SUPPORTED, hint="connect to a Spark of one of these versions"
        )
    if is_connect and server < client:
        raise WindowPlanError(
            f"the server's Spark {text} is older than this PySpark {client}",
            rule="a client of Spark Connect talks to servers of its own version and newer ones",
            hint=f"install a client for it, as in pip install 'pyspark-client=={server}.*'",
        )
