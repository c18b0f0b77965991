"""Spark's refusals at the start of a stream, or in its first micro-batch, in the user's words: Spark prints its plan,
which is not the statement."""

from __future__ import annotations

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame

from winsql.errors import Span, WindowPlanError
from winsql.model.query import INTERNAL_PREFIX
from winsql.model.window_tables import Role
from winsql.planner.streaming import MARKED_TWICE
from winsql.spark.flags import is_on
from winsql.spark.messages.misspellings import immediate
from winsql.spark.runner import is_connect
from winsql.spark.versions.classic import refused_in_every_mode, refused_on_append
from winsql.spark.versions.plan_text import analyzed_text
from winsql.syntax.selects.endless import WITHOUT_IDENTIFIER, endless_groups
from winsql.syntax.text.source import Extent, Source


def unsupported(error: PySparkException, text: str, query: Span) -> WindowPlanError | None:
    """The error for a query that no stream can run; None where Spark's says something else.

    text, query   the statement, and where its query is
    """
    if not isinstance(error, AnalysisException):
        return None
    said = str(error)
    problem = said.partition(";\n")[0].strip()
    if "~" not in said.partition(";\n")[2] and not said.startswith(_NO_END):
        return None
    refused, source = _told(problem), Source(text)
    if said.startswith(_NO_END):
        refused.hint = _instead(source) or refused.hint
    return refused.located(text, _place(source, problem, query))


def _place(source: Source, problem: str, query: Span) -> Span:
    """The word of the query that Spark's refusal is about; all of it where several words may be meant."""
    words = next((words for begin, words in _WORDS.items() if problem.startswith(begin)), ())
    places = [n for n in source.places(*words) if query.start <= source.at(n).start < query.end]
    spelled = [n for n in places if not _is_part(source, n)]
    if len(spelled) != 1:
        return query
    place = spelled[0]
    return source.span(Extent(place, place + 1 + source.at(place + 1).is_word("BY")))


def _is_part(source: Source, place: int) -> bool:
    """Whether a word is part of OVER, WITHIN GROUP or a star, or UNION ALL, none of which Spark refuses by itself."""
    bracket = source.group[place]
    is_inside = bracket > 0 and source.at(bracket - 1).is_word("OVER", "GROUP")
    return is_inside or source.at(place - 1).is_symbol("*") or source.words(place, "UNION", "ALL")


def require_some_mode(frame: DataFrame, text: str) -> None:
    """Raises WindowPlanError for a stream that Spark starts in no output mode; on Spark Connect its start says so."""
    if is_connect(frame) or not frame.isStreaming or not is_on(frame.sparkSession, _CHECK, True):
        return
    error = refused_in_every_mode(frame)
    refused = error and unsupported(error, text, Span(len(text) - len(text.lstrip()), len(text.rstrip())))
    if refused is not None:
        raise refused


def require_immediate(frame: DataFrame, text: str) -> None:
    """The same for EXECUTE IMMEDIATE: a text that Spark reads alone, and of whose views it knows no windows."""
    span = immediate(frame.sparkSession, text)
    if span is not None and frame.isStreaming and _is_endless(frame):
        raise WindowPlanError(
            "EXECUTE IMMEDIATE cannot group, rank or join windows of a stream that a view holds",
            rule="Spark reads its text, and does not know the windows of views",
            hint="run the query itself, or write the windows into its text in the place of the view",
        ).located(text, span)


def _is_endless(frame: DataFrame) -> bool:
    """Whether Spark refuses a query over windows where it appends rows."""
    if is_connect(frame) or not is_on(frame.sparkSession, _CHECK, True):
        return False
    return INTERNAL_PREFIX in analyzed_text(frame) and refused_on_append(frame) is not None


def unsupported_in_batch(error: BaseException) -> WindowPlanError | None:
    """The error for a query that Spark planned at the start and refused in a micro-batch; None for other failures."""
    _, _, said = str(error).rpartition(_IN_BATCH)
    said = said.partition(_ENDED)[2] or said
    is_of_query = said.startswith(_OF_QUERY)  # others are those of a function of the user's, or of a sink
    return _told(said.partition("\n")[0].partition(" SQLSTATE: ")[0]) if is_of_query else None


def _told(problem: str) -> WindowPlanError:
    if problem.startswith(_NO_END):
        return endless_groups(Role.END.value)
    found = next((told for words, told in _KNOWN.items() if problem.startswith(words)), None)
    told, rule, hint = found or (problem, "a stream gives its rows micro-batch by micro-batch", _OTHERWISE)
    return WindowPlanError(told, rule=rule, hint=hint)


def _instead(source: Source) -> str | None:
    """What to write in the place of words that group rows by themselves, or hide windows; None where there are none."""
    if any(not source.words(place + 1, "ALL") for place in source.places("UNION")):
        return "write UNION ALL in a subquery, and SELECT DISTINCT ..., window_end around it"
    if any(source.at(place - 1).is_symbol("|>") for place in source.places("AGGREGATE")):
        return "write |> AGGREGATE ... GROUP BY window_end, ..."
    if any(source.at(place + 1).is_symbol("(") for place in source.places("IDENTIFIER")):
        return WITHOUT_IDENTIFIER
    if source.places("TABLESAMPLE"):
        return _KNOWN["Sampling is not supported"][-1]
    for pivot in source.places("PIVOT"):
        stop = next((place for place in source.places("FOR") if source.group[place] == pivot + 1), None)
        if stop is not None:
            return _instead_of_pivot(source, pivot + 2, stop)
    return None


def _instead_of_pivot(source: Source, first: int, stop: int) -> str:
    """The first aggregate between PIVOT and FOR as one that has a filter."""
    opening = next(place for place in source.places("(") if first < place < stop)
    call = source.verbatim(Extent(first, source.closing(opening) + 1))
    column = source.verbatim(Extent(stop + 1, stop + 2))
    condition = "..." if source.at(stop + 1).is_symbol("(") else f"{column} = ..."
    return f"write {call} FILTER (WHERE {condition}) and its like with GROUP BY window_end, in the place of PIVOT"


_CHECK = "spark.sql.streaming.unsupportedOperationCheck"
_IN_BATCH = ".AnalysisException: "
_ENDED = "terminated with exception: "
_NO_END = "[STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION]"
_MARKED_TWICE = "Redefining watermark is disallowed"
_OF_QUERY = (_NO_END, "[UNSUPPORTED_STREAMING_OPERATOR_WITHOUT_WATERMARK]", _MARKED_TWICE)
_OTHERWISE = "write the windows into a table, and run the rest of the query on that"
_KNOWN = {
    _MARKED_TWICE: MARKED_TWICE,
    "Sorting is not supported": (
        "ORDER BY cannot sort a stream",
        "a stream gives the rows of a window when that ends, one window after the other",
        "leave out ORDER BY, and sort where you read the result",
    ),
    "Sampling is not supported": (
        "TABLESAMPLE cannot sample a stream",
        "how many rows there are is not known before a stream ends",
        "write WHERE rand() < 0.1 in the place of TABLESAMPLE (10 PERCENT)",
    ),
}
_KNOWN |= {
    problem: (
        f"{words} JOIN cannot keep rows of a table that have no partner in a stream",
        "which rows these are is not known before a stream ends",
        "keep those of the stream, FROM stream LEFT JOIN table, or write the stream into a table and join that",
    )
    for words, problem in {
        "RIGHT": "RightOuter join with a streaming DataFrame/Dataset on the left and a static",
        "LEFT": "LeftOuter join with a streaming DataFrame/Dataset on the right and a static",
        "FULL": "FullOuter joins with streaming DataFrames/Datasets on the",
    }.items()
}
"""How Spark's messages begin -> problem, rule and hint."""
_WORDS = {
    "Sorting": ("ORDER", "SORT", "CLUSTER"),
    "Sampling": ("TABLESAMPLE",),
    "Intersect": ("INTERSECT",),
    "Except": ("EXCEPT", "MINUS"),
    "RightOuter": ("RIGHT",),
    "LeftOuter": ("LEFT",),
    "FullOuter": ("FULL",),
    _NO_END: ("PIVOT", "UNION", "AGGREGATE", "INTERSECT", "TABLESAMPLE"),
}
"""How Spark's messages begin -> the words of a statement that they may be about."""
