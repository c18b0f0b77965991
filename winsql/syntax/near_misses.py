"""Misspelled words of winsql's: `WINDOW ASIGN TUMBLING(...)`, `CREATE STREAM TABLE`.

Such a statement goes to Spark, which can only say that a word is not expected. Each pattern here is a sequence of words
that Spark's grammar does not have, so that no statement of Spark's own is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from winsql.errors import WindowSyntaxError
from winsql.model.nearest import nearest
from winsql.model.registry import ASSIGNERS
from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.syntax.characters import foreign_character
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES
from winsql.syntax.other_systems import FUNCTIONS_OF_ASSIGNERS, STATEMENTS_OF_OTHERS, clause_of_others
from winsql.syntax.statement_kind import WAYS_OF_SPARK
from winsql.syntax.text.near_words import ends_operand, is_policy, near_phrase
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.units import near_unit, unit_name
from winsql.syntax.text.vocabulary import KEYWORDS, words


def near_miss(text: str, settings: ParserSettings = DEFAULTS) -> WindowSyntaxError | None:
    """A character that SQL does not have, or the first of `near_misses`."""
    foreign = foreign_character(Source(text, settings=settings))
    return foreign or next(iter(near_misses(text, settings)), None)


def near_misses(text: str, settings: ParserSettings = DEFAULTS, *, is_whole: bool = True) -> list[WindowSyntaxError]:
    """The misspelled words of a statement, with their places; what is missing only where the text `is_whole`."""
    source = Source(text, settings=settings)
    found = _of_words_at_its_start(source)
    for index in range(len(source)):
        found += (error for look in _LOOKS for error in look(source, index))
        if is_whole:
            found += _without_assign(source, index)
    return found


def _of_words_at_its_start(source: Source) -> list[WindowSyntaxError]:
    """The misspelled words that say what kind of statement it is, also after EXPLAIN WINDOW."""
    found = [*_of_statement(source)] or [*_of_form(source)] or [*_in_script(source)]
    if not found and source.words(0, "EXPLAIN", "WINDOW") and len(source) > 2:
        start = source.tokens[2].start
        found = _of_words_at_its_start(Source(f"{'':{start}}{source.text[start:]}", settings=source.settings))
        for error in found:
            error.source = source.text
    return found


# -- openers of a SELECT ----------------------------------------------------------------------------------------------


def _opener(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`WINDOW ASIGN TUMBLING(`, `WINDOW TUMBLING(`, `ASSIGN TUMBLING(`, after a relation."""
    if not ends_operand(source, index - 1):
        return
    if is_policy(source, index + 2, ASSIGNERS) and not source.words(index, "WINDOW", "ASSIGN"):
        if _is_near(source, index, "WINDOW") and _is_near(source, index + 1, "ASSIGN"):
            yield _unknown(source, Extent(index, index + 2), "WINDOW ASSIGN")
    elif is_policy(source, index + 1, ASSIGNERS):
        if source.words(index, "WINDOW"):
            yield _incomplete(source, index, "ASSIGN is missing after WINDOW")
        elif _is_near(source, index, "ASSIGN") and not _is_near(source, index - 1, "WINDOW"):
            yield _incomplete(source, index, "WINDOW is missing before ASSIGN")


def _incomplete(source: Source, index: int, problem: str) -> WindowSyntaxError:
    name = source.name(index + 1)
    assigner = name.upper() if name in ASSIGNERS else ASSIGNERS.nearest(name)
    rule = "windows begin with WINDOW ASSIGN"
    hint = f"write WINDOW ASSIGN {assigner}(...)"
    return source.syntax_error(problem, Extent(index, index + 2), rule=rule, hint=hint)


# -- other clauses ----------------------------------------------------------------------------------------------------


def _clause(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """A misspelled clause after a complete operand, followed by what only that clause takes."""
    if not ends_operand(source, index - 1) or not source.at(index).is_name or source.at(index).is_word(*KEYWORDS):
        return
    for clause in CLAUSES:
        said = clause.words.split()
        extent = Extent(index, index + len(said))
        begins = clause.begins is not None and clause.begins(source, extent.stop)
        if begins and _is_slip(source, index, clause.words):
            yield _unknown(source, extent, clause.words)


def _without_assign(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`FROM t TRIGGER COUNT(3)`: a clause of a window, and no window in the statement."""
    for clause in CLAUSES:
        if not clause.may_say_window or clause.begins is None or not source.words(index, clause.words):
            continue
        if not clause.begins(source, index + 1) or not ends_operand(source, index - 1):
            continue
        if not any(_is_near(source, i, ASSIGN.words) for i in range(len(source))):
            hint = "write WINDOW ASSIGN ... before it, as in WINDOW ASSIGN GLOBAL(ts)"
            problem = f"{clause.words} needs WINDOW ASSIGN"
            yield source.syntax_error(problem, index, rule="it is a clause of a window", hint=hint)


def _watermark(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`STREAM t WATERMRK ts DELAY OF`, `STREAM t WATERMARK ts DELY OF`: clauses of Spark's that only streams have."""
    for place, word in ((index, "WATERMARK"), (index + 2, "DELAY")):
        others = {index: "WATERMARK", index + 2: "DELAY", index + 3: "OF"}
        del others[place]
        is_form = all(source.words(n, other) for n, other in others.items())
        if is_form and _is_slip(source, place, word):
            yield _unknown(source, Extent(place, place + 1), word)


def _delay(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`DELAY OF INTERVAL 5 SEONDS`."""
    unit = source.at(index + 4)
    if not source.words(index, "DELAY", "OF", "INTERVAL") or not unit.is_name or unit_name(unit.upper) is not None:
        return
    meant = near_unit(unit.upper)
    if meant is not None:
        yield _unknown(source, Extent(index + 4, index + 5), meant)


def _incomplete_watermark(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`WATERMARK ts DELAY INTERVAL 1 MINUTE` and its like: one of the words is not there."""
    missing = None
    if source.words(index, "WATERMARK") and source.words(index + 2, "DELAY", "INTERVAL"):
        place, missing = Extent(index + 2, index + 3), "OF"
    elif source.words(index, "WATERMARK") and source.words(index + 2, "DELAY") and source.at(index + 3).is_literal:
        place, missing = Extent(index + 2, index + 4), "OF INTERVAL"
    elif source.words(index, "WATERMARK") and source.at(index + 1).is_name and source.words(index + 2, "INTERVAL"):
        place, missing = Extent(index, index + 2), "DELAY OF"
    elif source.words(index, "WATERMARK", "DELAY", "OF", "INTERVAL"):
        place, missing = Extent(index, index + 1), "the time"
    elif source.words(index, "DELAY", "OF") and source.at(index + 2).is_literal:
        place, missing = Extent(index, index + 3), "INTERVAL"
    elif source.words(index, "DELAY", "OF", "INTERVAL") and source.at(index - 2).is_word("STREAM", "FROM", "JOIN"):
        place, missing = Extent(index, index + 2), "WATERMARK"
    if missing is not None:
        rule = "a watermark names the time of its rows and a delay"
        hint = "write WATERMARK ts DELAY OF INTERVAL 10 SECONDS"
        yield source.syntax_error(f"{missing} is missing here", place, rule=rule, hint=hint)


def _window_join(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`a WINDOW JION b`: to Spark WINDOW would be an alias, and nothing comes after that but a clause."""
    is_join = source.words(index, "WINDOW") and _is_slip(source, index + 1, "JOIN") and source.at(index + 2).is_name
    if is_join and ends_operand(source, index - 1):
        yield _unknown(source, Extent(index, index + 2), "WINDOW JOIN")


def _table_function(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`TUMBEL(TABLE t, ...)`, `TUMBLING(TABLE t, ...)`: in Spark a table that a function gets is in brackets."""
    if not source.at(index).is_name or not source.at(index + 1).is_symbol("("):
        return
    is_own = source.at(index).is_word(*FUNCTION_NAMES) and source.words(index + 2, "TABLE")
    if is_own and source.words(index - 1, "TABLE") and source.at(index - 2).is_word("FROM", "JOIN"):
        rule = "a call of a table function is in the brackets of TABLE(...), or alone"
        hint = f"write TABLE({source.at(index).upper}(...))"
        yield source.syntax_error("TABLE needs brackets", index - 1, rule=rule, hint=hint)
    data = index + (4 if source.at(index + 3).is_symbol("=>") else 2)
    name = source.name(index)
    if name.upper() in FUNCTION_NAMES or not source.words(data, "TABLE") or not source.at(data + 1).is_name:
        return
    meant = nearest(name, FUNCTION_NAMES, FUNCTIONS_OF_ASSIGNERS)
    if meant is not None:
        yield _unknown(source, Extent(index, index + 1), meant)


_LOOKS = (_opener, _clause, _watermark, _incomplete_watermark, _delay, _window_join, _table_function, clause_of_others)


# -- statements -------------------------------------------------------------------------------------------------------


def _of_statement(source: Source) -> Iterator[WindowSyntaxError]:
    """`CREATE STREAM TABLE`, `SHOW STREAM`, `STOP STREM x`, `EXPLAIN WINDOWS SELECT`."""
    verb = source.at(0)
    index = 3 if source.words(0, "CREATE", "OR", "REPLACE") else 1
    is_slip = _is_streaming(source, index) and _is_near(source, index + 1, "TABLE")
    if verb.is_word("CREATE") and is_slip and not source.words(index, "STREAMING", "TABLE"):
        yield _unknown(source, Extent(index, index + 2), "STREAMING TABLE")
    if source.words(0, "ALTER", "STREAM", "TABLE") and len(source) > 4:
        yield _unknown(source, Extent(1, 3), "STREAMING TABLE")
    if verb.is_word("CREATE", "SHOW", "DROP", "DESCRIBE", "DESC"):
        yield from _streaming_view(source, index)
    for command, near, least, most in _COMMANDS:
        is_command = verb.is_word(command) and least <= len(source) <= most and not source.words(2, "TABLE")
        if is_command and _is_slip(source, 1, *near):
            yield _unknown(source, Extent(1, 2), near[0])
    if verb.is_word("EXPLAIN") and source.at(1).is_word(*WAYS_OF_SPARK) and source.words(2, "WINDOW"):
        yield _unknown(source, Extent(0, 3), "EXPLAIN WINDOW")
    if verb.is_word("EXPLAIN") and _is_slip(source, 1, "WINDOW") and source.at(2).is_word("SELECT", "WITH"):
        yield _unknown(source, Extent(1, 2), "WINDOW")


_COMMANDS = (
    *((verb, ("STREAM",), 3, 1 << 62) for verb in ("STOP", "AWAIT", "ALTER", "DROP")),
    ("SHOW", ("STREAMS", "STREAM"), 2, 2),
    ("SHOW", ("STREAM",), 3, 3),
)
"""The verb, the word that is meant after it, before others near to which it may be, and how many words there are."""


def _streaming_view(source: Source, index: int) -> Iterator[WindowSyntaxError]:
    """`CREATE STREAM VIEW v`, `CREATE STREAMING TEMPORARY VIEW v`, `SHOW STREAM VIEWS`, `DROP STREEMING VIEW v`."""
    index += source.words(0, "CREATE") and source.at(index).is_word("TEMPORARY", "TEMP", "GLOBAL")
    last = index + 1 + source.at(index + 1).is_word("TEMPORARY", "TEMP")
    meant = "STREAMING VIEWS" if source.words(0, "SHOW") else "STREAMING VIEW"
    is_whole = source.words(0, "SHOW") or len(source) > last + 1
    is_view = _is_streaming(source, index) and source.at(last).is_word("VIEW", "VIEWS")
    if is_whole and is_view and not source.words(index, *meant.split()):
        yield _unknown(source, Extent(index, last + 1), meant)


def _of_form(source: Source) -> Iterator[WindowSyntaxError]:
    """`SHOW WINDOW STATES OF s`, `STPO STREAM s`, `CREATE STEAM s INTO`, `PAUSE STREAM s`."""
    form = _form_with_a_slip(source)
    if form is not None:
        yield _unknown(source, Extent(0, len(form)), " ".join(form))
    for others, meant in STATEMENTS_OF_OTHERS.items():
        said = others.split()
        is_of_spark = source.words(len(said), "FUNCTIONS")  # SHOW STATE FUNCTIONS
        if form is None and not is_of_spark and source.words(0, *said) and not source.words(0, *meant.split()):
            yield _unknown(source, Extent(0, len(said)), meant)


def _form_with_a_slip(source: Source) -> tuple[str, ...] | None:
    """The statement that begins with these words but for a letter or two in one of them."""
    for form in _FORMS:
        wrong = [index for index, word in enumerate(form) if not source.words(index, word)]
        is_verb_of_two = len(form) > 2 or wrong == [0]  # the other words of two are looked at above
        if len(wrong) == 1 and is_verb_of_two and _is_near(source, wrong[0], form[wrong[0]]):
            return form
    index = 3 if source.words(1, "OR", "REPLACE") else 1
    is_create = source.words(0, "CREATE") and any(source.words(n, "INTO") for n in range(index + 2, index + 10))
    if is_create and _is_slip(source, index, "STREAM"):
        return (*(source.at(n).upper for n in range(index)), "STREAM")
    return None


def _in_script(source: Source) -> Iterator[WindowSyntaxError]:
    """`BEGIN SHOW STREAMS; END`: Spark runs the statements of a script alone."""
    for index in range(1, len(source) if source.words(0, "BEGIN") else 0):
        before = source.at(index - 1)
        form = next((form for form in _FORMS if source.words(index, *form)), None)
        if form is not None and (before.is_symbol(";") or before.is_word(*_BEFORE_STATEMENTS)):
            problem, place = f"{' '.join(form)} cannot be used in a SQL script", Extent(index, index + len(form))
            rule, hint = "winsql runs one statement at a time", "run the statements of BEGIN ... END one by one"
            yield source.syntax_error(problem, place, rule=rule, hint=hint)


_BEFORE_STATEMENTS = words("ATOMIC BEGIN DO ELSE LOOP REPEAT THEN")
_FORMS = tuple(
    tuple(form.split())
    for form in (
        "STOP STREAM", "AWAIT STREAM", "ALTER STREAM", "DROP STREAM", "ALTER STREAMING TABLE", "SHOW WINDOW STATE OF",
        "SHOW STREAMING VIEWS", "DESCRIBE STREAMING VIEW", "DROP STREAMING VIEW", "CREATE STREAMING TABLE",
        "CREATE STREAMING VIEW", "SHOW STREAMS", "EXPLAIN WINDOW",
    )
)  # fmt: skip


# -- helpers ----------------------------------------------------------------------------------------------------------


def _unknown(source: Source, extent: Extent, meant: str) -> WindowSyntaxError:
    shown = " ".join(source.at(index).upper for index in extent.indexes)
    rule = f"neither Spark nor winsql has {'this word' if extent.is_single else 'these words'} here"
    return source.syntax_error(f"{shown} is not expected here", extent, rule=rule, hint=f"did you mean {meant}?")


def _is_near(source: Source, index: int, wanted: str) -> bool:
    """Whether the words at `index` are these ones, or near to them."""
    return near_phrase(source, index, [wanted]) is not None


def _is_slip(source: Source, index: int, wanted: str, *others: str) -> bool:
    """Whether the words at `index` are near to these ones, or to others that are written for them."""
    is_near = any(_is_near(source, index, words) for words in (wanted, *others))
    return is_near and not source.words(index, *wanted.split())


def _is_streaming(source: Source, index: int) -> bool:
    """Whether the word at `index` is meant as STREAMING."""
    return source.words(index, "STREAM") or _is_near(source, index, "STREAMING")
