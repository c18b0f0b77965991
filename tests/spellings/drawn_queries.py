"""Random queries over windows: groups, rankings, joins, subqueries and pipes over each other, in random spellings."""

from __future__ import annotations

from dataclasses import replace

from drawn_expressions import Column, Drawing, Relation
from window_calls import Windows, flink_relation, spark_relation

__all__ = ["draw_query"]

EVENT = (Column("k", "text"), Column("ts", "time"), Column("v", "double"), Column("n", "int", is_unique=True))
START, END, TIME = (Column(name, "time", name) for name in ("window_start", "window_end", "window_time"))
BOUNDS = (START.role, END.role)
WINDOWS = [
    *[Windows("TUMBLE", (30,))] * 3,
    Windows("HOP", (10, 30)),
    Windows("CUMULATE", (10, 30)),
    Windows("SESSION", (7,), ("k",)),
]
LONGER = [Windows("TUMBLE", (60,)), Windows("TUMBLE", (90,)), Windows("HOP", (30, 60))]


def draw_query(seed: int, events: str, *, is_spark: bool = False) -> str:
    """A query over the events of a table or stream, for winsql or for Spark alone; no two of its columns have one name.

    What it gives does not depend on the order of rows. It has windows whose rows come when they end.
    """
    return _Queries(seed, events, is_spark=is_spark).query()


class _Queries(Drawing):
    def __init__(self, seed: int, events: str, *, is_spark: bool) -> None:
        super().__init__(seed)
        self.events, self.is_spark = events, is_spark

    def query(self) -> str:
        windows = self.rng.choice(WINDOWS)
        if self.chance(0.15) and windows.function in ("TUMBLE", "HOP"):
            found = self.rng.choice([self.grouped, self.ranked])(self.longer(self.rows(windows)))
        else:
            found = self.relation(windows, self.rng.choice([1, 1, 2]))
        if not found.is_grouped:
            found = self.grouped(found)
        elif self.chance(0.15):
            found = self.united(found, self.grouped(self.relation(windows, 0)))
        return f"WITH {', '.join(self.ctes)} {found.query}" if self.ctes else found.query

    def relation(self, windows: Windows, depth: int) -> Relation:
        """Rows with windows, and what is made of them; joined with others as deep as `depth`."""
        found = self.grouped_by_clause(windows) if self.chance(0.1) and not windows.keys else self.rows(windows)
        single = [self.grouped] * 7 + [self.ranked] * 5 + [self.over, self.projected]
        pairs = [self.joined] * 2 + [self.joined_by_names, self.compared] + [self.asked] * 3
        for _ in range(self.rng.choice([1, 1, 2, 3]) if depth else self.rng.choice([0, 1])):
            if depth and self.chance(0.4):
                found = self.rng.choice(pairs)(found, self.relation(windows, depth - 1))
            else:
                found = self.rng.choice(single)(found)
            found = self.projected(found) if self.chance(0.3) else found
        return found

    # rows with windows

    def windowed(self, windows: Windows, data: str, time: str) -> str:
        text = flink_relation(windows, data, time, self.rng)  # drawn for Spark too, so that the rest is the same
        return spark_relation(windows, data, time) if self.is_spark else text

    def rows(self, windows: Windows) -> Relation:
        whole = [self.events, f"(SELECT * FROM {self.events} WHERE {self.condition(EVENT, '')})"]
        narrow = f"(SELECT k, ts, n, CAST(v AS INT) AS v, n % 4 AS m FROM {self.events})"
        of_narrow = (EVENT[0], EVENT[1], EVENT[3], Column("v", "int"), Column("m", "int"))
        data, columns = (narrow, of_narrow) if self.chance(0.2) else (self.rng.choice(whole), EVENT)
        direct = self.windowed(windows, data, "ts")
        found = Relation(f"SELECT * FROM {direct}", (*columns, START, END, TIME), direct)
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            found = self.looked_up(found) if self.chance(0.2) else self.projected(found)
        return found

    def grouped_by_clause(self, windows: Windows) -> Relation:
        """Groups by WINDOW ASSIGN."""
        rows = Relation("", EVENT)
        key, kind = self.rng.choice([("k", "text"), ("n % 3", "int"), ("upper(k)", "text")])
        items = [(START.name, START), (END.name, END), (f"{key} AS g", Column("g", kind)), self.measure(rows, "")]
        self.rng.shuffle(items)
        where = f" WHERE {self.condition(EVENT, '')}" if self.chance(0.4) else ""
        having = " HAVING count(*) > 1" if self.chance(0.3) else ""
        listed, columns = ", ".join(text for text, _ in items), tuple(column for _, column in items)
        if self.is_spark:
            table, keys = spark_relation(windows, self.events, "ts"), f"window_start, window_end, {key}"
            query = f"SELECT {listed} FROM {table}{where} GROUP BY {keys}{having}"
        else:
            query = f"SELECT {listed} FROM {self.events}{where} WINDOW ASSIGN {windows.clause} GROUP BY {key}{having}"
        return Relation(query, columns, is_grouped=True)

    def longer(self, rows: Relation) -> Relation:
        """Rows with longer windows over groups, by their window_time."""
        bounds = [rows.role(role) for role in (*BOUNDS, TIME.role)]
        if None in bounds:
            return rows
        source, alias = self.source(rows)
        keys = [c for c in rows.of_type("text", "int") if not c.is_unique][:1]
        text, measure = self.measure(rows, alias)
        names = [self.reference(alias, column) for column in (*keys, *bounds) if column]
        items = [*(f"{self.reference(alias, c)} AS {self.spelled(c.name)}" for c in keys), text, f"{names[-1]} AS rt"]
        groups = f"(SELECT {', '.join(items)} FROM {source} GROUP BY {', '.join(names)})"
        direct = self.windowed(self.rng.choice(LONGER), groups, "rt")
        columns = (*keys, measure, Column("rt", "time"), START, END, TIME)
        return Relation(f"SELECT * FROM {direct}", columns, direct)

    def measure(self, rows: Relation, alias: str) -> tuple[str, Column]:
        """An aggregate as an item."""
        (text, kind), name = self.aggregate(rows, alias), self.fresh("x")
        return f"{text} AS {self.spelled(name)}", Column(name, kind)

    # projections

    def projected(self, rows: Relation) -> Relation:
        if self.chance(0.3):
            return self.piped(rows)
        source, alias = self.source(rows)
        where = f" WHERE {self.condition(rows.columns, alias)}" if self.chance(0.45) else ""
        how = self.rng.random()
        if how < 0.25:
            select = "SELECT *" if self.chance(0.7) else ""
            query = f"{select} FROM {source}{where}" if select else f"FROM {source} SELECT *{where}"
            return replace(rows, query=query, direct="")
        if how < 0.4 and len(rows.own) > 1:
            left = self.rng.choice(rows.own)
            query = f"SELECT * EXCEPT ({self.spelled(left.name)}) FROM {source}{where}"
            return replace(rows, query=query, columns=tuple(c for c in rows.columns if c != left), direct="")
        kept = [c for c in rows.columns if self.chance({"": 0.8, START.role: 0.9, TIME.role: 0.5}.get(c.role, 1))]
        items = [self.renamed(alias, column) for column in kept]
        if self.chance(0.4) and rows.own:
            (text, kind), name = self.expression(rows.columns, alias), self.fresh("x")
            items.append((f"{text} AS {self.spelled(name)}", Column(name, kind)))
        self.rng.shuffle(items)
        listed, columns = ", ".join(text for text, _ in items), tuple(column for _, column in items)
        return replace(rows, query=f"SELECT {listed} FROM {source}{where}", columns=columns, direct="")

    def renamed(self, alias: str, column: Column) -> tuple[str, Column]:
        if self.chance(0.7):
            return self.reference(alias, column), column
        name = self.fresh("y")
        return f"{self.reference(alias, column)}{self.rng.choice([' AS ', ' '])}{name}", replace(column, name=name)

    def piped(self, rows: Relation) -> Relation:
        source, _ = self.source(rows)
        text = f"{self.rng.choice(['', 'SELECT * '])}FROM {source}"
        columns = list(rows.columns)
        for _ in range(self.rng.choice([1, 2, 3])):
            operator = self.rng.choice([self._set, self._drop, self._extend, self._select])
            text += f" |> {operator(columns)}"
        text += self.rng.choice(["", f" |> AS {self.fresh('q')}", f" |> WHERE {self.condition(columns, '')}"])
        return replace(rows, query=text, columns=tuple(columns), direct="")

    def _set(self, columns: list[Column]) -> str:
        own = [c for c in columns if not c.role]
        if not own:
            return "WHERE true"
        column = self.rng.choice(own)
        text, kind = self.expression([column], "")
        columns[columns.index(column)] = Column(column.name, kind)
        return f"SET {self.spelled(column.name)} = {text}"

    def _drop(self, columns: list[Column]) -> str:
        own = [c for c in columns if not c.role]
        if len(own) < 2:
            return "WHERE true"
        columns.remove(column := self.rng.choice(own))
        return f"DROP {self.spelled(column.name)}"

    def _extend(self, columns: list[Column]) -> str:
        if all(c.role for c in columns):
            return "WHERE true"
        (text, kind), name = self.expression(columns, ""), self.fresh("x")
        columns.append(Column(name, kind))
        return f"EXTEND {text} AS {self.spelled(name)}"

    def _select(self, columns: list[Column]) -> str:
        items = [self.renamed("", column) for column in columns]
        columns[:] = [column for _, column in items]
        return f"SELECT {', '.join(text for text, _ in items)}"

    def looked_up(self, rows: Relation) -> Relation:
        """Joined with a table."""
        source, alias = self.source(rows)
        texts, name = rows.of_type("text"), self.fresh("l")
        if not texts:
            return rows
        how, on = self.rng.choice(["JOIN", "LEFT JOIN"]), self.spelled(self.rng.choice(texts).name)
        query = f"SELECT {alias}.*, d.label AS {name} FROM {source} {how} names d ON {alias}.{on} = d.id"
        return replace(rows, query=query, columns=(*rows.columns, Column(name, "text")), direct="")

    # of one relation

    def grouped(self, rows: Relation) -> Relation:
        end = rows.role(END.role)
        if end is None:
            return rows
        source, alias = self.source(rows)
        where = f" WHERE {self.condition(rows.columns, alias)}" if self.chance(0.3) else ""
        start = rows.role(START.role)
        bounds = [end] if start is None or self.chance(0.15) else [start, end]
        others = [c for c in rows.of_type("text", "int") if not c.is_unique]
        keys = [*bounds, *self.rng.sample(others, k=min(len(others), self.rng.choice([0, 1, 1, 2])))]
        self.rng.shuffle(keys)
        names = [self.reference(alias, key) for key in keys]
        items = [(f"{text} AS {self.spelled(key.name)}", replace(key, is_unique=False))
                 for text, key in zip(names, keys, strict=True)]  # fmt: skip
        items += [self.measure(rows, alias) for _ in range(self.rng.choice([1, 1, 2, 3]))]
        ways = [", ".join(names)] * 3 + ["ALL", ", ".join(str(n + 1) for n in range(len(names)))]
        if len(keys) > len(bounds):
            plain = [text for text, key in zip(names, keys, strict=True) if not key.role]
            windows = ", ".join(text for text, key in zip(names, keys, strict=True) if key.role)
            ways.append(f"{windows}, {self.rng.choice(['ROLLUP', 'CUBE'])}({', '.join(plain)})")
            ways.append(f"GROUPING SETS (({windows}), ({windows}, {', '.join(plain)}))")
        having = " HAVING count(*) > 1" if self.chance(0.2) else ""
        listed, columns = ", ".join(text for text, _ in items), tuple(column for _, column in items)
        query = f"SELECT {listed} FROM {source}{where} GROUP BY {self.rng.choice(ways)}{having}"
        return Relation(query, columns, is_grouped=True)

    def partition(self, rows: Relation, alias: str) -> str:
        """PARTITION BY the windows, and maybe a further column."""
        bounds = [column for role in BOUNDS if (column := rows.role(role)) is not None]
        others = [c for c in rows.of_type("text", "int") if not c.is_unique]
        more = [self.rng.choice(others)] if others and self.chance(0.4) else []
        parts = [self.reference(alias, column) for column in (*bounds, *more)]
        self.rng.shuffle(parts)
        return f"PARTITION BY {', '.join(parts)}"

    def order(self, rows: Relation, alias: str) -> str:
        """ORDER BY all columns that are none of the windows, so that only equal rows tie."""
        own = self.rng.sample(rows.own, k=len(rows.own)) or [END]
        ways = ["", " DESC", " ASC NULLS LAST", " DESC NULLS FIRST"]
        return f"ORDER BY {', '.join(self.reference(alias, c) + self.rng.choice(ways) for c in own)}"

    def ranked(self, rows: Relation) -> Relation:
        if rows.role(END.role) is None or not rows.own:
            return rows
        source, alias = self.source(rows)
        over = f"{self.partition(rows, alias)} {self.order(rows, alias)}"
        call, name, most = f"{self.rng.choice(['row_number', 'rank', 'dense_rank'])}()", self.fresh("rn"), 2
        kept = self.rng.choice([f"{name} <= {most}", f"{name} < {most + 1}", f"{name} = 1", f"{most} >= {name}"])
        found = replace(rows, columns=(*rows.columns, Column(name, "int")), direct="", is_grouped=True)
        item = f"SELECT *, {call} OVER ({over}) AS {name} FROM {source}"
        ways = [
            f"{item} QUALIFY {kept}",
            f"SELECT * FROM ({item}) WHERE {kept}",
            f"SELECT * FROM ({item}) AS d WHERE d.{kept}" if not kept[0].isdigit() else f"{item} QUALIFY {kept}",
            f"SELECT * FROM (SELECT *, {call} OVER w AS {name} FROM {source} WINDOW w AS ({over})) t WHERE {kept}",
        ]
        return replace(found, query=self.rng.choice(ways))

    def over(self, rows: Relation) -> Relation:
        numbers = rows.of_type("int", "double")
        if rows.role(END.role) is None or not numbers:
            return rows
        source, alias = self.source(rows)
        x, name = self.reference(alias, self.rng.choice(numbers)), self.fresh("o")
        whole, ordered = self.partition(rows, alias), f"{self.partition(rows, alias)} {self.order(rows, alias)}"
        call = self.rng.choice([
            f"sum({x}) OVER ({whole})", f"{x} - min({x}) OVER ({whole})", f"lag({x}) OVER ({ordered})",
            f"ntile(2) OVER ({ordered})", f"sum({x}) OVER ({ordered} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
        ])  # fmt: skip
        query = f"SELECT *, {call} AS {name} FROM {source}"
        return Relation(query, (*rows.columns, Column(name, "double")), is_grouped=True)

    # of two relations

    def equalities(self, left: Relation, right: Relation, a: str, b: str) -> list[str]:
        """Conditions that both have the same windows, and mostly equal keys."""
        pairs = self.same_windows(left, right)
        types = ("text", "int")
        keys = [(x, y) for x in left.of_type(*types) for y in right.of_type(*types) if x.type == y.type]
        pairs += [self.rng.choice(keys)] if keys and self.chance(0.8) else []
        found = []
        for x, y in pairs:
            sides = [f"{a}.{self.spelled(x.name)}", f"{b}.{self.spelled(y.name)}"]
            self.rng.shuffle(sides)
            found.append(f" {'=' if x.role or self.chance(0.9) else '<=>'} ".join(sides))
        self.rng.shuffle(found)
        return found

    def same_windows(self, left: Relation, right: Relation) -> list[tuple[Column, Column]]:
        both = ((left.role(role), right.role(role)) for role in BOUNDS)
        return [(x, y) for x, y in both if x is not None and y is not None]

    def joined(self, left: Relation, right: Relation) -> Relation:
        if END.role not in [x.role for x, _ in self.same_windows(left, right)]:
            return left
        (source, a), (other, b) = self.source(left), self.source(right)
        how = self.rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN", ","])
        on = " AND ".join(self.equalities(left, right, a, b))
        sides = [(left, a)] if "SEMI" in how or "ANTI" in how else [(left, a), (right, b)]
        keeps = b if how == "RIGHT JOIN" else a
        items = []
        for relation, alias in sides:
            kept = [
                c
                for c in relation.columns
                if (c.role in BOUNDS and alias == keeps) or (not c.role and self.chance(0.7))
            ]
            for column in kept:
                name, text = self.fresh("j"), f"{alias}.{self.spelled(column.name)}"
                twin = right.role(column.role) if column.role else None
                if how == "FULL JOIN" and twin is not None:
                    text = f"coalesce({text}, {b}.{self.spelled(twin.name)})"
                items.append((f"{text} AS {name}", replace(column, name=name, is_unique=False)))
        relations = f"{source}, {other} WHERE {on}" if how == "," else f"{source} {how} {other} ON {on}"
        listed, columns = ", ".join(text for text, _ in items), tuple(column for _, column in items)
        return Relation(f"SELECT {listed} FROM {relations}", columns, is_grouped=True)

    def joined_by_names(self, left: Relation, right: Relation) -> Relation:
        """USING, or NATURAL."""
        if len(self.same_windows(left, right)) < 2:
            return left
        sides, columns = [], []
        for number, relation in enumerate((left, right)):
            source, alias = self.source(relation)
            bounds = [(column, f"w{n}") for n, role in enumerate(BOUNDS) if (column := relation.role(role))]
            own = [(column, self.fresh("j")) for column in relation.own[:2]]
            listed = ", ".join(f"{alias}.{self.spelled(c.name)} AS {name}" for c, name in (*bounds, *own))
            sides.append(f"(SELECT {listed} FROM {source})")
            columns += [replace(c, name=name, is_unique=False) for c, name in ((*own,) if number else (*bounds, *own))]
        how, (first, second) = self.rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]), sides
        ways = [f"{first} x {how} {second} y USING (w0, w1)", f"{first} x NATURAL {how} {second} y"]
        return Relation(f"SELECT * FROM {self.rng.choice(ways)}", tuple(columns), is_grouped=True)

    def asked(self, left: Relation, right: Relation) -> Relation:
        """EXISTS or IN."""
        windows = self.same_windows(left, right)
        if END.role not in [x.role for x, _ in windows]:
            return left
        (source, a), (other, b) = self.source(left), self.source(right)
        no = self.rng.choice(["", "NOT "])
        if self.chance(0.6):
            on = " AND ".join(self.equalities(left, right, a, b))
            asked = f"{no}EXISTS (SELECT {self.rng.choice(['1', '*'])} FROM {other} WHERE {on})"
        else:
            mine = ", ".join(f"{a}.{self.spelled(x.name)}" for x, _ in windows)
            theirs = ", ".join(f"{b}.{self.spelled(y.name)}" for _, y in windows)
            asked = f"{f'({mine})' if len(windows) > 1 else mine} {no}IN (SELECT {theirs} FROM {other})"
        more = f"{self.condition(left.columns, a)} AND " if self.chance(0.25) else ""
        return replace(left, query=f"SELECT * FROM {source} WHERE {more}{asked}", direct="", is_grouped=True)

    def compared(self, left: Relation, right: Relation) -> Relation:
        """With an aggregate of the same window."""
        windows, numbers = self.same_windows(left, right), left.of_type("int", "double")
        others = right.of_type("int", "double")
        if END.role not in [x.role for x, _ in windows] or not numbers or not others:
            return left
        (source, a), (other, b) = self.source(left), self.source(right)
        on = " AND ".join(f"{a}.{self.spelled(x.name)} = {b}.{self.spelled(y.name)}" for x, y in windows)
        call = f"{self.rng.choice(['max', 'min', 'avg', 'sum'])}({b}.{self.spelled(self.rng.choice(others).name)})"
        sides = [f"{a}.{self.spelled(self.rng.choice(numbers).name)}", f"(SELECT {call} FROM {other} WHERE {on})"]
        self.rng.shuffle(sides)
        where = f" {self.rng.choice(['<', '>=', '=', '<>'])} ".join(sides)
        return replace(left, query=f"SELECT * FROM {source} WHERE {where}", direct="", is_grouped=True)

    def united(self, left: Relation, right: Relation) -> Relation:
        pairs = self.same_windows(left, right)
        pairs += [(x, y) for x in left.own for y in right.own if x.type == y.type][:2]
        (source, a), (other, b) = self.source(left), self.source(right)
        names = [self.fresh("u") for _ in pairs]
        first = ", ".join(f"{a}.{self.spelled(x.name)} AS {name}" for (x, _), name in zip(pairs, names, strict=True))
        second = ", ".join(f"{b}.{self.spelled(y.name)}" for _, y in pairs)
        columns = tuple(replace(x, name=name) for (x, _), name in zip(pairs, names, strict=True))
        return replace(
            left, query=f"SELECT {first} FROM {source} UNION ALL SELECT {second} FROM {other}", columns=columns
        )
