"""What users have registered, checked before a query runs: the types that it returns, and that workers can have it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark import cloudpickle
from pyspark.errors import ParseException
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from winsql.errors import Span, WindowPlanError, WindowSpecError
from winsql.model.aggregate_calls import AggregateCall
from winsql.model.functions import AggregateFunction, ApplyFunction, CoGroupFunction
from winsql.model.query import WindowQuery
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.aggregates.registered import name_of
from winsql.spark.flags import is_on
from winsql.spark.function_names import system_functions
from winsql.spark.workers.task import Place


def type_returned(query: WindowQuery, call: AggregateCall, function: AggregateFunction) -> str:
    """The type of a registered aggregate's results as SQL; raises WindowSpecError for what is no type."""
    schema = _parsed(f"result {function.returns}")
    if schema is not None and len(schema) == 1 and schema[0].nullable and not schema[0].metadata:
        return function.returns
    raise WindowSpecError(
        f"the aggregate {call.name} is registered with {function.returns!r}, which is no type",
        rule="what an aggregate returns is a type of Spark SQL",
        hint=f"register it with one, as in winsql.register_aggregate({call.name.lower()!r}, ..., 'DOUBLE')",
    ).located(query.text, call.span)


def require_own_name(spark: SparkSession, query: WindowQuery, call: AggregateCall) -> None:
    """Raises WindowSpecError where Spark has a function of the name of a registered aggregate."""
    if spark.version not in _SYSTEM_FUNCTIONS:
        _SYSTEM_FUNCTIONS[spark.version] = system_functions(spark)
    if call.name.lower() in _SYSTEM_FUNCTIONS[spark.version]:
        raise WindowSpecError(
            f"{call.name} is a function of Spark's, and a registered aggregate too",
            rule="an aggregate of winsql.register_aggregate has a name that no function of Spark's has",
            hint="register it under another name",
        ).located(query.text, call.span)


_SYSTEM_FUNCTIONS: dict[str, frozenset[str]] = {}
"""By version."""


def applied_schema(query: WindowQuery, function: ApplyFunction | CoGroupFunction, spark: SparkSession) -> StructType:
    """The columns that the query's function returns; raises WindowSpecError for what is no schema."""
    schema = _parsed(function.returns)
    fold = str if is_on(spark, "spark.sql.caseSensitive") else str.lower
    if schema is not None and len(set(map(fold, schema.names))) == len(schema.names):
        return schema
    raise WindowSpecError(
        f"the function {query.apply} is registered with {function.returns!r}, which is no schema",
        rule="what a function over windows returns are columns with types of Spark SQL, whose names differ",
        hint="register it with them, as in 'meter STRING, mean DOUBLE'",
    ).located(query.text, _first_word(query))


def require_portable(query: WindowQuery, aggregates: tuple[Aggregate, ...], apply: Any) -> None:
    """Refuse a query with code of users that cannot be sent to workers; raises WindowPlanError."""
    for name, part in _parts(query, aggregates, apply):
        try:
            cloudpickle.dumps(part)  # type: ignore[no-untyped-call]
        except Exception as error:
            raise WindowPlanError(
                f"{name} cannot be sent to Spark's workers: {error}",
                rule="workers are other processes: they are sent a user's code with what it holds and reads",
                hint="make in its methods what cannot be sent, such as a lock, a file, a connection or the session",
            ).located(query.text, _first_word(query)) from error


def _parts(query: WindowQuery, aggregates: tuple[Aggregate, ...], apply: Any) -> Iterator[tuple[str, Any]]:
    spec = query.spec
    yield f"the trigger {spec.trigger.NAME}", spec.trigger
    if spec.evictor is not None:
        yield f"the evictor {spec.evictor.NAME}", spec.evictor
    yield from ((f"the aggregate {name_of(aggregate)}", aggregate) for aggregate in aggregates)
    yield f"the function {query.apply}", apply


def _parsed(schema: str) -> StructType | None:
    try:
        parsed = StructType.fromDDL(schema)
    except ParseException:
        return None
    return parsed if isinstance(parsed, StructType) else None


def _first_word(query: WindowQuery) -> Span:
    return Place.of(query).span
