"""A windowed query that is read twice in one streaming query: where Spark shares its input, the second reader starves.

Spark plans both readers as operators of their own over one exchange, and gives the second one no watermark: its windows
take rows and never fire (Spark 4.3.0). Nothing would be said, so the statement is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.streaming.upstream import CTE, Nodes, below, definitions_in, nodes_of

__all__ = ["require_own_input"]

_CONF = "spark.sql.exchange.reuse"
_OPERATOR = re.compile(r"~TransformWithStateInPySpark \w+\([^)]*\)#(\d+)")


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
    """Whether rows of one operator of winsql are read in two places of a plan, as EXPLAIN EXTENDED shows it."""
    nodes = nodes_of(plan)
    found = Counter(_operators(nodes, definitions_in(nodes)))
    return any(count > 1 for count in found.values())


def _operators(nodes: Nodes, definitions: dict[str, Nodes]) -> Iterator[str]:
    """The numbers of the operators whose rows are read, once for each reader; a CTE that nobody reads has none."""
    place = 0
    while place < len(nodes):
        node = nodes[place][1]
        cte = CTE.match(node)
        if cte is None:
            yield from _OPERATOR.findall(node)
        elif cte["kind"] == "Ref":
            yield from _operators(definitions.get(cte["number"], []), definitions)
        else:
            place += len(below(nodes, place))
        place += 1


def _plan(frame: DataFrame) -> str:
    """What EXPLAIN EXTENDED prints, on a classic session or a Connect one; nothing where Spark cannot plan the query,
    which it says itself when the query starts."""
    printed = StringIO()
    with redirect_stdout(printed), suppress(PySparkException):
        frame.explain(extended=True)
    return printed.getvalue()
