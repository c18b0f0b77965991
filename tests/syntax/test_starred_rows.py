"""SELECT DISTINCT of stars over windows on streams: the names that its columns have, and what is refused."""

from __future__ import annotations

import pytest
from on_streams import last_on_streams

from winsql.errors import WindowPlanError

W = (
    "(SELECT k AS `My ``Key`, window_start AS S, window_end, count(*) AS c FROM events"
    " WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k)"
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"SELECT DISTINCT * FROM {W}", ["`My ``Key`", "`S`", "`window_end`", "`c`"]),
        (f"SELECT DISTINCT W.* EXCEPT (s, C) FROM {W} AS w", ["`My ``Key`", "`window_end`"]),
        (f"SELECT DISTINCT * FROM {W} AS w(a, `B b`, E, d)", ["`a`", "`B b`", "`E`", "`d`"]),
        (f"SELECT DISTINCT *, C + 1 AS More FROM {W}", ["`My ``Key`", "`S`", "`window_end`", "`c`", "`More`"]),
        (
            f"SELECT DISTINCT w.*, n.label FROM {W} AS w JOIN n ON n.id = w.c",
            ["`My ``Key`", "`S`", "`window_end`", "`c`", "`label`"],
        ),
        (f"SELECT * FROM (SELECT * FROM {W}) GROUP BY ALL", ["`My ``Key`", "`S`", "`window_end`", "`c`"]),
    ],
)
def test_columns_keep_their_names(text: str, names: list[str]) -> None:
    query = last_on_streams(text)
    found = [item.partition(" AS ")[2] for item in query.head.removeprefix("SELECT ").split(", ")]
    assert found == names
    assert len(query.keys) == len(names) - 1


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT DISTINCT * REPLACE (c + 1 AS c) FROM {W}",
        f"SELECT DISTINCT *, c AS window_end FROM {W}",
        f"SELECT DISTINCT *, c + 1 AS d, d AS e FROM {W}",
        f"SELECT DISTINCT *, c + 1 FROM {W}",
        f"SELECT DISTINCT * FROM {W} w JOIN names ON names.id = w.c",
        f"SELECT *, count(*) AS n FROM {W} GROUP BY ALL",
    ],
)
def test_columns_that_are_not_known(text: str) -> None:
    with pytest.raises(WindowPlanError) as caught:
        last_on_streams(text)
    assert caught.value.problem == "this query groups rows of a stream in groups that never end"
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("write the names of the columns in the place of *, and add window_end to")


def test_a_star_without_the_end_of_windows() -> None:
    with pytest.raises(WindowPlanError) as caught:
        last_on_streams(f"SELECT DISTINCT * EXCEPT (window_end) FROM {W}")
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("add window_end to GROUP BY or SELECT DISTINCT")
