"""Keys whose names are also words of the grammar, or of a lambda's variables, are read only where columns are meant."""

from __future__ import annotations

import pytest

from winsql.syntax import parse_statement

WINDOWS = "FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)"


def head(items: str, keys: str) -> str:
    """The select list of a windowed query over its keys and aggregates."""
    text = f"SELECT {items} FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY {keys}"
    return parse_statement(text).query(0, {}).head


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ("max(ts) > DATE '2024-01-01'", "date"),
        ("max(ts) > TIMESTAMP '2024-01-01'", "timestamp"),
        ("count(*) = X'1F'", "x"),
        ("count(*) + INTERVAL 1 DAY", "interval"),
        ("extract(day FROM max(ts))", "day"),
        ("trim(leading FROM max(v))", "leading"),
        ("trim(BOTH 'x' FROM max(v))", "both"),
        ("rank() OVER (PARTITION BY 1 ORDER BY max(v))", "partition"),
        ("sum(max(v)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)", "rows"),
        ("sum(max(v)) OVER (ORDER BY 1 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)", "unbounded"),
        ("max(v) > 1 IS NOT UNKNOWN", "unknown"),
        ("CASE WHEN max(v) > 1 THEN 1 END", "`case`"),
        ("TRUE AND max(v) > 1", "`true`"),
        ("mask(max(v), upperChar => 'X')", "upperChar"),
        ("transform(array(max(v)), k -> k + 1)", "k"),
        ("transform(array(max(v)), (k) -> k + 1)", "k"),
        ("transform(array(max(v)), `k` -> `k` + 1)", "k"),
        ("aggregate(array(max(v)), 0, (k, n) -> k + n)", "k"),
    ],
)
def test_words_are_no_keys(item: str, key: str) -> None:
    assert "windowed__key" not in head(f"{item} AS a", key)


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ("(rows BETWEEN 1 AND 3)", "rows"),
        ("abs(rows - 1)", "rows"),
        ("trim(leading)", "leading"),
        ("trim(k FROM max(v))", "k"),
        ("substring(k FROM 2)", "k"),
        ("date > DATE '2024-01-01'", "date"),
        ("partition + 1", "partition"),
        ("unknown IS UNKNOWN", "unknown"),
        ("`true`", "`true`"),
        ("exists", "exists"),
        ("when = 1", "when"),
        ("then + 1", "then"),
        ("(else)", "else"),
        ("where IS NULL", "where"),
        ("CAST(exists AS INT) + 1", "exists"),
        ("NOT exists OR EXISTS (SELECT 1)", "exists"),
        ("CASE WHEN when THEN 1 ELSE 2 END", "when"),
        ("CASE then WHEN 1 THEN 2 END", "then"),
        ("1 + case", "case"),
        ("case BETWEEN 1 AND 2", "case"),
        ("(distinct IS DISTINCT FROM 1)", "distinct"),
        ("max(v) = distinct OR max(v) IS NOT DISTINCT FROM 1", "distinct"),
        ("1 + escape", "escape"),
        ("max(end) FILTER (WHERE end > 1) + end", "end"),
    ],
)
def test_columns_are_keys(item: str, key: str) -> None:
    assert head(f"{item} AS a", key).count("windowed__key_0") == 1


def test_a_key_is_read_beside_a_variable_of_its_name() -> None:
    text = head("transform(array('z'), k -> concat(k, t.k)) AS a", "k")
    assert text == "SELECT transform(array('z'), k -> concat(k, windowed__key_0)) AS a"


def test_an_expression_over_a_variable_is_no_key() -> None:
    text = head("transform(array(1), x -> k + x) AS a, k + x AS b", "k + x, k")
    assert text == "SELECT transform(array(1), x -> windowed__key_1 + x) AS a, windowed__key_0 AS b"


@pytest.mark.parametrize(("item", "other"), [("trim(x FROM k)", "x"), ("substring(x FROM 2)", "x"), ("x - 1", "x")])
def test_columns_before_from_are_columns(item: str, other: str) -> None:
    """They must be keys or aggregated, as any column."""
    with pytest.raises(Exception, match=f"{other} is neither a key nor inside an aggregate"):
        head(f"{item} AS a, count(*) AS n", "k")


@pytest.mark.parametrize(
    ("keys", "item", "expected"),
    [
        # names that are words of literals and calls
        ("date", "date > DATE'2024-05-01'", "{0} > DATE'2024-05-01'"),
        ("timestamp", "timestamp = timestamp '2024-05-01'", "{0} = timestamp '2024-05-01'"),
        ("date", "`date` || date", "{0} || {0}"),
        ("date", "CAST(date AS date)", "CAST({0} AS date)"),
        ("interval", "interval + INTERVAL 1 DAY", "{0} + INTERVAL 1 DAY"),
        ("interval", "interval + INTERVAL '1' DAY", "{0} + INTERVAL '1' DAY"),
        ("year, month", "extract(year FROM now()) - year + month", "extract(year FROM now()) - {0} + {1}"),
        ("both", "trim(both 'x' FROM both)", "trim(both 'x' FROM {0})"),
        ("leading, ok", "leading AND ok", "{0} AND {1}"),
        ("unknown", "unknown IS UNKNOWN OR unknown IS NOT UNKNOWN", "{0} IS UNKNOWN OR {0} IS NOT UNKNOWN"),
        ("rows", "max(rows + 1) OVER (ROWS 1 PRECEDING)", "max({0} + 1) OVER (ROWS 1 PRECEDING)"),
        ("current", "max(current) OVER (ROWS CURRENT ROW)", "max({0}) OVER (ROWS CURRENT ROW)"),
        ("rows, range", "rows + 1 + (range - 1)", "{0} + 1 + ({1} - 1)"),
        # keys that begin with a literal
        ("DATE '2024-05-01' - d", "DATE'2024-05-01' - d + 1", "{0} + 1"),
        ("INTERVAL 1 DAY * n", "INTERVAL 1 DAY * n", "{0}"),
        # names of arguments
        ("k", "f(k => k, j => k)", "f(k => {0}, j => {0})"),
        # variables of lambda functions
        ("k", "filter(a, k -> k > t.k)", "filter({a}, k -> k > {0})"),
        ("k", "filter(a, (k) -> k > 1 AND k < t.k)", "filter({a}, (k) -> k > 1 AND k < {0})"),
        ("upper(k)", "transform(a, k -> upper(k)) || upper(k)", "transform({a}, k -> upper(k)) || {0}"),
        ("1 + k", "transform(a, (x, k) -> x * (1 + k)) || (1 + k)", "transform({a}, (x, k) -> x * (1 + k)) || {0}"),
        ("1 + k", "transform(a, x -> x * (1 + k))", "transform({a}, x -> x * {0})"),
        # lists of one
        ("k, j", "k IN (j) OR k NOT IN (k)", "{0} IN ({1}) OR {0} NOT IN ({0})"),
        ("k, j", "k IN ((j)) AND (k) = 1", "{0} IN ({1}) AND {0} = 1"),
        # how closely operators bind
        ("k || j, x", "x LIKE k || j ESCAPE '/'", "{x} LIKE {0} ESCAPE '/'"),
        ("k::INT", "~k::INT + ~k", "~{0} + ~{k}"),
        ("~k", "~k::INT + ~k", "~{k}::INT + {0}"),
        (
            "k BETWEEN 1 AND j",
            "NOT k BETWEEN 1 AND j AND k BETWEEN 1 AND j + 1",
            "NOT {0} AND {k} BETWEEN 1 AND {j} + 1",
        ),
        ("CASE k WHEN 1 OR 2 THEN j END + 1", "NOT CASE k WHEN 1 OR 2 THEN j END + 1", "NOT {0}"),
        (
            "CASE k WHEN 1 THEN 2 END + CASE j WHEN 1 THEN 2 END",
            "9 - CASE k WHEN 1 THEN 2 END + CASE j WHEN 1 THEN 2 END",
            "9 - CASE {k} WHEN 1 THEN 2 END + CASE {j} WHEN 1 THEN 2 END",
        ),
        # what goes on behind a key
        ("k LIKE j", "k LIKE j ESCAPE '/'", "{k} LIKE {j} ESCAPE '/'"),
        # words between arguments
        ("x", "substring(k FROM x FOR j)", "substring({k} FROM {0} FOR {j})"),
        ("x", "trim(k FROM x) || trim(BOTH FROM k)", "trim({k} FROM {0}) || trim(BOTH FROM {k})"),
        ("x", "overlay(k PLACING x FROM j FOR j)", "overlay({k} PLACING {0} FROM {j} FOR {j})"),
    ],
)
def test_a_key_is_read_where_it_is_an_operand(keys: str, item: str, expected: str) -> None:
    (query,) = parse_statement(f"SELECT {item} AS x {WINDOWS} GROUP BY {keys}, a, k, j").queries
    columns = {key.sql: key.column for key in query.keys}
    assert query.head == f"SELECT {expected.format(*columns.values(), **columns)} AS x"


def test_columns_between_words_of_a_call_are_carried() -> None:
    item = "substring(v FROM x FOR hour(window_end))"
    (query,) = parse_statement(f"SELECT {item}, trim(v FROM y) AS z {WINDOWS}").queries
    assert [column.sql for column in query.payload] == ["v", "x", "trim(v FROM y)"]


def test_columns_that_are_named_as_words_before_operands_are_carried() -> None:
    item = "exists = (window_start < d), window_end > when AND NOT then, case * hour(window_end)"
    (query,) = parse_statement(f"SELECT {item} {WINDOWS}").queries
    assert [column.sql for column in query.payload] == ["exists", "d", "when", "then", "case"]


@pytest.mark.parametrize("word", ["exists", "when", "then", "else", "case"])
def test_clauses_begin_after_columns_that_are_named_as_words_before_operands(word: str) -> None:
    text = f"SELECT {word}, 1 + {word} AS x FROM t WHERE v > {word} WINDOW ASSIGN COUNT(3) "
    (query,) = parse_statement(f"{text} GROUP BY {word} HAVING count(*) > 1 ORDER BY {word} DESC LIMIT 3").queries
    assert query.where == f"v > {word}"
    assert query.head == f"SELECT windowed__key_0 AS `{word}`, 1 + windowed__key_0 AS x"
    assert query.tail == f"WHERE windowed__aggregate_0 > 1 ORDER BY {word} DESC LIMIT 3"


def test_columns_that_are_named_as_frames_are_carried() -> None:
    (query,) = parse_statement(f"SELECT rows + 1, hour(window_end) + range - 1 {WINDOWS}").queries
    assert [column.sql for column in query.payload] == ["rows + 1", "range"]


@pytest.mark.parametrize(
    ("item", "keys", "expected"),
    [
        ("k::interval day to second", "k::interval, k", "windowed__key_1::interval day to second"),
        ("k::timestamp without time zone", "k::timestamp, k", "windowed__key_1::timestamp without time zone"),
        ("k::interval day + 1", "k::interval day", "windowed__key_0 + 1"),
        ("k:a.b", "k:a, k", "windowed__key_1:a.b"),
        ("k:a[0]", "k:a, k", "windowed__key_1:a[0]"),
        ("k:a::array<int>[0]", "k:a::array<int>", "windowed__key_0[0]"),
        ("k IN (b)", "k, b", "windowed__key_0 IN (windowed__key_1)"),
        ("k NOT IN ((b))", "k, b", "windowed__key_0 NOT IN (windowed__key_1)"),
        ("k IN (a, b)", "(a, b), k, a, b", "windowed__key_1 IN (windowed__key_2, windowed__key_3)"),
        ("k IN ((a, b))", "(a, b), k", "windowed__key_1 IN (windowed__key_0)"),
        ("1 IS DISTINCT FROM a OR b", "a, b, a OR b", "1 IS DISTINCT FROM windowed__key_0 OR windowed__key_1"),
        ("k || DATE '2024-01-01'", "k || date, k", "windowed__key_1 || DATE '2024-01-01'"),
        ("trim(leading -k FROM b)", "k, b, leading", "trim(leading -windowed__key_0 FROM windowed__key_1)"),
    ],
)
def test_a_key_ends_where_it_does_in_spark(item: str, keys: str, expected: str) -> None:
    assert head(f"{item} AS a", keys) == f"SELECT {expected} AS a"


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ("IDENTIFIER('k')", "k"),
        ("identifier /* one */ ('`K`')", "t.k"),
        ("IDENTIFIER('t.k')", "k"),
        ("IDENTIFIER('s.t.`a b`')", "t.`A B`"),
        ("IDENTIFIER(:name)", "IDENTIFIER(:name)"),
        ("IDENTIFIER('k')", "IDENTIFIER('k')"),
    ],
)
def test_a_key_may_be_named_by_identifier(item: str, key: str) -> None:
    assert head(f"upper({item}) AS u", key) == "SELECT upper(windowed__key_0) AS u"


@pytest.mark.parametrize(
    "item", ["IDENTIFIER('k')(1)", "IDENTIFIER('a.k')", "IDENTIFIER('k' || 'k')", "IDENTIFIER('')"]
)
def test_other_identifiers_are_no_keys(item: str) -> None:
    assert "windowed__key_0" not in head(f"upper({item}) AS u", "t.k")
