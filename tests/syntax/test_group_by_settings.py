"""Numbers and aliases in GROUP BY, in sessions that take them for what they are."""

from __future__ import annotations

import pytest
from on_streams import on_streams

from winsql.errors import WinsqlError
from winsql.model.settings import ParserSettings
from winsql.syntax import parse_statement

WINDOW = "WINDOW ASSIGN TUMBLING(ts, '1 hour')"


def keys(text: str, **settings: bool) -> list[str]:
    query = parse_statement(f"{text} {WINDOW}", settings=lambda: ParserSettings(**settings)).query(0, {})
    return [key.sql for key in query.keys]


def test_a_number() -> None:
    text = "SELECT k, count(*) AS c FROM t GROUP BY 1"
    assert keys(text) == ["k"]
    with pytest.raises(WinsqlError, match="k is neither a key"):
        keys(text, group_by_ordinal=False)
    assert keys("SELECT count(*) AS c FROM t GROUP BY 1", group_by_ordinal=False) == ["1"]
    with pytest.raises(WinsqlError, match="GROUP BY 1 is an aggregate"):
        keys("SELECT count(*) AS c FROM t GROUP BY 1")


def test_an_alias() -> None:
    text = "SELECT upper(k) AS kk, count(*) FROM t GROUP BY kk"
    assert keys(text) == ["upper(k)"]
    with pytest.raises(WinsqlError, match="k is neither a key"):
        keys(text, group_by_aliases=False)
    assert keys("SELECT k AS kk, count(*) FROM t GROUP BY k", group_by_aliases=False) == ["k"]


@pytest.mark.parametrize(
    ("key", "setting"),
    [("(1)", "Ordinal"), ("v, 1", "Ordinal"), ("kk", "Aliases"), ("(`KK`)", "Aliases"), ("v", None), ("4", None)],
)
def test_the_hint_names_the_setting(key: str, setting: str | None) -> None:
    text = f"SELECT upper(k) AS kk, v, count(*) FROM t GROUP BY {key}"
    with pytest.raises(WinsqlError, match="k is neither a key") as caught:
        keys(text, group_by_ordinal=False, group_by_aliases=False)
    hint = str(caught.value.hint)
    assert hint.startswith("add k to GROUP BY") if setting is None else f"SET spark.sql.groupBy{setting} = true" in hint


@pytest.mark.parametrize("call", ["GROUPING_ID(b, a)", "GROUPING_ID()", "GROUPING__ID"])
@pytest.mark.parametrize("is_integer", [False, True])
def test_the_number_of_a_set(call: str, is_integer: bool) -> None:
    """GROUPING_ID has the type of the session's own, on streams too."""
    table = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR))"
    text = f"SELECT {call} AS g FROM {table} GROUP BY window_start, window_end, ROLLUP (a, b)"
    statement = on_streams(parse_statement(text, settings=lambda: ParserSettings(integer_grouping_id=is_integer)))
    head = statement.queries[-1].head
    assert ("AS INT)" in head, "AS BIGINT)" in head) == (is_integer, not is_integer)
