"""One query held against the model: what differs, shrunk, and printed so that it can be run by hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from differential.compare import difference
from differential.evaluate import expected
from differential.record import Query, Result, Session
from differential.shrink import Case, shrunk
from differential.spelling import quoted
from differential.text import LOOKUP_TABLE, ONE_TABLE, table_sql, text_of

Runs = Callable[[Query, Session], Result]
"""Runs a query in a session with its tables."""


@dataclass(frozen=True)
class Failure:
    """What is wrong, in words, and what came if anything did."""

    case: Case
    wrong: str
    actual: Result | None
    wanted: Result

    @property
    def kind(self) -> str:
        """The same for failures that are probably of one cause."""
        return re.sub(r"^(names|types) .*", r"\1", self.wrong.splitlines()[0])[:60]


def failure(case: Case, runs: Runs) -> Failure | None:
    """How the query fails; None when it does not."""
    wanted = expected(case.query, case.session)
    try:
        actual = runs(case.query, case.session)
    except Exception as error:  # noqa: BLE001 - whatever is raised is a finding
        return Failure(case, said(error), None, wanted)
    wrong = difference(wanted, actual)
    return None if wrong is None else Failure(case, wrong, actual, wanted)


def said(error: Exception) -> str:
    """An error in words; the first line is the same for errors of one cause."""
    text = str(error).strip()
    condition = re.search(r"\[([A-Z_.]+)\]", text)
    first = condition[0] if condition else text.splitlines()[0][:20] if text else ""
    return f"{type(error).__name__} {first}\n{text[:1500]}"


def smallest(found: Failure, runs: Runs, seconds: float = 60.0) -> Failure:
    """The failure shrunk."""
    last = found

    def fails(case: Case) -> bool:
        nonlocal last
        now = failure(case, runs)
        if now is None or now.kind != found.kind:
            return False
        last = now
        return True

    shrunk(found.case, fails, seconds)
    return last


def report(found: Failure, place: str, plan: str) -> str:
    """All that is needed to see it again."""
    query, session, wanted = found.case.query, found.case.session, found.wanted
    lines = [f"{place}, {plan}: {found.wrong}", ""]
    lines += [f"SET {name} = {held};" for name, held in session.settings.items()]
    views = {quoted(table.name): table_sql(_plain(table)) for table in query.tables} | {
        "one": ONE_TABLE,
        "lookup": LOOKUP_TABLE,
    }
    texts = text_of(query, session)
    lines += [
        f"CREATE OR REPLACE TEMPORARY VIEW {name} AS\n{text};"
        for name, text in views.items()
        if name.startswith("`") or any(name in text for text in texts)
    ]
    lines += [f"{text};" for text in texts]
    lines += ["", f"types: {', '.join(map(str, wanted.types))}"]
    if found.actual is None:
        return "\n".join([*lines, "expected:", *_rows(wanted)])
    if found.wrong != "rows":
        return "\n".join([*lines, "expected:", *_rows(wanted), "actual:", *_rows(found.actual)])
    left, right = Counter(wanted.rows), Counter(found.actual.rows)
    missing, surplus = (replace(wanted, rows=list(part.elements())) for part in (left - right, right - left))
    return "\n".join([*lines, "expected, but missing:", *_rows(missing), "came instead:", *_rows(surplus)])


def _plain(table):  # type: ignore[no-untyped-def]
    """Columns of a joined table without the name of its side."""
    names = [replace(c, name=c.name.removeprefix("x.").removeprefix("y.")) for c in table.columns]
    return replace(table, columns=tuple(names))


def _rows(result: Result) -> list[str]:
    shown = [f"  {row}" for row in result.rows[:20]]
    return shown + ([f"  ... {len(result.rows) - 20} more"] if len(result.rows) > 20 else []) or ["  nothing"]
