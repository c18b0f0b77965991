"""The conditions of LATERAL joins in the form that Spark runs on streams.

    FROM a JOIN LATERAL explode(xs) AS e(x) ON x > 0
    FROM a JOIN LATERAL explode(xs) AS e(x) LEFT SEMI JOIN (SELECT true) ON x > 0

Without a condition Spark runs such a join row by row. With one it first groups the rows of the left side, which never
ends on a stream. The condition of a LEFT JOIN cannot be apart from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from winsql.model.joins import JoinType
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.vocabulary import JOIN_WORDS


def lateral_conditions(source: Source) -> list[Edit]:
    """What to write in the place of conditions that are not apart yet."""
    found = list(_edits(source))
    return found if found and found[0] not in source.edits else []


def with_conditions_apart(source: Source) -> Source:
    """The source with the conditions apart from their joins."""
    for edit in lateral_conditions(source):
        source = source.edited(edit)
    return source


def without_pipes_apart(source: Source) -> Source:
    """The source where the conditions after pipes are in a FROM, as `without_pipes` makes one."""
    for edit in source.edits:
        if edit.text.startswith(_PIPE):
            source = source.edited(edit._replace(text=edit.text.removeprefix(_PIPE)))
    return source


def _edits(source: Source) -> Iterator[Edit]:
    for place in source.places("LATERAL"):
        if source.words(place + 1, "VIEW") or not source.words(place - 1, "JOIN"):
            continue
        on = read_relation(source, place + 1, len(source)).extent.stop
        if not source.words(on, "ON"):
            continue
        first = place - 1
        while source.at(first - 1).is_word(*JOIN_WORDS, "OUTER"):
            first -= 1
        if _has_right_in_each(source, Extent(first, place - 1)):
            pipe = _PIPE if source.at(first - 1).is_symbol("|>") else ""
            yield Edit(*source.span(Extent(on, on + 1)), f"{pipe}LEFT SEMI JOIN (SELECT true) ON")


_PIPE = "|> "


def _has_right_in_each(source: Source, words: Extent) -> bool:
    """Whether a join with these words before JOIN gives no row without one of its right side."""
    spelled = tuple(source.at(index).upper for index in words.indexes)
    return not any(spelled in how.spellings and not how.has_right_in_each for how in JoinType)
