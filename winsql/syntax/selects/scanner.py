"""Finds the windowed SELECTs of a statement and cuts each into its parts, by tokens and brackets alone.

A SELECT is looked at only when WINDOW ASSIGN is in it; then its parts are the ranges between the words that
begin a clause. Those words are also legal names to Spark (`WHERE offset > 5`), so a word begins a clause only
where an operand has ended.
"""

from __future__ import annotations

from itertools import pairwise

from winsql.errors import WindowSyntaxError
from winsql.model.registry import ASSIGNERS
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.clauses.clause import Clause
from winsql.syntax.text.deep import require_shallow
from winsql.syntax.text.near_words import near_word
from winsql.syntax.text.operands import OperandState
from winsql.syntax.text.parts import TAIL, Part, Section, Select, beside, is_query_start
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import INFIX, JOIN_WORDS, QUERY_STARTS, SET_OPERATORS, words


def find_selects(source: Source) -> list[Select]:
    """The windowed SELECTs in the order in which they must be planned: inner before outer, earlier before later."""
    openers = [i for i in source.places("WINDOW") if _opens(source, i)]
    if any(_is_certain(source, opener) for opener in openers):
        source.require_balance()
        require_shallow(source)
    elif not source.is_balanced:
        return []
    selects: dict[int, Select] = {}
    for opener in openers:
        select = _windowed_select(source, opener)
        if select is not None:
            selects[select.extent.first] = select
    return sorted(selects.values(), key=lambda select: select.extent.stop)


def _opens(source: Source, index: int) -> bool:
    """Whether the clause WINDOW ASSIGN is at `index`, not a named window `WINDOW assign AS`, a name or a hint."""
    if not source.words(index, "WINDOW", "ASSIGN") or source.at(index + 2).is_word("AS"):
        return False
    return not _needs_name(source, index) and not _is_in_hint(source, index)


def _is_in_hint(source: Source, index: int) -> bool:
    """Whether a token is in a hint, whose inside is names to Spark."""
    before = [place for place in source.places("/*+", "*/") if place < index]
    return bool(before) and source.at(before[-1]).is_symbol("/*+")


def _needs_name(source: Source, index: int) -> bool:
    """Whether a name must be at `index`: of a stream, a watermark's column, a `LATERAL VIEW f(...)`."""
    if _is_certain(source, index):
        return False
    return source.at(index - 1).is_word("STREAM", "WATERMARK") or view_before(source, index) is not None


def view_before(source: Source, stop: int) -> int | None:
    """Where the `LATERAL VIEW [OUTER] f(...)` begins whose call ends before `stop`; None where none does."""
    bracket = source.partner[stop - 1] if source.at(stop - 1).is_symbol(")") else None
    if bracket is None:
        return None
    name = bracket - 1
    while source.at(name - 1).is_symbol("."):
        name -= 2
    first = name - 3 if source.words(name - 1, "OUTER") else name - 2
    return first if source.words(first, "LATERAL", "VIEW") else None


def _is_certain(source: Source, opener: int) -> bool:
    """Whether WINDOW ASSIGN is followed by a call, or the name of an assigner, as nothing in Spark's own SQL is."""
    name = source.at(opener + 2)
    if not name.is_name or name.is_word(*_NO_ASSIGNER):
        return False
    return source.at(opener + 3).is_symbol("(") or name.upper in ASSIGNERS


def _windowed_select(source: Source, opener: int) -> Select | None:
    """The SELECT that the WINDOW ASSIGN at `opener` belongs to; None where the two words are names to Spark."""
    if _is_certain(source, opener):
        return _required_select(source, opener)
    select = select_around(source, opener)
    return select if select is not None and _assigns_at(select, opener) else None


def select_around(source: Source, index: int) -> Select | None:
    """The SELECT, windowed or not, that has a token in its FROM or after it, in no further bracket.

    None where there is none, or where its clauses come twice or in the wrong order, which Spark will say.
    """
    first = _select_after(source, index) or _select_before(source, index)
    try:
        return None if first is None else select_at(source, first)
    except WindowSyntaxError:
        return None


def end_of_from(source: Source, index: int) -> int:
    """Where the FROM body around a token ends, or else the bracket around it."""
    select = select_around(source, index)
    body = None if select is None else select.body(Part.FROM)
    if body is not None and index in body.indexes:
        return body.stop
    group = source.group[index]
    return len(source) if group < 0 else source.closing(group)


def select_at(source: Source, first: int) -> Select:
    """The SELECT, windowed or not, whose word SELECT is this token.

    Raises WindowSyntaxError for clauses that come twice or in the wrong order.
    """
    return _SelectScanner(source, first).scan()


def _assigns_at(select: Select, opener: int) -> bool:
    assign = select.get(ASSIGN)
    return assign is not None and assign.head.first == opener


def _required_select(source: Source, opener: int) -> Select:
    first = _select_before(source, opener)
    if first is None:
        _refuse_misspelled(source, opener, "SELECT")
        raise _misplaced(source, opener, "WINDOW ASSIGN is in no SELECT")
    select = select_at(source, first)
    if _assigns_at(select, opener):
        return select
    if Part.FROM not in select.sections:
        _refuse_incomplete_items(source, select, opener)
        _refuse_misspelled(source, opener, "FROM")
        raise _misplaced(source, opener, "WINDOW ASSIGN needs a FROM before it in its SELECT")
    if opener >= select.extent.stop:
        raise _after_the_end(source, select.extent.stop, opener, is_branch=select.is_branch)
    if select.sections[Part.FROM].body.first == opener:
        hint = "write FROM and the table, view or subquery before WINDOW ASSIGN"
        raise source.syntax_error("FROM needs a relation", select.sections[Part.FROM].head, rule=_PLACE, hint=hint)
    if select.sections[Part.FROM].body.first < opener:
        word = source.at(opener - 1)
        problem, hint = f"something is missing between {word.upper} and WINDOW ASSIGN", f"complete {word.upper}"
        if word.is_word("ON"):
            hint = "write the condition of the join: ON x.id = y.id"
        elif word.is_symbol("*/"):
            problem, hint = "a hint cannot be here", "write it after SELECT, or leave it out"
        raise source.syntax_error(problem, opener - 1, rule=_PLACE, hint=hint)
    raise _misplaced(source, opener, "WINDOW ASSIGN comes before the FROM of its SELECT")


def _refuse_incomplete_items(source: Source, select: Select, opener: int) -> None:
    """A FROM after a comma, an operator or AS is the name of a column to Spark."""
    for index in beside(source, opener, "FROM"):
        word = source.at(index - 1)
        is_other = word.is_symbol(".") or _is_of_distinct(source, index)
        if is_other or not select.extent.first < index < opener:
            continue
        problem, hint = f"something is missing between {word.upper} and FROM", f"complete {word.upper}"
        if word.is_symbol(","):
            problem, hint = "an item of the select list is missing before FROM", "leave out the comma"
        raise source.syntax_error(problem, index - 1, hint=hint)


def _refuse_misspelled(source: Source, opener: int, word: str) -> None:
    """What nearly is the missing SELECT, or the missing FROM, which comes after an item."""
    group = source.group[opener]
    inside = [n for n in range(group + 1, opener) if source.group[n] == group]
    for before, index in pairwise([group, *inside]):
        hint = near_word(source.at(index), [word])
        is_item = source.at(before).is_symbol(",", ".") or not source.at(index + 1).is_name
        if hint is not None and not source.words(index, word) and not (word == "FROM" and is_item):
            problem = f"{source.at(index).upper} is not expected here"
            raise source.syntax_error(problem, index, rule=_PLACE, hint=hint)


def _misplaced(source: Source, opener: int, problem: str) -> WindowSyntaxError:
    """The error for a WINDOW ASSIGN where none can be."""
    hint = _FORM
    if source.words(source.group[opener] + 1, "FROM"):
        has_select = any(index < opener for index in beside(source, opener, "SELECT"))
        hint = _NOT_FIRST if has_select else _AFTER_ITEMS
        if any(index < opener for index in beside(source, opener, "INSERT")):
            hint = _ONE_INSERT
        if any(index < opener for index in beside(source, opener, "|>")):
            hint = _AFTER_PIPE
    return source.syntax_error(problem, Extent(opener, opener + 2), rule=_PLACE, hint=hint)


def _after_the_end(source: Source, stop: int, opener: int, *, is_branch: bool) -> WindowSyntaxError:
    """The error for a WINDOW ASSIGN after its SELECT, which ends at `stop` and may be a branch of a set operation."""
    end = source.at(stop)
    if end.is_symbol("|>"):
        problem, hint = "WINDOW ASSIGN cannot come after |>", "put the windowed SELECT into a subquery or before |>"
    elif is_branch:
        problem = "WINDOW ASSIGN comes after a clause of the whole set operation"
        hint = "ORDER BY and LIMIT after a UNION belong to all of it: put the window clauses before them"
    else:
        problem = "WINDOW ASSIGN comes after the end of its SELECT"
        hint = "put the window clauses before it"
    return source.syntax_error(problem, Extent(opener, opener + 2), rule=_PLACE, hint=hint)


_FORM = "write SELECT ... FROM t WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 MINUTES) GROUP BY k"
_NOT_FIRST = "write SELECT ... FROM ..., not FROM ... SELECT ..."
_ONE_INSERT = "write a statement for each: INSERT INTO a SELECT ... FROM t WINDOW ASSIGN ..."
_AFTER_PIPE = "put what is before it into a subquery: SELECT ... FROM (FROM t |> ...) WINDOW ASSIGN ..."
_AFTER_ITEMS = "write it after the items: FROM ... SELECT ... WINDOW ASSIGN ..."
_PLACE = "window clauses come after the FROM of their SELECT: SELECT ... FROM relation [WHERE ...] WINDOW ASSIGN ..."


def _select_after(source: Source, index: int) -> int | None:
    """The SELECT of `FROM t SELECT ...` around a token of `t`."""
    first = next((place for place in beside(source, index, "SELECT") if place > index), None)
    section = None if first is None else _from_before(source, first)
    return first if section is not None and index in section.body.indexes else None


def _select_before(source: Source, opener: int) -> int | None:
    """The SELECT before a token, in the same bracket."""
    for index in reversed(beside(source, opener, "SELECT", ";")):
        if index < opener and not source.at(index - 1).is_symbol("."):
            return None if source.at(index).is_symbol(";") else index
    return None


_HEADS_BY_WORD: dict[str, list[tuple[tuple[str, ...], Part]]] = {}
for _part in (*TAIL, *CLAUSES):
    if _part is Part.WINDOWS:  # a name and AS come after it, which `_head` looks for
        continue
    for _words in _part.spellings:
        _HEADS_BY_WORD.setdefault(_words[0], []).append((_words, _part))
# words that show that the word before them was the alias of a table
_AFTER_ALIAS = JOIN_WORDS | SET_OPERATORS | frozenset(_HEADS_BY_WORD)
_AFTER_ALIAS |= words("OUTER ASOF ON USING AS LATERAL PIVOT UNPIVOT TABLESAMPLE WINDOW WATERMARK MATCH_CONDITION")
_ENDS = frozenset({")", "]", ";", "|>"})
_EDGES = _ENDS | SET_OPERATORS | frozenset(_HEADS_BY_WORD) | {"FROM", "WINDOW"}
"""What may end a part, or the SELECT."""
_NO_ASSIGNER = _AFTER_ALIAS | INFIX | QUERY_STARTS | SET_OPERATORS


class _SelectScanner:
    """One pass over the tokens of a SELECT, outside of its brackets."""

    def __init__(self, source: Source, first: int) -> None:
        self.source = source
        self.state = OperandState(source)
        self.sections: dict[Part, Section] = {}
        self.head = Extent(first, first + 1)
        self.part = Part.SELECT
        before = _from_before(source, first)
        if before is not None:
            self.sections[Part.FROM] = before
        self.first = first if before is None else before.head.first
        self.is_branch = _is_branch(source, self.first)

    def scan(self) -> Select:
        index = self.head.stop
        tokens = self.source.tokens
        while index < len(tokens):
            if tokens[index].upper not in _EDGES:  # by far most tokens
                index = self.state.advance(index)
                continue
            if self._ends(index):
                break
            found = self._head(index)
            if found is None:
                index = self.state.advance(index)
                continue
            head, part = found
            if self.is_branch and part.organizes:
                break
            self._close(head.first)
            self.head, self.part = head, part
            self.state.reset()
            index = head.stop
        self._close(index)
        return Select(Extent(self.first, index), self.sections, self.is_branch)

    def _ends(self, index: int) -> bool:
        token = self.source.at(index)
        if token.is_symbol(*_ENDS):
            return True
        if not token.is_word(*SET_OPERATORS) or not self.state.is_done:
            return False
        after = index + 2 if self.source.at(index + 1).is_word("ALL", "DISTINCT") else index + 1
        return is_query_start(self.source, after)

    def _head(self, index: int) -> tuple[Extent, Part] | None:
        """The words that begin a part at `index`, if they do; two words do so also where an operand is missing."""
        if Part.FROM not in self.sections and self.part is Part.SELECT:
            return self._from(index)
        is_done = self.state.is_done
        is_named = self.source.at(index + 1).is_name and self.source.at(index + 2).is_word("AS")
        if is_done and is_named and self.source.words(index, "WINDOW"):
            return Extent(index, index + 1), Part.WINDOWS
        for spelling, part in _HEADS_BY_WORD.get(self.source.at(index).upper, ()):
            is_whole = len(spelling) > 1 and spelling[1:] not in part.spellings  # what WINDOW comes before may be alone
            is_certain = is_done or (is_whole and self.part not in (Part.SELECT, Part.FROM))
            if is_certain and self.source.words(index, *spelling):
                head = Extent(index, index + len(spelling))
                return None if len(spelling) == 1 and self._is_alias(index, part) else (head, part)
        return None

    def _from(self, index: int) -> tuple[Extent, Part] | None:
        is_empty = index == self.head.stop and not self.source.at(index + 1).is_symbol(",", ".")
        is_from = self.source.words(index, "FROM") and (self.state.is_done or is_empty)
        return (Extent(index, index + 1), Part.FROM) if is_from else None

    def _is_alias(self, index: int, part: Part) -> bool:
        """Whether a word that could begin a part is the alias of a table, or of an item before its part."""
        if self.part is Part.FROM and part is Part.WHERE:
            return self.source.words(index + 1, "WHERE") and self._is_operand(index + 2)
        if self.part not in (Part.SELECT, Part.FROM) or not part.is_name:
            return False
        if isinstance(part, Clause) and part.begins is not None and part.begins(self.source, index + 1):
            return False
        after = self.source.at(index + 1)
        if after.is_word(*_AFTER_ALIAS) or not after.upper or after.is_symbol(",", ")", ";", "|>"):
            return True
        return part.is_window_clause and not after.is_name

    def _is_operand(self, index: int) -> bool:
        """Whether a token can only begin an expression."""
        token = self.source.at(index)
        is_name = token.is_name and not token.is_word(*INFIX, "NOT")
        return is_name or token.is_literal

    def _close(self, stop: int) -> None:
        """Ends the open part. Each part may come once, and Spark's own in their order."""
        before = self.sections.get(self.part)
        if before is not None:
            problem = f"{self.part.words} is there twice in one SELECT"
            raise self.source.syntax_error(
                problem, self.head, rule="each clause may be used once", hint=self.part.twice
            )
        if not self.part.is_window_clause:
            self._check_order()
            if self.head.stop >= stop and self.part not in (Part.SELECT, Part.GROUP_BY, Part.FROM):
                hint = f"write something after {self.part.words}, or leave it out"
                raise self.source.syntax_error(f"{self.part.words} is not complete", self.head, hint=hint)
        self.sections[self.part] = Section(self.part, self.head, Extent(self.head.stop, stop))

    def _check_order(self) -> None:
        if self.part.rank is None or self.part is Part.SELECT:
            return
        for part in self.sections:
            if part.rank is None or part.rank <= self.part.rank:
                continue
            problem = f"{self.part.words} comes after {part.words}"
            rule = "Spark's own clauses keep their order: WHERE, GROUP BY, HAVING, QUALIFY, ORDER BY, LIMIT, OFFSET"
            hint = f"put {self.part.words} before {part.words}"
            raise self.source.syntax_error(problem, self.head, rule=rule, hint=hint)


def _from_before(source: Source, first: int) -> Section | None:
    """The FROM of `FROM t SELECT ...`; None where it comes after SELECT, or where LATERAL VIEW does."""
    if not any(index < first for index in beside(source, first, "FROM")):
        return None
    places = (index for index in beside(source, first, *_BEGIN) if index < first)
    begun = [place for place in places if not _is_of_distinct(source, place)]
    is_first = bool(begun) and source.words(begun[-1], "FROM") and not source.words(begun[-2:][0], "SELECT")
    if not is_first or any(index > first for index in beside(source, first, "LATERAL")):
        return None
    return Section(Part.FROM, Extent(begun[-1], begun[-1] + 1), Extent(begun[-1] + 1, first))


def _is_of_distinct(source: Source, index: int) -> bool:
    """Whether a FROM is that of IS [NOT] DISTINCT FROM."""
    is_plain = source.words(index - 2, "IS", "DISTINCT", "FROM")
    return is_plain or source.words(index - 3, "IS", "NOT", "DISTINCT", "FROM")


_BEGIN = ("SELECT", "FROM", "INSERT", ";", "|>", *SET_OPERATORS)
"""What may be before a SELECT, or begin one."""


def _is_branch(source: Source, first: int) -> bool:
    """Whether the SELECT is a branch of a set operation other than its first."""
    before = source.at(first - 1)
    if before.is_word("ALL", "DISTINCT"):
        before = source.at(first - 2)
    return before.is_word(*SET_OPERATORS)
