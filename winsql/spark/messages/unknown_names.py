"""Columns and functions that do not exist: reported before other mistakes of a windowed SELECT with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from pyspark.errors import ParseException, PySparkException
from pyspark.sql import SparkSession

from winsql.errors import Span, WindowSpecError, WinsqlError
from winsql.model.nearest import distance, nearest
from winsql.model.query import INTERNAL_PREFIX, WINDOW_COLUMNS
from winsql.spark.aggregate_functions import AggregateNames
from winsql.spark.messages.conditions import not_of_rows, readable_selects
from winsql.spark.messages.hidden_names import said
from winsql.spark.messages.original_text import handed
from winsql.spark.messages.places import Places
from winsql.spark.messages.unknown_functions import unknown_function, unknown_function_around
from winsql.spark.parser_settings import parser_settings
from winsql.syntax import no_key
from winsql.syntax.expressions.items import column_path, read_select_list
from winsql.syntax.expressions.references import ReferenceKind, find_references
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES
from winsql.syntax.selects.relations import relation_names
from winsql.syntax.selects.scanner import find_selects
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.text.parts import SORTS, Part, Select, is_query_start, words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import upper_name

_SHOWN = 12


def unknown_name(spark: SparkSession, text: str, error: WinsqlError, functions: AggregateNames) -> WinsqlError | None:
    """What is unknown where an error is about a column outside of aggregates: the function around it, itself, a key.

    Raises Spark's error where what the SELECT reads is unknown, or where Spark cannot read its items and keys.
    """
    if not isinstance(error, WindowSpecError) or error.span is None or error.source != text:
        return None
    source = Source(text, settings=parser_settings(spark), is_aggregate=functions)
    _require_readable(spark, source, error.span)
    if error.column is None:
        return None
    _ask(source, error.span)
    return unknown_function_around(source, error.span, functions) or _column(spark, source, error)


def unknown_in_plan(spark: SparkSession, text: str, error: PySparkException, span: Span) -> WinsqlError | None:
    """The error for the unknown name in Spark's error about a text made from the statement; None for other errors.

    span   the place of the name, or of the call, in the statement
    """
    condition, told = error.getCondition() or "", error.getMessageParameters() or {}
    source = Source(text, settings=parser_settings(spark), is_aggregate=AggregateNames(spark))
    if condition == "INVALID_WHERE_CONDITION":
        return not_of_rows(source, _select(source, span))
    if condition == "UNRESOLVED_ROUTINE":
        index = next((n for n in range(len(source)) if source.at(n).start == span.start), None)
        return None if index is None else unknown_function(source, index, AggregateNames(spark))
    if not condition.startswith("UNRESOLVED_COLUMN"):
        return None
    name, shown = _parts(told.get("objectName", "")), _parts(span.text(text))
    if shown != name[-len(shown) :]:
        return None
    select = _select(source, span)
    if select is not None and name[-1].lower() in WINDOW_COLUMNS:
        is_other = _in_subquery(source, select, span)
        return _outer(source, select, span) if is_other else _too_early(source, select, span)
    qualified = _qualified(source, span)
    if qualified is not None and name[-1] in set(map(upper_name, _columns(spark, source, qualified) or ())):
        return _not_in_qualify(source, span)
    columns = None if select is None else _columns(spark, source, select)
    if columns is not None and name[-1] not in set(map(upper_name, columns)):
        return _item_name(source, select, span) or _unknown_column(source, span, columns, _KNOWN, select)
    if select is not None and columns is not None and len(name) == 1 and _in_subquery(source, select, span):
        return _outer(source, select, span)
    grouping = _grouping(source, span, name[0]) if len(name) == 1 else None
    if grouping is not None:
        return _outer(source, grouping, span)
    near = [column.replace("`", "") for column in told.get("proposal", "").split(", ") if column]
    if len(shown) < len(name):  # a side's name that winsql has given
        near = list(dict.fromkeys(column.rpartition(".")[2] for column in near))
    return _unknown_column(source, span, near, _LIKE)


def missing_key(
    spark: SparkSession, text: str, error: PySparkException, names: Mapping[str, str]
) -> WinsqlError | None:
    """The error for a column that a SELECT with GROUP BY reads outside of aggregates, where Spark tells no place.

    names   what the user wrote for columns of a plan
    """
    if error.getCondition() != "MISSING_AGGREGATION":
        return None
    source = Source(text, settings=parser_settings(spark), is_aggregate=AggregateNames(spark))
    path = tuple(_parts(said((error.getMessageParameters() or {}).get("expression", "").strip('"'), names)))
    for select in readable_selects(source):
        try:
            items = read_select_list(source, select).items if Part.GROUP_BY in select.sections else ()
        except WinsqlError:
            continue
        for reference in (one for item in items for one in find_references(source, item.expression)):
            if reference.kind is ReferenceKind.COLUMN and reference.path[-len(path) :] == path:
                return no_key(text, source.verbatim(reference.extent), source.span(reference.extent))
    return None


def _outer(source: Source, select: Select, span: Span) -> WinsqlError:
    """The error for a column of a windowed SELECT, or of its window, in a query inside it."""
    written = span.text(source.text)
    if written.strip("`").lower() in WINDOW_COLUMNS:
        rule = "a query inside a windowed SELECT knows its keys, and no column of its windows"
        hint = f"put the windowed SELECT into a subquery, and read its {written} in a SELECT around it"
    else:
        names = sorted(relation_names(source, select.sections[Part.FROM].body) - set(FUNCTION_NAMES))
        rule = "a query inside a windowed SELECT knows keys by the name of their relation"
        hint = f"write {names[0].lower()}.{written}" if len(names) == 1 else "write the name of its relation before it"
        hint = hint if names else f"give its relation a name, as in FROM ... AS x, and write x.{written}"
        keys = select.body(Part.GROUP_BY)
        if keys is None or not any(source.at(n).upper == upper_name(written.strip("`")) for n in keys.indexes):
            hint = f"add {written} to GROUP BY, and {hint}"
    return WindowSpecError(f"{written} is not known here", rule=rule, hint=hint, source=source.text, span=span)


def _qualified(source: Source, span: Span) -> Select | None:
    """The innermost SELECT without groups whose QUALIFY has a query around this place."""
    for select in reversed([*readable_selects(source)]):
        if _is_beside(source, select, span, Part.QUALIFY) and _in_subquery(source, select, span):
            return None if Part.GROUP_BY in select.sections else select
    return None


def _is_beside(source: Source, select: Select, span: Span, *parts: Part) -> bool:
    bodies = (select.body(part) for part in parts)
    return any(body is not None and _holds(source.span(body), span) for body in bodies)


def _not_in_qualify(source: Source, span: Span) -> WinsqlError:
    written = span.text(source.text)
    return WindowSpecError(
        f"{written} is not known here",
        rule="a query in QUALIFY knows no columns of the SELECT around it, but for keys of GROUP BY",
        hint="put this SELECT into a subquery, and ask in the WHERE of a SELECT around it",
        source=source.text,
        span=span,
    )


def _grouping(source: Source, span: Span, name: str) -> Select | None:
    """The innermost SELECT one of whose keys a query among its items, in HAVING or QUALIFY, reads at this place."""
    for select in reversed([*readable_selects(source)]):
        keys = select.body(Part.GROUP_BY)
        if (
            _is_beside(source, select, span, Part.SELECT, Part.HAVING, Part.QUALIFY)
            and keys is not None
            and any(source.at(n).upper == name for n in keys.indexes)
        ):
            return select if _in_subquery(source, select, span) else None
    return None


def _parts(name: str) -> list[str]:
    """The parts of a name, in upper case and without quotes."""
    return [upper_name(part.strip().strip("`")) for part in name.split(".")]


def _require_readable(spark: SparkSession, source: Source, span: Span) -> None:
    """Raises Spark's error about the syntax of the items and keys of the SELECT around a place."""
    select = _select(source, span)
    if select is None:
        return
    keys = select.sections.get(Part.GROUP_BY)
    parts = [select.sections[Part.SELECT], *([] if keys is None or keys.body.is_empty else [keys])]
    text = " ".join(f"{source.verbatim(part.head)} {source.verbatim(part.body)}" for part in parts)
    try:
        with handed(text, Places(source.text, within=source.span(select.extent), settings=source.settings)):
            spark.sql(text)
    except ParseException:
        raise
    except (PySparkException, WinsqlError):
        return


def _ask(source: Source, span: Span) -> None:
    """Ask the session about the functions of the SELECTs around the place."""
    around = [select for select in readable_selects(source) if _holds(source.span(select.extent), span)]
    for select in around:
        with suppress(WinsqlError):
            for part, section in select.sections.items():
                if part is not Part.FROM:
                    find_references(source, section.body)


def _column(spark: SparkSession, source: Source, error: WinsqlError) -> WinsqlError | None:
    select = _select(source, error.span)
    columns = None if select is None else _columns(spark, source, select)
    if select is None or columns is None:
        return None
    known = set(map(upper_name, (*columns, *WINDOW_COLUMNS)))
    relations = relation_names(source, select.sections[Part.FROM].body)
    path = _parts(error.column or "")
    if not known.intersection(path) or _is_of_other(path, known, relations):
        return _item_name(source, select, error.span) or _unknown_column(source, error.span, columns, _KNOWN, select)
    for key in _keys(source, select):
        path = _parts(source.verbatim(key))
        if not known.intersection(path) or _is_of_other(path, known, relations):
            return _unknown_column(source, source.span(key), columns)
    return None


def _is_of_other(path: Sequence[str], known: Collection[str], relations: Collection[str]) -> bool:
    """Whether a column has the name of a relation before it that is not there, or may only be one of a struct."""
    return bool(relations) and len(path) > 1 and path[0] not in known and not set(path[:-1]) & set(relations)


def _item_name(source: Source, select: Select | None, span: Span | None) -> WinsqlError | None:
    """The error for the name of an item where rows are read: in its own item it is a column that does not exist."""
    if select is None or span is None:
        return None
    name = upper_name(span.text(source.text).strip("`"))
    named = (i for i in read_select_list(source, select).items if name in map(upper_name, i.names))
    item = next((i for i in named if all(source.at(n).upper != name for n in i.expression.indexes)), None)
    if item is None:
        return None
    written = span.text(source.text)
    rule = "keys, aggregates, WHERE and window clauses read rows, which do not have the names of items"
    hint = f"write {source.verbatim(item.expression)} in its place"
    if _in_subquery(source, select, span):
        rule = "a query inside a windowed SELECT knows its keys, and no names of its items"
        hint = f"put the windowed SELECT into a subquery, and ask about its {written} in a SELECT around it"
    return WindowSpecError(
        f"there is no column {written}",
        rule=rule,
        hint=hint,
        source=source.text,
        span=span,
    )


def _keys(source: Source, select: Select) -> Iterator[Extent]:
    """The keys that are the name of a column, which in GROUP BY is no name of the select list."""
    section, items = select.get(Part.GROUP_BY), select.sections[Part.SELECT].body
    named = {upper_name(source.name(i.stop - 1)) for i in source.split(items) if source.at(i.stop - 1).is_name}
    for key in [] if section is None else source.split(section.body):
        if column_path(source, key) is not None and source.at(key.first).upper not in ("ALL", *named):
            yield key
    for place in words_in(source, select.extent, "PARTITION"):
        stop = next((s.body.stop for s in select.sections.values() if place in s.body.indexes), place)
        keys = source.split(Extent(place + 2, stop)) if source.words(place + 1, "BY") else []
        yield from (key for key in keys if column_path(source, key) is not None)


_COLUMNS_OF_OTHERS = {"wstart": "window_start", "wend": "window_end", "start": "window_start", "end": "window_end"}
_KNOWN = "the columns here are {}, and those of the window"
_LIKE = "columns with similar names are {}"


def _unknown_column(
    source: Source, span: Span | None, names: Sequence[str], rule: str = _KNOWN, select: Select | None = None
) -> WinsqlError | None:
    """The error for a name that is neither a column of what is read nor one of the window, nor an item of `select`."""
    if span is None:
        return None
    written = span.text(source.text)
    names = [name for name in names if not name.startswith(INTERNAL_PREFIX)]
    last_parts = {name.rpartition(".")[2]: name for name in reversed(names)}
    name = written.rpartition(".")[2].strip("`")
    near = _nearest(name, [*last_parts, *WINDOW_COLUMNS, *_items_before(source, select, span)])
    near = near or _COLUMNS_OF_OTHERS.get(name.lower().lstrip("_"))
    near = last_parts.get(near or "", near)
    hint = f"did you mean {near}?" if near else "window columns are window_start, window_end and window_time"
    if name.lower() in WINDOW_COLUMNS:
        hint = f"a SELECT with WINDOW ASSIGN has it: add {name} to its items"
    elif name.lower().replace("_", "") == "proctime":
        hint = "write PROCTIME() for the clock of the machine"
    elif name.lower().replace("_", "") == "rowtime":
        hint = "write the column that has the time of the rows"
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    return WindowSpecError(
        f"there is no column {written}",
        rule=rule.format(shown) if names else None,
        hint=hint,
        source=source.text,
        span=span,
    )


def _items_before(source: Source, select: Select | None, span: Span) -> list[str]:
    """The names of items that may be read at a place: in HAVING and after it."""
    if select is None:
        return []
    after = (section.body for part, section in select.sections.items() if part in _AFTER[1:])
    if not any(_holds(source.span(body), span) for body in after):
        return []
    return [name for item in read_select_list(source, select).items for name in item.names]


def _too_early(source: Source, select: Select, span: Span) -> WinsqlError:
    """The error for a column of the window where a SELECT reads rows."""
    written = span.text(source.text)
    part = next((part for part, section in select.sections.items() if _holds(source.span(section.body), span)), None)
    in_aggregate = part in _AFTER and any(
        reference.kind is ReferenceKind.AGGREGATE and _holds(source.span(reference.extent), span)
        for reference in find_references(source, select.sections[part].body)
    )
    problem, rule = f"{written} cannot be read here", "this reads the rows, which have no window columns yet"
    hint = "use the time of the rows"
    if part is Part.WHERE:
        hint = "filter windows with HAVING or in an outer SELECT"
    elif "." in written:
        rule = "columns of the window belong to the window, and to no relation"
        hint = f"write {written.rpartition('.')[2]} alone"
    if in_aggregate:
        problem = f"{written} cannot be read inside an aggregate"
        rule = "aggregates read the rows of a window, which have no window columns yet"
        name = written.rpartition(".")[2]
        hint = f"write {name} without the aggregate, or aggregate it in an outer SELECT"
    return WindowSpecError(problem, rule=rule, hint=hint, source=source.text, span=span)


def _in_subquery(source: Source, select: Select, span: Span) -> bool:
    """Whether a place in a SELECT is in a query inside it, which reads relations of its own."""
    return any(
        source.at(n).is_symbol("(")
        and is_query_start(source, n + 1)
        and _holds(source.span(Extent(n, source.closing(n) + 1)), span)
        for n in select.extent.indexes
    )


_AFTER = (Part.SELECT, Part.HAVING, Part.WINDOWS, Part.QUALIFY, *SORTS)


def _nearest(name: str, columns: Sequence[str]) -> str | None:
    """The nearest column; for a short name also one that differs in a letter, if it is the only one."""
    close = [column for column in columns if distance(name.upper(), column.upper()) == 1]
    return nearest(name, columns) or (close[0] if len(close) == 1 else None)


def _select(source: Source, span: Span | None) -> Select | None:
    """The innermost windowed SELECT around a place."""
    if span is None:
        return None
    inside = [s for s in find_selects(source) if _holds(source.span(s.extent), span) and Part.FROM in s.sections]
    return min(inside, key=lambda s: len(s.extent.indexes), default=None)


def _columns(spark: SparkSession, source: Source, select: Select) -> list[str] | None:
    """The columns that a SELECT reads; None where Spark cannot tell them without the rest of the statement."""
    relation = source.verbatim(select.sections[Part.FROM].body)
    text = f"{Context(source).prefix(select.extent.first)}SELECT * FROM {relation}"
    try:
        with handed(text, Places(source.text, settings=source.settings)):
            return spark.sql(text).columns
    except (PySparkException, WinsqlError) as error:
        if isinstance(error, PySparkException) and error.getCondition() == "TABLE_OR_VIEW_NOT_FOUND":
            raise
        return None  # a window join, a window inside, parameters


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
