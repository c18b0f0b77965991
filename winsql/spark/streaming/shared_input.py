"""A windowed query that is read twice in one streaming query: where Spark shares its input, the second reader starves.

Spark plans both readers as operators of their own over one exchange, and gives the second one no watermark: its windows
take rows and never fire (Spark 4.3.0). Nothing would be said, so the statement is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import redirect_stdout, suppress
from io import StringIO

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowPlanError

__all__ = ["require_own_input"]

_CONF = "spark.sql.exchange.reuse"
_SECTION = re.compile(r"^== Analyzed Logical Plan ==\n(.*?)^== ", re.MULTILINE | re.DOTALL)
_OPERATOR = re.compile(r"~TransformWithStateInPySpark \w+\([^)]*\)#(\d+)")
_DEFINITION = re.compile(r"^(?P<depth>[:+ -]*)~?CTERelationDef (?P<number>\d+),")
_REFERENCE = re.compile(r"~?CTERelationRef (\d+),")


def require_own_input(spark: SparkSession, frame: DataFrame, text: str) -> None:
    """Refuse a streaming query that reads a windowed view or CTE twice while Spark shares inputs."""
    if not frame.isStreaming or str(spark.conf.get(_CONF, "true")).lower() == "false":
        return
    if is_read_twice(_plan(frame)):
        raise WindowPlanError(
            "a windowed query is read twice in one streaming query",
            rule="each reader of windows needs its own input: where Spark shares it, the second one gets no watermark",
            hint=f"run first: SET {_CONF}=false, or write the windowed query out twice",
            source=text,
        )


def is_read_twice(plan: str) -> bool:
    """Whether one operator of winsql stands twice in a plan, as EXPLAIN EXTENDED shows it."""
    section = _SECTION.search(plan)
    lines = [] if section is None else section[1].split("\n")
    owner: str | None = None
    depth = 0
    owners: dict[str, str | None] = {}
    found: Counter[str] = Counter()
    references: Counter[str] = Counter()
    for line in lines:
        definition = _DEFINITION.match(line)
        indent = len(line) - len(line.lstrip(":+- "))
        if definition is not None:
            owner, depth = definition["number"], indent
        elif owner is not None and indent <= depth:
            owner = None
        for operator in _OPERATOR.findall(line):
            found[operator] += 1
            owners[operator] = owner
        references.update(_REFERENCE.findall(line))
    return any(count > 1 or references[owners[operator] or ""] > 1 for operator, count in found.items())


def _plan(frame: DataFrame) -> str:
    """What EXPLAIN EXTENDED prints, on a classic session or a Connect one; nothing where Spark cannot plan the query,
    which it says itself when the query starts."""
    printed = StringIO()
    with redirect_stdout(printed), suppress(PySparkException):
        frame.explain(extended=True)
    return printed.getvalue()
