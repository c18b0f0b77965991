"""Records of the SELECTs of a tree and of the relations that they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from winsql.model.query import WindowQuery
from winsql.model.window_tables import Role
from winsql.syntax.functions.table_function_calls import TableCall
from winsql.syntax.text.source import Extent

__all__ = [
    "GAP",
    "UNKNOWN",
    "WINDOW_OUTPUT",
    "Fields",
    "Meaning",
    "Origin",
    "Output",
    "Relation",
    "Role",
    "Scope",
    "without_windows",
]


Fields = tuple[tuple[tuple[str, ...], Role], ...]
"""Window columns in a struct, by the names that lead to them, lower case."""


@dataclass(frozen=True, slots=True)
class Output:
    """A column of a relation.

    name     lower case; None for a gap: any number of columns that are not known
    role     the window column that it is
    ranking  the call with OVER that it is: the token SELECT and the place of its item
    is_time  whether it is the time column of the windows
    item     the item that computes it, in however many `SELECT *`: the token SELECT and its place
    written  the name as Spark shows it; '' where that is not known
    fields   the window columns that are fields of it, or of structs in it, by their paths in lower case
    """

    name: str | None
    role: Role | None = None
    ranking: tuple[int, int] | None = None
    is_time: bool = False
    item: tuple[int, int] | None = None
    written: str = ""
    fields: Fields = ()

    @classmethod
    def of(cls, name: str, fields: Fields) -> Output:
        """The column that has these window columns below it, or is one."""
        role = next((role for path, role in fields if not path), None)
        return cls(name, role, written=name, fields=tuple((path, role) for path, role in fields if path))

    def inside(self, path: tuple[str, ...]) -> Fields:
        """The window columns below a path, which is what is left of a whole one where it ends at a window column."""
        own: Fields = () if self.role is None else (((), self.role),)
        found = ((whole[len(path) :], role) for whole, role in (*own, *self.fields) if whole[: len(path)] == path)
        return tuple(found)


GAP = Output(None)
WINDOW_OUTPUT = tuple(Output(role.value, role, written=role.value) for role in Role)


@dataclass(frozen=True, slots=True)
class Origin:
    """A fragment that makes windows.

    is_row_stream   whether a stream gives its rows as they arrive, each with its windows; else when windows end
    time            the time column of a call, lower case; None for none
    is_table        whether it is a table of the session, a stream that has window columns
    output          its columns, where it is a call
    call, function  of one of Flink's window table functions: the call, and what it says
    tumbling        size and offset of tumbling windows, as numbers for a call, as they are written for WINDOW ASSIGN
    """

    extent: Extent
    is_row_stream: bool
    time: str | None = None
    is_table: bool = False
    output: tuple[Output, ...] = (GAP, *WINDOW_OUTPUT)
    call: TableCall | None = None
    function: WindowQuery | None = field(default=None, compare=False)
    tumbling: tuple[int | str, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of a FROM.

    name       what qualifies its columns, lower case; '' for nothing
    first      its first token; None where it has no place in the text
    output     its columns
    origins    the fragments that make its windows
    times      time columns of windows in the gap of its output
    is_row_stream, is_window_result   whether a stream gives its rows as they arrive, or when windows end
    origin     the fragment that it is and nothing else
    select     the SELECT that it is and nothing else, by its first token
    """

    name: str
    first: int | None
    output: tuple[Output, ...]
    origins: frozenset[Origin] = frozenset()
    times: frozenset[str] = frozenset()
    is_row_stream: bool = False
    is_window_result: bool = False
    origin: Origin | None = None
    select: int | None = None

    @property
    def is_windowed(self) -> bool:
        return bool(self.windows)

    @property
    def names(self) -> frozenset[str]:
        """The names of its columns as far as they are known."""
        return frozenset(column.name for column in self.output if column.name is not None)

    @property
    def windows(self) -> frozenset[Output]:
        """Its window columns, and those with such fields."""
        return frozenset(column for column in self.output if column.role is not None or column.fields)

    def has(self, name: str) -> bool:
        """Whether it has a column of this name, lower case."""
        return any(column.name == name for column in self.output)

    def column(self, name: str) -> Output | None:
        """The only column of this name, lower case; None where there is none, or several."""
        found = [column for column in self.output if column.name == name]
        return found[0] if len(found) == 1 else None

    def fields_at(self, path: tuple[str, ...]) -> Fields:
        """The window columns in the struct at a path, in any case, which may begin with the relation's own name."""
        path = tuple(name.lower() for name in path)
        is_qualified = len(path) > 1 and path[0] == self.name and self.has(path[1])
        names = path[1:] if is_qualified else path
        column = self.column(names[0]) if names else None
        return () if column is None else column.inside(names[1:])

    def role_at(self, path: tuple[str, ...]) -> Role | None:
        """The window column that is at a path; None for anything else."""
        found = [role for rest, role in self.fields_at(path) if not rest]
        return found[0] if len(found) == 1 else None

    def beginning_with(self, names: Iterable[str], *, has_all: bool = False) -> tuple[Output, ...]:
        """Its columns, those of these names first: a gap for one that it may have, unless it is known that it has."""
        names = [name for name in names if self.has(name) or GAP in self.output]
        first = [self.column(name) or (Output(name) if has_all else GAP) for name in names]
        return (*first, *(column for column in self.output if column == GAP or column not in first))

    def names_of(self, role: Role) -> tuple[str, ...]:
        """The names of the columns that are this window column."""
        return tuple(column.name for column in self.output if column.role is role and column.name is not None)


UNKNOWN = Relation("", None, (GAP,))
"""A relation of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a column reference means: a window column of a relation, by its number; `level` 0 is the SELECT's own FROM,
    1 that of the SELECT around it. A column of USING in a FULL JOIN has two relations, one of which each row has."""

    role: Role
    relations: tuple[int, ...]
    level: int = 0


@dataclass(frozen=True, slots=True)
class Scope:
    """A SELECT, what its names mean and what it gives.

    first       the token SELECT
    relations   those of FROM, in order
    meanings    its references to window columns outside of subqueries, by the token of the column's name
    times       the tokens of its references to time columns of windows
    result      what it gives, as a relation
    inner       the SELECTs in subqueries of its expressions
    first_only  the items with OVER of which all readers keep number 1 alone, by their places
    most        the greatest number that a reader keeps, by the places of items with OVER, where it is known
    is_shared   whether it is in a CTE that several read
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
        return self.result.output

    def role_of(self, place: int) -> Role | None:
        """The window column that its item at a place is."""
        return next((column.role for column in self.output if column.item == (self.first, place)), None)

    @property
    def windows(self) -> dict[int, str]:
        """The references that are window columns, as `Source.windows` has them."""
        return {token: meaning.role.value for token, meaning in self.meanings.items()}

    @property
    def origins(self) -> frozenset[Origin]:
        """The fragments whose windows it has."""
        return self.result.origins


def without_windows(relation: Relation) -> Relation:
    """The relation with ordinary columns in the place of window columns."""
    return replace(relation, output=tuple(replace(column, role=None, fields=()) for column in relation.output))
