"""Windowed queries that number rows as they arrive, in commands where Spark takes none: they are computed first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import DataFrame

from winsql.planner.row_order import depends_on_order
from winsql.spark.planning import Planned
from winsql.spark.runner import relation_name


def numbered_frames(planned: Sequence[Planned]) -> dict[str, DataFrame]:
    """DataFrames in the place of native plans that number rows, by the names of their relations."""
    return {
        relation_name(n): one.runner.sql(one.sql)
        for n, one in enumerate(planned)
        if one.sql is not None and one.query.join is None and any(map(depends_on_order, one.query.aggregates))
    }


def computed(text: str, frames: Mapping[str, DataFrame]) -> dict[str, DataFrame]:
    """The DataFrames, those that the text names with their rows computed."""
    return {name: frame.localCheckpoint() if name in text else frame for name, frame in frames.items()}
