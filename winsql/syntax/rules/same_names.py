"""Names that differ only by case, in sessions that tell them apart: the tree compares names without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

from winsql.errors import WinsqlError
from winsql.syntax.text.source import Source
from winsql.syntax.tree.nodes import is_natural, joins_of
from winsql.syntax.tree.records import GAP, Scope


def names_of_two_cases(source: Source) -> frozenset[str]:
    """The names, lower case, that a statement writes in more than one way; none where these are one name."""
    if not source.settings.case_sensitive:
        return frozenset()
    written = {source.name(index) for index, token in enumerate(source.tokens) if token.is_name}
    return frozenset(name for name, number in Counter(map(str.lower, written)).items() if number > 1)


def mistaken_name(source: Source, scope: Scope, two_cases: Set[str]) -> WinsqlError | None:
    """The error for a SELECT in which two relations, or a window column and another one, would be taken for one; the
    other may be one of those that are not known."""
    relations, outputs = [relation.name for relation in scope.relations], [column.name for column in scope.output]
    windows = {column.name for column in scope.output if column.role is not None}
    doubtful: list[str | None] = [name for name in relations if relations.count(name) > 1]
    doubtful += [name for name in outputs if name in windows and (GAP in scope.output or outputs.count(name) > 1)]
    if any(map(is_natural, joins_of(scope.node))):
        doubtful += [name for relation in scope.relations for name in sorted(relation.names)]
    named = next((name for name in doubtful if name in two_cases), None)
    if named is None:
        return None
    problem, hint = f"two names differ from {named} only by case", "give one of them another name"
    rule = "what groups, ranks or joins the windows of a stream tells names apart by more than their case, also with"
    return source.spec_error(problem, scope.first, rule=f"{rule} spark.sql.caseSensitive", hint=hint)
