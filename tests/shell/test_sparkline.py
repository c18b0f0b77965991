"""Numbers as bars."""

from __future__ import annotations

import pytest

from winsql.shell.sparkline import sparkline


@pytest.mark.parametrize(
    ("values", "shown"),
    [([], ""), ([0, 0], "▁▁"), ([5], "█"), ([0, 1, 2, 3, 4, 5, 6, 7], "▁▂▃▄▅▆▇█"), ([-1, 100, 50], "▁█▅")],
)
def test_a_bar_for_each_value(values: list[float], shown: str) -> None:
    assert sparkline(values) == shown
