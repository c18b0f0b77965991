"""Options of the JVMs that tests start, also those of other processes: each lives for seconds or a few minutes."""

from __future__ import annotations

import os

__all__ = ["set_java_options"]

_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=240m"
"""The optimizing compiler and a parallel garbage collector cost more than they give, together a third of all CPU time.
Without that compiler Java makes room for 48 MB of compiled code only, and spends a sixth of the time on sweeping it."""


def set_java_options() -> None:
    """For this process and those that it starts. A value of yours counts."""
    for variable in ("SPARK_SUBMIT_OPTS", "SPARK_LAUNCHER_OPTS"):
        os.environ.setdefault(variable, _OPTIONS)
