"""The text of a query, in one of the many ways to write it: case, quotes, comments, order of clauses, aliases."""

from __future__ import annotations

from collections.abc import Callable

from differential.clauses import function_sql, window_clauses
from differential.evaluate import LOOKUP, ONE
from differential.expressions import WindowColumn, sql, walk
from differential.record import (
    SET_OPERATIONS,
    Item,
    JoinType,
    Query,
    Session,
    Shape,
    Source,
    Statement,
    Table,
    WindowJoin,
    Wrapper,
)
from differential.spelling import Spelling, quoted
from differential.values import STRING, literal

ONE_TABLE = f"SELECT {ONE} AS c"
_LOOKUP_ROWS = ", ".join(f"('{key}', {number})" for key, number in LOOKUP)
LOOKUP_TABLE = f"SELECT * FROM VALUES {_LOOKUP_ROWS} AS v(lk, c)"


def table_sql(table: Table) -> str:
    """A query that gives the table's rows, in their order."""
    names = ", ".join(quoted(column.name) for column in table.columns)
    if not table.rows:
        columns = ", ".join(f"{literal(c.type, None)} AS {quoted(c.name)}" for c in table.columns)
        return f"SELECT {columns} WHERE false"
    # the first row has the types: a literal of NULL has one here
    rows = [", ".join(literal(c.type, held) for c, held in zip(table.columns, row, strict=True)) for row in table.rows]
    lines = ",\n  ".join(f"({row})" for row in rows)
    return f"SELECT * FROM VALUES\n  {lines}\n  AS v({names})"


def text_of(query: Query, session: Session) -> tuple[str, ...]:
    """The query as SQL: one statement, or those that make a view and the one that reads it."""
    spell = Spelling(query.spelling, session)
    texts = [_statement(statement, spell) for statement in query.statements]
    return _AROUND[query.around](query, spell, *texts)


def _statement(statement: Statement, spell: Spelling) -> str:
    """The windowed SELECT."""
    w = spell.word
    if isinstance(statement.source, WindowJoin):
        spell.qualifier = None
        before, body = "", _join(statement.source, spell)
        pair = (statement.source.left_time, statement.source.right_time)
        time = f"({', '.join(sql(column, spell) for column in pair)})"
    else:
        before, body = _source(statement.source, spell, statement)
        time = sql(statement.windowing.assigner.time, spell)
    items = ", ".join(_item(item, spell) for item in statement.items)
    tail = []
    if statement.where is not None:
        tail.append(f"{w('WHERE')}{spell.gap()}{sql(statement.where, spell)}")
    if groups := _groups(statement, spell):
        tail.append(f"{w('GROUP BY')} {', '.join(groups)}")
    if statement.having is not None:
        tail.append(f"{w('HAVING')}{spell.gap()}{sql(statement.having, spell)}")
    if statement.qualify is not None:
        tail.append(f"{w('QUALIFY')} {sql(statement.qualify, spell)}")
    if statement.order:
        tail.append(f"{w('ORDER BY')} {', '.join(_order(statement, spell, *part) for part in statement.order)}")
    if statement.limit is not None:
        tail.append(f"{w('LIMIT')} {statement.limit}")
    if not statement.function:
        _insert(tail, window_clauses(statement, spell, time), spell)
    return f"{before}{w('SELECT')}{spell.gap()}{items}\n{w('FROM')} {body}" + "".join(
        f"\n{spell.gap()}{clause}" for clause in tail
    )


def _insert(tail: list[str], clauses: list[str], spell: Spelling) -> None:
    """Window clauses in any order and at any place; plainly after WHERE."""
    if spell.is_plain:
        at = 1 if tail and tail[0].startswith("WHERE") else 0
        tail[at:at] = clauses
        return
    for clause in spell.shuffled(clauses):
        tail.insert(spell.place(len(tail)), clause)


def _groups(statement: Statement, spell: Spelling) -> list[str]:
    """By expression, alias or position; an alias that is a column of the source is that column."""
    if statement.returns_rows:
        return []
    columns = {c.name.lower() for c in getattr(statement.source, "columns", ())}
    found = []
    for key in statement.keys:
        forms = [sql(key, spell)]
        for place, item in enumerate(statement.items, 1):
            if item.expression == key:
                forms.append(str(place))
                if item.alias and item.alias.lower() not in columns:
                    forms.append(spell.output(item.alias))
        found.append(spell.choice(forms))
    if statement.function:
        shown = {part.name for part in walk(statement.items) if isinstance(part, WindowColumn)}
        windows = [spell.plain_name(name) for name in ("window_start", "window_end", *({"window_time"} & shown))]
        found = [*spell.shuffled(windows), *found]
    return found


def _order(statement: Statement, spell: Spelling, place: int, descends: bool, nulls_last: bool | None) -> str:
    item = statement.items[place]
    text = str(place + 1)
    if item.alias and spell.chance(0.5) and sum(i.alias == item.alias for i in statement.items) == 1:
        columns = {c.name.lower() for c in getattr(statement.source, "columns", ())}
        text = text if item.alias.lower() in columns else spell.output(item.alias)
    nulls = "" if nulls_last is None else spell.word(" NULLS LAST" if nulls_last else " NULLS FIRST")
    return text + (spell.word(" DESC") if descends else "") + nulls


def _item(item: Item, spell: Spelling) -> str:
    # the name of a bare column is the one that is written
    text = sql(item.expression, spell)
    if item.alias is None:
        return item.expression.name if hasattr(item.expression, "name") else text
    return f"{text} {spell.word('AS')} {spell.name(item.alias, exact=True)}"


def _join(join: WindowJoin, spell: Spelling) -> str:
    w = spell.word
    outer = join.type in (JoinType.LEFT, JoinType.RIGHT, JoinType.FULL)
    kinds = [join.type.value]
    if join.type is JoinType.INNER:
        kinds = ["INNER", ""]
    elif outer:
        kinds = [join.type.value, f"{join.type.value} OUTER"]
    else:
        kinds = [join.type.value, f"LEFT {join.type.value}"]
    equal = "<=>" if join.null_safe else "="
    conditions = [
        f"{sql(a, spell)} {equal} {sql(b, spell)}"
        if spell.is_plain or spell.chance(0.5)
        else f"{sql(b, spell)} {equal} {sql(a, spell)}"
        for a, b in join.keys
    ]
    if join.residual is not None:
        conditions.append(sql(join.residual, spell))
    kind = w(spell.choice(kinds))
    left, right = (f"{spell.name(t.name)} {w('AS')} {n}" for t, n in ((join.left, "x"), (join.right, "y")))
    on = f" {w('AND')} ".join(spell.shuffled(conditions))
    return f"{left} {kind} {w('WINDOW JOIN')} {right} {w('ON')} {on}"


def _source(source: Source, spell: Spelling, statement: Statement) -> tuple[str, str]:
    """WITH before the SELECT, and the FROM body."""
    w = spell.word
    spell.qualifier = None
    table = spell.name(source.table.name)
    condition = "" if source.condition is None else f" {w('WHERE')} {sql(source.condition, spell)}"
    inner = f"{w('SELECT')} * {w('FROM')} {table}{condition}"
    if source.shape is Shape.DOUBLED:
        inner += f" {w('UNION ALL')} {inner}"
    is_query = source.shape in (Shape.FILTERED, Shape.DOUBLED)
    before = ""
    if source.is_cte:
        before, table, is_query = f"{w('WITH')} src {w('AS')} ({inner})\n", "src", False
    if statement.function:
        return before, function_sql(statement, spell, f"({inner})" if is_query else table)
    alias = spell.choice(("q", "the_rows", "Ü1" if spell.chance(0) else "q1"))
    head = f"({inner})" if is_query else table
    if is_query or source.shape not in (Shape.TABLE, Shape.FILTERED, Shape.DOUBLED) or spell.chance(0.4):
        head += f" {w('AS')} {alias}"
        spell.qualifier = alias
    return before, head + _JOINED.get(source.shape, lambda spell, source: "")(spell, source)


def _looked_up(spell: Spelling, source: Source) -> str:
    name = next(column for column in source.table.columns if column.type == STRING)
    return f" {spell.word('JOIN')} lookup {spell.word('ON')} {sql(name, spell)} = lk"


_JOINED: dict[Shape, Callable[[Spelling, Source], str]] = {
    Shape.TIMES_ONE: lambda spell, source: ", one",
    Shape.CROSS_ONE: lambda spell, source: f" {spell.word('CROSS JOIN')} one",
    Shape.EXPLODED: lambda spell, source: f" {spell.word('LATERAL VIEW')} explode(array(1, 2)) e {spell.word('AS')} c",
    Shape.LATERAL: lambda spell, source: f", {spell.word('LATERAL')} explode(array(1, 2)) {spell.word('AS')} e(c)",
    Shape.LOOKED_UP: _looked_up,
}


def _outer(query: Query, spell: Spelling) -> str:
    spell.qualifier = None
    return "" if query.outer is None else f" {spell.word('WHERE')} {sql(query.outer, spell)}"


def _with(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    w = spell.word
    return (f"{w('WITH')} result {w('AS')} (\n{text}\n)\n{w('SELECT')} * {w('FROM')} result{_outer(query, spell)}",)


def _subquery(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    w = spell.word
    return (f"{w('SELECT')} * {w('FROM')} (\n{text}\n) {w('AS')} result{_outer(query, spell)}",)


def _view(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    name = f"result_view_{query.spelling}"
    made = f"CREATE OR REPLACE TEMPORARY VIEW {name} AS\n{text}"
    return made, f"SELECT * FROM {name}{_outer(query, spell)}"


def _scalar(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    return (f"SELECT (SELECT count(*) FROM (\n{text}\n) AS result{_outer(query, spell)}) AS n",)


def _cross(query: Query, spell: Spelling, text: str) -> tuple[str, ...]:
    return (f"SELECT result.*, one.c FROM (\n{text}\n) AS result CROSS JOIN one{_outer(query, spell)}",)


def _combined(query: Query, spell: Spelling, first: str, second: str) -> tuple[str, ...]:
    word = spell.word(query.around.value)
    is_bare = not getattr(query.statement.source, "is_cte", False) and spell.chance(0.5)
    return (f"{first}\n{word}\n{second}",) if is_bare else (f"({first})\n{word}\n({second})",)


_AROUND: dict[Wrapper, Callable[..., tuple[str, ...]]] = {
    Wrapper.NOTHING: lambda query, spell, text: (text,),
    Wrapper.CTE: _with,
    Wrapper.SUBQUERY: _subquery,
    Wrapper.VIEW: _view,
    Wrapper.SCALAR: _scalar,
    Wrapper.CROSS: _cross,
    **dict.fromkeys(SET_OPERATIONS, _combined),
}
