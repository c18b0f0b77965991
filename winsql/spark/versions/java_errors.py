"""py4j's errors for code that also runs on Spark Connect, whose client `pyspark-client` comes without py4j."""

from __future__ import annotations

try:
    from py4j.protocol import Py4JError, Py4JJavaError
except ModuleNotFoundError:

    class Py4JError(Exception):  # type: ignore[no-redef]
        """Nothing raises it here."""

    class Py4JJavaError(Py4JError):  # type: ignore[no-redef,misc]
        """Nothing raises it here."""


__all__ = ["Py4JError", "Py4JJavaError"]
