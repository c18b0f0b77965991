"""The reference, docs/reference.md, as the registries and grammars of the code have it.

    python -m winsql.shell.reference [--import MODULE ...] > docs/reference.md

With --import the page also lists the policies that a module of yours registers.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

import winsql
from winsql import errors
from winsql.errors import WindowSpecError, WinsqlError
from winsql.model.assigners import Assigner
from winsql.model.base import Operand, TimeAttribute, TimeDomain
from winsql.model.evictors import Evictor
from winsql.model.expressions import Predicate
from winsql.model.joins import JoinType
from winsql.model.local_windows import LOCAL_TIME
from winsql.model.policy import Kind, Parameter, Policy
from winsql.model.query import WINDOW_COLUMNS, WindowSpec
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS, Registry
from winsql.model.triggers import CountTrigger, EventTimeTrigger, NeverTrigger, Trigger
from winsql.runtime.aggregates import SUPPORTED, bind_aggregate
from winsql.runtime.columnar import plan_of
from winsql.runtime.columnar.shared.aggregates import aggregate_form
from winsql.shell.check import import_modules
from winsql.shell.commands import COMMANDS
from winsql.shell.interactive.commands import COMMANDS as SHELL_COMMANDS
from winsql.shell.manual import STATEMENTS
from winsql.shell.markdown import capital, first_line, grammar, prose, table
from winsql.spark.extension.function_pack import AGGREGATES, IN_FROM, sql_functions
from winsql.spark.tables.formats import DEFAULT_FORMAT, FORMATS
from winsql.spark.tables.sinks.registry import SINKS
from winsql.syntax.clauses import CLAUSES, clause_grammar
from winsql.syntax.expressions.arguments import signature
from winsql.syntax.joins.arguments import OPTIONS


def main(argv: Sequence[str] | None = None) -> int:
    """Print the page; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m winsql.shell.reference", description=inspect.getdoc(sys.modules[__name__])
    )
    parser.add_argument("--import", dest="imports", metavar="MODULE", action="append", default=[])
    import_modules(parser.parse_args(argv).imports)
    print(reference(), end="")
    return 0


def reference() -> str:
    """The page in Markdown."""
    return "\n\n".join(block for section in _SECTIONS for block in section()) + "\n"


# -- clauses and policies ---------------------------------------------------------------------------------------------


def _head() -> Iterator[str]:
    yield "# Reference"
    yield prose(
        """Made by `python -m winsql.shell.reference` from the code itself, and compared with it by a test. What the
        clauses are for is in [windows](windows.md), with examples in the [cookbook](cookbook.md)."""
    )


def _clauses() -> Iterator[str]:
    yield "## Window clauses"
    yield grammar("winsql.syntax.clauses.grammar", before=(clause_grammar(), ""))
    yield table(("clause", "says"), ((f"`{clause.words}`", clause.summary) for clause in CLAUSES))
    yield "The clauses come after FROM and WHERE of their SELECT, each at most once. A join of two inputs in windows:"
    yield grammar("winsql.syntax.joins.clause", f"type       = {' | '.join(how.syntax for how in JoinType)}")


def _window_columns() -> Iterator[str]:
    yield "## Window columns"
    yield table(("column", "is"), ((f"`{name}`", _COLUMNS[name]) for name in WINDOW_COLUMNS))


_COLUMNS = {
    "window_start": "first instant of the window; NULL for COUNT and GLOBAL",
    "window_end": "first instant after the window; NULL for COUNT and GLOBAL",
    "window_time": "last instant of the window, one microsecond before its end; NULL for COUNT and GLOBAL",
    "pane_index": "number of the firing of this key and window, from 0",
    "pane_timing": "`EARLY`, `ON_TIME` or `LATE`, seen from the window's end; NULL for COUNT and GLOBAL",
}


def _assigners() -> Iterator[str]:
    yield "## Assigners"
    for cls in _classes(ASSIGNERS):
        yield from _policy(cls)
        policy = _sample(cls)
        by_clock = _sample(cls, clock=TimeDomain.PROCESSING)
        defaults = dict.fromkeys(_written(p.default_trigger()) for p in (policy, by_clock))
        facts = [f"trigger without TRIGGER: {', with PROCTIME() '.join(defaults)}"]
        if policy.default_evictor() is not None:
            facts.append(f"evictor: {_written(policy.default_evictor())}")
        if policy.is_merging:
            facts.append("windows merge")
        if policy.is_global:
            facts.append("no window ends: nothing is late")
        yield f"{capital('; '.join(facts))}."


def _triggers() -> Iterator[str]:
    yield "## Triggers"
    for cls in _classes(TRIGGERS):
        yield from _policy(cls)
        yield f"{capital('; '.join(_trigger_facts(cls)))}."


def _trigger_facts(cls: type[Trigger]) -> Iterator[str]:
    policy = _sample(cls)
    is_wrapper = any(p.kind in _NESTED for p in cls.parameters())
    depends = is_wrapper and policy.can_merge
    yield "on SESSION if the inner trigger is" if depends else "on SESSION" if policy.can_merge else "not on SESSION"
    if policy.needs_global:
        yield "on GLOBAL only"
    elif is_wrapper:
        yield "on GLOBAL only if the inner trigger is"
    clocks = sorted(clock.value for clock in policy.clocks)
    follows = " and ".join(f"{clock} time" for clock in clocks)
    if is_wrapper:
        yield (
            f"follows {follows} and the clocks of the inner trigger"
            if follows
            else "follows the clocks of the inner trigger"
        )
    elif follows or cls.on_element is not Trigger.on_element:
        yield f"follows {follows}" if follows else "follows the rows alone"


def _evictors() -> Iterator[str]:
    yield "## Evictors"
    yield "Before each firing, or after it with `AFTER`."
    for cls in _classes(EVICTORS):
        yield from _policy(cls)


def _policy(cls: type[Policy]) -> Iterator[str]:
    """Signature, summary, parameters and remarks."""
    yield f"### {signature(cls, cls.NAME)}"
    yield f"{capital(cls.SUMMARY)}." if cls.SUMMARY else (inspect.getdoc(cls) or "").split("\n")[0]
    if cls.parameters():
        yield table(("parameter", "is", "default"), map(_parameter, cls.parameters()))
    remarks = (inspect.getdoc(cls) or "").partition("\n\n")[2]
    if remarks and not issubclass(cls, Assigner):  # theirs are for who calls them
        yield remarks


def _parameter(parameter: Parameter) -> tuple[str, str, str]:
    kind = parameter.kind.value + (", by name only" if parameter.named_only else "")
    return (
        f"`{parameter.name}`",
        kind,
        "" if parameter.required else _DEFAULTS.get(str(parameter.default), str(parameter.default)),
    )


_DEFAULTS = {"None": "none", "True": "TRUE", "False": "FALSE"}


def _engines() -> Iterator[str]:
    """Which combinations run on columns; asked of the engine itself."""
    yield "## Which engine runs what"
    yield prose(
        """On tables, queries with the default trigger and no evictor mostly run on Spark's own operators. The rest runs
        in winsql's operator, which has two engines with the same results: on *columns*, many rows at once, and on
        *rows*, one after the other. `EXPLAIN WINDOW` names the one of a query. In these tables windows and triggers
        follow the same clock, and aggregates are those that the next section has on columns:"""
    )
    assigners = [cls for cls in _classes(ASSIGNERS) if cls.NAME != "COUNT"]
    triggers = [_sample(cls, inner) for cls in _classes(TRIGGERS) for inner in _inner_triggers(cls)]
    yield table(
        ("trigger", *(cls.NAME for cls in assigners)),
        ((_written(trigger), *(_engine(cls, trigger) for cls in assigners)) for trigger in triggers),
    )
    yield table(
        ("firings that see or hand out rows", *(cls.NAME for cls in assigners)),
        [
            *((f"EVICT {e.NAME}", *(_engine(a, None, _sample(e)) for a in assigners)) for e in _classes(EVICTORS)),
            ("rows form, APPLY, joins", *(_engine(cls, hands_rows=True) for cls in assigners)),
        ],
    )
    by_rows = " or ".join(f"`{clause.words}`" for clause in CLAUSES if clause.by_rows)
    yield f"`COUNT(n)` runs on {_engine(ASSIGNERS.find('COUNT'))}; a query with {by_rows} on rows."


def _inner_triggers(cls: type[Trigger]) -> Sequence[Trigger]:
    is_wrapper = any(p.kind in _NESTED for p in cls.parameters())
    return (CountTrigger(2), EventTimeTrigger()) if is_wrapper else (NeverTrigger(),)


def _engine(
    assigner: Any, trigger: Trigger | None = None, evictor: Evictor | None = None, *, hands_rows: bool = False
) -> str:
    clock = TimeDomain.PROCESSING if trigger and trigger.clocks == {TimeDomain.PROCESSING} else TimeDomain.EVENT
    windows: Assigner = _sample(assigner, clock=clock)
    if windows.is_global and trigger is None:
        trigger = CountTrigger(2)
    try:
        spec = WindowSpec.of(windows, trigger, evictor)
    except WindowSpecError:
        return "refused"
    return "rows" if isinstance(plan_of(spec, (), hands_rows=hands_rows), str) else "columns"


# -- functions --------------------------------------------------------------------------------------------------------


def _aggregates() -> Iterator[str]:
    yield "## Aggregates on streams and in WHEN"
    yield prose(
        """On tables every aggregate function of Spark works. On streams, and in `WHEN`, it is these, with
        `FILTER (WHERE ...)`, and those that `winsql.register_aggregate` adds:"""
    )
    rows = ((f"`{name}`", summary, _on_columns(name)) for name, summary in sorted(SUPPORTED.items()))
    yield table(("function", "of", "on columns for"), rows)


_ARGUMENTS = {
    "integers": pa.int64(),
    "floats": pa.float64(),
    "booleans": pa.bool_(),
    "timestamps": pa.timestamp("us"),
    "strings": pa.string(),
}


def _on_columns(name: str) -> str:
    return ", ".join(shown for shown, kind in _ARGUMENTS.items() if any(map(_has_form, _calls(name, kind))))


def _calls(name: str, argument: pa.DataType) -> Iterator[Any]:
    """Accumulators of a call with that argument, whatever its result."""
    for result in {argument, pa.int64(), pa.float64(), pa.bool_()}:
        yield bind_aggregate(
            name, distinct=False, slots=(2,), filter_slot=None, types=(argument,), result_type=result, ansi=True
        )


def _has_form(aggregate: Any) -> bool:
    return aggregate is not None and aggregate_form(aggregate) is not None


def _table_functions() -> Iterator[str]:
    yield "## Table functions"
    yield grammar("winsql.syntax.functions.window_table_functions")
    yield LOCAL_TIME
    yield grammar("winsql.syntax.joins.join_functions")
    yield f"Options: {', '.join(f'`{name} => {clause.syntax}`' for name, clause in OPTIONS.items())}."
    yield f"Join types: {', '.join(how.name for how in JoinType)}."


def _functions() -> Iterator[str]:
    yield "## SQL functions"
    yield "From `winsql.register(spark)`, or without Python from `spark-sql -i sql/install.sql`."
    gives = {function.name: function.comment[0] for function in sql_functions()}
    gives |= {name: f"{first_line(made)} Only with `register`" for name, (made, _) in AGGREGATES.items()}
    yield table(("function", "gives"), ((f"`{name}`", gives[name]) for name in sorted(gives)))
    yield IN_FROM


# -- statements, commands, Python -------------------------------------------------------------------------------------


def _statements() -> Iterator[str]:
    yield "## Statements"
    yield grammar("winsql.syntax.stream_statements.statements", "explain   = EXPLAIN WINDOW query")
    yield table(("statement", "does"), ((f"`{page.words}`", page.summary) for page in STATEMENTS))
    files = ", ".join(FORMATS)
    others = f"and every other that Spark's writer appends; without USING it is {DEFAULT_FORMAT}"
    yield f"Formats of streaming tables: {files}, {others}."
    yield f"Sinks of `CREATE STREAM`: {', '.join(SINKS)}, and every format of Spark's batch writers."
    yield "Commands of streams that a session has started:"
    yield grammar("winsql.syntax.stream_statements.commands")
    yield "Sources of streams; option and name are those above:"
    yield grammar("winsql.syntax.stream_statements.views")


def _commands() -> Iterator[str]:
    yield "## Commands"
    yield table(("command", "does"), ((f"`winsql {name}`", c.help) for name, c in COMMANDS.items()))
    yield "In the shell:"
    yield table(
        ("command", "does"),
        ((f"`\\{name} {command.argument}".rstrip() + "`", command.help) for name, command in SHELL_COMMANDS.items()),
    )


def _python() -> Iterator[str]:
    yield "## Python"
    names = [name for name in winsql.__all__ if inspect.isfunction(getattr(winsql, name))]
    yield table(
        ("call", "does"),
        ((f"`winsql.{name}{_parameters(getattr(winsql, name))}`", first_line(getattr(winsql, name))) for name in names),
    )


def _parameters(function: Any) -> str:
    """The parameters without types; a default that SQL or JSON would not write is `...`."""
    plain = (bool, int, float, str, type(None))
    parameters = [p.replace(annotation=p.empty) for p in inspect.signature(function).parameters.values()]
    shown = [p if p.default is p.empty or isinstance(p.default, plain) else p.replace(default=...) for p in parameters]
    return str(inspect.Signature(shown)).replace("Ellipsis", "...")


def _errors() -> Iterator[str]:
    yield "## Errors"
    classes = [getattr(errors, name) for name in errors.__all__]
    found = [cls for cls in classes if issubclass(cls, WinsqlError)]
    yield table(("class", "says"), ((f"`winsql.{cls.__name__}`", first_line(cls)) for cls in found))


# -- helpers ----------------------------------------------------------------------------------------------------------

_NESTED = (Kind.TRIGGER, Kind.TRIGGERS)


def _classes(registry: Registry[Any]) -> list[Any]:
    return [registry.find(name) for name in registry]


def _sample(cls: Any, inner: Trigger | None = None, clock: TimeDomain = TimeDomain.EVENT) -> Any:
    """A policy of the class with a value for everything that it requires."""
    inner = inner or CountTrigger(2)
    values: dict[Kind, Any] = {
        Kind.TIME: TimeAttribute(clock, ("ts",) if clock is TimeDomain.EVENT else ()),
        Kind.DURATION: 60_000_000,
        Kind.GAP: 60_000_000,
        Kind.INTEGER: 2,
        Kind.NUMBER: 1.0,
        Kind.BOOLEAN: True,
        Kind.EXPRESSION: Operand("v", 2),
        Kind.PREDICATE: Predicate("v > 0"),
        Kind.TRIGGER: inner,
        Kind.TRIGGERS: (inner,),
    }
    return cls(**{p.name: values[p.kind] for p in cls.parameters() if p.required})


def _written(policy: Policy | None) -> str:
    """A policy by its name, with the inner triggers."""
    if policy is None:
        return ""
    values = [getattr(policy, p.name) for p in policy.parameters() if p.kind in _NESTED]
    inner = [trigger.NAME for value in values for trigger in (value if isinstance(value, tuple) else (value,))]
    return f"{policy.NAME}({', '.join(inner)})" if inner else policy.NAME


_SECTIONS = (
    _head,
    _clauses,
    _window_columns,
    _assigners,
    _triggers,
    _evictors,
    _engines,
    _aggregates,
    _table_functions,
    _functions,
    _statements,
    _commands,
    _python,
    _errors,
)


if __name__ == "__main__":
    sys.exit(main())
