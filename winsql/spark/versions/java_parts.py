"""Java sources that differ between versions of Spark. Unnecessary when 4.3 is the oldest one supported.

//# since 4.1        the lines up to `//# end` are for Spark 4.1 and newer
//# before 4.1       ... and these for older ones; such parts do not nest
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from winsql.spark.versions.number import Version, version_of

_MARK = re.compile(r"\s*//# (?:(since|before) (\d+\.\d+)|end)\s*$")


def for_version(source: str, version: Version) -> str:
    """The source without the lines that are for other versions; those that stay keep their numbers."""
    return "\n".join(_lines(source, version))


def _lines(source: str, version: Version) -> Iterator[str]:
    is_wanted = True
    for line in source.split("\n"):
        mark = _MARK.match(line)
        if mark is None:
            yield line if is_wanted else ""
            continue
        limit = version_of(mark[2] or "")
        is_wanted = limit is None or (version >= limit) == (mark[1] == "since")
        yield ""
