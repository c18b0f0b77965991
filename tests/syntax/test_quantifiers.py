"""DISTINCT and ALL before the arguments of an aggregate, and columns of these names, which Spark tells apart so."""

from __future__ import annotations

import pytest

from winsql.syntax import parse_statement

CALLS = {
    "max(DISTINCT v)": (True, ("v",)),
    "max(ALL v)": (False, ("v",)),
    "max(all)": (False, ("all",)),
    "max(distinct)": (False, ("distinct",)),
    "max(distinct.v)": (False, ("distinct.v",)),
    "max_by(all, distinct)": (False, ("all", "distinct")),
    "count(DISTINCT all, distinct)": (True, ("all", "distinct")),
    "sum(distinct + 1)": (True, ("+ 1",)),
    "sum(distinct * 2)": (False, ("distinct * 2",)),
    "max(all || 'x')": (False, ("all || 'x'",)),
    "max(all::INT)": (False, ("all::INT",)),
    "max(distinct[0])": (False, ("distinct[0]",)),
    "bool_or(all IS NULL)": (False, ("all IS NULL",)),
    "bool_or(distinct AND v)": (False, ("distinct AND v",)),
    "max(DISTINCT is)": (True, ("is",)),
    "first(all IGNORE NULLS)": (False, ("all", "TRUE")),
    "first(ALL v IGNORE NULLS)": (False, ("v", "TRUE")),
    "count(DISTINCT *)": (True, ()),
    "count(*)": (False, ()),
}


@pytest.mark.parametrize("call", CALLS)
def test_quantifiers_and_columns(call: str) -> None:
    query = parse_statement(f"SELECT {call} AS x FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')").queries[0]
    assert [(found.distinct, found.arguments) for found in query.aggregates] == [CALLS[call]]


@pytest.mark.parametrize("words", ["WITHIN GROUP (ORDER BY x)", "IGNORE NULLS"])
def test_words_of_a_subquery_are_not_those_of_the_call_around_it(words: str) -> None:
    call = f"first(v) FILTER (WHERE v IN (SELECT first(x) {words} FROM u))"
    (found,) = parse_statement(f"SELECT {call} AS x FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')").queries[0].aggregates
    assert (found.order, found.ignores_nulls, found.sorting, found.sql) == (None, None, (), call)
