"""The names that Spark gives to items without an alias, as in the same SELECT without windows over the same source."""

from __future__ import annotations

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from winsql.model.query import BESIDE, WINDOW_COLUMNS, Form, Unnamed, WindowQuery
from winsql.model.registry import APPLY_FUNCTIONS
from winsql.spark.registered import applied_schema
from winsql.spark.runner import RESULTS, Runner

_TYPES = dict(zip(WINDOW_COLUMNS, ("TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "BIGINT", "STRING"), strict=True))


def item_names(query: WindowQuery, unnamed: Unnamed, runner: Runner) -> tuple[str, ...]:
    """The names of these items of a query; their texts where Spark refuses them, as it will refuse the query itself."""
    relation, relations = _source(query, runner)
    try:
        columns = runner.sql(_asked(query, unnamed, relation), **relations).columns
    except PySparkException:
        return unnamed.names
    return tuple(_written(columns[place], unnamed) for place in unnamed.places)


def _asked(query: WindowQuery, unnamed: Unnamed, relation: str) -> str:
    windows = {key: kind for key, _ in unnamed.replaced for name, kind in _TYPES.items() if key.endswith(f"_{name}")}
    types = {**windows, **dict(unnamed.types)}
    groups = [*unnamed.grouping]
    if query.form is Form.AGGREGATE:
        groups += [f"{BESIDE}.{column}" for column in windows]
    beside = ", ".join(f"CAST(NULL AS {kind}) AS {column}" for column, kind in types.items())
    parts = [
        f"SELECT {', '.join(unnamed.items)}\nFROM {relation}",
        f"LATERAL VIEW inline(array(struct({beside}))) {BESIDE} AS {', '.join(types)}" if types else "",
        f"GROUP BY {', '.join(groups)}" if groups else "",
        unnamed.windows,
    ]
    return "\n".join(part for part in parts if part)


def _source(query: WindowQuery, runner: Runner) -> tuple[str, dict[str, DataFrame]]:
    """What the items read, and the relations in it."""
    if query.form is Form.APPLY:
        function = None if query.apply is None else APPLY_FUNCTIONS.find(query.apply)
        assert function is not None
        schema = applied_schema(query, function, runner.spark)
        return RESULTS, {RESULTS: runner.spark.createDataFrame([], schema)}
    if query.join is None:
        return query.source, {}
    left, right = (f"{side.sql} AS {side.name}" for side in (query.join.left, query.join.right))
    return f"{left} CROSS JOIN {right}", {}


def _written(name: str, unnamed: Unnamed) -> str:
    """A name in which replaced parts are as the user wrote them."""
    for column, text in unnamed.replaced:
        name = name.replace(column, text)
    return name
