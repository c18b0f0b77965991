"""Random joins, subqueries and unions of two relations with the same windows."""

from __future__ import annotations

from dataclasses import replace

from drawn_expressions import KEYS, NUMBERS, Column, Drawing, Relation

START, END, TIME = (Column(name, "time", name) for name in ("window_start", "window_end", "window_time"))
BOUNDS = (START.role, END.role)


class Pairs(Drawing):
    """Draws what is made of two relations."""

    def equalities(self, left: Relation, right: Relation, a: str, b: str) -> list[str]:
        """Conditions that both have the same windows, and mostly equal keys."""
        pairs = self.same_windows(left, right)
        keys = [(x, y) for x in left.of_type(*KEYS) for y in right.of_type(*KEYS) if x.type == y.type]
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
        windows, numbers = self.same_windows(left, right), left.of_type(*NUMBERS)
        others = right.of_type(*NUMBERS)
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
