"""The analyzed plan of a DataFrame as text.

No version of PySpark gives it alone. Explaining a DataFrame has Spark optimize and plan it too, which a classic session
need not wait for.
"""

from __future__ import annotations

import re
from typing import Any

from winsql.spark.versions.classic import analyzed_plan

__all__ = ["analyzed_text"]

_ANALYZED = re.compile(r"^== Analyzed Logical Plan ==\n.*?\n(.*?)^== ", re.MULTILINE | re.DOTALL)


def analyzed_text(frame: Any) -> str:
    """A line for each operator of a DataFrame, below the one that reads it."""
    if hasattr(frame, "_jdf"):
        return str(analyzed_plan(frame).treeString())
    section = _ANALYZED.search(frame._explain_string(extended=True))  # on Spark Connect
    return "" if section is None else section[1]
