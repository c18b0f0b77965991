"""What is known of the SELECTs of a tree and of the relations they read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from winsql.model.window_tables import Role
from winsql.syntax.text.source import Extent

__all__ = ["GAP", "WINDOW_OUTPUT", "Meaning", "Origin", "Output", "Relation", "Role", "Scope", "without_windows"]


@dataclass(frozen=True, slots=True)
class Output:
    """A column of a relation, its name in lower case; without a name any number of columns that are not known.

    ranking   the call with OVER that it is: the token SELECT and the place of its item
    is_time   whether it is the time that the windows of its rows go by
    item      the item that it is, also where a `*` around it hands it on: the token SELECT and its place
    """

    name: str | None
    role: Role | None = None
    ranking: tuple[int, int] | None = None
    is_time: bool = False
    item: tuple[int, int] | None = None


GAP = Output(None)
WINDOW_OUTPUT = tuple(Output(role.value, role) for role in Role)


@dataclass(frozen=True, slots=True)
class Origin:
    """A fragment of winsql's that makes windows.

    are_rows  whether its rows come on streams as they are read, each with its windows, not when these have ended
    time   the name, lower case, of the column that the windows of its rows go by; None for none
    is_table   whether it is a table of the session, a stream that has columns of windows
    output     its columns, where it is a call
    """

    extent: Extent
    are_rows: bool
    time: str | None = None
    is_table: bool = False
    output: tuple[Output, ...] = (GAP, *WINDOW_OUTPUT)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of a FROM.

    name      what is before its columns, lower case; '' for none
    first     its first token; None where it has no place
    output    its columns
    origins   the fragments whose windows it has
    times     the names among the columns not known that are the time of windows
    are_rows  whether its rows come as those of an origin do that are read
    are_results   whether they come when windows have ended
    origin    the fragment whose rows these are, all of them and as they are
    select    the token SELECT of the query whose rows these are, all of them and as they are
    """

    name: str
    first: int | None
    output: tuple[Output, ...]
    origins: frozenset[Origin] = frozenset()
    times: frozenset[str] = frozenset()
    are_rows: bool = False
    are_results: bool = False
    origin: Origin | None = None
    select: int | None = None

    @property
    def is_windowed(self) -> bool:
        """Whether it has window columns."""
        return any(column.role is not None for column in self.output)

    def names_of(self, role: Role) -> tuple[str, ...]:
        """The columns that are this window column."""
        return tuple(column.name for column in self.output if column.role is role and column.name is not None)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a column reference means: a window column of the relation with this number; `level` 0 is the SELECT's own
    FROM, 1 that of the SELECT around it."""

    role: Role
    relation: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a SELECT: the relations that its names mean columns of, and what it makes of them.

    first      the token SELECT
    node       its node
    relations  those of FROM, in order
    meanings   by the token of a column's name, for references in this SELECT outside of subqueries
    times      the tokens of column's names that are the time that windows of rows go by
    result     what it makes of them, as a relation
    inner      the SELECTs in subqueries of its expressions
    first_only the calls with OVER among its items of which everybody who reads them keeps number 1 alone, by the
               places of these items
    most       the number above which rows of such a call change nothing, by the place of the item, where it is known
    is_shared  whether it is in a CTE that several read
    """

    first: int
    node: exp.Select
    relations: tuple[Relation, ...]
    meanings: Mapping[int, Meaning]
    result: Relation
    inner: tuple[Scope, ...] = ()
    times: frozenset[int] = frozenset()
    first_only: frozenset[int] = frozenset()
    most: Mapping[int, int] = field(default_factory=dict)
    is_shared: bool = False

    @property
    def output(self) -> tuple[Output, ...]:
        """Its columns."""
        return self.result.output

    @property
    def origins(self) -> frozenset[Origin]:
        """The fragments whose windows it has."""
        return self.result.origins


def without_windows(relation: Relation) -> Relation:
    """The relation where none of its columns tells of a window."""
    return replace(relation, output=tuple(replace(column, role=None) for column in relation.output))
