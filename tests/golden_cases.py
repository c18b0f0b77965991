"""Golden files: cases of a title, an input and what is expected, in one file per topic.

    # title
    input, any number of lines
    ----
    expected, any number of lines

A line that begins with `# ` starts the next case. `pytest --update-golden` writes the expected parts anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"
SEPARATOR = "----"


@dataclass(frozen=True)
class GoldenCase:
    title: str
    input: str
    expected: str
    path: Path

    @property
    def id(self) -> str:
        return f"{self.path.stem}: {self.title}"


def golden_cases(kind: str) -> list[GoldenCase]:
    """All cases of the files in `tests/golden/<kind>`."""
    return [case for path in sorted((GOLDEN / kind).glob("*.sql")) for case in read_cases(path)]


def read_cases(path: Path) -> list[GoldenCase]:
    cases = []
    for block in f"\n{path.read_text()}".split("\n# ")[1:]:
        title, _, rest = block.partition("\n")
        given, separator, expected = f"{rest}\n".partition(f"\n{SEPARATOR}\n")
        if not separator:
            raise ValueError(f"{path}: case {title!r} has no {SEPARATOR} line")
        cases.append(GoldenCase(title, given, expected.strip("\n"), path))
    return cases


def write_expected(case: GoldenCase, expected: str) -> None:
    """Write the case's file with what is expected of it now."""
    cases = [replace(c, expected=expected) if c.title == case.title else c for c in read_cases(case.path)]
    blocks = [f"# {c.title}\n{c.input}\n{SEPARATOR}\n{c.expected}\n" for c in cases]
    case.path.write_text("\n".join(blocks))


def check_case(case: GoldenCase, produce: Callable[[GoldenCase], str], update: bool) -> None:
    """The test of one case; with `update`, its file is written instead."""
    produced = produce(case)
    if update:
        write_expected(case, produced)
    else:
        assert produced == case.expected
