"""What to say of aggregates that compare strings by their collation."""

from __future__ import annotations

from winsql.planner.facts import AggregateFact


def rule_and_hint(fact: AggregateFact, rule: str, hint: str) -> tuple[str, str]:
    """Those of a call that winsql's accumulators cannot compute, unless a collation is the reason."""
    return (_RULE, _HINT) if fact.compares_collated else (rule, hint)


_RULE = "winsql's own accumulators compare strings by their bytes, and not by a collation"
_HINT = "compare bytes, as in v COLLATE UTF8_BINARY, or LOWER(v) COLLATE UTF8_BINARY where case makes no difference"
