"""Functions that neither Spark nor the session has, nor `winsql.register_aggregate`."""

from __future__ import annotations

from winsql.errors import Span, WinsqlError
from winsql.model.nearest import nearest
from winsql.model.registry import AGGREGATES as REGISTERED
from winsql.spark.aggregate_functions import AggregateNames
from winsql.syntax.other_systems import AGGREGATES_OF_OTHERS, time_function
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import AGGREGATES


def unknown_function_around(source: Source, span: Span, functions: AggregateNames) -> WinsqlError | None:
    """The innermost call around the place whose name the session does not know."""
    found = None
    for index in range(len(source)):
        is_call = source.at(index).is_name and source.at(index + 1).is_symbol("(")
        if not is_call or source.at(index).upper not in functions.unknown or source.partner[index + 1] is None:
            continue
        arguments = source.span(Extent(index + 1, source.closing(index + 1) + 1))
        if arguments.start <= span.start and span.end <= arguments.end:
            found = index
    return None if found is None else unknown_function(source, found, functions)


def unknown_function(source: Source, index: int, functions: AggregateNames) -> WinsqlError:
    """The error for the function whose name is the token at `index`."""
    name = source.name(index)
    if name in REGISTERED:
        return source.spec_error(
            f"{name} is an aggregate over the rows of windows",
            index,
            rule="Spark does not know the aggregates of winsql.register_aggregate",
            hint="call it in a SELECT with windows, as one with WINDOW ASSIGN is",
        )
    known = functions.system()
    near = AGGREGATES_OF_OTHERS.get(name.upper())
    near = near or nearest(name, [*(AGGREGATES & known), *REGISTERED, "PROCTIME"]) or nearest(name, known)
    hint = f"did you mean {near}?" if near else "SHOW FUNCTIONS lists them"
    if name.upper() in AGGREGATES:
        hint = "a newer version of Spark has it"
    hint = time_function(name) or hint
    if source.words(index - 1, "DISTINCT", "ON"):
        hint = "for one row of each k write QUALIFY row_number() OVER (PARTITION BY k ORDER BY ts) = 1"
    return source.spec_error(
        f"there is no function {name}",
        index,
        rule="functions are Spark's, the session's, and aggregates of winsql.register_aggregate",
        hint=hint,
    )
