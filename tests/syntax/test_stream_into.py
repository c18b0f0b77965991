"""CREATE STREAM ... INTO: what it is read as, and which parts of it no error shows.

Error messages are golden files: tests/golden/errors/stream_into.sql.
"""

from __future__ import annotations

import pytest

from winsql.errors import WinsqlError
from winsql.syntax import CreateStreamInto, StatementKind, hidden, parse_statement
from winsql.syntax.stream_statements.secrets import scrubbed, secrets_in

WINDOWED = "SELECT k, count(*) AS n FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"


def test_a_stream_with_everything() -> None:
    options = "path '/x/y', CheckpointLocation = '/c', trigger '10 seconds', a.b \"it's\", n -1, password 'p'"
    head = f"create or replace /* ! */ stream `my db`.s into com.acme.Sink OPTIONS ({options}) late into JSON as\n"
    statement = parse_statement(f"{head}{WINDOWED};")
    stream = statement.stream
    assert isinstance(stream, CreateStreamInto)
    assert (stream.name.shown, stream.or_replace, stream.if_not_exists) == ("`my db`.s", True, False)
    assert (stream.sink.format, stream.checkpoint) == ("com.acme.Sink", "/c")
    assert stream.trigger is not None
    assert stream.trigger.interval == 10_000_000
    assert stream.sink.options == {"path": "/x/y", "a.b": "it's", "n": "-1", "password": "p"}
    assert stream.late_sink is not None
    assert (stream.late_sink.format, stream.late_sink.options) == ("JSON", {})
    assert statement.target.kind is StatementKind.STREAM
    assert statement.replace({}) == f"{WINDOWED};"
    assert "'p'" not in statement.text + repr(stream)


def test_a_stream_that_may_exist_in_explain() -> None:
    statement = parse_statement(f"EXPLAIN WINDOW CREATE STREAM IF NOT EXISTS s INTO noop AS ({WINDOWED})")
    assert isinstance(statement.stream, CreateStreamInto)
    assert statement.stream.if_not_exists
    assert statement.target.explains_windows
    assert len(statement.queries) == 1


@pytest.mark.parametrize(
    "option",
    [
        "password 'geheim'",
        "'Password' = 'geheim'",
        "sasl.jaas.config \"login password='geheim'\"",
        "url 'postgresql://me:geheim@host/db'",
        "url 'jdbc:postgresql://host/db?user=me&password=geheim'",
        "url 'host=h password=geheim'",
        "api_token 'geheim'",
        "USER geheim",
        "password 'geheim",
        "secret.key 'ge''geheim'",
    ],
)
@pytest.mark.parametrize("head", ["CREATE STREAM s INTO", "EXPLAIN WINDOW CREATE OR REPLACE STREAMING TABLE s USING"])
def test_secrets_are_not_shown(option: str, head: str) -> None:
    text = f"{head} jdbc OPTIONS (dbtable 'x', {option}) AS {WINDOWED} FOO"
    shown = hidden(text)
    assert len(shown) == len(text)
    assert "dbtable 'x'" in shown
    if not option.startswith("USER"):  # no string: the word is the mistake
        assert "geheim" not in shown
    broken = text.replace(" AS SELECT", " OPTIONS () AS SELECT")
    with pytest.raises(WinsqlError) as caught:
        parse_statement(broken)
    if not option.startswith("USER"):
        assert "geheim" not in str(caught.value)


def test_other_statements_are_shown_as_they_are() -> None:
    for text in (
        "SELECT * FROM stream_into WHERE password = 'x'",
        "CREATE STREAMING TABLE t OPTIONS (path 'into') AS SELECT 'password'",
        "CREATE STREAM s INTO noop AS SELECT 1 AS password, 'x' AS y",
    ):
        assert hidden(text) == text


def test_messages_without_secrets() -> None:
    secrets = secrets_in({"url": "postgresql://me:geheim@host/db", "table": "t", "Password": "pw"})
    assert (
        scrubbed("no route to postgresql://me:geheim@host/db with pw, geheim", secrets)
        == "no route to *** with ***, ***"
    )
