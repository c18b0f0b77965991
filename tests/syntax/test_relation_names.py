"""The names that may come before a column, by the FROM body."""

from __future__ import annotations

import pytest

from winsql.syntax.selects.relations import relation_names
from winsql.syntax.text.source import Extent, Source

NAMES = {
    "t": "T",
    "db.t": "T",
    "db.t AS x": "X",
    "t AS a(x, y)": "A",
    "a JOIN b ON a.k = b.k AND a.v IS DISTINCT FROM b.v, c d": "A B D",
    "a NATURAL LEFT JOIN b CROSS JOIN c": "A B C",
    "a, LATERAL (SELECT z FROM y) AS x JOIN LATERAL f(x) AS w": "A X W",
    "a JOIN (b JOIN (c) USING (k)) ON TRUE": "A B C",
    "(a JOIN b USING (k)) AS x": "X",
    "(SELECT * FROM a)": "",
    "((SELECT 1) UNION (SELECT 2))": "",
    "((SELECT 1) a JOIN TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 day')) b)": "A B",
    "(TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 day')) a JOIN b)": "A B",
    "db.f(1) JOIN range(3) r": "F R",
    "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 day'))": "",
    "VALUES (1), (2) AS t(a)": "T",
    "{frame} JOIN {other} AS x ON TRUE": "X",
    "t VERSION AS OF 3": "T",
    "t TABLESAMPLE (10 PERCENT) s": "S",
    "STREAM db.t WITH (a = 1) WATERMARK ts DELAY OF INTERVAL 5 SECONDS": "T",
    "STREAM t WATERMARK ts DELAY OF INTERVAL 5 SECONDS x JOIN y ON TRUE": "X Y",
    "STREAM t WITH (a = 1) IDENTIFIED BY s WATERMARK ts DELAY OF INTERVAL 5 SECONDS x JOIN y ON TRUE": "X Y",
    "STREAM t identified by `the s` JOIN STREAM u IDENTIFIED BY s AS x ON TRUE": "T X",
    "t identified JOIN u ON TRUE": "IDENTIFIED U",
    "t x ASOF JOIN u MATCH_CONDITION (x.ts >= u.ts) ON x.k = u.k": "X U",
    "t LATERAL VIEW explode(a) v AS c": "T V",
    "t LATERAL VIEW OUTER db.posexplode(a) v AS c, d LATERAL VIEW explode(b) w": "T V W",
    "t PIVOT (sum(v) FOR ok IN (true, false))": "T",
    "t UNPIVOT INCLUDE NULLS (v FOR c IN (a, b)) AS u": "T U",
}


@pytest.mark.parametrize("body", NAMES)
def test_names_of_relations(body: str) -> None:
    source = Source(body)
    assert relation_names(source, Extent(0, len(source))) == set(NAMES[body].split())
