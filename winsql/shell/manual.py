"""What winsql adds to Spark SQL, a page for each statement, relation, clause and policy: for `\\h`, completion and the
reference.

What a statement may say is in the grammars of the modules that read it; here is what it is for, and an example.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from winsql.errors import WinsqlError
from winsql.model.nearest import nearest
from winsql.model.policy import Policy
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS, Registry
from winsql.shell.markdown import first_line, rules
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.expressions.arguments import signature


class StatementPage(NamedTuple):
    """A statement: its first words, what it does, how it is written, and an example.

    grammar   the statement, or the module and the names of the rules that say it
    """

    words: str
    summary: str
    grammar: str | tuple[str, ...]
    example: str


STATEMENTS = (
    StatementPage(
        "CREATE STREAMING TABLE",
        "starts a stream that writes the rows of a query into a table",
        ("winsql.syntax.stream_statements.statements", "create", "option", "name"),
        "CREATE STREAMING TABLE per_minute OPTIONS (trigger '10 seconds') LATE INTO late_rows AS\n"
        "SELECT k, window_start, count(*) AS n\n"
        "FROM STREAM t WATERMARK ts DELAY OF INTERVAL 5 SECONDS\n"
        "WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 MINUTE)\n"
        "GROUP BY k",
    ),
    StatementPage(
        "CREATE STREAM",
        "starts a stream that writes the rows of a query into a file, a database or another sink",
        ("winsql.syntax.stream_statements.statements", "into", "sink", "option", "name"),
        "CREATE STREAM hits INTO sqlite OPTIONS (path 'hits.db', table 'hits') AS\n"
        "SELECT k, window_start, count(*) AS n\n"
        "FROM STREAM t WATERMARK ts DELAY OF INTERVAL 5 SECONDS\n"
        "WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 MINUTE)\n"
        "GROUP BY k",
    ),
    StatementPage(
        "CREATE STREAMING VIEW",
        "names a source of streams, with its columns and its watermark",
        ("winsql.syntax.stream_statements.views", "view", "column"),
        "CREATE TEMPORARY STREAMING VIEW ticks USING rate OPTIONS (rowsPerSecond '10')\n"
        "WATERMARK timestamp DELAY OF INTERVAL 5 SECONDS",
    ),
    StatementPage(
        "SHOW STREAMING VIEWS", "lists the sources that have names", "SHOW STREAMING VIEWS", "SHOW STREAMING VIEWS"
    ),
    StatementPage(
        "DESCRIBE STREAMING VIEW",
        "shows the columns and the options of one",
        "DESCRIBE STREAMING VIEW name",
        "DESCRIBE STREAMING VIEW ticks",
    ),
    StatementPage(
        "DROP STREAMING VIEW",
        "forgets one",
        "DROP STREAMING VIEW [IF EXISTS] name",
        "DROP STREAMING VIEW IF EXISTS ticks",
    ),
    StatementPage("SHOW STREAMS", "lists the streams of this session", "SHOW STREAMS", "SHOW STREAMS"),
    StatementPage(
        "SHOW STREAM",
        "shows the latest micro-batches of a stream: rows, times, watermark, state",
        "SHOW STREAM name",
        "SHOW STREAM per_minute",
    ),
    StatementPage(
        "AWAIT STREAM",
        "waits for the end of a stream",
        "AWAIT STREAM name [FOR duration]",
        "AWAIT STREAM per_minute FOR INTERVAL 1 MINUTE",
    ),
    StatementPage("STOP STREAM", "stops a stream", "STOP STREAM [IF EXISTS] name", "STOP STREAM per_minute"),
    StatementPage(
        "ALTER STREAM",
        "pauses a stream, resumes it, or changes its options",
        ("winsql.syntax.stream_statements.commands", "alter"),
        "ALTER STREAM per_minute SET OPTIONS (trigger '1 minute')",
    ),
    StatementPage(
        "DROP STREAM",
        "stops a stream and forgets it; its table stays",
        "DROP STREAM [IF EXISTS] name [PURGE]",
        "DROP STREAM IF EXISTS per_minute",
    ),
    StatementPage(
        "SHOW WINDOW STATE OF",
        "lists the windows that a stream holds in its state",
        "SHOW WINDOW STATE OF name",
        "SHOW WINDOW STATE OF per_minute",
    ),
    StatementPage(
        "EXPLAIN WINDOW",
        "says how the windows of a query run, and why, and shows the SQL that Spark gets",
        "EXPLAIN WINDOW query",
        "EXPLAIN WINDOW SELECT k, count(*) FROM t WINDOW ASSIGN SESSION(ts, INTERVAL 5 MINUTES) GROUP BY k",
    ),
)

_WINDOW_FUNCTION = ("winsql.syntax.functions.window_table_functions", "relation", "call", "data", "timecol")
RELATIONS = (
    StatementPage(
        "TUMBLE",
        "gives each row of a table with its window, as in Flink SQL",
        _WINDOW_FUNCTION,
        "SELECT window_end, count(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL 1 MINUTE))\n"
        "GROUP BY window_start, window_end",
    ),
    StatementPage(
        "HOP",
        "gives each row with its windows, which overlap",
        _WINDOW_FUNCTION,
        "SELECT * FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL 1 MINUTE, INTERVAL 5 MINUTES))",
    ),
    StatementPage(
        "CUMULATE",
        "gives each row with its windows, which grow by steps",
        _WINDOW_FUNCTION,
        "SELECT * FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL 1 HOUR, INTERVAL 1 DAY))",
    ),
    StatementPage(
        "SESSION",
        "gives each row with its session",
        _WINDOW_FUNCTION,
        "SELECT * FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL 5 MINUTES))",
    ),
    StatementPage(
        "WINDOW JOIN",
        "joins the rows of two tables in each window",
        ("winsql.syntax.joins.clause", "join"),
        "SELECT a.k, b.v FROM a WINDOW JOIN b ON a.k = b.k WINDOW ASSIGN TUMBLING((a.ts, b.ts), INTERVAL 1 MINUTE)",
    ),
    StatementPage(
        "WINDOW_JOIN",
        "joins the rows of two tables in each window, as a function",
        "window_join(table, table [, DESCRIPTOR(column, column)], assigner [, join_type => type] {, option => value})",
        "SELECT * FROM window_join(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts),\n"
        "                          TUMBLING(INTERVAL 1 MINUTE), join_type => 'LEFT')",
    ),
    StatementPage(
        "CO_GROUP",
        "gives the rows of two tables in each window, or what a function makes of them",
        "co_group(table, table [, DESCRIPTOR(column, column)], assigner [, apply => string] {, option => value})",
        "SELECT * FROM co_group(TABLE(a) PARTITION BY k, TABLE(b) PARTITION BY k, DESCRIPTOR(ts, ts),\n"
        "                       TUMBLING(INTERVAL 1 MINUTE))",
    ),
)
"""What winsql adds to FROM."""

_POLICIES: tuple[tuple[str, Registry[Any]], ...] = (
    ("assigner", ASSIGNERS),
    ("trigger", TRIGGERS),
    ("evictor", EVICTORS),
)


def contents() -> str:
    """The words of all pages."""
    width = max(len(page.words) for page in STATEMENTS)
    lines = [f"  {page.words:{width}}  {page.summary}" for page in STATEMENTS]
    lines += ["", "Relations of FROM:", ""]
    lines += [f"  {page.words:{width}}  {page.summary}" for page in RELATIONS]
    lines += ["", "Clauses of a SELECT, after FROM and WHERE:", ""]
    lines += [f"  {clause.words:{width}}  {clause.summary}" for clause in CLAUSES]
    lines.append("")
    lines += [_filled(f"{kind}s", list(registry)) for kind, registry in _POLICIES]
    return "\n".join(["Statements that winsql adds to Spark SQL:", "", *lines])


def _filled(title: str, names: Sequence[str]) -> str:
    text = textwrap.fill(", ".join(names), 84, initial_indent=" " * 14, subsequent_indent=" " * 14)
    return f"  {title:10}  {text.lstrip()}"


def pages(words: str) -> str:
    """The pages of what begins with the words; raises WinsqlError for none."""
    wanted = words.upper().rstrip("(").split()
    found = list(_pages())
    texts = [text for title, text in found if title[: len(wanted)] == tuple(wanted)]
    if not texts:
        meant = nearest(" ".join(wanted), [" ".join(title) for title, _ in found])
        hint = rf"\h lists what there is{'' if meant is None else f'; did you mean {meant}?'}"
        raise WinsqlError(f"winsql has no {words.upper()} of its own", hint=hint)
    return "\n\n".join(texts)


def _pages() -> Iterator[tuple[tuple[str, ...], str]]:
    for page in (*STATEMENTS, *RELATIONS):
        grammar = page.grammar if isinstance(page.grammar, str) else rules(*page.grammar)
        example = textwrap.indent(page.example, "    ")
        yield (
            tuple(page.words.split()),
            f"{page.words} {page.summary}.\n\n{textwrap.indent(grammar, '    ')}\n\nfor example\n\n{example}",
        )
    for clause in CLAUSES:
        yield tuple(clause.words.split()), f"{clause.words} says {clause.summary}.\n\n    {clause.grammar}"
    for kind, registry in _POLICIES:
        for name in registry:
            yield (name,), _policy(kind, name, registry)


def _policy(kind: str, name: str, registry: Registry[Any]) -> str:
    cls = cast(type[Policy], registry.find(name))
    summary = cls.SUMMARY or first_line(cls)
    return f"{name}, {kind}: {summary}.\n\n    {signature(cls, name)}"
