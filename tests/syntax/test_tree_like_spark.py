"""What winsql reads from sqlglot's trees, held against Spark's own parser: its plan names every relation and column.

Spark gets the statements as sqlglot does, window clauses cut out and winsql's relations under one name each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from golden_cases import golden_cases
from pyspark.errors import ParseException
from sqlglot import exp
from test_spellings import filled, spellings

from winsql.errors import WinsqlError
from winsql.syntax.functions.table_function_calls import find_calls
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES
from winsql.syntax.joins.arguments import JOIN_FUNCTIONS
from winsql.syntax.selects.scanner import find_selects
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.bridge import NAME, mask_name, parse_query
from winsql.syntax.tree.masks import Masks, inner_queries, masks_of, root_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_STREAM_AS = re.compile(r"FROM\s+stream\s+AS\b", re.IGNORECASE)
_RELATION = re.compile(r"UnresolvedRelation \[([^\]]*)\]")


def statements() -> Iterator[tuple[str, str]]:
    """All statements with windows that the tests have, each with a name."""
    for kind in ("identity", "rewrite", "plans", "stream_errors"):
        for case in golden_cases(kind):
            yield case.id, case.input
    for title, text in spellings().items():
        yield title, filled(text, "stream")


def trees() -> Iterator[tuple[str, Source, Extent, Masks]]:
    """Every query that is read as a tree: the outermost ones, and those inside masked calls."""
    for name, text in statements():
        try:
            source = Source(text)
            selects = find_selects(source)
            calls = [call.extent for call in find_calls(source, FUNCTION_NAMES)]
            calls += [call.extent for call in find_calls(source, JOIN_FUNCTIONS)]
        except WinsqlError:
            continue
        places = [select.extent.first for select in selects] + [call.first for call in calls]
        masks = masks_of(source, calls, selects)
        roots = {root_of(source, place) for place in places}
        inner = {extent for call in calls for extent in inner_queries(source, call)}
        for extent in sorted(roots | inner):
            yield name, source, extent, masks


def masked(source: Source, extent: Extent, masks: Masks) -> str:
    """The text of a query as sqlglot gets it."""
    parts, index = [], extent.first
    while index < extent.stop:
        after = masks.get(index)
        if after is None or after == NAME:
            parts.append(source.verbatim(Extent(index, index + 1)))
        elif after > index:
            parts.append(f" {mask_name(index)} ")
        start = max(after or 0, index + 1)
        if start < extent.stop:
            parts.append(source.text[source.tokens[start - 1].end : source.tokens[start].start] or "")
        index = start
    return "".join(parts)


def relations_of_tree(tree: exp.Expr) -> Counter[str]:
    return Counter(".".join(part.name for part in table.parts).lower() for table in tree.find_all(exp.Table))


def relations_of_spark(spark: SparkSession, text: str) -> Counter[str] | None:
    jvm_session: Any = spark._jsparkSession
    try:
        plan = jvm_session.sessionState().sqlParser().parsePlan(text).treeString()
    except ParseException:
        return None
    return Counter(found.replace(", ", ".").lower() for found in _RELATION.findall(plan))


@pytest.mark.spark
def test_relations_are_those_of_spark(spark: SparkSession) -> None:
    compared = 0
    for name, source, extent, masks in trees():
        tree = parse_query(source, extent, masks)
        assert tree is not None, name
        text = masked(source, extent, masks)
        found = relations_of_spark(spark, text)
        if found is None:  # without its window clauses it is none of Spark's
            continue
        if "as" in found and _STREAM_AS.search(text):  # Spark reads STREAM here as its keyword, and AS as the table
            continue
        assert relations_of_tree(tree) == found, (name, text)
        compared += 1
    assert compared > 200
