"""Arguments of aggregates as Spark's analysis casts them: strings to numbers, and what LISTAGG joins to strings."""

from __future__ import annotations

from dataclasses import replace

from winsql.model.aggregate_calls import AggregateCall, Pieces, sql_of
from winsql.model.query import WindowQuery
from winsql.spark.relation import Projection
from winsql.syntax.text.vocabulary import words

__all__ = ["with_implicit_casts"]


def with_implicit_casts(query: WindowQuery, projection: Projection) -> WindowQuery:
    """The query with these casts in what accumulators read; the calls that Spark analyses stay as they are."""
    return replace(
        query,
        aggregates=tuple(_with_casts(call, projection) for call in query.aggregates),
        trigger_aggregates=tuple(_with_casts(call, projection) for call in query.trigger_aggregates),
    )


def _with_casts(call: AggregateCall, projection: Projection) -> AggregateCall:
    if not call.is_keepable or call.name not in _JOINING | _OF_NUMBERS or not call.given:
        return call
    first = len(call.sorting)
    kinds = [projection.fact(projection.slots[sql]).type_name for sql in call.read[first:]]
    if call.name in _OF_NUMBERS:
        given = [_cast(a, "DOUBLE") if kind == "string" else a for a, kind in zip(call.given, kinds, strict=True)]
    else:
        is_text = kinds[0] in ("binary", "void") or kinds[0].startswith("string")
        given = [call.given[0] if is_text else _cast(call.given[0], "STRING"), *call.given[1:]]
    return replace(call, given=tuple(given))


def _cast(argument: Pieces, type_name: str) -> Pieces:
    return (f"CAST({sql_of(argument)} AS {type_name})",)


_JOINING = words("LISTAGG STRING_AGG")
_OF_NUMBERS = words(
    """
    AVG CORR COVAR_POP COVAR_SAMP KURTOSIS MEAN MEDIAN PERCENTILE SKEWNESS STD STDDEV STDDEV_POP STDDEV_SAMP SUM
    VARIANCE VAR_POP VAR_SAMP
    """
)
