"""Models of dbt in `winsql check` and `winsql fmt`, which nobody renders. No Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from winsql.shell.cli import main
from winsql.shell.fmt import format_script


def run(argv: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(argv)
    return (code, *capsys.readouterr())


HOUR = "WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)"
PLACEHOLDERS = {
    "SELECT k FROM t {% if x %}TRIGGER COUNT(2) {% endif %}" + HOUR + " GROUP BY k": (
        "SELECT k FROM t {% if x %}TRIGGER COUNT(2) {% endif %}" + HOUR + "\nGROUP BY k"
    ),
    "SELECT k FROM t WINDOW TRIGGER COUNT(2) " + HOUR + " ${rest}": (
        "SELECT k FROM t\nTRIGGER COUNT(2)\n" + HOUR + " ${rest}"
    ),
    "SELECT k FROM t WINDOW TRIGGER COUNT(2) " + HOUR + " {{ rest() }}": (
        "SELECT k FROM t\nTRIGGER COUNT(2)\n" + HOUR + " {{ rest() }}"
    ),
    "SELECT k FROM t window trigger count( {{ n }}) window assign tumbling(ts,interval {{ size }} hour) GROUP BY k": (
        "SELECT k FROM t\nWINDOW ASSIGN TUMBLING(ts, INTERVAL {{ size }} HOUR)\nTRIGGER COUNT({{ n }})\nGROUP BY k"
    ),
    "SELECT k FROM t trigger any({{ kind }}( 2 ), count(${n})) window assign {{ how }}(ts)": (
        "SELECT k FROM t\nTRIGGER ANY({{ kind }}( 2 ), COUNT(${n}))\nwindow assign {{ how }}(ts)"
    ),
    "{# don't #} SELECT k FROM t " + HOUR + " GROUP BY k": "{# don't #} SELECT k FROM t\n" + HOUR + "\nGROUP BY k",
    "SELECT k FROM t {% if x %}\nwindow assign count(3)\n{% else %}\nwindow assign count(4)\n{% endif %}": (
        "SELECT k FROM t {% if x %}\nWINDOW ASSIGN COUNT(3)\n{% else %}\nwindow assign count(4)\n{% endif %}"
    ),
    "SELECT k FROM t window assign count(3) GROUP BY {{ keys(\n  1) }}; SELECT 'it''s'": (
        "SELECT k FROM t\nWINDOW ASSIGN COUNT(3)\nGROUP BY {{ keys(\n  1) }}; SELECT 'it''s'"
    ),
    "SELECT k FROM t {% if x %}" + HOUR + "{% endif %}{% if not x %}" + HOUR + "{% endif %}": None,
}


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_placeholders_stay_where_they_are(text: str) -> None:
    expected = PLACEHOLDERS[text] or text
    assert format_script(text) == expected
    assert format_script(expected) == expected


QUERY = f"SELECT k, count(*) FROM t {HOUR}"
UNKNOWN = [
    "SELECT k, {% for c in cols %} sum({{ c }}) as a {% if not loop.last %},{% endif %} {% endfor %} FROM t "
    + HOUR
    + " GROUP BY k",
    "{% for t in ts %}" + QUERY + " GROUP BY k {% if not loop.last %} UNION ALL {% endif %} {% endfor %}",
    QUERY + " GROUP BY {{ keys }}",
    QUERY + " GROUP BY k {{ order_by }}",
    "SELECT k, v FROM t " + HOUR + " GROUP BY k {% if a %}{% else %}, v{% endif %}",
    "{% macro a() %}" + QUERY + " GROUP BY k {% endmacro %}{% macro b() %}" + QUERY + " GROUP BY k {% endmacro %}",
    "{% macro a() %}" + HOUR + "{% endmacro %}",
    "{% set q %}" + QUERY + " GROUP BY k{% endset %}" + QUERY + " GROUP BY k",
    "SELECT k FROM t {% if a %}" + HOUR + "{% endif %}{% if not a %}" + HOUR + "{% endif %} GROUP BY k",
    "SELECT k FROM t {{ clauses }} WINDOW TRIGGER COUNT(2)",
    "SELECT k FROM t " + HOUR + " TRIGGER ANY({% for n in ns %}COUNT({{ n }}),{% endfor %}COUNT(1)) GROUP BY k",
    "{% for a in b %}SELECT 1;{% else %}{% for c in d %}x{% endfor %}'{% endfor %}" + QUERY + " GROUP BY k",
]


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_templates_may_make_right_is_no_mistake(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "model.sql"
    path.write_text(text, encoding="utf-8")
    assert run(["check", str(path)], capsys) == (0, "", "")
    assert run(["fmt", str(path)], capsys)[0] == 0


KNOWN = {
    "SELECT k, v FROM {{ ref('t') }} " + HOUR + " GROUP BY k": "v is neither a key nor inside an aggregate",
    "{% set q = 1 %}SELECT k, v FROM t " + HOUR + " WHERE v > '{{ q }}' GROUP BY k": "v is neither a key",
    "SELECT k, v FROM t WHERE v > abs({{ n }}) " + HOUR + " GROUP BY k": "v is neither a key",
    "SELECT {% for c in cols %}{{ c }}, {% endfor %}k FROM t WINDOW ASIGN COUNT(3)": "WINDOW ASIGN is not expected",
    "SELECT {{ cols }} FROM t " + HOUR + " EVICT CONT(3) {{ keys }}": None,
    "SELECT {{ cols }} FROM t " + HOUR + " EVICT CONT(3) GROUP BY {{ keys }}": "CONT is not an evictor",
    "SELECT {{ a }}; SELECT k, v FROM t " + HOUR + " GROUP BY k; SELECT {{ b }}": "v is neither a key",
    "{% for a in b %}x{% else %}y{% endfor %};SELECT k, v FROM t " + HOUR + " GROUP BY k": "v is neither a key",
}


@pytest.mark.parametrize("text", KNOWN)
def test_what_templates_cannot_make_right_is_a_mistake(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, problem = tmp_path / "model.sql", KNOWN[text]
    path.write_text(text, encoding="utf-8")
    code, out, _ = run(["check", str(path)], capsys)
    assert (code, (problem or "") in out) == (0 if problem is None else 1, True), out


MODEL = """\
{{ config(materialized='table') }}
{# a comment with WINDOW ASSIGN #}
SELECT k, count(*) AS n
FROM {{ ref('t') }}
{% if is_incremental() %}WHERE ts > (SELECT max(ts) FROM {{ this }}){% endif %}
WINDOW ASSIGN TUMBLING(ts, '{{ var("size") }}')
{% if early %}TRIGGER COUNT(1){% elif never %}TRIGGER COUNT(2){% else %}TRIGGER COUNT(3){% endif %}
EVICT CONT(1)
GROUP BY k
"""


def test_models_of_dbt_are_read_without_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.sql"
    path.write_text(MODEL, encoding="utf-8")
    code, out, _ = run(["check", str(path)], capsys)
    assert (code, out) == (
        1,
        f"{path}:8:7: CONT is not an evictor\n    EVICT CONT(1)\n          ^^^^\n"
        "  rule: this must be the name of an evictor, built in or registered\n  hint: did you mean COUNT?\n",
    )
    path.write_text(MODEL.replace("CONT(", "COUNT("), encoding="utf-8")
    assert run(["check", str(path)], capsys)[0] == 0
