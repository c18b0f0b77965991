"""Mistakes as SARIF 2.1.0, which code hosts and editors show beside the lines."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import winsql
from winsql import errors
from winsql.errors import WinsqlError
from winsql.shell.sources import SqlText

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(found: Iterable[tuple[SqlText, WinsqlError]]) -> dict[str, Any]:
    """The log of a run."""
    results = [_result(text, error) for text, error in found]
    kinds = sorted({result["ruleId"] for result in results})
    driver = {"name": "winsql", "version": winsql.__version__, "rules": [*map(_rule, kinds)]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(kind: str) -> dict[str, Any]:
    described = (getattr(errors, kind).__doc__ or "").split("\n")[0]
    return {"id": kind, "shortDescription": {"text": described}}


def _result(text: SqlText, error: WinsqlError) -> dict[str, Any]:
    sentences = [error.problem, error.rule and f"rule: {error.rule}", error.hint and f"hint: {error.hint}"]
    message = "\n".join(sentence for sentence in sentences if sentence)
    place: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": quote(PurePath(text.file).as_posix())}}}
    if text.cell is not None:  # lines of a notebook's file are not those that people see
        place["logicalLocations"] = [{"name": f"cell {text.cell}", "kind": "module"}]
    elif error.source is not None and error.span is not None:
        line, column = error.span.line_and_column(error.source)
        end_line, end_column = error.span._replace(start=error.span.end).line_and_column(error.source)
        region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
        place["physicalLocation"]["region"] = region
    return {"ruleId": type(error).__name__, "level": "error", "message": {"text": message}, "locations": [place]}
