"""Whether the state of a stream is that of the query that reads it: what differs, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from winsql.errors import WindowDataError
from winsql.model.key_groups import FEWEST, partitions_with
from winsql.model.query import FIRST_ROWS, KEPT_TYPES, KEY_GROUPS, RESULTS_OF_CHANGES, WINDOWS_OF_ROWS, ZONE_OF_WINDOWS
from winsql.model.settings import ANSI, DOUBLE_QUOTES, SETTINGS_OF_TEXTS

_OFTEN_WITHOUT = frozenset({WINDOWS_OF_ROWS, FIRST_ROWS, KEPT_TYPES, RESULTS_OF_CHANGES})
"""Parts that only some state has: that of earlier versions, and of rankings that got all rows, fits without them."""
_RESTART = "run the query as it was, or start the new one with a new checkpoint"


def changed(what: str, before: str | None, now: str | None) -> str:
    """What has another value, in words."""
    was, is_now = ("were", "are") if what.partition(" of ")[0].endswith("s") else ("was", "is")
    return f"{what} {was} {before or 'nothing'} and {is_now} {now or 'nothing'}"


def require_same_query(kept: Mapping[str, str], asked: Mapping[str, str], hint: str = _RESTART) -> None:
    """Refuse state that another query has written; raises WindowDataError that says what differs.

    hint    what to do where the query is another one
    """
    names = [name for name in {**kept, **asked} if kept.get(name) != asked.get(name)]
    names = [name for name in names if name not in _OFTEN_WITHOUT or name in kept]
    names = [name for name in names if name not in SETTINGS_OF_TEXTS or (name in kept and name in asked)]
    if not names:
        return
    if names == [RESULTS_OF_CHANGES]:
        raise WindowDataError(
            "the checkpoint is that of a changelog with another HAVING or other items",
            rule="a changelog takes its results back as they were sent",
            hint=hint,
        )
    names = [name for name in names if name != RESULTS_OF_CHANGES]  # the text of a plan, which nobody has written
    if names == [KEY_GROUPS]:
        raise _other_key_groups(kept.get(KEY_GROUPS), asked.get(KEY_GROUPS))
    setting = next((name for name in names if name in SETTINGS_OF_TEXTS), None)
    if setting is not None:  # it tells why the rest differs
        raise _read_otherwise(setting, kept[setting], asked[setting])
    before, now = ([_without_zone(name, identity.get(name, "")) for name in names] for identity in (kept, asked))
    if [text for text, _ in before] == [text for text, _ in now]:
        raise WindowDataError(
            f"the checkpoint has windows by the clocks of {before[0][1]}, and not of {now[0][1]}",
            rule="they follow the time zone of the session, which is fixed for the life of a checkpoint",
            hint=f"SET spark.sql.session.timeZone = {before[0][1]}",
        )
    parts = [changed(name, kept.get(name), asked.get(name)) for name in names]
    parts = [part.replace("__winsql_", "") for part in parts]  # see planner.identity
    raise WindowDataError(
        f"the checkpoint holds the state of another query: {'; '.join(parts)}",
        rule="state is read by the query that wrote it, and by no other",
        hint=hint,
    )


def _other_key_groups(before: str | None, now: str | None) -> WindowDataError:
    partitions = partitions_with(int(before)) if before is not None and before.isdecimal() else None
    return WindowDataError(
        f"the checkpoint has another number of key groups: {before}, and not {now}",
        rule=f"it follows spark.sql.shuffle.partitions, two for each and {FEWEST} at least, and is fixed for the life "
        "of a checkpoint",
        hint=_RESTART if partitions is None else f"SET spark.sql.shuffle.partitions = {partitions}",
    )


def _read_otherwise(setting: str, before: str, now: str) -> WindowDataError:
    is_name = setting == DOUBLE_QUOTES and before == "true"
    return WindowDataError(
        f"the checkpoint has begun with {setting} = {before}, and now it is {now}",
        rule=f"the statement has {SETTINGS_OF_TEXTS[setting]}, which it would read in another way from here on",
        hint=f"SET {setting} = {before}{f', and SET {ANSI} = true, without which it does nothing' if is_name else ''}",
    )


def _without_zone(name: str, value: str) -> tuple[str, str]:
    """A part of the identity without the time zone that windows follow, and that zone; see planner.identity."""
    if name == ZONE_OF_WINDOWS:
        return "", value or "UTC"
    zones = _ZONE.findall(value) if name == WINDOWS_OF_ROWS else []
    return (_ZONE.sub("", value) if zones else value), (zones or ["UTC"])[0]


_ZONE = re.compile(r"(?<=\)) in ([^ ;]+)(?=;|$)")
