"""The function pack gives what the operator's own policies give, for both types of time and in any time zone."""

from __future__ import annotations

import math
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness import EVENT, VALUE, Run, bounded

from winsql.model.assigners import (
    Assigner,
    CumulatingWindows,
    GlobalWindows,
    SessionWindows,
    SlidingWindows,
    TumblingWindows,
)
from winsql.model.base import MAX_TIME, Window
from winsql.model.evictors import CountEvictor, DeltaEvictor, Evictor, TimeEvictor
from winsql.model.query import WindowSpec
from winsql.model.triggers import CountTrigger, DeltaTrigger, EventTimeTrigger, Trigger

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "sql" / "functions"
NAMES = sorted(path.stem for path in FOLDER.glob("*.sql"))
EXPLODING = "explode_"
MINUTE = 60_000_000
DAY = 24 * 60 * MINUTE
SPRING_FORWARD = 1_710_054_000_000_000  # 2024-03-10 02:00 in New York, which did not exist
US = "INTERVAL '0.000001' SECOND"
EPOCH = "TIMESTAMP_NTZ'1970-01-01'"


def section(comment: list[str], title: str) -> str:
    """The lines of a comment from `title: ` on, up to the next title."""
    start = next(i for i, line in enumerate(comment) if line.startswith(f"{title}: "))
    rest = comment[start + 1 :]
    more = rest[: next((i for i, line in enumerate(rest) if not line.startswith("  ")), len(rest))]
    return " ".join([comment[start].removeprefix(f"{title}: "), *(line.strip() for line in more)])


@pytest.fixture(scope="module")
def session(spark) -> Iterator[Any]:
    """The shared session with the pack, far from UTC."""
    from winsql.spark.extension.function_pack import drop_functions, install_functions

    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    names = install_functions(spark)
    yield spark
    drop_functions(spark, names)
    spark.conf.set("spark.sql.session.timeZone", zone)


HEAD = """-- The function pack: the files of sql/functions, one after the other. In a session: spark-sql -i install.sql
-- Spark takes no SQL function inside explode, posexplode or inline. Windows as rows come from the explode_ functions:
--   SELECT k, window_start, window_end FROM t, LATERAL explode_sliding_windows(ts, INTERVAL 1 HOUR, INTERVAL 5 MINUTES)
-- and any array is exploded once it has a name:
--   SELECT k, i FROM t, LATERAL (SELECT evict_count(n, 3) AS places), LATERAL explode(places) AS p(i)
"""


def test_install_sql_is_all_of_them(update_golden: bool) -> None:
    texts = [(FOLDER / f"{name}.sql").read_text(encoding="utf-8") for name in NAMES]
    expected = HEAD + "".join(f"\n{text}" for text in texts)
    path = ROOT / "sql" / "install.sql"
    if update_golden:
        path.write_text(expected, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == expected
    for name, text in zip(NAMES, texts, strict=True):
        assert text.count("CREATE OR REPLACE TEMPORARY FUNCTION ") == 1
        assert f"FUNCTION {name}(" in text


def test_their_page_lists_them(session) -> None:
    from winsql.spark.extension.function_pack import sql_functions

    rows = [
        f"| `{_call(section(function.comment, 'Signature'))}` | {function.comment[0]} |"
        for function in sql_functions()
        if not function.name.startswith(EXPLODING) and not function.name.endswith("_ntz")
    ]
    page = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")
    assert [row for row in rows if row not in page.split("\n")] == []
    twins = re.search(r"twins for `TIMESTAMP_NTZ`, ([^.]*)\.", page.replace("\n", " "))
    assert re.findall(r"`(\w+)`", twins.group(1)) == [
        name for name in NAMES if name.endswith("_ntz") and not name.startswith(EXPLODING)
    ]


def _call(signature: str) -> str:
    """A signature without its types."""
    return re.sub(r" (?:ARRAY<\w+>|[A-Z_]+)(?=[,\]) ])", "", signature.partition(" RETURNS ")[0])


def test_comments_say_what_describe_shows_and_examples_are_true(session) -> None:
    from winsql.spark.extension.function_pack import sql_functions

    functions = sql_functions()
    assert [function.name for function in functions] == NAMES
    for function in functions:
        shown = "\n".join(row[0] for row in session.sql(f"DESCRIBE FUNCTION EXTENDED {function.name}").collect())
        assert "\n".join(function.comment) in shown
        assert section(function.comment, "Signature").startswith(f"{function.name}(")
        assert section(function.comment, "Units")
    examples = [section(function.comment, "Example") for function in functions]
    held = session.sql(f"SELECT {', '.join(examples)}").first()
    assert {name for name, holds in zip(NAMES, held, strict=True) if not holds} == set()


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("SELECT count_fires(6, 3), `Tumble_Start`(ts, g)", {"count_fires", "tumble_start"}),
        ("SELECT session.count_fires(6, 3), system.`session` . `tumble_start`(ts, g)", {"count_fires", "tumble_start"}),
        ("SELECT db.count_fires(6, 3), `my db` . `tumble_start`(ts, g), evict_count(2, 1)", {"evict_count"}),
        ("CREATE FUNCTION default.count_fires(a INT) RETURNS INT RETURN a", set()),
        ("create or replace function if not exists c.`d` . `count_fires`(a INT) RETURNS INT RETURN a", set()),
        ("CREATE FUNCTION count_fires(a INT) RETURNS INT RETURN size(evict_count(a, 1))", {"evict_count"}),
        ("DROP FUNCTION default.count_fires", set()),
    ],
)
def test_functions_that_a_statement_names(statement: str, names: set[str]) -> None:
    from winsql.spark.extension.function_pack import named_functions

    assert named_functions(statement) == names


def test_a_function_is_not_made_before_the_users_own() -> None:
    from winsql.spark.extension.function_pack import named_functions

    text = "CREATE FUNCTION default.count_fires(a INT) RETURNS INT COMMENT 'as other functions' RETURN a"
    assert named_functions(text) == named_functions("SHOW FUNCTIONS") - {"count_fires"}


# ------------------------------------------------------------ windows of one time

KINDS = {
    "": ("timestamp_micros({0})", "unix_micros({0})"),
    "_ntz": (f"{EPOCH} + {US} * {{0}}", f"({{0}} - {EPOCH}) div {US}"),
}


def cases() -> Iterator[tuple[int, int, int, int, int]]:
    """(time, size, a step that divides it, any slide, offset) around the epoch and around a change of the clock."""
    rng = random.Random(1)
    for _ in range(120):
        time = rng.choice([0, SPRING_FORWARD]) + rng.randint(-40 * DAY, 40 * DAY)
        step = rng.choice([1, 7, MINUTE, 17 * MINUTE, DAY, 3 * DAY])
        slide = max(1, int(step * rng.uniform(0.3, 8)))
        size = step * rng.randint(1, 5)
        least = min(size, slide)
        yield time, size, step, slide, rng.randint(-least + 1, least - 1)


def assigned(assigner: Assigner, time: int) -> list[Window]:
    return list(assigner.assign((0, time), 0))


def test_windows_of_a_time(session) -> None:
    given = list(cases())
    session.createDataFrame(
        [(i, *case) for i, case in enumerate(given)], "i INT, t LONG, size LONG, step LONG, slide LONG, offset LONG"
    ).createOrReplaceTempView("function_cases")
    columns = []
    for suffix, (make, micros) in KINDS.items():
        ts, size, offset = make.format("t"), f"size * {US}", f"offset * {US}"
        start, end = micros.format("w.start"), micros.format("w.end")
        tumble = f"array(named_struct('start', tumble_start{suffix}({ts}, {size}, {offset}), " + (
            f"'end', tumble_end{suffix}({ts}, {size}, {offset})))"
        )
        sliding = f"sliding_windows{suffix}({ts}, {size}, slide * {US}, {offset})"
        cumulating = f"cumulating_windows{suffix}({ts}, {size}, step * {US}, {offset})"
        columns += [f"transform({call}, w -> array({start}, {end}))" for call in (tumble, sliding, cumulating)]
    rows = session.sql(f"SELECT {', '.join(columns)} FROM function_cases ORDER BY i").collect()
    session.catalog.dropTempView("function_cases")
    gaps = 0
    for (time, size, step, slide, offset), row in zip(given, rows, strict=True):
        expected = [
            assigned(TumblingWindows(EVENT, size, offset), time),
            assigned(SlidingWindows(EVENT, size, slide, offset), time),
            assigned(CumulatingWindows(EVENT, size, step, offset), time),
        ]
        found = [[Window(*pair) for pair in windows] for windows in row]
        assert found == [*expected, *expected], (time, size, step, slide, offset)
        gaps += not expected[1]
    assert gaps  # slide > size leaves some


# ------------------------------------------------------------ arrays of rows


def positions(evictor: Evictor, rows: list[tuple[Any, ...]]) -> list[int]:
    return [row[0] for row in evictor.keep(rows, Window(0, 1))]


def firings(trigger: Trigger, rows: list[tuple[Any, ...]]) -> list[int]:
    run = Run(WindowSpec(GlobalWindows(), trigger))
    for _, time, value in rows:
        run.add(time, value)
    return [len(firing.result) - 1 for firing in run.take()]


def arrays() -> Iterator[tuple[list[int | None], list[float | None], int, float, int]]:
    """(times, numbers, n, threshold, interval); no time is missing after the first one that is there."""
    rng = random.Random(2)
    for size in [0, 1, 2, *(rng.randint(3, 30) for _ in range(60))]:
        start = rng.choice([0, SPRING_FORWARD])
        times: list[int | None] = [start + rng.randint(-3 * DAY, 3 * DAY) for _ in range(size)]
        if times and rng.random() < 0.3:
            times[0] = None
        numbers = [
            rng.choice([None, math.nan, math.inf, *(rng.uniform(-9, 9) for _ in range(12))]) for _ in range(size)
        ]
        yield times, numbers, rng.randint(1, 9), rng.uniform(-1, 9), rng.choice([1, MINUTE, DAY])


def test_evictors_triggers_and_sessions_of_arrays(session) -> None:
    given = list(arrays())
    schema = "i INT, times ARRAY<LONG>, numbers ARRAY<DOUBLE>, n INT, threshold DOUBLE, us LONG"
    frame = session.createDataFrame([(i, *case) for i, case in enumerate(given)], schema)
    # Spark allows no lambda in the arguments of a SQL function
    made = [
        f"transform(times, t -> {make.format('t')}) AS times{suffix or '_ltz'}" for suffix, (make, _) in KINDS.items()
    ]
    frame.selectExpr("*", *made).createOrReplaceTempView("function_cases")
    columns = [
        "evict_count(size(numbers), n)",
        "evict_count(size(numbers), n - 1)",
        "count_fires(size(numbers), n)",
        "evict_delta(numbers, threshold)",
        "evict_delta(numbers, threshold, true)",
        "delta_fires(numbers, threshold)",
        "delta_fires(numbers, threshold, signed => true)",
    ]
    for suffix, (_, micros) in KINDS.items():
        times = f"times{suffix or '_ltz'}"
        merging = f"array_session_windows{suffix}({times}, us * {US})"
        pairs = f"transform({{}}, w -> array({micros.format('w.start')}, {micros.format('w.end')}))"
        columns += [f"evict_time{suffix}({times}, us * {US})", pairs.format(merging)]
    named = ", ".join(f"{call} AS c{i}" for i, call in enumerate(columns))
    rows = session.sql(f"SELECT {named} FROM function_cases ORDER BY i").collect()
    aggregated = session.sql(
        "SELECT i, "
        + ", ".join(
            f"transform(session_windows{suffix}({make.format('t')}, us * {US}), "
            f"w -> array({micros.format('w.start')}, {micros.format('w.end')})) AS s{suffix}"
            for suffix, (make, micros) in KINDS.items()
        )
        + " FROM (SELECT i, us, explode_outer(times) AS t FROM function_cases) GROUP BY i ORDER BY i"
    ).collect()
    session.catalog.dropTempView("function_cases")
    for (times_us, numbers, n, threshold, us), row, sessions in zip(given, rows, aggregated, strict=True):
        table = list(zip(range(len(numbers)), times_us, numbers, strict=True))
        by_time = [(i, t, None, None) for i, t in enumerate(times_us) if t is not None]
        merged = [
            firing.window for firing in bounded(WindowSpec(SessionWindows(EVENT, us), EventTimeTrigger()), by_time)
        ]
        of_times = [positions(TimeEvictor(us), table), [list(window) for window in merged]]
        assert list(row) == [
            positions(CountEvictor(n), table),
            positions(CountEvictor(n - 1), table),
            firings(CountTrigger(n), table),
            positions(DeltaEvictor(VALUE, threshold), table),
            positions(DeltaEvictor(VALUE, threshold, signed=True), table),
            firings(DeltaTrigger(VALUE, threshold), table),
            firings(DeltaTrigger(VALUE, threshold, signed=True), table),
            *of_times,
            *of_times,
        ], (times_us, numbers, n, threshold, us)
        assert list(sessions)[1:] == [of_times[1]] * 2


def test_sessions_with_a_gap_per_row(session) -> None:
    rng = random.Random(3)
    given = [(rng.choice([None, rng.randint(-DAY, DAY)]), rng.randint(1, 40 * MINUTE)) for _ in range(60)]
    values = ", ".join(f"({'NULL' if t is None else t}, {gap})" for t, gap in given)
    found = session.sql(
        f"""SELECT transform(session_windows(timestamp_micros(t), gap * {US}),
                             w -> array(unix_micros(w.start), unix_micros(w.end))) FROM VALUES {values} AS v(t, gap)"""
    ).first()[0]
    spec = WindowSpec(SessionWindows(EVENT, VALUE), EventTimeTrigger())
    rows = [(i, t, gap) for i, (t, gap) in enumerate(given) if t is not None]
    assert [Window(*pair) for pair in found] == [firing.window for firing in bounded(spec, rows)]


# ------------------------------------------------------------ times, NULLs, mistakes


def test_cleanup_times_and_watermarks(session) -> None:
    spec = WindowSpec(TumblingWindows(EVENT, 10), EventTimeTrigger(), allowed_lateness=1_000_000)
    ends = [1000, -5, MAX_TIME]
    cleanups = [Run(spec).operator._cleanup_time(Window(0, end)) for end in ends]
    calls = [f"unix_micros(cleanup_time(timestamp_micros({end}), INTERVAL 1 SECOND))" for end in ends]
    make, micros = KINDS["_ntz"]
    calls += [micros.format(f"cleanup_time_ntz({make.format(end)}, INTERVAL 1 SECOND)") for end in ends]
    calls += ["unix_micros(cleanup_time(timestamp_micros(1000)))"]
    calls += ["unix_micros(combine_watermarks(timestamp_micros(5), timestamp_micros(3)))"]
    assert list(session.sql(f"SELECT {', '.join(calls)}").first()) == [*cleanups, *cleanups, 999, 3]


def test_null_gives_null(session) -> None:
    time, hour = "TIMESTAMP'2024-01-01'", "INTERVAL 1 HOUR"
    calls = [
        *(
            f"tumble_{what}{suffix}({a})"
            for what in ("start", "end")
            for suffix in KINDS
            for a in (f"NULL, {hour}", f"{time}, NULL")
        ),
        *(
            f"{name}{suffix}(NULL, {hour}, {hour})"
            for name in ("sliding_windows", "cumulating_windows")
            for suffix in KINDS
        ),
        *(
            f"{name}{suffix}(NULL, {hour})"
            for name in ("array_session_windows", "evict_time", "cleanup_time")
            for suffix in KINDS
        ),
        "evict_count(NULL, 1)",
        "count_fires(1, NULL)",
        "evict_delta(NULL, 1)",
        "delta_fires(array(1), NULL)",
        f"combine_watermarks({time}, NULL)",
        f"combine_watermarks(NULL, {time})",
    ]
    assert {
        call
        for call, value in zip(calls, session.sql(f"SELECT {', '.join(calls)}").first(), strict=True)
        if value is not None
    } == set()


WRONG = {
    "tumble_start(ts, INTERVAL 0 SECONDS)": "tumble_start: size must be positive",
    "tumble_end(ts, INTERVAL 1 HOUR, INTERVAL -1 HOUR)": "abs\\(offset\\) less than size",
    "sliding_windows(ts, INTERVAL 1 HOUR, INTERVAL 0 SECONDS)": "sliding_windows: size and slide must be positive",
    "sliding_windows_ntz(ts, INTERVAL -1 HOUR, INTERVAL 1 HOUR)": "sliding_windows_ntz: size and slide must be",
    "cumulating_windows(ts, INTERVAL 1 HOUR, INTERVAL 7 MINUTES)": "size a multiple of it",
    "cumulating_windows(ts, INTERVAL 1 HOUR, INTERVAL 5 MINUTES, INTERVAL -1 HOUR)": "abs\\(offset\\) less than size",
    "array_session_windows(array(ts), INTERVAL 0 DAYS)": "gap must be positive",
    "session_windows(ts, INTERVAL 0 DAYS)": "the gap of a row is not positive",
    "session_windows(ts_ntz, INTERVAL 1 DAY)": "its arguments are a TIMESTAMP and a day-time interval",
    "session_windows_ntz(ts, INTERVAL 1 DAY)": "its arguments are a TIMESTAMP_NTZ and a day-time interval",
    "session_windows(ts)": "session_windows cannot take these arguments: a value",
    "session_windows()": "these arguments: none",
    "session_windows_ntz(ts_ntz, INTERVAL 1 DAY, 3)": "these arguments: a value, a value, a value",
    "session_windows(ts, length => INTERVAL 1 DAY)": "these arguments: a value, length => ...",
    "evict_time(array(ts, NULL), INTERVAL 1 DAY)": "a row has no time",
    "evict_time(array(ts), INTERVAL -1 DAY)": "age must not be negative",
    "evict_count(3, -1)": "must not be negative",
    "count_fires(3, 0)": "n at least 1",
    "(SELECT max(window_end) FROM explode_sliding_windows(ts, INTERVAL 0 DAYS, INTERVAL 1 DAY))": "must be positive",
    "cleanup_time(ts, INTERVAL -1 SECOND)": "allowed_lateness must not be negative",
}


def test_exploding_functions_have_the_body_of_those_they_explode() -> None:
    for name in (name for name in NAMES if name.startswith(EXPLODING)):
        exploding, exploded = (
            (FOLDER / f"{each}.sql").read_text(encoding="utf-8") for each in (name, name.removeprefix(EXPLODING))
        )
        head, _, body = exploded.partition("\nRETURN ")
        assert exploding.partition("\nRETURN ")[2] == f"SELECT * FROM inline({body.removesuffix(';' + chr(10))});\n"
        parameters = head.partition("TEMPORARY FUNCTION ")[2].partition("RETURNS")[0]
        assert f"TEMPORARY FUNCTION {EXPLODING}{parameters}RETURNS TABLE" in exploding


@pytest.fixture
def readings(session) -> Iterator[str]:
    """A view of readings around a summer time change of the session's zone; its name."""
    values = ", ".join(
        f"('{key}', timestamp_micros({SPRING_FORWARD + minute * MINUTE}), "
        f"TIMESTAMP_NTZ'2024-03-10 02:00:00' + INTERVAL '{minute}' MINUTE, {minute})"
        for minute in (-61, -7, 0, 4, 27, 61)
        for key in "ab"
    )
    session.sql(f"CREATE OR REPLACE TEMPORARY VIEW readings AS SELECT * FROM VALUES {values} AS r(k, ts, n, v)")
    yield "readings"
    session.catalog.dropTempView("readings")


WINDOWS = {
    "sliding_windows": "{time}, INTERVAL 20 MINUTES, INTERVAL 10 MINUTES",
    "cumulating_windows": "{time}, INTERVAL 1 HOUR, INTERVAL 20 MINUTES, INTERVAL 25 MINUTES",
    "array_session_windows": "array({time}, {time} - INTERVAL 5 MINUTES), INTERVAL 7 MINUTES",
}
POSITIONS = (
    "evict_count(3, 2)",
    "evict_time(array(ts, ts), INTERVAL 1 MINUTE)",
    "evict_time_ntz(array(n, n), INTERVAL 1 MINUTE)",
    "evict_delta(array(1, v), 5)",
    "count_fires(v + 70, 20)",
    "delta_fires(array(1, v), 5)",
)


@pytest.mark.parametrize("suffix", ["", "_ntz"])
@pytest.mark.parametrize("name", WINDOWS)
def test_windows_in_from(session, readings: str, name: str, suffix: str) -> None:
    """What Spark would refuse, `explode` of a SQL function, in the ways the pack has for it."""
    call = f"{name}{suffix}({WINDOWS[name].format(time='n' if suffix else 'ts')})"
    named = f"(SELECT *, {call} AS ws FROM {readings})"
    ways = [
        f"SELECT v, window_start, window_end FROM {readings}, LATERAL {EXPLODING}{call}",
        f"SELECT v, w.s, w.e FROM {readings} JOIN LATERAL {EXPLODING}{call} AS w(s, e)",
        f"SELECT v, w.start, w.end FROM {readings}, LATERAL (SELECT {call} AS ws), LATERAL explode(ws) AS x(w)",
        f"SELECT v, w.start, w.end FROM {named} LATERAL VIEW explode(ws) AS w",
        f"SELECT v, inline(ws) FROM {named}",
    ]
    all_ways = " UNION ALL ".join(f"SELECT {way}, * FROM ({query})" for way, query in enumerate(ways))
    grouped = f"SELECT way, s, e, count(*), sum(v) FROM ({all_ways}) AS a(way, v, s, e) GROUP BY way, s, e"
    found: list[set[tuple[Any, ...]]] = [set() for _ in ways]
    for way, *row in session.sql(grouped).collect():
        found[way].add(tuple(row))
    assert len(found[0]) > 3
    assert found == [found[0]] * len(ways)


def test_positions_in_from(session, readings: str) -> None:
    for call in POSITIONS:
        named = f"(SELECT *, {call} AS places FROM {readings})"
        ways = [
            f"SELECT k, v, i FROM {readings}, LATERAL (SELECT {call} AS places), LATERAL explode(places) AS p(i)",
            f"SELECT k, v, i FROM {named} LATERAL VIEW explode(places) AS i",
            f"SELECT k, v, explode(places) FROM {named}",
        ]
        all_ways = " UNION ALL ".join(f"SELECT {way}, * FROM ({query})" for way, query in enumerate(ways))
        found: list[list[Any]] = [[] for _ in ways]
        for way, *row in session.sql(all_ways).collect():
            found[way].append(row)
        assert found[0]
        assert [sorted(rows) for rows in found] == [sorted(found[0])] * len(ways), call


def test_a_table_function_reads_its_input_once(session, readings: str) -> None:
    """And so it runs on streams, too; with ON, a LEFT JOIN keeps rows that have no windows."""
    call = "explode_sliding_windows(if(v < 0, NULL, ts), INTERVAL 20 MINUTES, INTERVAL 10 MINUTES)"
    plan = session.sql(f"EXPLAIN SELECT v, window_start FROM {readings}, LATERAL {call}").first()[0]
    assert "Generate inline" in plan
    assert "Join" not in plan
    rows = session.sql(
        f"SELECT v, window_start FROM {readings} LEFT JOIN LATERAL {call} ON true WHERE k = 'a'"
    ).collect()
    assert sorted(row.v for row in rows if row.window_start is None) == [-61, -7]


SETTINGS = (
    {"spark.sql.ansi.enabled": "false"},
    {"spark.sql.ansi.enforceReservedKeywords": "true"},
    {"spark.sql.ansi.doubleQuotedIdentifiers": "true"},
    {"spark.sql.caseSensitive": "true", "spark.sql.timestampType": "TIMESTAMP_NTZ"},
    {"spark.sql.parser.escapedStringLiterals": "true", "spark.sql.legacy.timeParserPolicy": "LEGACY"},
)


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: next(iter(settings)).rpartition(".")[2])
def test_settings_of_the_session_change_nothing(session, readings: str, settings: dict[str, str]) -> None:
    """Neither where the functions are made nor where they are called."""
    from winsql.spark.extension.function_pack import drop_functions, install_functions

    calls = [f"{name}_ntz({WINDOWS[name].format(time='n')}) AS {name}" for name in WINDOWS]
    query = f"SELECT {', '.join(calls)}, tumble_end(ts, INTERVAL 1 HOUR) FROM {readings} ORDER BY 1, 2, 3, 4"
    expected = session.sql(query).collect()
    before = {name: session.conf.get(name) for name in settings}
    try:
        for name, value in settings.items():
            session.conf.set(name, value)
        assert session.sql(query).collect() == expected
        drop_functions(session, NAMES)
        install_functions(session)
        assert session.sql(query).collect() == expected
    finally:
        for name, value in before.items():
            session.conf.set(name, value)
    assert session.sql(query).collect() == expected


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
def test_no_zone_changes_windows_without_one(session, zone: str) -> None:
    """Every six minutes over both changes of the year: the windows of TIMESTAMP_NTZ are those that UTC has."""
    before = session.conf.get("spark.sql.session.timeZone")
    arguments = [text.format(time="n") for text in WINDOWS.values()]
    calls = [f"{name}_ntz({text})" for name, text in zip(WINDOWS, arguments, strict=True)]
    calls += ["tumble_start_ntz(n, INTERVAL 1 HOUR)", "tumble_end_ntz(n, INTERVAL 30 MINUTES, INTERVAL 7 MINUTES)"]
    calls += [
        "cleanup_time_ntz(n, INTERVAL 90 MINUTES)",
        "evict_time_ntz(array(n, n + INTERVAL 1 HOUR), INTERVAL 1 HOUR)",
    ]
    rows = "SELECT explode(sequence(0, 50)) AS i"
    starts = ("2024-03-10 00:30:00", "2024-11-03 00:00:00", "2024-04-06 23:00:00", "2024-10-06 00:30:00")
    times = " UNION ALL ".join(
        f"SELECT i, TIMESTAMP_NTZ'{start}' + i * INTERVAL 6 MINUTES AS n FROM ({rows})" for start in starts
    )
    query = f"SELECT n, to_json(struct({', '.join(calls)})) AS held FROM ({times}) ORDER BY n, held"
    found = []
    try:
        for each in ("UTC", zone):
            session.conf.set("spark.sql.session.timeZone", each)
            found.append(session.sql(query).collect())
    finally:
        session.conf.set("spark.sql.session.timeZone", before)
    assert found[0] == found[1]


def test_what_is_impossible_is_refused(session) -> None:
    from pyspark.errors import PySparkException

    source = "FROM VALUES (TIMESTAMP'2024-01-01', TIMESTAMP_NTZ'2024-01-01') AS t(ts, ts_ntz)"
    for call, message in WRONG.items():
        with pytest.raises(PySparkException, match=message):
            session.sql(f"SELECT {call} {source}").collect()


# ------------------------------------------------------------ without Python


@pytest.mark.slow
@pytest.mark.spark
def test_the_launcher_of_spark_sql_installs_the_pack(tmp_path: Path) -> None:
    import pyspark

    query = tmp_path / "query.sql"
    query.write_text(
        """SELECT tumble_start(ts, INTERVAL 10 MINUTES),
                  size(sliding_windows(ts, INTERVAL 1 HOUR, INTERVAL 15 MINUTES)),
                  evict_count(5, 2) FROM VALUES (TIMESTAMP'2024-05-01 10:07:00') AS t(ts);
           SELECT window_end, count(*) FROM VALUES (TIMESTAMP'2024-05-01 10:07:00') AS t(ts),
                  LATERAL explode_sliding_windows(ts, INTERVAL 20 MINUTES, INTERVAL 20 MINUTES) GROUP BY window_end;
           SHOW USER FUNCTIONS;
           DESCRIBE FUNCTION EXTENDED tumble_start;"""
    )
    launcher = Path(pyspark.__file__).parent / "bin" / "spark-sql"
    environment = {k: v for k, v in os.environ.items() if k not in ("SPARK_HOME", "SPARK_CONNECT_MODE")}
    environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = [str(launcher), "-S", "--master", "local[1]"]
    for setting in (
        "spark.ui.enabled=false",
        "spark.sql.catalogImplementation=in-memory",
        f"spark.sql.warehouse.dir={tmp_path}",
    ):
        command += ["--conf", setting]
    command += ["-i", str(ROOT / "sql" / "install.sql"), "-f", str(query)]
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=500, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    lines = run.stdout.splitlines()
    assert lines[0] == "2024-05-01 10:00:00\t4\t[3,4]"
    assert lines[1] == "2024-05-01 10:20:00\t1"
    assert lines[2 : len(NAMES) + 2] == NAMES
    assert "Signature: tumble_start(ts TIMESTAMP, size INTERVAL [, offset INTERVAL]) RETURNS TIMESTAMP" in run.stdout
