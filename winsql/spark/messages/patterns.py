"""Names in backquotes that a setting makes patterns, which Spark takes alone, without an alias or operator."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pyspark.errors import PySparkException

from winsql.errors import WinsqlError
from winsql.model.query import WindowQuery
from winsql.syntax.text.source import Source
from winsql.syntax.text.tokens import TokenKind

_SETTING = "spark.sql.parser.quotedRegexColumnNames"
_PATTERN = re.compile(r"regular expression '(.*)'", re.DOTALL)


def refused_pattern(text: str, error: PySparkException, queries: Sequence[WindowQuery]) -> WinsqlError | None:
    """The error for a quoted name that was taken for a pattern; None where Spark's is about something else."""
    if not queries or error.getCondition() != "INVALID_USAGE_OF_STAR_OR_REGEX":
        return None
    found = _PATTERN.search(str(error))
    if found is None:
        return None
    source = Source(text, settings=queries[-1].settings)
    quoted = (n for n, token in enumerate(source.tokens) if token.kind is TokenKind.QUOTED)
    place = next((n for n in quoted if source.name(n).lower() == found[1].lower()), None)
    return source.spec_error(
        f"`{found[1]}` is a pattern here, and no column",
        queries[-1].span if place is None else place,
        rule=f"with {_SETTING} Spark takes names in backquotes for patterns, except plain words",
        hint=f"SET {_SETTING} = false",
    )
