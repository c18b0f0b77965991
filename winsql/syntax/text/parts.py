"""The parts of a SELECT, and where a query begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from winsql.syntax.text.brackets import TOP
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import INFIX, QUERY_STARTS, words


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A kind of part: those of Spark are below, the window clauses in `winsql.syntax.clauses`.

    words       with which it begins in SQL
    rank        its place among the parts that keep an order; None where it may be anywhere
    organizes   whether it orders or cuts a whole query, that is all branches of a UNION
    is_name     whether the word is also common as the alias of a table
    twice       the hint where it is there twice
    is_window_clause   whether winsql owns the part
    meant       words of other systems, and parts of its own words, that are written for it
    """

    words: str
    rank: int | None = None
    organizes: bool = False
    is_name: bool = False
    twice: str = "leave one of them out"
    is_window_clause: bool = False
    meant: tuple[str, ...] = ()

    SELECT: ClassVar[Part]
    FROM: ClassVar[Part]
    WHERE: ClassVar[Part]
    GROUP_BY: ClassVar[Part]
    HAVING: ClassVar[Part]
    QUALIFY: ClassVar[Part]
    WINDOWS: ClassVar[Part]
    ORDER_BY: ClassVar[Part]
    SORT_BY: ClassVar[Part]
    CLUSTER_BY: ClassVar[Part]
    DISTRIBUTE_BY: ClassVar[Part]
    LIMIT: ClassVar[Part]
    OFFSET: ClassVar[Part]

    @property
    def spellings(self) -> tuple[tuple[str, ...], ...]:
        """The words that begin it, longer spellings first."""
        return (tuple(self.words.split()),)


Part.SELECT = Part("SELECT", 0)
Part.FROM = Part("FROM", 1)
Part.WHERE = Part("WHERE", 2, twice="write one WHERE, with AND between the conditions")
Part.GROUP_BY = Part("GROUP BY", 3)
Part.HAVING = Part("HAVING", 4)
# QUALIFY and named windows may come in either order, and a named window after ORDER BY too, as in Spark
Part.QUALIFY = Part("QUALIFY")
Part.WINDOWS = Part("WINDOW")
Part.ORDER_BY = Part("ORDER BY", 5, organizes=True)
Part.SORT_BY = Part("SORT BY", 5, organizes=True)
Part.CLUSTER_BY = Part("CLUSTER BY", 5, organizes=True)
Part.DISTRIBUTE_BY = Part("DISTRIBUTE BY", 5, organizes=True)
Part.LIMIT = Part("LIMIT", 6, organizes=True, is_name=True)
Part.OFFSET = Part("OFFSET", 7, organizes=True, is_name=True)
SORTS = (Part.ORDER_BY, Part.CLUSTER_BY, Part.DISTRIBUTE_BY, Part.SORT_BY)
COUNTS = (Part.LIMIT, Part.OFFSET)
TAIL = (Part.WHERE, Part.GROUP_BY, Part.HAVING, Part.WINDOWS, Part.QUALIFY, *SORTS, *COUNTS)
"""Spark's parts after FROM, as a query is written: where ORDER BY follows, Spark wants named windows before QUALIFY."""


@dataclass(frozen=True, slots=True)
class Section:
    """One part: the words that begin it, and the tokens after them up to the next part."""

    part: Part
    head: Extent
    body: Extent

    @property
    def extent(self) -> Extent:
        return Extent(self.head.first, self.body.stop)

    @property
    def place(self) -> Extent:
        """The place of errors about its body."""
        return self.head if self.body.is_empty else self.body


@dataclass(frozen=True, slots=True)
class Select:
    """A SELECT, windowed or not: its tokens and its parts, each part once. An operator after a pipe may be one too.

    is_aggregate  whether it is `|> AGGREGATE`, whose result has its keys before the items
    has_all       whether its result has all columns before the items: `|> EXTEND`, and FROM alone
    before_pipe   the query that it reads, where that is more than `FROM relation`
    alias         what may come before the names of its columns; '' for nothing
    """

    extent: Extent
    sections: dict[Part, Section]
    is_branch: bool
    is_aggregate: bool = False
    has_all: bool = False
    before_pipe: Extent | None = None
    alias: str = ""

    @property
    def first(self) -> int:
        """The word SELECT, which may come after FROM."""
        return self.sections[Part.SELECT].head.first

    def get(self, part: Part) -> Section | None:
        return self.sections.get(part)

    def body(self, part: Part) -> Extent | None:
        return self.sections[part].body if part in self.sections else None

    def with_section(self, section: Section) -> Select:
        """The SELECT with this in the place of its part, or as one more."""
        return replace(self, sections={**self.sections, section.part: section})


def is_query_start(source: Source, index: int) -> bool:
    """Whether a query begins at `index`, which is the first token inside a bracket."""
    while source.at(index).is_symbol("("):
        index += 1
    return source.at(index).is_word(*QUERY_STARTS) and not is_column(source, index)


def is_column(source: Source, index: int) -> bool:
    """Whether TABLE or VALUES is the name of a column: no query goes on as its expression does."""
    after = source.at(index + 1)
    goes_on = after.is_symbol(*AFTER_COLUMN) or after.is_word(*INFIX, "NOT")
    return goes_on and source.at(index).is_word("TABLE", "VALUES")


AFTER_COLUMN = words(") , . [ ] = == <=> < > <= >= <> != * / % | || & ^ << >> >>> :: => ->")
"""Symbols that come after a column, and not after a word that an expression or a query may follow."""


def holds_query(source: Source, bracket: int) -> bool:
    """Whether a bracket holds a query, and not relations, as in `(a JOIN b)` and `(TABLE(f(TABLE t)) a JOIN b)`."""
    word = source.at(bracket + 1)
    return word.is_word(*QUERY_STARTS) and not (word.upper == "TABLE" and source.at(bracket + 2).is_symbol("("))


def beside(source: Source, index: int, *words: str) -> list[int]:
    """The places of these words that are in the same bracket as a token."""
    return [place for place in source.places(*words) if source.group[place] == source.group[index]]


def words_in(source: Source, extent: Extent, *words: str) -> Iterator[int]:
    """The places of these words and symbols in a range that are in no bracket of it."""
    group = None if extent.is_empty else source.group[extent.first]
    return (place for place in source.places(*words) if place in extent.indexes and source.group[place] == group)


def brackets_around(source: Source, index: int) -> Iterator[int]:
    """The brackets around a token, inner ones first."""
    while (index := source.group[index]) != TOP:
        yield index


def outside_brackets(source: Source, extent: Extent) -> Iterator[int]:
    """The tokens of a range outside of its brackets and types, opening brackets included."""
    index = extent.first
    while index < extent.stop:
        yield index
        index = source.skip(index, extent.stop)


def outside_queries(source: Source, extent: Extent) -> Iterator[int]:
    """The tokens of a range outside of its subqueries."""
    index = extent.first
    while index < extent.stop:
        if source.at(index).is_symbol("(") and is_query_start(source, index + 1):
            index = source.closing(index)
        else:
            yield index
        index += 1
