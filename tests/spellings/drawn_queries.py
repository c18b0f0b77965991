"""Random queries over windows: groups, rankings, joins, subqueries and pipes over each other, in random spellings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from drawn_expressions import KEYS, NUMBERS, Column, Relation
from drawn_pairs import BOUNDS, END, START, TIME
from drawn_subqueries import Subqueries
from window_calls import Windows, flink_relation, spark_relation

EVENT = (Column("k", "text"), Column("ts", "time"), Column("v", "double"), Column("n", "int", is_unique=True))
TYPED = {
    "int": "n % 4",
    "decimal": "CAST(v * n AS DECIMAL(12, 3))",
    "flag": "if(n % 5 = 0, NULL, n % 2 = 0)",
    "date": "date_add(DATE'2024-01-01', n % 5)",
    "struct": "named_struct('a', n % 3, 'B b', k)",
    "array": "array(n % 3, n % 2)",
    "map": "map('x', n % 3, 'y', n % 2)",
}
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


class _Queries(Subqueries):
    def __init__(self, seed: int, events: str, *, is_spark: bool) -> None:
        super().__init__(seed)
        self.events, self.is_spark = events, is_spark
        self.pipes, self.subqueries = Random(f"pipes {seed}"), Random(f"subqueries {seed}")

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
        clause = self.rng.choice([self.grouped_by_clause, self.joined_by_clause])
        found = clause(windows) if self.chance(0.2) and not windows.keys else self.rows(windows)
        single = [self.grouped] * 7 + [self.ranked] * 5 + [self.over, self.projected, self.distinct, self.exploded]
        pairs = [self.joined] * 2 + [self.joined_by_names, self.compared] + [self.asked] * 3
        further = [self.chosen, self.weighed, self.told, self.bracketed]
        for _ in range(self.rng.choice([1, 1, 2, 3]) if depth else self.rng.choice([0, 1])):
            if depth and self.chance(0.4):
                pair = self.rng.choice(pairs)
                pair = self.subqueries.choice(further) if self.subqueries.random() < 0.4 else pair
                found = pair(found, self.relation(windows, depth - 1))
            else:
                found = self.rng.choice(single)(found)
            found = self.projected(found) if self.chance(0.3) else found
        return found

    # rows with windows

    def windowed(self, windows: Windows, data: str, time: str) -> str:
        text = flink_relation(windows, data, time, self.rng)  # drawn for Spark too, so that the rest is the same
        return spark_relation(windows, data, time) if self.is_spark else text

    def rows(self, windows: Windows) -> Relation:
        whole = [self.events, f"(SELECT * FROM {self.events} WHERE {self.filtering(EVENT, '')})"]
        data, columns = self.typed() if self.chance(0.35) else (self.rng.choice(whole), EVENT)
        direct = self.windowed(windows, data, "ts")
        found = Relation(f"SELECT * FROM {direct}", (*columns, START, END, TIME), direct)
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            found = self.looked_up(found) if self.chance(0.2) else self.projected(found)
        return found

    def typed(self) -> tuple[str, tuple[Column, ...]]:
        """Events with columns of other types."""
        kinds = self.rng.sample(list(TYPED), k=self.rng.choice([1, 2, 3]))
        listed = ", ".join(f"{TYPED[kind]} AS {kind[:2]}0" for kind in kinds)
        data = f"(SELECT k, ts, n, CAST(v AS INT) AS v, {listed} FROM {self.events})"
        plain = (replace(column, type="int") if column.name == "v" else column for column in EVENT)
        return data, (*plain, *(Column(f"{kind[:2]}0", kind) for kind in kinds))

    def grouped_by_clause(self, windows: Windows) -> Relation:
        """Groups by WINDOW ASSIGN."""
        rows = Relation("", EVENT)
        key, kind = self.rng.choice([("k", "text"), ("n % 3", "int"), ("upper(k)", "text")])
        items = [(START.name, START), (END.name, END), (f"{key} AS g", Column("g", kind)), self.measure(rows, "")]
        self.rng.shuffle(items)
        where = f" WHERE {self.filtering(EVENT, '')}" if self.chance(0.4) else ""
        having = " HAVING count(*) > 1" if self.chance(0.3) else ""
        listed, columns = ", ".join(text for text, _ in items), tuple(column for _, column in items)
        if self.is_spark:
            table, keys = spark_relation(windows, self.events, "ts"), f"window_start, window_end, {key}"
            query = f"SELECT {listed} FROM {table}{where} GROUP BY {keys}{having}"
        else:
            query = (
                f"SELECT {listed} FROM {self.events}{where} WINDOW ASSIGN {windows.clause('ts')} GROUP BY {key}{having}"
            )
        return Relation(query, columns, is_grouped=True)

    def joined_by_clause(self, windows: Windows) -> Relation:
        """Pairs of WINDOW JOIN."""
        how = self.rng.choice(["", "INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI"])
        sides = [f"(SELECT * FROM {self.events} WHERE {self.filtering(EVENT, '')})" for _ in range(2)]
        on = "a.k = b.k" + self.rng.choice(["", " AND a.v > b.v", " AND a.n % 2 = b.n % 3", " AND b.v + 1 = a.v"])
        bounds = (END,) if self.chance(0.25) else (START, END)
        kept = [f"{alias}.{c.name}" for alias in ("a" if how in ("SEMI", "ANTI") else "ab") for c in EVENT]
        kept = [text for text in kept if self.chance(0.6)]
        types = {c.name: c.type for c in EVENT}
        columns = [Column(self.fresh("j"), types[text[2:]]) for text in kept]
        items = [f"{text} AS {column.name}" for text, column in zip(kept, columns, strict=True)]
        of_windows, relations = (_plain_join if self.is_spark else _window_join)(windows, how, sides, on)
        listed = ", ".join([*(of_windows.format(c.name) for c in bounds), *items])
        return Relation(f"SELECT {listed} FROM {relations}", (*bounds, *columns), is_grouped=True)

    def longer(self, rows: Relation) -> Relation:
        """Rows with longer windows over groups, by their window_time."""
        bounds = [rows.role(role) for role in (*BOUNDS, TIME.role)]
        if None in bounds:
            return rows
        source, alias = self.source(rows)
        keys = [c for c in rows.of_type(*KEYS) if not c.is_unique][:1]
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
        where = f" WHERE {self.filtering(rows.columns, alias)}" if self.chance(0.45) else ""
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
        where = f" WHERE {self.filtering(rows.columns, alias)}" if self.chance(0.3) else ""
        start = rows.role(START.role)
        bounds = [end] if start is None or self.chance(0.15) else [start, end]
        others = [c for c in rows.of_type(*KEYS) if not c.is_unique]
        others = self.rng.sample(others, k=min(len(others), self.rng.choice([0, 1, 1, 2])))
        pairs = [*((self.reference(alias, key), key) for key in bounds), *(self.key(alias, key) for key in others)]
        self.rng.shuffle(pairs)
        names, keys = [text for text, _ in pairs], [key for _, key in pairs]
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
        if not having and self.pipes.random() < 0.25:
            by, measures = (", ".join(text for text, _ in some) for some in (items[: len(keys)], items[len(keys) :]))
            query = f"FROM {source}{where.replace(' WHERE', ' |> WHERE', 1)} |> AGGREGATE {measures} GROUP BY {by}"
        return Relation(query, columns, is_grouped=True)

    def distinct(self, rows: Relation) -> Relation:
        source, alias = self.source(rows)
        bounds = [column for role in BOUNDS if (column := rows.role(role)) is not None]
        others = [c for c in rows.of_type(*KEYS) if not c.is_unique][:2]
        if rows.role(END.role) is None:
            return rows
        listed = ", ".join(self.reference(alias, column) for column in (*others, *bounds))
        return Relation(f"SELECT DISTINCT {listed} FROM {source}", (*others, *bounds), is_grouped=True)

    def exploded(self, rows: Relation) -> Relation:
        """Each row for each element of an array."""
        (source, alias), name, table = self.source(rows), self.fresh("e"), self.fresh("t")
        arrays = [f"{alias}.{c.name}" for c in rows.of_type("array")]
        call = f"explode({self.rng.choice([*arrays, 'array(1, 2)', 'sequence(1, 3)'])})"
        ways = [
            f"SELECT * FROM {source} LATERAL VIEW {call} {table} AS {name}",
            f"SELECT * FROM {source} LATERAL VIEW OUTER {call} AS {name}",
            f"SELECT * FROM {source}, LATERAL {call} AS {table}({name})",
            f"SELECT *, {call} AS {name} FROM {source}",
        ]
        columns = (*(replace(c, is_unique=False) for c in rows.columns), Column(name, "int"))
        return replace(rows, query=self.rng.choice(ways), columns=columns, direct="")

    def partition(self, rows: Relation, alias: str) -> str:
        """PARTITION BY the windows, and maybe a further column."""
        bounds = [column for role in BOUNDS if (column := rows.role(role)) is not None]
        others = [c for c in rows.of_type(*KEYS) if not c.is_unique]
        more = [self.key(alias, self.rng.choice(others))[0]] if others and self.chance(0.4) else []
        parts = [*(self.reference(alias, column) for column in bounds), *more]
        self.rng.shuffle(parts)
        return f"PARTITION BY {', '.join(parts)}"

    def order(self, rows: Relation, alias: str) -> str:
        """ORDER BY all columns that are none of the windows, so that only equal rows tie."""
        own = self.rng.sample(rows.own, k=len(rows.own)) or [END]
        ways = ["", " DESC", " ASC NULLS LAST", " DESC NULLS FIRST"]
        return f"ORDER BY {', '.join(self.ordered(alias, column) + self.rng.choice(ways) for column in own)}"

    def ordered(self, alias: str, column: Column) -> str:
        """What orders rows by a column; streams refuse arrays and maps."""
        x = self.reference(alias, column)
        return {"map": f"array_join(map_values({x}), ',')", "array": f"array_join({x}, ',')"}.get(column.type, x)

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
        query = self.rng.choice(ways)
        if self.pipes.random() < 0.3:
            query = f"FROM {source} |> EXTEND {call} OVER ({over}) AS {name} |> WHERE {kept}"
        return replace(found, query=query)

    def over(self, rows: Relation) -> Relation:
        numbers = rows.of_type(*NUMBERS)
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
        if self.pipes.random() < 0.3:
            query = f"FROM {source} |> EXTEND {call} AS {name}"
        return Relation(query, (*rows.columns, Column(name, "double")), is_grouped=True)


def _window_join(windows: Windows, how: str, sides: Sequence[str], on: str) -> tuple[str, str]:
    """What a window column is, its name to be filled in, and the relations."""
    left, right = sides
    clause = windows.clause("(a.ts, b.ts)")
    return "{}", f"{left} a {how} WINDOW JOIN {right} AS b ON {on} WINDOW ASSIGN {clause}"


def _plain_join(windows: Windows, how: str, sides: Sequence[str], on: str) -> tuple[str, str]:
    left, right = (spark_relation(windows, side, "ts") for side in sides)
    of_windows = {"RIGHT": "b.{0} AS {0}", "FULL": "coalesce(a.{0}, b.{0}) AS {0}"}.get(how, "a.{0} AS {0}")
    word = f"LEFT {how}" if how in ("SEMI", "ANTI") else how
    same = "a.window_start = b.window_start AND a.window_end = b.window_end"
    return of_windows, f"{left} a {word} JOIN {right} b ON {on} AND {same}"
