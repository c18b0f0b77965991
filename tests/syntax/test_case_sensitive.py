"""Words of the grammar are one name with quotes and without, also where the session tells names of other case apart."""

from __future__ import annotations

import pytest
from on_streams import on_streams

from winsql.errors import WinsqlError
from winsql.model.query import Form
from winsql.model.settings import ParserSettings
from winsql.syntax import parse_statement


@pytest.mark.parametrize("is_case_sensitive", [False, True])
@pytest.mark.parametrize("item", ["day", "`day`", "q.day", "q.`day`"])
@pytest.mark.parametrize("key", ["day", "`day`", "q.day", "q.`day`"])
def test_a_quoted_key_is_the_same_column(key: str, item: str, is_case_sensitive: bool) -> None:
    text = f"SELECT {item} AS d, count(*) AS n FROM t AS q GROUP BY {key} WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    settings = ParserSettings(case_sensitive=is_case_sensitive)
    query = parse_statement(text, settings=lambda: settings).query(0, {})
    assert "windowed__key_0 AS d" in query.head


@pytest.mark.parametrize("items", ["`end`, `END`", "q.end, q.END", "q.`end`, q.`END`"])
@pytest.mark.parametrize("keys", ["`END`, `end`", "q.END, q.end", "`END`, q.end"])
def test_words_of_the_grammar_in_another_case_are_other_columns(keys: str, items: str) -> None:
    text = f"SELECT {items}, count(*) AS n FROM t AS q GROUP BY {keys} WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    query = parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True)).query(0, {})
    assert query.head.index("windowed__key_1") < query.head.index("windowed__key_0")


@pytest.mark.parametrize("item", ["CASE WHEN k IS NULL THEN (v) END + 1", "extract(DAY FROM d)", "-v + INTERVAL 1 DAY"])
def test_grammar_is_the_same_in_any_case(item: str) -> None:
    key = item.replace("CASE", "case").replace("END", "end").replace("DAY", "day").replace("IS NULL", "is null")
    text = f"SELECT {item} AS x, count(*) AS n FROM t GROUP BY {key} WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    query = parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True)).query(0, {})
    assert "windowed__key_0 AS x" in query.head


@pytest.mark.parametrize("is_case_sensitive", [False, True])
@pytest.mark.parametrize("name", ["time", "date", "timestamp", "binary", "x"])
def test_words_of_literals_are_names_where_no_string_follows(name: str, is_case_sensitive: bool) -> None:
    settings = ParserSettings(case_sensitive=is_case_sensitive)
    for item, having in ((f"{name} k1", ""), (f"{name} AS k1", f"HAVING {name} = 1"), (name, f"HAVING NOT {name} > 1")):
        text = f"SELECT {item}, count(*) FROM t GROUP BY {name} {having} WINDOW ASSIGN TUMBLING(ts, '1 hour')"
        assert "windowed__key_0 AS" in parse_statement(text, settings=lambda: settings).query(0, {}).head


@pytest.mark.parametrize("item", ["CAST(x AS DATE)", "x::DATE", "TIMESTAMP'2024-01-01'", "X'1F'"])
def test_types_and_literals_are_the_same_in_any_case(item: str) -> None:
    key = item.replace("DATE", "date").replace("TIMESTAMP", "timestamp").replace("X'", "x'")
    text = f"SELECT {item} AS d, count(*) AS n FROM t GROUP BY {key} WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    query = parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True)).query(0, {})
    assert "windowed__key_0 AS d" in query.head


@pytest.mark.parametrize("name", ["w", "W"])
def test_an_item_reads_the_name_of_one_before(name: str) -> None:
    text = f"SELECT v + 1 AS {name}, {name} * 2 AS z FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    settings = ParserSettings(case_sensitive=True)
    statement = parse_statement(text, settings=lambda: settings).with_source_columns(0, frozenset())
    assert statement.query(0, {}).head == f"SELECT windowed__column_0 AS {name}, {name} * 2 AS z"


def test_an_item_with_the_name_of_its_column_in_another_case() -> None:
    text = "SELECT v AS V, V * 2 AS z FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    statement = parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True))
    assert statement.query(0, {}).contested == ("V",)
    assert parse_statement(text).query(0, {}).contested == ()


@pytest.mark.parametrize("relation", ["q", "Q"])
def test_a_relation_before_a_column(relation: str) -> None:
    text = (
        f"SELECT sum({relation}.v), {relation}.k FROM t AS {relation} GROUP BY k WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    )
    settings = ParserSettings(case_sensitive=True)
    head = parse_statement(text, settings=lambda: settings).query(0, {}).head
    assert head == "SELECT windowed__aggregate_0 AS `sum(v)`, windowed__key_0 AS `k`"


TUMBLED = "TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '30' SECONDS))"


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT a.k, A.n FROM {TUMBLED} a JOIN {TUMBLED} A ON a.k = A.k AND a.window_end = A.window_end",
        f"SELECT e, E, count(*) AS c FROM (SELECT window_end AS e, k AS E FROM {TUMBLED}) GROUP BY e, E",
        f"SELECT E, e, count(*) AS c FROM (SELECT k AS E, window_end AS e FROM {TUMBLED}) GROUP BY e, E",
        f"SELECT E, count(*) AS c FROM (SELECT v AS e, window_end AS E FROM {TUMBLED}) GROUP BY E",
        f"SELECT E, count(*) AS c FROM (SELECT *, window_end AS e FROM {TUMBLED}) GROUP BY E",
        f"SELECT * FROM (SELECT k, window_end FROM {TUMBLED}) NATURAL JOIN (SELECT k AS K, window_end FROM {TUMBLED})",
    ],
)
def test_streams_do_not_mistake_a_name_for_another(text: str) -> None:
    statement = parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True))
    assert statement.differs_on_stream(0)
    with pytest.raises(WinsqlError, match="only by case"):
        statement.on_stream(0)
    assert statement.on_table(0).queries


RANKED = f"SELECT n, row_number() OVER (PARTITION BY window_end ORDER BY n) AS rn FROM {TUMBLED}"


@pytest.mark.parametrize("name", ["rn", "RN"])
@pytest.mark.parametrize("text", [f"{RANKED} QUALIFY {{}} <= 20", f"SELECT n FROM ({RANKED}) JOIN t WHERE {{}} <= 20"])
def test_a_filter_by_a_column_in_another_case_is_none_by_the_number_of_a_row(text: str, name: str) -> None:
    statement = parse_statement(text.format(name), settings=lambda: ParserSettings(case_sensitive=True))
    (ranking,) = (query.over for query in on_streams(statement).queries if query.over is not None)
    assert ranking.most == (20 if name == "rn" else None)


def test_a_cte_of_another_case_hides_none() -> None:
    others = f"(WITH W AS (SELECT window_end AS e FROM {TUMBLED}) SELECT * FROM w)"
    text = f"WITH w AS (SELECT ts AS e FROM {TUMBLED}) SELECT e, count(*) AS c FROM {others} GROUP BY e"
    statement = parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True))
    assert [query.form for query in on_streams(statement).queries] == [Form.WINDOWED] * 2
    assert on_streams(parse_statement(text)).queries[-1].ends


def test_window_columns_have_names_in_lower_case() -> None:
    text = "SELECT WINDOW_START, window_start, 1 FROM t GROUP BY WINDOW_START WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    head = parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True)).query(0, {}).head
    assert head.startswith("SELECT windowed__key_0 AS `WINDOW_START`, windowed__window_start AS")
    assert "windowed__key_0" not in parse_statement(text).query(0, {}).head


NESTED = (
    "WITH ev AS (SELECT ts, n FROM a), u AS (WITH {} AS (SELECT ts, n FROM b) "
    "SELECT window_start, count(*) FROM ev WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) EVICT COUNT(1000)) "
    "SELECT * FROM u"
)


def test_ctes_of_another_case() -> None:
    def prefix(name: str, **settings: bool) -> str:
        text = NESTED.format(name)
        return parse_statement(text, settings=lambda: ParserSettings(**settings)).context(0, {})

    assert "FROM a" in prefix("EV", case_sensitive=True)
    assert prefix("EV").startswith("WITH EV AS ((WITH ev")
    with pytest.raises(WinsqlError, match="called ev too"):
        prefix("ev", outer_ctes_win=True)
    assert "FROM a" in prefix("EV", case_sensitive=True, outer_ctes_win=True)


def test_ctes_that_differ_by_case_are_one_to_the_parser_of_spark() -> None:
    text = (
        "WITH a AS (SELECT 1 AS x), A AS (SELECT * FROM t) SELECT count(*) FROM A WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    )
    with pytest.raises(WinsqlError, match="A is defined twice"):
        parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True)).check()


def test_a_window_column_in_another_case_is_told() -> None:
    text = "SELECT WINDOW_END, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"
    with pytest.raises(WinsqlError, match="did you mean window_end"):
        parse_statement(text, settings=lambda: ParserSettings(case_sensitive=True)).check()
    parse_statement(text).check()
