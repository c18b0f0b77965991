"""Rules for columns of the source, and for `*`, after the window: one pair for each form."""

from __future__ import annotations

from dataclasses import dataclass

from winsql.errors import Span, WindowSpecError, WinsqlError
from winsql.model.nearest import nearest
from winsql.model.query import WINDOW_COLUMNS, Form
from winsql.model.registry import APPLY_FUNCTIONS
from winsql.syntax.bind.rewriter import ColumnRule, Rewriter
from winsql.syntax.expressions.function_calls import said_path
from winsql.syntax.expressions.items import quoted, schema_names
from winsql.syntax.expressions.references import Reference
from winsql.syntax.selects.endless import WITHOUT_IDENTIFIER
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import upper_name


def rules_of(form: Form, function: str | None) -> tuple[ColumnRule, ColumnRule]:
    """The rules for columns and for stars; `function` is the name after APPLY."""
    return _RULES[form] if function is None else _function_rules(function)


def _no_source_column(rewriter: Rewriter, reference: Reference) -> str | None:
    _refuse_window_by_identifier(rewriter.source, reference)
    is_column = reference.is_certain or rewriter.source.folded(reference.extent.first) in rewriter.columns
    if not is_column or rewriter.is_variable(reference):
        return None
    span = rewriter.source.span(reference.extent)
    name = rewriter.source.text[span.start : span.end]  # not the name that the column may have got for another plan
    near = None if name.lower() in WINDOW_COLUMNS else nearest(name, WINDOW_COLUMNS)
    hint = None if near is None else f"did you mean {near}?"
    if rewriter.source.settings.case_sensitive and name != name.lower() in WINDOW_COLUMNS:
        hint = f"did you mean {name.lower()}? With spark.sql.caseSensitive it is written so"
    if reference.path[0] == "WINDOW" and len(reference.path) <= 2:
        hint = "use window_start and window_end"
    raise no_key(rewriter.source.text, name, span, hint)


def _refuse_window_by_identifier(source: Source, reference: Reference) -> None:
    said = said_path(source, reference.extent.first + 1) if reference.path == ("IDENTIFIER()",) else None
    if said is not None and said[-1].lower() in WINDOW_COLUMNS:
        problem = "IDENTIFIER(...) cannot name a column of windows"
        rule = "Spark looks such a name up in the tables after FROM, and these columns are of the windows"
        raise source.spec_error(problem, reference.extent, rule=rule, hint=WITHOUT_IDENTIFIER)


def no_key(text: str, name: str, span: Span, hint: str | None = None) -> WindowSpecError:
    """The error for a column of the source in a SELECT with aggregates."""
    return WindowSpecError(
        f"{name} is neither a key nor inside an aggregate",
        rule="a windowed SELECT with aggregates returns one row per key, window and firing",
        hint=hint or f"add {name} to GROUP BY, or wrap it, for instance as ANY_VALUE({name})",
        source=text,
        span=span,
        column=name,
    )


def _no_star(rewriter: Rewriter, reference: Reference) -> str | None:
    source, place = rewriter.source, reference.extent
    hint = "leave out GROUP BY (use PARTITION BY) to get the rows of each window"
    is_argument = source.at(place.first - 1).is_symbol("(") and source.at(place.first - 2).is_name
    if is_argument and nearest(source.at(place.first - 2).upper, ["COUNT"]) is not None:
        place, hint = Extent(place.first - 2, place.stop + 1), "did you mean COUNT(*)?"
    rule = "a windowed SELECT with aggregates returns one row per key, window and firing"
    raise source.spec_error("* cannot be used in a SELECT with aggregates or GROUP BY", place, rule=rule, hint=hint)


def _carried_star(rewriter: Rewriter, reference: Reference) -> str | None:
    return all_columns(rewriter, reference.extent, rewriter.source.verbatim(reference.extent))


def all_columns(rewriter: Rewriter, place: Extent, star: str) -> str:
    """The columns of the source in a SELECT of rows, as `star` says; `place` tells it from other stars."""
    windows = (f"{rewriter.window(name)} AS {name}" for name in rewriter.star_windows)
    return ", ".join((f"{rewriter.carry(place, f'struct({star})')}.*", *windows))


_RULES: dict[Form, tuple[ColumnRule, ColumnRule]] = {
    Form.AGGREGATE: (_no_source_column, _no_star),
    Form.ROWS: (lambda rewriter, reference: rewriter.carry(reference.extent), _carried_star),
}


def _function_rules(function: str) -> tuple[ColumnRule, ColumnRule]:
    registered = APPLY_FUNCTIONS.find(function)
    rules = _FunctionRules(function, () if registered is None else tuple(schema_names(registered.returns)))
    return rules.on_column, rules.on_star


@dataclass(frozen=True, slots=True)
class _FunctionRules:
    """Rules of APPLY: the function's columns are all there is beside keys and window columns; `*` means these."""

    function: str
    columns: tuple[str, ...]

    def on_column(self, rewriter: Rewriter, reference: Reference) -> str | None:
        if self._returns(reference.path[0]) or not reference.is_certain or rewriter.is_variable(reference):
            return None
        raise self._unknown(rewriter.source, reference.extent)

    def on_star(self, rewriter: Rewriter, reference: Reference) -> str | None:
        source, extent = rewriter.source, reference.extent
        star = next(index for index in extent.indexes if source.at(index).is_symbol("*"))
        path = _path(source, Extent(extent.first, star - 1))
        if path and path not in rewriter.match.paths:
            if self._returns(path[0]):  # the fields of a struct
                return None
            raise self._unknown(source, extent)
        kept = self.columns if extent.stop == star + 1 else self._without(rewriter, Extent(star + 3, extent.stop - 1))
        return ", ".join(map(quoted, kept))

    def _without(self, rewriter: Rewriter, names: Extent) -> list[str]:
        """The columns that are not among those in the brackets of EXCEPT."""
        source, known = rewriter.source, ", ".join(self.columns)
        written = Extent(names.first - 2, names.stop + 1)
        if names.is_empty:
            raise source.syntax_error("EXCEPT has no column", written, hint=f"name columns of {self.function}: {known}")
        left_out = [self._left_out(rewriter, name) for name in source.split(names)]
        kept = [name for name in self.columns if source.fold(name) not in left_out]
        if not kept:
            rule, hint = "* gives one column or more", f"leave out EXCEPT, or name some of {known} in it"
            raise source.spec_error("EXCEPT leaves no column", written, rule=rule, hint=hint)
        return kept

    def _left_out(self, rewriter: Rewriter, extent: Extent) -> str:
        """A name in the brackets of EXCEPT, as `Source.fold` has it."""
        source = rewriter.source
        qualifier = _path(source, Extent(extent.first, extent.stop - 2))
        is_name = source.is_path(extent) and (not qualifier or qualifier in rewriter.match.paths)
        if not is_name or source.folded(extent.stop - 1) not in map(source.fold, self.columns):
            raise self._unknown(source, extent)
        return source.folded(extent.stop - 1)

    def _returns(self, name: str) -> bool:
        return name in map(upper_name, self.columns)

    def _unknown(self, source: Source, extent: Extent) -> WinsqlError:
        problem = f"{source.verbatim(extent)} is no column of {self.function}"
        rule = "after APPLY a SELECT reads what the function returns, the keys and the window columns"
        hint = f"{self.function} returns {', '.join(self.columns)}"
        return source.spec_error(problem, extent, rule=rule, hint=hint)


def _path(source: Source, extent: Extent) -> tuple[str, ...]:
    """The names of a path, upper case."""
    return tuple(source.at(index).upper for index in range(extent.first, extent.stop, 2))
