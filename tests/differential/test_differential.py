"""Random statements on every plan that can run them, held against the model in Python. See README.md in this folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from differential.check import Failure, failure, report, smallest
from differential.generate import draw_query
from differential.plans import Plan, make_tables, planned, run
from differential.record import Query, Result, Session
from differential.scenes import Draw, Scene, draw_scene
from differential.shrink import Case
from differential.streams import draw_feed, run_streams, smallest_stream, stream_failure
from sampling import some
from session_settings import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHORT = 300
STATEMENTS = int(os.environ.get("WINSQL_DIFFERENTIAL", SHORT))
SEED = os.environ.get("WINSQL_DIFFERENTIAL_SEED", "1")
ONLY = os.environ.get("WINSQL_DIFFERENTIAL_ONLY")
"""`scene/number` of one statement, as a failure names it."""

OF_A_SCENE = 30
OF_A_STREAM = 8
SCENES = list(range(-(-STATEMENTS // OF_A_SCENE))) if ONLY is None else [int(ONLY.split("/")[0].removeprefix("stream"))]
STREAMS = SCENES[:: 1 if ONLY is not None else 10 if STATEMENTS > SHORT else 5]
SHRUNK = 3
"""Failures of a scene that are shrunk; the others are counted."""

Numbered = tuple[int, Query]


def drawn(scene: Scene, place: str, count: int) -> list[Numbered]:
    """Queries by number."""
    return [(n, draw_query(scene, f"{SEED}/{place}/{n}")) for n in range(count)]


def asked(queries: list[Numbered], place: str) -> list[Numbered]:
    """Only one when one is asked for."""
    return [(n, query) for n, query in queries if ONLY in (None, f"{place}/{n}")]


@pytest.fixture
def at_home(spark: SparkSession) -> Iterator[SparkSession]:
    """The session; its settings and views are as before when the test is over."""
    before = {table.tableName for table in spark.sql("SHOW TABLES").collect()}
    yield spark
    for table in spark.sql("SHOW TABLES").collect():
        if table.tableName not in before:
            spark.catalog.dropTempView(table.tableName)


def plans_of(query: Query, draw: Draw) -> set[Plan]:
    """Those it runs on: the one that winsql chooses and often another; in a long run only one, for more statements."""
    if any(statement.function for statement in query.statements):
        return {Plan.CHOSEN}
    is_native = all(statement.windowing.is_default and not statement.returns_rows for statement in query.statements)
    others = (Plan.OPERATOR, Plan.PER_ROW) if is_native else (Plan.PER_ROW, Plan.CHOSEN)
    other = draw.choice(others)
    return {draw.choice((Plan.CHOSEN, other))} if STATEMENTS > SHORT else {Plan.CHOSEN, other}


def runs_on(spark: SparkSession, plan: Plan) -> Callable[[Query, Session], Result]:
    """Runs a query alone, in a session and over tables of its own."""

    def runs(query: Query, session: Session) -> Result:
        with settings(spark, session.settings), planned(plan):
            make_tables(spark, query.tables)
            return run(spark, query, session)

    return runs


def failures_of(spark: SparkSession, scene: Scene, plan: Plan, queries: list[Numbered]) -> list[tuple[int, Failure]]:
    """Those of the scene's queries on a plan, two at a time; the session has its settings and tables."""

    def fails(query: Query) -> Failure | None:
        return failure(Case(query, scene.session), lambda query, session: run(spark, query, session))

    with planned(plan), ThreadPoolExecutor(2) as pool:
        found = list(pool.map(fails, [query for _, query in queries]))
    return [(n, failed) for (n, _), failed in zip(queries, found, strict=True) if failed is not None]


def said(spark: SparkSession, place: str, plan: Plan, found: Iterable[tuple[int, Failure]]) -> list[str]:
    """Reports of failures; of one kind the first, shrunk."""
    kinds = {failed.kind: (n, failed) for n, failed in reversed(list(found))}
    shown = list(kinds.values())[:SHRUNK]
    small = [(n, smallest(failed, runs_on(spark, plan))) for n, failed in shown]
    return [report(failed, f"seed {SEED}, statement {place}/{n}", plan.value) for n, failed in small]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("number", some(SCENES))
def test_tables(at_home: SparkSession, number: int) -> None:
    scene = draw_scene(f"{SEED}/{number}")
    queries = drawn(scene, str(number), OF_A_SCENE)
    draw = Draw(f"plans {SEED}/{number}")
    plans = {n: plans_of(query, draw) for n, query in queries}
    queries = asked(queries, str(number))
    wrong: dict[Plan, list[tuple[int, Failure]]] = {}
    with settings(at_home, scene.session.settings):
        make_tables(at_home, scene.tables)
        for plan in Plan:
            own = [(n, query) for n, query in queries if plan in plans[n]]
            wrong[plan] = failures_of(at_home, scene, plan, own)
    told = [text for plan, found in wrong.items() for text in said(at_home, str(number), plan, found)]
    count = sum(map(len, wrong.values()))
    assert not told, f"{count} runs of {len(queries)} statements differ\n\n" + "\n\n".join(told)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("number", some(STREAMS))
def test_streams(at_home: SparkSession, tmp_path: Path, number: int) -> None:
    scene = draw_scene(f"{SEED}/stream{number}", is_stream=True)
    scene = replace(scene, session=stream_session(scene.session))
    queries = drawn(scene, f"stream{number}", OF_A_STREAM)
    feed, over = draw_feed(Draw(f"feed {SEED}/{number}"), scene.tables[0], [query for _, query in queries])
    queries = asked([(n, query) for (n, _), query in zip(queries, over, strict=True)], f"stream{number}")
    with settings(at_home, scene.session.settings):
        make_tables(at_home, ())
        outcomes = run_streams(at_home, [query for _, query in queries], scene.session, feed, tmp_path / "all")
    told = []
    for (n, query), outcome in zip(queries, outcomes, strict=True):
        failed = stream_failure(Case(query, scene.session), feed, outcome)
        if failed is not None:
            failed, small = smallest_stream(failed, feed, at_home, tmp_path / str(n))
            plan = f"a stream, cut after rows {small.ends}, delay {small.delay} µs"
            told.append(report(failed, f"seed {SEED}, statement stream{number}/{n}", plan))
    assert not told, "\n\n".join(told)


def stream_session(session: Session) -> Session:
    """Two partitions at most: each query of a stream has a state store for each."""
    name = "spark.sql.shuffle.partitions"
    return Session({**session.settings, name: str(min(2, int(session.settings[name])))})


def test_sample(at_home: SparkSession) -> None:
    """Few statements on the plan that winsql chooses: what runs on Spark Connect."""
    scene = draw_scene(f"{SEED}/sample")
    queries = drawn(scene, "sample", 25)
    with settings(at_home, scene.session.settings):
        make_tables(at_home, scene.tables)
        found = failures_of(at_home, scene, Plan.CHOSEN, queries)
    told = said(at_home, "sample", Plan.CHOSEN, found)
    assert not told, "\n\n".join(told)
