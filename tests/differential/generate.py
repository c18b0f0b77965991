"""Random queries, each from one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from differential.evaluate import PANE_INDEX, PANE_TIMING
from differential.expressions import (
    Aggregate,
    Call,
    Column,
    Expression,
    Literal,
    Output,
    Over,
    WindowColumn,
    compare,
    number,
)
from differential.parts import Parts
from differential.record import (
    SET_OPERATIONS,
    Item,
    JoinType,
    Query,
    Shape,
    Source,
    Statement,
    Table,
    WindowJoin,
    Wrapper,
)
from differential.scenes import TYPES, Draw, Roles, Scene
from differential.values import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    MINUTE,
    NTZ,
    STRING,
    TIMESTAMP,
)
from differential.windows import (
    EventTime,
    Purging,
    Tumbling,
    Windowing,
)
from differential.windows import (
    Session as SessionWindows,
)


def has_ties(table: Table, time: Expression) -> bool:
    """Whether rows of a table have one time, or none."""
    place = [column.name for column in table.columns].index(time.name) if isinstance(time, Column) else None
    return place is None or len({row[place] for row in table.rows}) < len(table.rows)


def draw_query(scene: Scene, seed: str) -> Query:
    """The query of this number over the scene's tables."""
    return _Queries(scene, Draw(f"query {seed}")).query()


class _Queries(Parts):
    """Draws one query."""

    def __init__(self, scene: Scene, draw: Draw) -> None:
        super().__init__(draw, is_stream=scene.is_stream)
        self.scene = scene

    def query(self) -> Query:
        draw = self.draw
        spelling = draw.randrange(1, 1 << 30) if draw.odds(0.85) else 0
        if not self.is_stream and draw.odds(0.12):
            return Query(self._join(), spelling=spelling)
        statement = self._statement()
        around = draw.choice(list(Wrapper)) if draw.odds(0.45) else Wrapper.NOTHING
        if self.is_stream:
            around = draw.choice((Wrapper.NOTHING, Wrapper.NOTHING, Wrapper.CTE, Wrapper.SUBQUERY))
        if around is Wrapper.NOTHING:
            return Query(statement, spelling=spelling)
        statement = self._named_once(statement)
        if around is Wrapper.VIEW:
            spelling = spelling or 1  # it is in the view's name
        if around in SET_OPERATIONS:
            statement = replace(statement, order=(), limit=None)
            other = replace(statement, where=self._where(), windowing=self._again(statement))
            return Query(statement, around, other, spelling=spelling)
        return Query(statement, around, outer=self._outer(statement), spelling=spelling)

    def _again(self, statement: Statement) -> Windowing:
        """Windows of the same types."""
        windowing = statement.windowing
        if isinstance(windowing.assigner, Tumbling) and windowing.trigger is None and self.draw.odds(0.5):
            return replace(windowing, assigner=replace(windowing.assigner, size=windowing.assigner.size * 2))
        return windowing

    def _named_once(self, statement: Statement) -> Statement:
        """With an alias for every item, none of them twice and none a column's."""
        items = []
        for n, item in enumerate(statement.items, 1):
            items.append(Item(item.expression, f"{'out' if self.draw.odds(0.8) else 'an alias '}{n}"))
        renamed = {old.alias: new.alias for old, new in zip(statement.items, items, strict=True)}
        having = statement.having
        if isinstance(having, Output):
            having = Output(having.type, renamed[having.name] or "")
        return replace(statement, items=tuple(items), having=having)

    def _outer(self, statement: Statement) -> Expression | None:
        if self.draw.odds(0.4):
            return None
        options: list[Expression] = []
        for item in statement.items:
            output = Output(item.expression.type, item.alias or "")
            if output.type == BOOLEAN:
                options += [output, output]
            if output.type in (INT, BIGINT):
                options.append(compare(">", output, number(1)))
            options.append(Call(BOOLEAN, "IS NOT NULL", (output,)))
        return self.draw.choice(options)

    def _statement(self) -> Statement:
        draw = self.draw
        source, is_function = self._source(), False
        if not self.is_stream and source.extra is None and draw.odds(0.15):
            is_function = True
        windowing = self.windowing(is_function)
        if not source.is_ordered and has_ties(source.table, windowing.assigner.time):
            windowing = self.windowing(True)  # what triggers and evictors see of rows of one time, their order decides
        returns_rows = not is_function and draw.odds(0.15)
        where = self._where()
        if is_function and isinstance(windowing.assigner, SessionWindows):
            where = None
        keys = self._keys()
        self.ordered = source.is_ordered and not is_function
        if returns_rows:
            statement = Statement(source, windowing, self._row_items(windowing), keys, where, returns_rows=True)
        else:
            items = self._items(windowing, keys, panes=not is_function)
            statement = Statement(source, windowing, items, keys, where, function=is_function)
            statement = self._filtered(statement)
        return self._in_order(statement)

    def _source(self) -> Source:
        draw = self.draw
        place = draw.randrange(len(self.scene.tables))
        table, self.roles = self.scene.tables[place], self.scene.roles[place]
        shapes = (Shape.TABLE,) * 6 + tuple(Shape)
        if self.is_stream:
            shapes = (Shape.TABLE,)
        shape = draw.choice(shapes)
        extra = None
        if shape not in (Shape.TABLE, Shape.FILTERED, Shape.DOUBLED):
            extra = Column(INT, "c")
        self.extra = extra
        condition = self.condition(1) if shape is Shape.FILTERED else None
        is_cte = shape in (Shape.FILTERED, Shape.DOUBLED) and draw.odds(0.5)
        return Source(table, shape, condition, extra, is_cte)

    def _keys(self) -> tuple[Expression, ...]:
        draw = self.draw
        count = draw.choice((0, 1, 1, 1, 2))
        of = self.roles.of
        options: list[Expression] = [of["k"], of["k"], of["v"], of["ok"], Call(STRING, "upper", (of["k"],))]
        options += [Call(INT, "%", (of["v"], number(3))), self.condition(1), of["w"]]
        options += self.roles.some(*TYPES)
        if not self.is_stream:
            options.append(Literal(STRING, "key"))
        return tuple(dict.fromkeys(draw.choice(options) for _ in range(count)))

    def _where(self) -> Expression | None:
        return self.condition(2) if self.draw.odds(0.5) else None

    def _row_items(self, windowing: Windowing) -> tuple[Item, ...]:
        draw = self.draw
        columns = [*self.roles.of.values(), *([] if self.extra is None else [self.extra])]
        shown: list[Expression] = draw.sample(columns, draw.randrange(1, 4))
        shown += self._window_items(windowing, panes=True)
        if draw.odds(0.4):
            shown.append(self.integer())
        draw.shuffle(shown)
        return self._aliased(shown)

    def _window_items(self, windowing: Windowing, *, panes: bool) -> list[Expression]:
        draw = self.draw
        kind = TIMESTAMP if windowing.assigner.time.type == TIMESTAMP else NTZ
        shown: list[Expression] = []
        if windowing.has_time:
            names = ("window_start", "window_end", "window_time")
            shown += [WindowColumn(kind, name) for name in names if draw.odds(0.6)]
        if panes:
            shown += [column for column in (PANE_INDEX, PANE_TIMING) if draw.odds(0.25)]
        return shown

    def _items(self, windowing: Windowing, keys: tuple[Expression, ...], *, panes: bool) -> tuple[Item, ...]:
        draw = self.draw
        shown: list[Expression] = [key for key in keys if draw.odds(0.8)]
        shown += [self.result() for _ in range(draw.choice((1, 1, 2, 3)))]
        shown += self._window_items(windowing, panes=panes)
        if not self.is_stream and draw.odds(0.06):
            shown.append(Over(BIGINT, "count:*", (), ()))
        draw.shuffle(shown)
        return self._aliased(shown)

    def _aliased(self, shown: Sequence[Expression]) -> tuple[Item, ...]:
        draw = self.draw
        pool = ["n", "total", "a b", "Ärger", "select", 'a "b', "end", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"]
        taken = {column.name.lower() for column in self.roles.of.values()} | {"c"}
        pool = [name for name in pool if name not in taken]
        draw.shuffle(pool)
        items = []
        for expression in shown:
            alias: str | None = pool.pop()
            if draw.odds(0.25) and not isinstance(expression, (Column, Literal)):
                alias = None
            elif self.roles.of and draw.odds(0.06):
                alias = draw.choice(list(self.roles.of.values())).name
            items.append(Item(expression, alias))
        return tuple(items)

    def _filtered(self, statement: Statement) -> Statement:
        """With HAVING and QUALIFY."""
        draw, of = self.draw, self.roles.of
        taken = {column.name.lower() for column in of.values()}
        if any(item.alias and item.alias.lower() in taken for item in statement.items):
            return statement
        having: Expression | None = None
        if draw.odds(0.25):
            named = [item for item in statement.items if item.expression.type == BOOLEAN and item.alias]
            named = [item for item in named if not isinstance(item.expression, Over)]
            options: list[Expression] = [
                compare(">", Aggregate(BIGINT, "count", ()), number(1)),
                Aggregate(BOOLEAN, "bool_or", (of["ok"],)),
                compare(">=", Aggregate(INT, "max", (of["v"],)), number(2)),
                *(Output(BOOLEAN, item.alias or "") for item in named),
                *(Output(BOOLEAN, item.alias or "") for item in named),
            ]
            having = draw.choice(options)
        qualify: Expression | None = None
        if not (self.is_stream or statement.function) and draw.odds(0.08):  # Spark ranks by what it selects only
            of_rows = Aggregate(BIGINT, "count", ())
            partition = statement.keys[:1]
            over = Over(INT, f"{draw.choice(('rank', 'dense_rank'))}:", partition, (of_rows,))
            qualify = compare("<=", over, number(draw.choice((1, 2))))
        return replace(statement, having=having, qualify=qualify)

    def _in_order(self, statement: Statement) -> Statement:
        draw = self.draw
        has_double = statement.returns_rows and any(i.expression.type == DOUBLE for i in statement.items)
        if self.is_stream or has_double or draw.odds(0.7):
            return statement
        places = draw.sample(range(len(statement.items)), len(statement.items))
        order = tuple((place, draw.odds(0.3), draw.choice((None, None, True, False))) for place in places)
        return replace(statement, order=order, limit=draw.choice((None, 0, 1, 3, 10)))

    def _join(self) -> Statement:
        draw = self.draw
        places = [draw.choice((1, 2)) for _ in range(2)]
        tables, roles = [], []
        for prefix, place in zip("xy", places, strict=True):
            table = self.scene.tables[place]
            named = {column: Column(column.type, f"{prefix}.{column.name}") for column in table.columns}
            tables.append(replace(table, columns=tuple(named[column] for column in table.columns)))
            roles.append({role: named[column] for role, column in self.scene.roles[place].of.items()})
        left, right = roles
        shared = [
            role
            for role in ("k", "v", "w", "ok", "day", "ts", "price", "bytes", "span")
            if role in left and role in right
        ]
        keys = draw.sample(shared, draw.choice((1, 1, 2)))
        time = draw.choice(("ts", "ntz", "day"))
        self.roles = Roles(left)
        kind = draw.choice(list(JoinType))
        residual = compare(draw.choice(("<", "<>")), left["v"], right["v"]) if draw.odds(0.3) else None
        assigner = self.assigner(left[time], True)
        if isinstance(assigner, SessionWindows) and not isinstance(assigner.gap, int):
            assigner = replace(assigner, gap=5 * MINUTE)
        trigger = draw.choice((None, None, EventTime(), Purging(EventTime())))
        join = WindowJoin(
            kind,
            tables[0],
            tables[1],
            left[time],
            right[time],
            tuple((left[r], right[r]) for r in keys),
            draw.odds(0.2),
            residual,
        )
        one_side = kind in (JoinType.SEMI, JoinType.ANTI)
        columns = [*left.values(), *([] if one_side else right.values())]
        windowing = Windowing(assigner, trigger)
        shown: list[Expression] = [*draw.sample(columns, 3), *self._window_items(windowing, panes=False)]
        self.roles = Roles({})
        items = self._aliased(shown)
        items = tuple(Item(i.expression, i.alias or f"j{n}") for n, i in enumerate(items))
        self.roles = Roles(left)
        where = self.condition(1) if draw.odds(0.2) else None
        return Statement(join, windowing, items, where=where)
