"""The analyzed plan of a DataFrame as text.

No version of PySpark gives it alone. Explaining a DataFrame has Spark optimize and plan it too, which a classic session
need not wait for.
"""

from __future__ import annotations

import re
from typing import Any

from winsql.spark.versions.classic import analyzed_plan, jvm_of

_ANALYZED = re.compile(r"^== Analyzed Logical Plan ==\n.*?\n(.*?)^== ", re.MULTILINE | re.DOTALL)
_CUT = re.compile(r"(?:\.\.\. \d+ more|Truncated plan of \d+) characters\Z")
_LENGTH = "spark.sql.maxPlanStringLength"
"""The setting by which Spark cuts off texts of plans."""
_WHOLE = str(2**31 - 16)


def analyzed_text(frame: Any) -> str:
    """A line for each operator of a DataFrame, below the one that reads it; all of them, whatever length the session
    gives to texts of plans."""
    return _in_jvm(frame) if hasattr(frame, "_jdf") else _on_connect(frame)


def _in_jvm(frame: Any) -> str:
    plan = analyzed_plan(frame)
    text = str(plan.treeString())
    if not _CUT.search(text):
        return text
    conf = jvm_of(frame.sparkSession).org.apache.spark.sql.internal.SQLConf.get()  # where this thread of Java's looks
    before = conf.getConfString(_LENGTH)
    conf.setConfString(_LENGTH, _WHOLE)
    try:
        return str(plan.treeString())
    finally:
        conf.setConfString(_LENGTH, before)


def _on_connect(frame: Any) -> str:
    text = frame._explain_string(extended=True)
    if _CUT.search(text):
        conf = frame.sparkSession.conf
        before = conf.get(_LENGTH)
        conf.set(_LENGTH, _WHOLE)
        try:
            text = frame._explain_string(extended=True)
        finally:
            conf.set(_LENGTH, before)
    section = _ANALYZED.search(text)
    return "" if section is None else section[1]
