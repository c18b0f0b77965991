"""Words of the grammar are one name with quotes and without, also where the session tells names of other case apart."""

from __future__ import annotations

import pytest

from winsql.model.settings import ParserSettings
from winsql.syntax import parse_statement


@pytest.mark.parametrize("is_case_sensitive", [False, True])
@pytest.mark.parametrize("item", ["day", "`day`", "q.day", "q.`day`"])
@pytest.mark.parametrize("key", ["day", "`day`", "q.day", "q.`day`"])
def test_a_quoted_key_is_the_same_column(key: str, item: str, is_case_sensitive: bool) -> None:
    text = f"SELECT {item} AS d, count(*) AS n FROM t AS q GROUP BY {key} WINDOW ASSIGN TUMBLING(ts, '1 hour')"
    settings = ParserSettings(case_sensitive=is_case_sensitive)
    query = parse_statement(text, settings=lambda: settings).query(0, {})
    assert "__winsql_key_0 AS d" in query.head
