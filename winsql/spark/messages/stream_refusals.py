"""Spark's refusals of streams in statements with windows, with the place and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pyspark.errors import PySparkException

from winsql.errors import Span, WindowPlanError, WinsqlError
from winsql.model.query import WindowQuery
from winsql.model.settings import DEFAULTS
from winsql.syntax.text.source import Extent, Source


def stream_refusal(text: str, error: PySparkException, queries: Sequence[WindowQuery]) -> WinsqlError | None:
    """The error to raise for Spark's; None where that is about something else."""
    said = str(error)
    no_stream = _NO_STREAM.match(said)
    if no_stream is not None:
        return _not_streaming(Source(text, settings=queries[-1].settings if queries else DEFAULTS), no_stream[1])
    if not queries:
        return _never_whole().located(text, _whole(text)) if said.startswith(_NEVER_BATCH) else None
    query = queries[-1]
    if error.getCondition() == "INVALID_SUBQUERY_EXPRESSION.STREAMING_QUERY":
        has_pipes = any(True for _ in Source(text, settings=query.settings).places("|>"))
        return _no_subquery(has_pipes=has_pipes).located(text, query.span)
    if said.startswith(_NEVER_BATCH):
        word = query.span.text(text).split(maxsplit=1)[0]
        return _never_whole().located(text, Span(query.span.start, query.span.start + len(word)))
    if "delay threshold" in said and "should not be negative" in said:
        return _negative_delay(Source(text, settings=query.settings))
    return None


def _whole(text: str) -> Span:
    return Span(len(text) - len(text.lstrip()), len(text.rstrip()))


_NEVER_BATCH = "Queries with streaming sources must be executed"
_NO_STREAM = re.compile(r"(.+) is not a temp view of streaming logical plan")


def _no_subquery(*, has_pipes: bool) -> WinsqlError:
    hint = "ask windows about windows: EXISTS (SELECT ...) or IN (SELECT ...) in WHERE, over window table functions"
    if has_pipes:
        hint += "; after |> such a WHERE comes right after FROM, with |> SELECT after it"
    return WindowPlanError(
        "a subquery over a stream cannot run here",
        rule="on streams rows of windows are joined on equal window_end, which says when all of them are there",
        hint=hint,
    )


def _never_whole() -> WinsqlError:
    return WindowPlanError(
        "this statement cannot take the rows of a stream",
        rule="it runs once and ends, and a stream goes on",
        hint="write CREATE STREAMING TABLE name AS SELECT ..., or CREATE STREAM name INTO format ... AS SELECT ...",
    )


def _negative_delay(source: Source) -> WinsqlError:
    places = [index for index in source.places("DELAY") if source.words(index, "DELAY", "OF")]
    below = [index for index in places if "-" in source.verbatim(Extent(index, min(index + 5, len(source))))]
    return source.spec_error(
        "the delay of a watermark must not be negative",
        Extent(below[0], below[0] + 2) if below else 0,
        rule="it says how far the watermark stays behind the newest row",
        hint="write INTERVAL 0 SECONDS where rows come in the order of their time",
    )


def _not_streaming(source: Source, view: str) -> WinsqlError:
    """`view` is a temporary view, whose name has one part."""
    names = [index + 2 if source.at(index + 1).is_symbol("(") else index + 1 for index in source.places("STREAM")]
    named = [index for index in names if index < len(source) and source.name(index).lower() == view.lower()]
    return source.spec_error(
        f"{view} is a view over a table, not over a stream",
        named[0] if named else 0,
        rule="STREAM reads a table by micro-batches, or a view over a stream",
        hint=f"leave STREAM out, or begin the view with it: CREATE TEMP VIEW {view} AS SELECT ... FROM STREAM table",
    )
