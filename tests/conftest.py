"""Fixtures and options shared by all tests; PySpark is imported only where the `spark` fixture is used."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from compiled_spark import use_compiled_spark
from hypothesis import settings
from interpreted import INTERPRETED
from java_options import set_java_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

set_java_options()
use_compiled_spark()
settings.register_profile("fixed", deadline=None, derandomize=True)  # the same examples on a busy machine too
settings.load_profile("fixed")

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.log.level": "ERROR",
    "spark.sql.streaming.stateStore.providerClass": "org.apache.spark.sql.execution.streaming.state."
    "RocksDBStateStoreProvider",
}

LONG = (
    "spellings/test_spellings.py",
    "spark/test_golden_settings.py",
    "spark/test_killed.py",
    "spark/test_connect.py",
    "spark/test_killed_sinks.py",
    "tools/test_client.py",
    "test_examples.py",
    "chaos/test_hostile.py",
    "spark/test_local_windows.py",
    "bench/test_bench.py",
    "differential/test_differential.py",
    "spark/test_ranking_ties.py",
    "tools/test_dbt.py",
    "shell/test_serve.py",
    "spark/test_settings.py",
    "spark/test_stream_cluster.py",
    "spark/test_cascades.py",
    "chaos/test_crash_points.py",
    "tools/test_pipelines.py",
    "spark/test_streaming_tables.py",
    "tools/test_sqlmesh.py",
    "spark/test_started_twice.py",
    "notebook/test_notebook.py",
    "test_nexmark.py",
    "spark/test_database_sinks.py",
    "spark/test_failing_tasks.py",
    "spark/test_stream_places.py",
    "spark/test_native_equals_operator.py",
    "spark/test_emit.py",
    "test_docs.py",
    "spark/test_batch_against_stream.py",
    "spark/test_extreme_times.py",
    "spark/test_damage.py",
    "spark/test_state_versions.py",
)
"""Files that take longest in CI, forty seconds and more, the longest first."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        default=False,
        help="write what the code produces into the golden files, then read the diff",
    )
    parser.addoption(
        "--third", type=int, choices=range(3), help="of the files with slow tests every third one, as in CI"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whatever asks for the session is a Spark test: `-m 'not spark'` needs no Java. Long files come first.

    So no process of several works on alone at the end; xdist hands out files in this order if it is told so.
    What older versions of Spark cannot do is not asked of them.
    """
    _deselect(config, items, [item for item in items if _is_newer(item.get_closest_marker("since"))])
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.spark)
    places = {Path(__file__).parent / name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
    third = config.getoption("--third")
    if third is not None:
        slow = [item for item in items if item.get_closest_marker("slow")]
        files = list(dict.fromkeys(item.path for item in slow))[third::3]
        _deselect(config, items, [item for item in slow if item.path not in files])


def _deselect(config: pytest.Config, items: list[pytest.Item], unwanted: list[pytest.Item]) -> None:
    if unwanted:
        config.hook.pytest_deselected(items=unwanted)
        items[:] = [item for item in items if item not in set(unwanted)]


def _is_newer(since: pytest.Mark | None) -> bool:
    if since is None:
        return False
    installed = version("pyspark").split(".")
    return [int(part) for part in installed[:2]] < [int(part) for part in since.args[0].split(".")]


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """True when `--update-golden` was given."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One local session for the whole run: 2 cores, 2 shuffle partitions, UTC; WINSQL_CONNECT=1 makes it a Connect one.

    A test that changes a setting puts it back itself; temporary views end with their file.
    """
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # the workers' packages are the tests' own
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    # PySpark logs every error of a query as JSON, also those that a test provokes
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL + 1)
    on_connect = bool(os.environ.get("WINSQL_CONNECT"))
    start = SparkSession.builder.remote if on_connect else SparkSession.builder.master
    builder = start("local[2]").appName("winsql-tests")
    if on_connect:
        builder = builder.config("spark.connect.grpc.binding.port", _connect_port())
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    builder = builder.config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module", autouse=True)
def own_views(request: pytest.FixtureRequest) -> Iterator[None]:
    """A file meets no temporary view of another one, in whatever order they run."""
    here = [item for item in request.session.items if item.path == request.path]
    if not any("spark" in getattr(item, "fixturenames", ()) for item in here):
        yield
        return
    spark = request.getfixturevalue("spark")
    yield
    for view in spark.sql("SHOW VIEWS").where("isTemporary").collect():
        spark.catalog.dropTempView(view.viewName)


def _connect_port() -> str:
    """A free port, which PySpark's client then takes too: other versions may run their tests at the same time."""
    from pyspark.sql.connect.client import DefaultChannelBuilder

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    DefaultChannelBuilder.default_port = staticmethod(lambda: port)  # type: ignore[method-assign]
    return str(port)


@pytest.fixture(autouse=True)
def interpreted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Long suites, whose statements run once, are not compiled, unless marked `compiled`; what `make test` runs is.

    WINSQL_INTERPRETED=1 holds for all tests: where what they run is compiled elsewhere too.
    """
    slow, compiled = (request.node.get_closest_marker(name) is not None for name in ("slow", "compiled"))
    if not (slow or os.environ.get("WINSQL_INTERPRETED")) or compiled or "spark" not in request.fixturenames:
        yield
        return
    spark = request.getfixturevalue("spark")
    for name, value in INTERPRETED.items():
        spark.conf.set(name, value)
    yield
    for name in INTERPRETED:
        spark.conf.unset(name)
