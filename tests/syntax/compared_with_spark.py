"""Reads queries from sqlglot's trees as winsql does, and from the plans of Spark's own parser, and compares the two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reading_of_spark import read_plans
from reading_of_tree import read_tree
from readings import differences
from sqlglot import exp

from winsql.errors import WinsqlError
from winsql.syntax.functions.table_function_calls import find_calls
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES
from winsql.syntax.joins.arguments import JOIN_FUNCTIONS
from winsql.syntax.selects.scanner import find_selects
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.bridge import mask_at, mask_name, parse_query
from winsql.syntax.tree.masks import Masks, inner_queries, masks_of, root_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REFUSED = "Spark refuses it"
LEFT_OUT = {
    "pipes": re.compile(r"\|(?:>| (?:WHERE|EXTEND|AGGREGATE)\b)"),
    "STREAM is Spark's keyword, and AS the table": re.compile(r"FROM\s+stream\s+AS\b", re.IGNORECASE),
    "ASOF is an alias to Spark where the join has no MATCH_CONDITION": re.compile(r"\bASOF JOIN\b"),
    "FROM is a column to Spark": re.compile(r",\s+FROM\b"),
    "TRANSFORM is one item": re.compile(r"\bTRANSFORM \("),
    "several queries on one FROM": re.compile(r"^FROM events (SELECT \w+|INSERT INTO made) SELECT"),
    "changes of a table": re.compile(r"\bCHANGES FROM\b"),
    "nothing after FROM or WHERE": re.compile(r"\b(FROM|WHERE)\s*$"),
    "JOIN is a name": re.compile(r"\b(OVER join\b|join,)"),
}
"""What sqlglot is known to read in another way or not at all, by why."""


@dataclass(slots=True)
class Comparison:
    """How many queries are read alike, why others are left out, and in what the rest differ."""

    alike: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    different: list[str] = field(default_factory=list)


def compare(spark: SparkSession, statements: Iterable[tuple[str, str]]) -> Comparison:
    """Compare all queries of statements, each of these with a name."""
    found, trees = Comparison(), []
    for name, source, extent, masks in (root for statement in statements for root in _roots(*statement)):
        reason = next((why for why, pattern in LEFT_OUT.items() if pattern.search(source.verbatim(extent))), None)
        if reason is not None:
            found.left_out[reason] += 1
            continue
        tree = parse_query(source, extent, masks)
        holes = {} if tree is None else _placeholders(source, tree)
        trees.append((name, tree, _masked(source, extent, masks | holes)))
    plans = read_plans(spark, [text for _, _, text in trees])
    for name, tree, text in trees:
        plan = plans[text]
        if plan is None:
            found.left_out[REFUSED] += 1
            continue
        different = ["no tree"] if tree is None else list(differences(read_tree(tree), plan))
        found.alike += not different
        found.different += [f"{name}: {text}\n  tree / Spark: {place}" for place in different]
    return found


def _roots(name: str, text: str) -> Iterator[tuple[str, Source, Extent, Masks]]:
    """Every query that would be read as a tree: the outermost ones, and those inside masked calls."""
    try:
        source = Source(text)
        selects = find_selects(source)
        calls = [call.extent for call in find_calls(source, FUNCTION_NAMES)]
        calls += [call.extent for call in find_calls(source, JOIN_FUNCTIONS)]
    except WinsqlError:
        return
    if not source.is_balanced:
        return
    masks = masks_of(source, calls, selects)
    places = [place for place in source.places("SELECT", "FROM") if not any(place in call.indexes for call in calls)]
    found = {root_of(source, place) for place in [*places, *(call.first for call in calls)]}
    found |= {extent for call in calls for extent in inner_queries(source, call)}
    for extent in sorted(found):
        if not extent.is_empty:
            yield name, source, extent, masks


def _masked(source: Source, extent: Extent, masks: Masks) -> str:
    """The text of a query as sqlglot gets it."""
    parts, index = [], extent.first
    while index < extent.stop:
        after = masks.get(index)
        if after is None or after < 0:
            parts.append(source.verbatim(Extent(index, index + 1)))
        elif after > index:
            parts.append(f" {mask_name(Extent(index, after))} ")
        start = max(after or 0, index + 1)
        if start < extent.stop:
            parts.append(source.text[source.tokens[start - 1].end : source.tokens[start].start] or "")
        index = start
    return "".join(parts)


def _placeholders(source: Source, tree: exp.Expr) -> Masks:
    """The ranges that names of the tree are in the place of."""
    names = [node for node in tree.walk() if isinstance(node, (exp.Identifier, exp.Var))]
    masked = [extent for node in names if (extent := mask_at(node.name)) is not None]
    return {extent.first: extent.stop for extent in masked}
