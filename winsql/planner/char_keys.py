"""CHAR(n) columns, which Spark compares as if the shorter one had the other's length.

To Spark's expressions such a column is a STRING; its type is in the metadata of the column. Where Spark analyses
`a.c = b.c` over two such columns, it pads the shorter one. Windows bring rows together by equal keys, so the keys of
both sides of a join must have one length before they meet.
"""

from __future__ import annotations

import re
from dataclasses import replace

from winsql.errors import WindowPlanError
from winsql.model.query import KeyColumn, WindowQuery
from winsql.planner.facts import Sides
from winsql.syntax.joins.query import tagged_union

_CHAR = re.compile(r"char\((\d+)\)")


def with_char_keys(query: WindowQuery, sides: Sides | None) -> WindowQuery:
    """The query of a join with its CHAR keys padded to the longer length, and the types of such keys.

    Raises WindowPlanError for keys that hold CHAR of different lengths inside them.
    """
    join = query.join
    if join is None or sides is None or not any(fact.declared for side in sides for fact in side.keys):
        return query
    pairs, keys = [], []
    for key, texts, declared in zip(query.keys, join.keys, _declared(sides), strict=True):
        lengths = [int(found[1]) for found in map(_CHAR.fullmatch, declared) if found is not None]
        if len(lengths) == 2:
            longest = max(lengths)
            texts = (_padded(texts[0], lengths[0], longest), _padded(texts[1], lengths[1], longest))
            keys.append(replace(key, declared=f"char({longest})"))
        else:
            _require_one_type(query, key, declared)
            keys.append(replace(key, declared=declared[0] if declared[0] == declared[1] else ""))
        pairs.append(texts)
    source = tagged_union(replace(join, keys=tuple(pairs)))
    return replace(query, source=source, keys=tuple(keys))


def char_in_on(query: WindowQuery) -> WindowPlanError:
    """The error for an ON that compares a CHAR column with padding, where the operator hands out the rows."""
    assert query.join is not None
    return WindowPlanError(
        "ON compares a CHAR column with padding, which cannot be done per window",
        rule="in winsql's operator ON runs inside a lambda function over the rows of a window, where Spark compares "
        "CHAR as STRING; padded are the keys alone, where ON is nothing but equalities of the two sides",
        hint="compare without the padding, as in rtrim(a.c) = rtrim(b.c), or, for an inner join, put the rest of ON "
        "into WHERE",
    ).located(query.text, query.join.condition_span or query.join.span)


def _padded(sql: str, length: int, longest: int) -> str:
    return sql if length == longest else f"rpad({sql}, {longest})"


def _declared(sides: Sides) -> list[tuple[str, str]]:
    left, right = sides
    return [(one.declared, other.declared) for one, other in zip(left.keys, right.keys, strict=True)]


def _require_one_type(query: WindowQuery, key: KeyColumn, declared: tuple[str, str]) -> None:
    """Refuse values of two types with CHAR inside: Spark pads what is in them when it compares them."""
    left, right = declared
    is_nested = all("<" in kind and re.search(r"\bchar\(", kind) for kind in declared)
    if left == right or not is_nested:
        return
    raise WindowPlanError(
        f"the keys hold CHAR of different lengths: {left.upper()} and {right.upper()}",
        rule="rows meet in windows of one key, and winsql pads keys of type CHAR, not CHAR inside another type",
        hint="write an equality for each CHAR in it: ON a.s.c = b.s.c AND ...",
    ).located(query.text, key.span)
