"""Session variables where there is no session: those that a script declares, and those that say so themselves."""

from __future__ import annotations

import pytest

from winsql.shell.check import check_script
from winsql.syntax import parse_statement
from winsql.syntax.declared_variables import declared_variables

SELECT = "SELECT k, {}, count(*) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k HAVING count(*) > {};"

DECLARED = {
    "DECLARE x INT": ["X"],
    "DECLARE OR REPLACE VARIABLE x = 5": ["X"],
    "declare variable if_any, `Other one`, session.z INT DEFAULT 1": ["IF_ANY", "OTHER ONE", "Z"],
    "DECLARE VAR y": ["Y"],
    "SELECT declare FROM x": [],
}


@pytest.mark.parametrize(("text", "names"), DECLARED.items())
def test_declarations(text: str, names: list[str]) -> None:
    assert list(declared_variables(text)) == names


@pytest.mark.parametrize("name", ["x", "X", "`x`", "x.field", "session.y", "system.session.y"])
def test_a_script_that_declares_its_variables_has_no_mistake(name: str) -> None:
    assert check_script(f"DECLARE OR REPLACE VARIABLE x INT = 5; {SELECT.format(name, name)}", {}) == []


def test_others_are_mistakes() -> None:
    errors = check_script(f"{SELECT.format('x', 1)} DECLARE x INT; {SELECT.format('y', 'x')}", {})
    assert [error.problem for error in errors] == [
        "x is neither a key nor inside an aggregate",
        "y is neither a key nor inside an aggregate",
    ]


@pytest.mark.parametrize(
    "before",
    [
        "CREATE TABLE default.x AS ({})",
        "CREATE VIEW spark_catalog.default.x AS (({}))",
        "CREATE TABLE x DEFAULT COLLATION UTF8_BINARY AS ({})",
        "CREATE OR REPLACE TABLE x (a INT DEFAULT 5) AS ({})",
        "CREATE TEMPORARY VIEW x AS TABLE default.y UNION ({})",
        "CREATE STREAMING TABLE default.x AS ({})",
        "CREATE VIEW v AS SELECT * FROM default.y JOIN ({}) AS q ON q.k = default",
        "ALTER VIEW default.v AS ({})",
    ],
)
def test_what_is_called_default_is_no_default_of_a_column(before: str) -> None:
    query = "SELECT k, count(*) AS c FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"
    assert len(parse_statement(before.format(query)).queries) == 1
