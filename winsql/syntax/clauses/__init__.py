"""The window clauses: one record each, in a file of its own. To add a clause, add its record to `CLAUSES`.

All else works from the records: the scanner that finds the clauses of a SELECT, the reader, layout, EXPLAIN
WINDOW, the identity of state, completion and the reference.
"""

from __future__ import annotations

from winsql.syntax.clauses.apply import APPLY
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.clauses.clause import Clause
from winsql.syntax.clauses.emit import EMIT
from winsql.syntax.clauses.evict import EVICT
from winsql.syntax.clauses.late_into import LATE_INTO
from winsql.syntax.clauses.lateness import LATENESS
from winsql.syntax.clauses.state_ttl import STATE_TTL
from winsql.syntax.clauses.trigger import TRIGGER

__all__ = ["CLAUSES", "clause_grammar"]

CLAUSES: tuple[Clause, ...] = (ASSIGN, TRIGGER, EMIT, EVICT, LATENESS, LATE_INTO, STATE_TTL, APPLY)
"""In the order of the language reference."""


def clause_grammar() -> str:
    """The rules of the clauses; those of policies and values are in `grammar`."""
    rules = " | ".join(clause.rule for clause in CLAUSES)
    lines = (f"{clause.rule:13}= {clause.grammar}" for clause in CLAUSES)
    return "\n".join([f"{'clauses':13}= {rules}      (any order, each once)", *lines])
