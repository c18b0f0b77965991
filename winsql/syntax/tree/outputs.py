"""The columns that SELECTs, set operations and aliases with column lists give, and which of them are window columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from winsql.model.query import FUNCTION_COLUMNS
from winsql.syntax.text.vocabulary import GENERATORS
from winsql.syntax.tree.bridge import index_of, mask_at, select_index
from winsql.syntax.tree.joined import Joined
from winsql.syntax.tree.nodes import clauses_of, path_of
from winsql.syntax.tree.rankings import passed_ranking
from winsql.syntax.tree.records import GAP, UNKNOWN, Fields, Meaning, Output, Relation, Role


def outputs_of(
    node: exp.Select, joined: Joined, meanings: Mapping[int, Meaning], times: frozenset[int], *, is_origin: bool
) -> Iterator[Output]:
    """The columns of a SELECT.

    joined            what leaves its FROM
    meanings, times   as in `Scope`
    is_origin         whether it has window clauses, so that it makes window columns itself
    """

    def role_of(value: exp.Expr) -> Role | None:
        is_own = is_origin and isinstance(value, exp.Column) and value.name.lower() in FUNCTION_COLUMNS
        return Role(value.name.lower()) if is_own else _role_of([value], joined, meanings)

    first = select_index(node)
    for place, item in enumerate(node.expressions):
        star, own = star_of(item), None if first is None else (first, place)
        if star is not None:
            yield from _starred(item, star, joined)
            continue
        value = item.this if isinstance(item, exp.Alias) else item
        if isinstance(item, exp.Aliases):
            yield from (Output(name.name.lower(), written=name.name) for name in item.aliases)
            continue
        value = value.unnest()
        if value is item and isinstance(value, exp.Anonymous) and value.name.upper() in GENERATORS:
            yield GAP  # as many columns as the function makes
            continue
        role = ranking = None
        fields: Fields = ()
        if isinstance(value, exp.Window):
            ranking = own
        elif isinstance(value, (exp.Anonymous, exp.Tuple)) and item.alias:
            role, fields = role_of_call(value, joined, meanings), tuple(_fields(value, role_of, joined))
        elif isinstance(value, exp.Column):
            ranking = passed_ranking(value, joined.relations)
            role, fields = role_of(value), () if is_origin else _passed_fields(path_of(value), joined.relations)
        named = item if isinstance(item, exp.Alias) else value
        name = named.alias_or_name if isinstance(named, (exp.Alias, exp.Column)) else ""
        yield Output(name.lower() or _UNNAMED, role, ranking, _index(value) in times, own, name, fields)


def through_aliases(node: exp.Select, joined: Joined, output: tuple[Output, ...]) -> tuple[Output, ...]:
    """The columns of a SELECT, in which an alias of an earlier one is what that is: `window_end AS e, e AS f`.

    A column of FROM of that name comes first; which these are is known where there is no gap.
    """
    if any(GAP in relation.output for relation in joined.relations):
        return output
    first, found = select_index(node), list[Output]()
    for column in output:
        is_own = column.item is not None and column.item[0] == first
        value = node.expressions[column.item[1]].unalias().unnest() if column.item is not None and is_own else None
        path, earlier = path_of(value) if isinstance(value, exp.Column) else (), Relation("", None, tuple(found))
        aliased = None if not path or _is_of_from(path[0], joined) else earlier.column(path[0])
        if aliased is not None:
            meant = Output.of("", aliased.inside(path[1:]))
            column = replace(column, role=meant.role, fields=meant.fields)
        found.append(column)
    return tuple(found)


def _is_of_from(name: str, joined: Joined) -> bool:
    """Whether it is a relation or a column of FROM."""
    return any(relation.name == name or relation.has(name) for relation in joined.relations)


_UNNAMED = "(no name)"
_FIRST_VALUE = frozenset({"COALESCE", "IFNULL", "NVL"})
"""The functions that give the first of their arguments that is not NULL."""


def role_of_call(node: exp.Expr, joined: Joined, meanings: Mapping[int, Meaning]) -> Role | None:
    """The window column that a call such as `coalesce(a.window_end, b.window_end)` is; None for anything else."""
    is_first = isinstance(node, exp.Anonymous) and node.name.upper() in _FIRST_VALUE
    return _role_of(node.expressions, joined, meanings) if is_first else None


def _role_of(values: Sequence[exp.Expr], joined: Joined, meanings: Mapping[int, Meaning]) -> Role | None:
    """The window column that the first of several columns is that has a value; None where it may be something else."""
    named = [meanings.get(_index(value.unnest())) for value in values]
    found = [meaning for meaning in named if meaning is not None and meaning.level == 0]
    numbers = {number for meaning in found for number in meaning.relations}
    is_one = len(found) == len(values) and len({meaning.role for meaning in found}) == 1
    return found[0].role if is_one and joined.has_one_of(numbers) else None


def _fields(
    node: exp.Expr, role_of: Callable[[exp.Expr], Role | None], joined: Joined
) -> Iterator[tuple[tuple[str, ...], Role]]:
    """The window columns in `struct(a, b AS c, t.*)`, `(a, b)` or `named_struct('c', b)`, and in structs in it."""
    for name, value in _named_values(node):
        star, inner = star_of(value), value.unalias()
        if star is not None:
            columns = _starred(value, star, joined)
            yield from (((c.name or "", *path), role) for c in columns for path, role in c.inside(()))
        elif (role := role_of(inner)) is not None:
            yield (name,), role
        elif isinstance(inner, exp.Column):
            yield from (((name, *path), role) for path, role in _passed_fields(path_of(inner), joined.relations))
        else:
            yield from (((name, *path), role) for path, role in _fields(inner, role_of, joined))


def _named_values(node: exp.Expr) -> Iterator[tuple[str, exp.Expr]]:
    """The fields of a struct with their names in lower case, as far as Spark takes these from the values."""
    values = node.expressions
    if node.name.upper() == "NAMED_STRUCT":
        names, values = [value.name if value.is_string else "" for value in values[::2]], values[1::2]
    elif node.name.upper() == "STRUCT" or isinstance(node, exp.Tuple):
        is_named = (isinstance(value, (exp.Alias, exp.Column)) for value in values)
        named = zip(values, is_named, strict=True)
        names = [v.alias_or_name if has_name else f"col{n}" for n, (v, has_name) in enumerate(named, 1)]
    else:
        return
    yield from ((name.lower(), value) for name, value in zip(names, values, strict=False))


def _passed_fields(path: tuple[str, ...], relations: Iterable[Relation]) -> Fields:
    """The window columns in a struct that a SELECT passes on."""
    found = [fields for relation in relations if (fields := relation.fields_at(path))]
    return tuple((path, role) for path, role in found[0] if path) if len(found) == 1 else ()


def _as_columns(fields: Fields) -> Iterator[Output]:
    """The columns with windows that `w.*` gives."""
    for name in dict.fromkeys(path[0] for path, _ in fields):
        yield Output.of(name, tuple((path[1:], role) for path, role in fields if path[0] == name))


def _index(value: exp.Expr) -> int:
    index = index_of(value.this) if isinstance(value, exp.Column) else None
    return -1 if index is None else index


def star_of(item: exp.Expr) -> exp.Star | None:
    """The star of an item that is `*` or `a.*`."""
    star = item.this if isinstance(item, exp.Column) else item
    return star if isinstance(star, exp.Star) else None


def is_star_alone(node: exp.Select) -> bool:
    """Whether a SELECT has one item, a star."""
    return len(node.expressions) == 1 and star_of(node.expressions[0]) is not None


def is_from_alone(node: exp.Select) -> bool:
    """Whether a node is `FROM t`, of which sqlglot makes `SELECT * FROM t`."""
    return clauses_of(node) == {"expressions", "from"} and node.expressions == [exp.Star()]


def left_out_by(star: exp.Star) -> set[str]:
    """The names after EXCEPT, lower case."""
    return {column.name.lower() for column in star.args.get("except_") or ()}


def _starred(item: exp.Expr, star: exp.Star, joined: Joined) -> Iterator[Output]:
    path = path_of(item)[:-1] if isinstance(item, exp.Column) else ()
    table = path[-1] if path else ""
    if path and (len(path) > 1 or all(relation.name != table for relation in joined.relations)):
        yield GAP  # the fields of a struct
        yield from _as_columns(_passed_fields(path, joined.relations))
        return
    left_out, replaced = left_out_by(star), {column.alias.lower() for column in star.args.get("replace") or ()}
    for column in joined.columns_of(table) if table else joined.all_columns():
        if column.name in replaced:
            yield Output(column.name)
        elif column.name not in left_out:
            yield column


def renamed(relation: Relation, alias: exp.Expr | None) -> Relation:
    """The relation with the column names of `AS name(a, b, ...)`."""
    columns = [] if alias is None else [column.name for column in alias.args.get("columns") or ()]
    names = ["" if mask_at(name) is not None else name for name in columns]
    if not names:
        return relation
    output = list(relation.output)
    gaps = [place for place, column in enumerate(output) if column.name is None]
    if len(gaps) == 1 and len(names) >= len(output) - 1:
        missing = len(names) - (len(output) - 1)
        output[gaps[0] : gaps[0] + 1] = [Output("", None)] * missing
    elif gaps:
        output = [*output[: gaps[0]], *([Output("", None)] * (len(names) - gaps[0]))]
    if gaps:  # which of its columns have these names is not known
        relation = replace(relation, origin=None, select=None)
    named = (replace(c, name=n.lower(), written=n) for c, n in zip(output, names, strict=False))
    return replace(relation, output=tuple(named))


def unpivoted(relation: Relation, pivots: Iterable[exp.Pivot]) -> Relation:
    """The relation after UNPIVOTs: columns that they turn to rows go, those with their names and values come."""
    for pivot in pivots:
        fields: list[exp.Expr] = pivot.args.get("fields") or []
        turned = {column.name.lower() for field in fields for column in field.find_all(exp.Column)}
        values = (name for value in pivot.expressions for name in (value.expressions or [value]))
        made = (Output(name.name.lower(), written=name.name) for name in (*(f.this for f in fields), *values))
        kept = (column for column in relation.output if column.name is None or column.name not in turned)
        relation = replace(relation, name=pivot.alias.lower() or relation.name, output=(*kept, *made))
    return relation


def united(left: Relation, right: Relation, node: exp.SetOperation) -> Relation:
    """What a set operation gives: the columns of UNION ALL, window columns if they are in both; a gap for any other."""
    is_all = isinstance(node, exp.Union) and not node.args.get("distinct")
    if not is_all or len(left.output) != len(right.output):
        return replace(UNKNOWN, first=left.first)
    pairs = zip(left.output, right.output, strict=True)
    output = tuple(
        replace(
            one, role=one.role if one.role is other.role else None, is_time=one.is_time and other.is_time,
            ranking=None, item=None, fields=one.fields if one.fields == other.fields else (),
        )
        for one, other in pairs
    )  # fmt: skip
    return Relation(
        "",
        left.first,
        output,
        left.origins | right.origins,
        left.times & right.times,
        left.is_row_stream or right.is_row_stream,
        left.is_window_result or right.is_window_result,
    )
