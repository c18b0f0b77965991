"""Statements that do one thing with windows over what another one gives; the rows are those of `drawn_sql`.

python3 nested_sql.py SEED NUMBER FOLDER
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from drawn_sql import Draw, write

_WINDOW = "window_start, window_end"
_SAME = "L.window_start = R.window_start AND L.window_end = R.window_end"


class Nested(Draw):
    """Draws them."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        inner = (self.joined_rows, self.best, self.kept, self.counted)
        self.inner: tuple[Callable[[str], str], ...] = inner

    @property
    def kinds(self) -> tuple[Callable[[], str], ...]:
        return (self.grouped_again, self.ranked_again, self.joined_again, self.asked, self.shared, self.thrice)

    def rows_with_windows(self, size: str) -> str:
        """A query that gives k, n and the columns of windows."""
        return self.rng.choice(self.inner)(size)

    def joined_rows(self, size: str) -> str:
        is_rows = self.rng.random() < 0.5
        left, right = self.side("e", size, is_rows=is_rows), self.side("f", size, is_rows=is_rows)
        m, kind = "n" if is_rows else "q", self.one("JOIN", "LEFT JOIN")
        value = self.one(f"L.{m}", f"COALESCE(R.{m}, L.{m})", f"L.{m} - COALESCE(R.{m}, 0)")
        on = self.one(f"L.k = R.k AND {_SAME}", f"{_SAME} AND L.k = R.k", f"L.k = R.k AND {_SAME} AND L.{m} <> R.{m}")
        return f"SELECT L.k, {value} AS n, L.window_start, L.window_end FROM {left} L {kind} {right} R ON {on}"

    def best(self, size: str) -> str:
        rows, m = self.side("e", size, is_rows=True), self.one("n", "n DESC", "s, n", "v DESC, n")
        if self.rng.random() < 0.5:
            rows, m = self.side("e", size, is_rows=False), self.one("q", "q DESC, k", "c, q DESC, k")
        n = "n" if "n" in m or m.startswith("v") else "q"
        number = f"ROW_NUMBER() OVER (PARTITION BY {_WINDOW}{self.one('', ', k')} ORDER BY {m}) AS r"
        items = f"k, {n} AS n, {_WINDOW}" if n != "n" else f"k, n, {_WINDOW}"
        return f"SELECT {items} FROM (SELECT *, {number} FROM {rows}) WHERE r <= {self.one('1', '2', '3')}"

    def kept(self, size: str) -> str:
        left, right = self.side("e", size, is_rows=True), self.side("f", size, is_rows=self.rng.random() < 0.5)
        asked = f"SELECT * FROM {right} R WHERE L.k = R.k AND {_SAME}"
        return f"SELECT k, n, {_WINDOW} FROM {left} L WHERE {self.one('', 'NOT ')}EXISTS ({asked})"

    def counted(self, size: str) -> str:
        call, key = f"TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), {size}))", self.one("s", "k, s")
        value = self.one("COUNT(*)", "MAX(n)", "COUNT(DISTINCT s)")
        text = f"SELECT k, {value} AS n, {_WINDOW} FROM {call} GROUP BY k, {_WINDOW}"
        return text if self.rng.random() < 0.5 else text.replace("GROUP BY k,", f"GROUP BY k, {key[-1]},")

    def size(self) -> str:
        return self.seconds(20, 30, 60)

    def grouped_again(self) -> str:
        inner, keys = self.rows_with_windows(self.size()), self.one("k, ", "")
        value = self.one("COUNT(*)", "SUM(n)", "MAX(n) - MIN(n)", "COUNT(DISTINCT k)", "COUNT(*) FILTER (WHERE n > 40)")
        having = self.one("", "", " HAVING COUNT(*) > 1")
        text = f"SELECT {keys}{value} AS a, {_WINDOW} FROM %s GROUP BY {keys}{_WINDOW}{having}"
        return self.over(text, inner)

    def over(self, text: str, inner: str) -> str:
        return f"WITH q AS ({inner}) {text % 'q'}" if self.rng.random() < 0.4 else text % f"({inner})"

    def ranked_again(self) -> str:
        inner = self.rows_with_windows(self.size())
        number = f"ROW_NUMBER() OVER (PARTITION BY {_WINDOW}{self.one('', ', k')} ORDER BY n DESC, k) AS place"
        return self.over(f"SELECT n, window_end FROM (SELECT *, {number} FROM %s) WHERE place = 1", inner)

    def joined_again(self) -> str:
        size = self.size()
        left, right = self.rows_with_windows(size), self.rows_with_windows(size)
        kind = self.one("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")
        items = "COALESCE(L.k, R.k) AS k, L.n AS a, R.n AS b, COALESCE(L.window_end, R.window_end) AS e"
        return f"SELECT {items} FROM ({left}) L {kind} ({right}) R ON L.k = R.k AND {_SAME}"

    def asked(self) -> str:
        size = self.size()
        left, right = self.rows_with_windows(size), self.rows_with_windows(size)
        more = self.one("", " AND R.n > 10", " AND R.k <> 'c'")
        asked = f"SELECT * FROM ({right}) R WHERE L.k = R.k AND {_SAME}{more}"
        return f"SELECT k, n, window_end FROM ({left}) L WHERE {self.one('', 'NOT ')}EXISTS ({asked})"

    def shared(self) -> str:
        """Groups beside what is the most in their window, as in Nexmark's query 5."""
        size, value = self.size(), self.one("c", "q")
        most = f"SELECT MAX({value}) AS m, {_WINDOW} FROM g GROUP BY {_WINDOW}"
        kind = self.one(f"L.{value} >= R.m", f"L.{value} = R.m", f"L.{value} * 2 > R.m")
        joined = f"FROM g L JOIN ({most}) R ON {_SAME} AND {kind}"
        return f"WITH g AS ({self.results('e', size, 'k', 's')}) SELECT L.k, L.s, L.{value}, L.window_end {joined}"

    def thrice(self) -> str:
        """Windows over the results of windows over those of windows."""
        small = self.rng.choice((2, 5, 10))
        text, time = "TABLE e", "ts"
        lists = []
        for level, times in enumerate((1, 2, 6)):
            size = f"INTERVAL '{small * times}' SECOND"
            value = "COUNT(*)" if level == 0 else self.one("SUM(x)", "MAX(x)")
            rows = f"TABLE(TUMBLE({text}, DESCRIPTOR({time}), {size})) GROUP BY k, {_WINDOW}, window_time"
            lists.append(f"g{level} AS (SELECT k, {value} AS x, window_time AS t FROM {rows})")
            text, time = f"TABLE g{level}", "t"
        return f"WITH {', '.join(lists)} SELECT k, x FROM g2"


if __name__ == "__main__":
    write(Path(sys.argv[3]), Nested(random.Random(int(sys.argv[1]))), int(sys.argv[2]))
