"""Window columns after joins on streams, of USING, NATURAL and `coalesce`; comparisons with aggregates of windows."""

from __future__ import annotations

import pytest
from on_streams import last_on_streams, on_streams

from winsql.errors import WindowSpecError, WinsqlError
from winsql.model.joins import JoinType
from winsql.model.query import Form
from winsql.syntax import parse_statement

CALL = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), '1 hour'))"
SIDES = ", ".join(f"{n} AS (SELECT k, sum(v) AS {n}, window_end FROM {CALL} GROUP BY k, window_end)" for n in "ab")
COALESCED = "SELECT coalesce(a.window_end, b.window_end) AS window_end FROM a {} b ON a.window_end = b.window_end"


@pytest.mark.parametrize("how", ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"])
@pytest.mark.parametrize(
    "joined",
    [
        "SELECT * FROM a {} b USING (window_end, k)",
        "SELECT * EXCEPT (k) FROM a {} b USING (k, window_end)",
        "SELECT window_end FROM a {} b USING (window_end)",
        "SELECT Window_End AS window_end FROM a {} b USING (`WINDOW_END`)",
    ],
)
def test_shared_columns_are_those_of_the_windows(how: str, joined: str) -> None:
    query = last_on_streams(f"WITH {SIDES} SELECT window_end, count(*) FROM ({joined.format(how)}) GROUP BY window_end")
    assert (query.form, [end.sql for end in query.ends]) == (Form.AGGREGATE, ["window_end"])


@pytest.mark.parametrize("how", ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "FULL OUTER JOIN"])
@pytest.mark.parametrize(
    ("items", "rest", "form"),
    [
        ("window_end, count(*), sum(a), max(b)", "GROUP BY window_end", Form.AGGREGATE),
        ("DISTINCT `Window_End`, k", "", Form.AGGREGATE),
        ("*, rank() OVER (PARTITION BY window_end ORDER BY k) AS r", "", Form.ROWS),
        ("k, a.a, B.b", "QUALIFY row_number() OVER (PARTITION BY WINDOW_END ORDER BY a.a) = 1", Form.ROWS),
    ],
)
def test_pairs_are_grouped_and_ranked_by_a_shared_end(how: str, items: str, rest: str, form: Form) -> None:
    query = last_on_streams(f"WITH {SIDES} SELECT {items} FROM a {how} b USING (window_end, k) {rest}")
    ends = {
        "RIGHT JOIN": "b.window_end",
        "FULL JOIN": "windowed__window_end",
        "FULL OUTER JOIN": "windowed__window_end",
    }
    assert (query.form, [end.sql for end in query.ends]) == (form, [ends.get(how, "a.window_end")])


@pytest.mark.parametrize(
    "joined",
    [
        "SELECT * FROM a NATURAL {}JOIN b",
        COALESCED.format("{}JOIN"),
        COALESCED.format("{}JOIN").replace("coalesce", "Nvl").replace("a.window_end,", "((a.WINDOW_END)),"),
        COALESCED.format("{}JOIN").replace(
            "coalesce(a.window_end, b.window_end)", "ifnull(b.window_end, a.window_end)"
        ),
    ],
)
@pytest.mark.parametrize("how", ["", "LEFT ", "RIGHT ", "FULL "])
def test_the_first_end_that_is_there_is_the_end(joined: str, how: str) -> None:
    query = last_on_streams(f"WITH {SIDES} SELECT window_end, count(*) FROM ({joined.format(how)}) GROUP BY window_end")
    assert [end.sql for end in query.ends] == ["window_end"]


@pytest.mark.parametrize(
    "joined",
    [
        "SELECT a.window_end FROM a FULL JOIN b USING (window_end)",
        "SELECT b.window_end FROM a LEFT JOIN b USING (window_end)",
        "SELECT coalesce(b.window_end) AS window_end FROM a LEFT JOIN b USING (window_end)",
        "SELECT coalesce(a.window_end, now()) AS window_end FROM a JOIN b USING (window_end)",
        "SELECT coalesce(a.window_end, x.window_end, b.window_end) AS window_end FROM a JOIN b USING (window_end), x",
    ],
)
def test_other_columns_may_be_something_else(joined: str) -> None:
    text = f"WITH {SIDES} SELECT window_end, count(*) FROM ({joined}) GROUP BY window_end"
    with pytest.raises(WinsqlError, match=r"in groups that never end|further relations"):
        last_on_streams(text)


def test_columns_keep_their_order_after_using() -> None:
    text = f"WITH {SIDES} SELECT e, max(x) FROM (SELECT * FROM a JOIN b USING ({{}})) AS j({{}}) GROUP BY e"
    assert last_on_streams(text.format("window_end, k", "e, n, x, y")).form is Form.AGGREGATE
    assert last_on_streams(text.format("k, window_end", "n, e, x, y")).form is Form.AGGREGATE
    with pytest.raises(WinsqlError, match="in groups that never end"):
        last_on_streams(text.format("k, window_end", "e, n, x, y"))
    natural = text.replace("JOIN b USING ({})", "NATURAL JOIN b")
    assert last_on_streams(natural.format("n, e, x, y")).form is Form.AGGREGATE
    with pytest.raises(WinsqlError, match="in groups that never end"):
        last_on_streams(natural.format("e, n, x, y"))


@pytest.mark.parametrize(
    ("compared", "condition"),
    [
        ("l.a = (SELECT max(r.a) FROM a r WHERE r.window_end = l.window_end)", "(l.a = {s}.{c}0)"),
        (
            "(SELECT 2 * avg(a) - 1 FROM a r WHERE l.window_end = r.window_end AND r.a > 1) / 3 <= l.a + 1",
            "({s}.{c}0 / 3 <= l.a + 1)",
        ),
        ("a <> ((SELECT MIN(`a`) FROM a AS R WHERE R.window_end = L.window_end))", "(l.a <> ({s}.{c}0))"),
    ],
)
def test_a_comparison_with_an_aggregate_is_a_semi_join(compared: str, condition: str) -> None:
    query = last_on_streams(f"WITH {SIDES} SELECT k, a FROM a l WHERE k > 0 AND {compared}")
    assert query.join is not None
    assert (query.join.how, query.tail) == (JoinType.SEMI, "WHERE k > 0 AND TRUE")
    names = {"s": "windowed__side_1", "c": "windowed__column_"}
    first, _, rest = query.join.condition.partition(" AND ")
    assert first.lower() == f"(l.window_end) = {names['s']}.{names['c']}1"
    assert rest == condition.format(**names)


@pytest.mark.parametrize(
    ("select", "form"),
    [
        ("SELECT k, a FROM a l WHERE {}", Form.JOIN),
        ("SELECT * FROM a l WHERE {}", Form.JOIN),
        ("FROM a l SELECT l.* WHERE {}", Form.JOIN),
        ("SELECT l.window_end, count(*) FROM a l WHERE {} GROUP BY l.window_end", Form.AGGREGATE),
        ("SELECT k, rank() OVER (PARTITION BY window_end ORDER BY k) AS r FROM a l WHERE {}", Form.ROWS),
    ],
)
def test_two_predicates_ask_one_after_the_other(select: str, form: Form) -> None:
    asked = "SELECT {} FROM {} r WHERE r.window_end = l.window_end AND r.k = l.k"
    parts = f"k > 0 AND NOT EXISTS ({asked.format('1', 'b')}) AND a < ({asked.format('max(a)', 'a')}) AND a > 1"
    queries = on_streams(parse_statement(f"WITH {SIDES} {select.format(parts)}")).queries
    joins = [query.join for query in queries if query.join is not None]
    assert [join.how for join in joins] == [JoinType.ANTI, JoinType.SEMI]
    assert queries[-1].form is form


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT id FROM names x WHERE x.id = (SELECT max(k) FROM {CALL} y WHERE y.k = x.id)",
        f"SELECT k FROM {CALL} x WHERE v > (SELECT max(v) FROM names y WHERE y.k = x.k)",
    ],
)
def test_comparisons_beside_tables_are_sparks(text: str) -> None:
    assert last_on_streams(text).form is Form.WINDOWED


MAX = "(SELECT max(a) FROM a r WHERE r.window_end = l.window_end)"


@pytest.mark.parametrize(
    ("compared", "problem"),
    [
        ("l.a > (SELECT max(a) + k FROM a r WHERE r.window_end = l.window_end)", "this subquery over windows"),
        ("l.a > (SELECT coalesce(max(a), 0) FROM a r WHERE r.window_end = l.window_end)", "this subquery over windows"),
        ("l.a > ALL (SELECT max(a) FROM a r WHERE r.window_end = l.window_end)", "this subquery over windows"),
        (" OR ".join(f"l.a = {MAX}" for _ in range(5)), "a fifth subquery over windows"),
        ("l.a > 1 OR l.a = (SELECT max(a) FROM a r WHERE r.k = l.k)", "this aggregate of windows cannot run"),
        ("l.a > (SELECT max(a) FROM a r WHERE r.k = l.k)", "this comparison"),
        (" AND ".join(f"l.a >= {MAX}" for _ in range(5)), "a fifth subquery over windows"),
        ("l.a > (SELECT max(a) FROM a r)", "this comparison"),
        ("l.a > (SELECT max(a) FROM a r WHERE r.window_end = l.window_end AND r.k < l.k)", "this comparison"),
        ("l.a > (SELECT max(a) FROM a l WHERE window_end = l.window_end)", "of the same name"),
    ],
)
def test_what_is_no_such_comparison(compared: str, problem: str) -> None:
    with pytest.raises(WindowSpecError, match=problem) as caught:
        last_on_streams(f"WITH {SIDES} SELECT k, a FROM a l WHERE {compared}")
    assert caught.value.hint is not None


@pytest.mark.parametrize(
    ("compared", "count"),
    [
        ("l.a > (SELECT count(*) FROM a r WHERE r.window_end = l.window_end)", 1),
        (f"l.a > coalesce({MAX}, 0)", 1),
        (f"l.a <=> {MAX}", 1),
        (f"l.a NOT BETWEEN 1 AND {MAX}", 1),
        (f"NOT (l.a > 1 OR l.a = {MAX})", 1),
        (f"l.a BETWEEN {MAX} AND {MAX}", 2),
        (f"{MAX} > {MAX.replace('max', 'min')}", 2),
        (f"l.a > 1 OR l.a = {MAX}", 1),
    ],
)
def test_what_other_conditions_read_is_looked_up(compared: str, count: int) -> None:
    query = last_on_streams(f"WITH {SIDES} SELECT k, a FROM a l WHERE {compared}")
    assert query.join is not None
    assert query.join.how is JoinType.LEFT
    assert ("windowed__value_0" in query.tail) == (count > 1)


EXISTS = "EXISTS (SELECT 1 FROM b r WHERE r.window_end = l.window_end AND r.k = l.k)"


@pytest.mark.parametrize(
    ("text", "types"),
    [
        (f"SELECT k, {MAX} AS m, {MAX.replace('max', 'min')} AS n FROM a l", ["LEFT", "LEFT"]),
        (f"SELECT *, {MAX} - {MAX.replace('max', 'min')} AS n, NOT {EXISTS} AS no FROM a l", ["LEFT"] * 3),
        (f"SELECT k, CASE WHEN (({EXISTS})) THEN 'yes' END AS x FROM a l WHERE a > {MAX}", ["SEMI", "LEFT"]),
        (f"SELECT k FROM a l WHERE {EXISTS} IS NOT DISTINCT FROM (a > 2)", ["LEFT"]),
        (f"SELECT k FROM a l WHERE if(k = 1, {EXISTS}, NOT {EXISTS})", ["LEFT", "LEFT"]),
        (
            f"SELECT k FROM a l WHERE {EXISTS} AND NOT {EXISTS} AND a >= {MAX} AND k IN (SELECT k FROM b r "
            "WHERE r.window_end = l.window_end)",
            ["SEMI", "ANTI", "SEMI", "SEMI"],
        ),
    ],
)
def test_up_to_four_subqueries_are_asked_in_turn(text: str, types: list[str]) -> None:
    queries = on_streams(parse_statement(f"WITH {SIDES} {text}")).queries
    assert [query.join.how.name for query in queries if query.join is not None] == types


def test_many_subqueries_over_windows_are_not_tried_in_all_combinations() -> None:
    windowed = "SELECT k, window_end, count(*) AS a FROM {} WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"
    asked = [
        f"l.a = (SELECT max(a) FROM ({windowed.format(f't{n}')}) r WHERE r.window_end = l.window_end)"
        for n in range(24)
    ]
    text = f"SELECT k, a FROM ({windowed.format('t')}) l WHERE {' OR '.join(asked)}"
    tables = on_streams(parse_statement(text), [f"t{n}" for n in range(1, 24)])
    assert [query.join.how for query in tables.queries if query.join is not None] == [JoinType.LEFT]
    with pytest.raises(WindowSpecError, match="a fifth subquery over windows"):
        on_streams(parse_statement(text))


@pytest.mark.parametrize(
    "compared", ["NOT (l.a <= {})", "NOT l.a <= {}", "l.a BETWEEN 1 AND {}", "{} BETWEEN 1 AND l.a"]
)
def test_other_comparisons_that_are_never_true_of_null(compared: str) -> None:
    join = last_on_streams(f"WITH {SIDES} SELECT k FROM a l WHERE {compared.format(MAX)}").join
    assert join is not None
    assert join.how is JoinType.SEMI
    assert join.condition is not None
    assert compared.format("windowed__side_1.windowed__column_0") in join.condition


def test_session_variables_belong_to_no_side() -> None:
    call = "TUMBLE(TABLE {}, DESCRIPTOR(ts), '1 hour')"
    left, right = call.format("t") + " a", call.format("u") + " b"
    on = "a.window_end = b.window_end AND a.k + session.shift = b.k"
    joined = last_on_streams(f"SELECT a.v FROM {left} JOIN {right} ON {on} AND b.v < System.Session.most").join
    assert joined is not None
    assert joined.keys[1] == ("a.k + session.shift", "b.k")
    assert joined.condition.endswith("(b.v < System.Session.most)")
    quoted = last_on_streams(f"SELECT a.v FROM {left} JOIN {right} ON {on} AND b.v < `session` . most").join
    assert quoted is not None
    assert quoted.condition.endswith("(b.v < `session` . most)")
    with pytest.raises(WindowSpecError, match=r"`session\.most` does not say"):
        last_on_streams(f"SELECT a.v FROM {left} JOIN {right} ON {on} AND b.v < `session.most`")
    asked = f"SELECT 1 FROM {right} WHERE b.window_end = a.window_end AND v < session.most"
    semi = last_on_streams(f"SELECT k FROM {left} WHERE EXISTS ({asked})").join
    assert semi is not None
    assert semi.condition == "b.window_end = a.window_end AND (b.v < session.most)"


def test_what_a_subquery_that_is_more_than_an_aggregate_can_be() -> None:
    groups = f"(SELECT k, window_end, count(*) AS c FROM {CALL} GROUP BY k, window_end)"
    asked = f"SELECT count(*) + 1 FROM {groups} y WHERE y.window_end = x.window_end"
    with pytest.raises(WindowSpecError, match="this subquery over windows") as caught:
        on_streams(parse_statement(f"SELECT k, ({asked}) AS n FROM {groups} x"))
    assert str(caught.value.hint).startswith("let it give one aggregate, and write")
