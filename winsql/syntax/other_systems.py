"""What Flink, ksqlDB, RisingWave, Materialize, Snowflake, BigQuery and DuckDB write for what Spark and winsql have."""

from __future__ import annotations

from collections.abc import Iterator

from winsql.errors import WindowSyntaxError, WinsqlError
from winsql.model.settings import ParserSettings
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES
from winsql.syntax.text.near_words import ends_operand
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

# -- clauses: sequences of words that Spark's grammar does not have ---------------------------------------------------


def clause_of_others(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """The clause of another system that begins at `index`, if one does."""
    for look in (_watermark_for, _lateral_table, _emit, _patterns, _within, _with_options):
        yield from look(source, index)


def _watermark_for(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`WATERMARK FOR ts AS ts - ...` of Flink's and RisingWave's."""
    if source.words(index, "WATERMARK", "FOR") and source.words(index + 3, "AS") and source.words(0, "CREATE"):
        watermark = f"WATERMARK {source.name(index + 2)} DELAY OF INTERVAL 5 SECONDS"
        if any(source.words(place - 1, "STREAMING") for place in source.places("VIEW")):
            rule, hint = "a watermark is a clause of its own", f"write {watermark} after OPTIONS (...)"
        else:
            rule = "a watermark belongs to the query that reads a table as a stream"
            hint = f"write FROM STREAM name {watermark} in the query"
        yield _not_expected(source, Extent(index, index + 2), rule, hint)


def _lateral_table(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`LATERAL TABLE(f(k))` of Flink's."""
    is_own = source.at(index + 3).upper in FUNCTION_NAMES
    if source.words(index, "LATERAL", "TABLE") and source.at(index + 2).is_symbol("(") and not is_own:
        rule = "in Spark a table function is called by its name after LATERAL"
        yield _not_expected(source, Extent(index, index + 2), rule, "write LATERAL f(...) AS t(x), without TABLE")


def _emit(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`EMIT CHANGES` and `EMIT FINAL` of ksqlDB's, `EMIT ON WINDOW CLOSE` of RisingWave's, `EMIT AFTER WATERMARK`."""
    if source.places("ASSIGN") or not ends_operand(source, index - 1):  # else EMIT itself is read
        return
    said = next((said for said in _EMITS if source.words(index, "EMIT", *said)), None)
    stop = index + 1 + len(said or ())
    is_last = source.at(stop).upper in _AFTER_EMIT
    if said is not None and (is_last or len(said) > 1):
        rule = "on a stream a row leaves when its window is complete; EMIT says when else"
        hint = "leave it out, or write EMIT EARLY EVERY INTERVAL 1 MINUTE after WINDOW ASSIGN ..."
        yield _not_expected(source, Extent(index, stop), rule, hint)


_EMITS = (
    ("ON", "WINDOW", "CLOSE"),
    ("AFTER", "WATERMARK"),
    ("STREAM", "AFTER"),
    ("AFTER", "DELAY"),
    ("STREAM",),
    ("CHANGES",),
    ("FINAL",),
)
_AFTER_EMIT = ("", ";", ")", "LIMIT")


def _patterns(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`MATCH_RECOGNIZE (PARTITION BY k ...)`; with names in its brackets it is the alias of a relation."""
    begins = source.at(index + 2).is_word("PARTITION", "ORDER", "MEASURES", "ONE", "ALL", "AFTER", "PATTERN", "DEFINE")
    is_list = source.at(index + 3).is_symbol(",", ")")
    if source.words(index, "MATCH_RECOGNIZE") and source.at(index + 1).is_symbol("(") and begins and not is_list:
        rule = "winsql has windows, and no patterns of rows"
        hint = "write TRIGGER WHEN(condition), or APPLY for a function of yours that sees the rows of a window"
        yield _not_expected(source, Extent(index, index + 1), rule, hint)


def _within(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`a JOIN b WITHIN 1 HOUR ON ...` of ksqlDB's."""
    if source.words(index, "WITHIN") and source.at(index + 1).kind is TokenKind.NUMBER and source.at(index + 2).is_name:
        rule = "a join of two streams is one in windows, or has the bounds of their times in its condition"
        hint = "write a WINDOW JOIN b, or ON ... AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 1 HOUR"
        yield _not_expected(source, Extent(index, index + 3), rule, hint)


def _with_options(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`CREATE TABLE t (...) WITH ('connector' = 'kafka')`; a query begins with WITH and a name."""
    key = index + 2
    stop = key + 1 if source.at(key).kind is TokenKind.STRING else source.path_end(key)
    is_option = source.at(index + 1).is_symbol("(") and source.at(stop).is_symbol("=") and index > 2
    if source.words(0, "CREATE") and source.words(index, "WITH") and is_option:
        rule = "a table has its format after USING, and settings of it in OPTIONS"
        hint = "write USING format OPTIONS (key 'value'), for a source of streams after CREATE STREAMING VIEW name"
        yield _not_expected(source, Extent(index, index + 1), rule, hint)


def _not_expected(source: Source, extent: Extent, rule: str, hint: str) -> WindowSyntaxError:
    shown = " ".join(source.at(index).upper for index in extent.indexes)
    return source.syntax_error(f"{shown} is not expected here", extent, rule=rule, hint=hint)


# -- statements -------------------------------------------------------------------------------------------------------

_ONE_BY_ONE = "STOP STREAM name, one for each"
_ALONE = "AWAIT STREAM name, one for each"
_GOES_ON = "CREATE STREAMING TABLE, which goes on where it was"
_SHOWN = "SHOW STREAM, or DESCRIBE for the columns of its table"

STATEMENTS_OF_OTHERS = {
    "EXPLAIN PLAN FOR": "EXPLAIN, or EXPLAIN WINDOW for what winsql makes of it",
    "START STREAM": "ALTER STREAM name RESUME",
    "RESTART STREAM": "ALTER STREAM name RESUME",
    "RESUME STREAM": "ALTER STREAM name RESUME",
    "PAUSE STREAM": "ALTER STREAM name PAUSE",
    "KILL STREAM": "STOP STREAM",
    "CANCEL STREAM": "STOP STREAM",
    "TERMINATE": "STOP STREAM",
    "STOP JOB": "STOP STREAM",
    "STOP STREAMS": _ONE_BY_ONE,
    "STOP ALL STREAMS": _ONE_BY_ONE,
    "AWAIT STREAMS": _ALONE,
    "AWAIT ALL STREAMS": _ALONE,
    "LIST STREAMS": "SHOW STREAMS",
    "SHOW JOBS": "SHOW STREAMS",
    "SHOW QUERIES": "SHOW STREAMS",
    "SHOW CREATE STREAM": "SHOW STREAM",
    "REFRESH STREAMING TABLE": _GOES_ON,
    "SHOW ALL STREAMS": "SHOW STREAMS",
    "SHOW STREAMING TABLES": "SHOW STREAMS",
    "SHOW WINDOW STATE": "SHOW WINDOW STATE OF",
    "SHOW WINDOW": "SHOW WINDOW STATE OF",
    "SHOW STATE": "SHOW WINDOW STATE OF",
    "DESCRIBE STREAMING TABLE": _SHOWN,
    "DESC STREAMING TABLE": _SHOWN,
    "CREATE OR REFRESH STREAMING TABLE": _GOES_ON,
    "CREATE LIVE TABLE": "CREATE STREAMING TABLE",
    "CREATE DYNAMIC TABLE": "CREATE STREAMING TABLE",
    "CREATE CONTINUOUS VIEW": "CREATE STREAMING TABLE",
    "CREATE STREAMING SOURCE": "CREATE STREAMING VIEW",
    "CREATE SOURCE": "CREATE STREAMING VIEW name USING format OPTIONS (...)",
    "CREATE SINK": "CREATE STREAM name INTO format OPTIONS (...) AS SELECT ...",
    "EXECUTE STATEMENT SET": "CREATE STREAM ... INTO or INSERT, a statement of its own for each",
    "BEGIN STATEMENT SET": "CREATE STREAM ... INTO or INSERT, a statement of its own for each",
    "DROP STREAMING TABLE": "DROP STREAM, and then DROP TABLE for its rows",
    "SHOW STREAMING TABLE": "SHOW STREAMS",
    "CREATE TEMPORARY STREAM": "CREATE STREAM",
    "ALTER STREAMING VIEW": "CREATE OR REPLACE STREAMING VIEW",
    "INSERT STREAM": "INSERT INTO",
}
"""How other systems say what a statement of winsql's says."""


# -- functions --------------------------------------------------------------------------------------------------------

AGGREGATES_OF_OTHERS = {
    **dict.fromkeys(("ARGMAX", "ARG_MAX"), "MAX_BY"),
    **dict.fromkeys(("ARGMIN", "ARG_MIN"), "MIN_BY"),
    **dict.fromkeys(("APPROX_DISTINCT", "APPROX_UNIQUE", "UNIQ"), "APPROX_COUNT_DISTINCT"),
    **dict.fromkeys(("LIST", "COLLECT", "GROUP_ARRAY", "JSONB_AGG", "JSON_AGG"), "COLLECT_LIST"),
    "LATEST_BY_OFFSET": "LAST",
    "EARLIEST_BY_OFFSET": "FIRST",
    "QUANTILE": "PERCENTILE",
    "QUANTILE_CONT": "PERCENTILE",
    "QUANTILE_DISC": "PERCENTILE_DISC(p) WITHIN GROUP (ORDER BY v)",
    "APPROX_QUANTILE": "APPROX_PERCENTILE",
    "APPROX_QUANTILES": "APPROX_PERCENTILE",
    "GROUP_CONCAT": "LISTAGG",
    "LOGICAL_AND": "BOOL_AND",
    "LOGICAL_OR": "BOOL_OR",
    "BOOLAND_AGG": "BOOL_AND",
    "BOOLOR_AGG": "BOOL_OR",
}
"""Spark's names for aggregates of other systems."""

FUNCTIONS_OF_ASSIGNERS = {"TUMBLING": "TUMBLE", "SLIDING": "HOP", "HOPPING": "HOP", "CUMULATING": "CUMULATE"}
"""Flink's table functions for the assigners of winsql."""

_TIMES = {
    **dict.fromkeys(
        ("TIME_SLICE", "DATE_BIN", "DATE_BUCKET", "TIMESTAMP_BUCKET", "DATETIME_BUCKET", "TIME_BUCKET", "TIME_FLOOR"),
        "write window_start, with WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) after FROM",
    ),
    **dict.fromkeys(("TIMESTAMP_TRUNC", "DATETIME_TRUNC"), "write date_trunc('MINUTE', ts)"),
    **dict.fromkeys(
        ("CURRENT_WATERMARK", "MZ_NOW"), "leave it out; pane_timing says whether a result is early, on time or late"
    ),
    "PROCTIME": "write current_timestamp(), or PROCTIME() as the time of WINDOW ASSIGN",
    "ROWTIME": "write the column that has the time of the rows",
}
_PARTS = {"START": "window_start", "END": "window_end", "ROWTIME": "window_time", "PROCTIME": "window_time"}
_GROUP_WINDOWS = {
    "TUMBLE": "TUMBLING(time, size)",
    "TUMBLING": "TUMBLING(time, size)",
    "HOP": "SLIDING(time, size, slide)",
    "SLIDING": "SLIDING(time, size, slide)",
    "CUMULATING": "CUMULATING(time, size, step)",
    "SESSION": "SESSION(time, gap)",
}


def time_function(name: str) -> str | None:
    """What to write for a function of times or windows of another system."""
    window, _, part = name.upper().partition("_")
    if window in _GROUP_WINDOWS and part in _PARTS:
        return f"write {_PARTS[part]}, with WINDOW ASSIGN {_GROUP_WINDOWS[window]} after FROM"
    return _TIMES.get(name.upper())


def function_of_others(text: str, routine: str, settings: ParserSettings) -> WinsqlError | None:
    """What to write for `GROUP BY TUMBLE(ts, ...)` of Flink's and for functions of times; None for another one, and for
    a query that reads nothing."""
    name = routine.rpartition(".")[2].strip("`").upper()
    source = Source(text, settings=settings)
    if not source.places("FROM"):
        return None
    place = next((i for i in range(len(source)) if source.words(i, name) and source.at(i + 1).is_symbol("(")), None)
    if place is None:
        return None
    instead = time_function(name)
    if name in _TIMES and instead is not None:
        rule = "functions are Spark's, the session's, and aggregates of winsql.register_aggregate"
        return source.spec_error(f"there is no function {name}", place, rule=rule, hint=instead)
    problem, assigner = f"{name} is a group window of Flink's, which are not there", _GROUP_WINDOWS.get(name)
    if assigner is not None:
        if assigner.startswith(f"{name}("):
            if not source.places("GROUP"):
                return None
            problem = f"{name} is no function: it assigns windows"
        instead = f"write FROM ... WINDOW ASSIGN {assigner}, and leave it out of GROUP BY"
    if instead is None:
        return None
    rule = "a window is assigned after FROM; in FROM there are also Flink SQL's table functions"
    return source.syntax_error(problem, place, rule=rule, hint=instead)
