"""Expressions of the check: a small language of SQL, typed, written by a `Spelling` and evaluated here in Python.

`value(expression, known)` asks `known` first, so that a key, an aggregate or a column is whatever stage of the
statement has given for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from differential.values import BIGINT, BOOLEAN, INT, STRING, Type, literal, rank, same, struct_of

if TYPE_CHECKING:
    from differential.spelling import Spelling


@dataclass(frozen=True)
class Expression:
    type: Type


Known = Mapping[Expression, Any]


@dataclass(frozen=True)
class Column(Expression):
    """A column of the source, by its exact name."""

    name: str


@dataclass(frozen=True)
class WindowColumn(Expression):
    """window_start and its like."""

    name: str


@dataclass(frozen=True)
class Output(Expression):
    """A column of a result, by its exact name."""

    name: str


@dataclass(frozen=True)
class Literal(Expression):
    held: Any


@dataclass(frozen=True)
class Call(Expression):
    """An operator or function of `FUNCTIONS`."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Aggregate(Expression):
    """An aggregate of `differential.aggregates`."""

    function: str
    arguments: tuple[Expression, ...]
    distinct: bool = False
    filter: Expression | None = None


@dataclass(frozen=True)
class Over(Expression):
    """A window function of Spark's over the result: its name, PARTITION BY, ORDER BY."""

    function: str
    partition: tuple[Expression, ...]
    order: tuple[Expression, ...]


def value(expression: Expression, known: Known) -> Any:
    if expression in known:
        return known[expression]
    if isinstance(expression, Literal):
        return expression.held
    assert isinstance(expression, Call), expression
    return _FUNCTIONS[expression.function].value(expression, known)


def walk(node: Any) -> Iterator[Expression]:
    """The expressions in a record, itself included."""
    if isinstance(node, Expression):
        yield node
    if isinstance(node, tuple):
        for part in node:
            yield from walk(part)
    elif is_dataclass(node):
        for field in fields(node):
            yield from walk(getattr(node, field.name))


def calls_of(node: Any) -> tuple[Aggregate, ...]:
    return tuple(dict.fromkeys(part for part in walk(node) if isinstance(part, Aggregate)))


def sql(expression: Expression, spell: Spelling) -> str:
    """The text, closed in brackets where something could come between its parts."""
    return _WRITERS[type(expression)](expression, spell)


def _aggregate_sql(call: Aggregate, spell: Spelling) -> str:
    arguments = [sql(argument, spell) for argument in call.arguments]
    name, ends = call.function, ""
    if name == "array_sort_set":
        return f"{spell.function('array_sort')}({spell.function('collect_set')}({arguments[0]}){_filter(call, spell)})"
    if name == "listagg":
        arguments = [arguments[0], "','"]
    if name == "first_known":
        name, ends = "first", f" {spell.word('IGNORE NULLS')}"
    distinct = spell.word("DISTINCT") + spell.gap() if call.distinct else ""
    inside = distinct + ", ".join(arguments) if arguments else "*"
    return f"{spell.function(name)}({inside}){_filter(call, spell)}{ends}"


def _filter(call: Aggregate, spell: Spelling) -> str:
    if call.filter is None:
        return ""
    return f" {spell.word('FILTER')}({spell.word('WHERE')}{spell.gap()}{sql(call.filter, spell)})"


def _over_sql(over: Over, spell: Spelling) -> str:
    name, _, argument = over.function.partition(":")
    parts = []
    if over.partition:
        parts.append(f"{spell.word('PARTITION BY')} {', '.join(sql(part, spell) for part in over.partition)}")
    if over.order:
        parts.append(f"{spell.word('ORDER BY')} {', '.join(sql(part, spell) for part in over.order)}")
    return f"{spell.function(name)}({argument}) {spell.word('OVER')} ({' '.join(parts)})"


_WRITERS: dict[type[Expression], Callable[[Any, Any], str]] = {
    Column: lambda column, spell: spell.column(column.name),
    WindowColumn: lambda column, spell: spell.plain_name(column.name),
    Output: lambda column, spell: spell.output(column.name),
    Literal: lambda held, spell: literal(held.type, held.held),
    Call: lambda call, spell: _FUNCTIONS[call.function].sql(call, spell),
    Aggregate: _aggregate_sql,
    Over: _over_sql,
}


@dataclass(frozen=True)
class _Function:
    sql: Callable[[Call, Any], str]
    value: Callable[[Call, Known], Any]


def _infix(word: str, function: Callable[[Any, Any], Any]) -> _Function:
    def write(call: Call, spell: Any) -> str:
        left, right = (sql(argument, spell) for argument in call.arguments)
        return f"({left} {spell.word(word)} {right})"

    return _Function(write, _strict(function))


def _strict(function: Callable[..., Any]) -> Callable[[Call, Known], Any]:
    def evaluate(call: Call, known: Known) -> Any:
        values = [value(argument, known) for argument in call.arguments]
        return None if any(v is None for v in values) else function(*values)

    return evaluate


def _named(name: str, function: Callable[..., Any], *, strict: bool = True) -> _Function:
    def write(call: Call, spell: Any) -> str:
        return f"{spell.function(name)}({', '.join(sql(argument, spell) for argument in call.arguments)})"

    def lenient(call: Call, known: Known) -> Any:
        return function(*(value(argument, known) for argument in call.arguments))

    return _Function(write, _strict(function) if strict else lenient)


def _compared(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda left, right: test(rank(_number(left)), rank(_number(right)))


def _number(held: Any) -> Any:
    return held + 0.0 if isinstance(held, float) else held


def _and(call: Call, known: Known) -> bool | None:
    held = [value(argument, known) for argument in call.arguments]
    return False if False in held else None if None in held else True


def _or(call: Call, known: Known) -> bool | None:
    held = [value(argument, known) for argument in call.arguments]
    return True if True in held else None if None in held else False


def _case(call: Call, known: Known) -> Any:
    condition, then, otherwise = call.arguments
    return value(then if value(condition, known) is True else otherwise, known)


def _case_sql(call: Call, spell: Any) -> str:
    condition, then, otherwise = (sql(argument, spell) for argument in call.arguments)
    w = spell.word
    return f"{w('CASE')} {w('WHEN')} {condition} {w('THEN')} {then} {w('ELSE')} {otherwise} {w('END')}"


def _in(call: Call, known: Known) -> bool | None:
    head, *rest = (value(argument, known) for argument in call.arguments)
    if head is None:
        return None
    return True if head in [v for v in rest if v is not None] else None if None in rest else False


def _in_sql(call: Call, spell: Any) -> str:
    head, *rest = (sql(argument, spell) for argument in call.arguments)
    return f"({head} {spell.word('IN')} ({', '.join(rest)}))"


def _remainder(left: int, right: int) -> int:
    return abs(left) % abs(right) * (-1 if left < 0 else 1)


def _postfix(word: str, test: Callable[[Any], bool]) -> _Function:
    return _Function(
        lambda call, spell: f"({sql(call.arguments[0], spell)} {spell.word(word)})",
        lambda call, known: test(value(call.arguments[0], known)),
    )


def _struct_sql(call: Call, spell: Any) -> str:
    return f"{spell.function('struct')}({', '.join(spell.exact_column(part.name) for part in call.arguments)})"


def _json(kind: Type, held: Any) -> str:
    import json

    return json.dumps(held, ensure_ascii=False) if isinstance(held, (int, str)) else str(held)


def _to_json(call: Call, known: Known) -> str | None:
    held = value(call.arguments[0], known)
    if held is None:
        return None
    named = zip(call.arguments[0].type.fields, held, strict=True)
    return "{" + ",".join(f'"{name}":{_json(kind, v)}' for (name, kind), v in named if v is not None) + "}"


_FUNCTIONS: dict[str, _Function] = {
    "+": _infix("+", lambda a, b: a + b),
    "-": _infix("-", lambda a, b: a - b),
    "*": _infix("*", lambda a, b: a * b),
    "%": _infix("%", _remainder),
    "=": _infix("=", _compared(lambda a, b: a == b)),
    "<>": _infix("<>", _compared(lambda a, b: a != b)),
    "<": _infix("<", _compared(lambda a, b: a < b)),
    "<=": _infix("<=", _compared(lambda a, b: a <= b)),
    ">": _infix(">", _compared(lambda a, b: a > b)),
    ">=": _infix(">=", _compared(lambda a, b: a >= b)),
    "<=>": _Function(
        _infix("<=>", same).sql, lambda c, k: same(value(c.arguments[0], k)) == same(value(c.arguments[1], k))
    ),
    "AND": _Function(_infix("AND", same).sql, _and),
    "OR": _Function(_infix("OR", same).sql, _or),
    "NOT": _Function(
        lambda call, spell: f"({spell.word('NOT')} {sql(call.arguments[0], spell)})", _strict(lambda held: not held)
    ),
    "IS NULL": _postfix("IS NULL", lambda held: held is None),
    "IS NOT NULL": _postfix("IS NOT NULL", lambda held: held is not None),
    "IN": _Function(_in_sql, _in),
    "CASE": _Function(_case_sql, _case),
    "coalesce": _named("coalesce", lambda *held: next((v for v in held if v is not None), None), strict=False),
    "upper": _named("upper", str.upper),
    "length": _named("length", len),
    "concat": _named("concat", lambda *held: "".join(held)),
    "struct": _Function(_struct_sql, lambda call, known: tuple(value(part, known) for part in call.arguments)),
    "to_json": _Function(_named("to_json", same).sql, _to_json),
    "field": _Function(
        lambda call, spell: f"{sql(call.arguments[0], spell)}.{spell.output(call.arguments[1].held)}",
        lambda call, known: _field(call, known),
    ),
    "size": _named("size", len),
    "bigint": _Function(
        lambda call, spell: f"{spell.word('CAST')}({sql(call.arguments[0], spell)} {spell.word('AS BIGINT')})",
        _strict(lambda held: held),
    ),
}


def _field(call: Call, known: Known) -> Any:
    held = value(call.arguments[0], known)
    names = [name for name, _ in call.arguments[0].type.fields]
    return None if held is None else held[names.index(call.arguments[1].held)]


def struct(*columns: Column) -> Call:
    return Call(struct_of(*((column.name, column.type) for column in columns)), "struct", columns)


def field(held: Expression, name: str) -> Call:
    kinds = dict(held.type.fields)  # type: ignore[attr-defined]
    return Call(kinds[name], "field", (held, Literal(STRING, name)))


def compare(operator: str, left: Expression, right: Expression) -> Call:
    return Call(BOOLEAN, operator, (left, right))


def number(held: int) -> Literal:
    return Literal(INT, held)


__all__ = ["BIGINT", "Aggregate", "Call", "Column", "Expression", "Known", "Literal", "Output", "Over", "WindowColumn"]
