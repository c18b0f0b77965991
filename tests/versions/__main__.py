"""Runs the tests of FEATURES on the PySpark of this environment, and keeps what came out; then makes the table of it.

python tests/versions run FOLDER PART   run a part of them; what came out goes to a file of that folder, named by the
                                        version and the part
python tests/versions all FOLDER PYTHON ...   all parts with each of these interpreters, one for each core at a time
python tests/versions table FOLDER    write the table of docs/versions.md
python tests/versions check FOLDER    exit with 1 where the page says something else of the versions in FOLDER

The check does not need the newest version, of which the page says that all works: all tests run on it anyway.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import product, zip_longest
from pathlib import Path

import pytest
from features import FEATURES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "versions.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->\n"
PARTS = 2
"""Of the tests, by file, so that three versions keep two cores busy to the end."""
PASSED, FAILED, MISSING = "yes", "FAILED", "no"


_SHORTER = {
    "WINSQL_KILLS": "1",
    "WINSQL_KILLED": "lateness",
    "WINSQL_SAMPLE": "3",
    "WINSQL_INTERPRETED": "1",
}


class Outcomes:
    """Notes what became of each test; those of one function are one."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.partition("[")[0]
        if report.failed:
            self.found[name] = FAILED
        elif report.when == "call" and report.passed:
            self.found.setdefault(name, PASSED)

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        for item in items:
            self.found[item.nodeid.partition("[")[0]] = f"since {item.get_closest_marker('since').args[0]}"


def run(folder: Path, part: int) -> int:
    from pyspark import __version__

    os.environ |= _SHORTER | os.environ
    outcomes = Outcomes()
    tests = [test for tests in FEATURES.values() for test in tests]
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    tests = [test for test in tests if test.partition("::")[0] in files[part::PARTS]]
    status = pytest.main(["-q", "-p", "no:cacheprovider", "--durations=5", *tests], plugins=[outcomes])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{__version__}_{part}.json").write_text(json.dumps(outcomes.found, indent=1), encoding="utf-8")
    return int(status)


def run_all(folder: Path, pythons: list[str]) -> int:
    """Their reports are printed one after the other. Much of a test of streams is waiting, so one runs on each core.

    With more, a Python process of Spark does not start within the ten seconds that Spark gives it.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(lambda run: _run_with(*run, folder), product(pythons, range(PARTS))))
    for done in runs:
        print(done.stdout if done.returncode else done.stdout[-_REPORT:], flush=True)
    return max(done.returncode for done in runs)


_REPORT = 1000
"""Characters of a report without failures: its end has times and counts."""


def _run_with(python: str, part: int, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [python, str(Path(__file__).parent), "run", str(folder), str(part)]
    return subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=2700
    )


def table(folder: Path) -> str:
    """The table in Markdown: a row per feature, a column per version."""
    results: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        results.setdefault(path.stem.partition("_")[0], {}).update(found)
    lines = [f"| | {' | '.join(results)} |", f"|---|{'---|' * len(results)}"]
    for feature, tests in FEATURES.items():
        cells = (_cell([found.get(test.partition("[")[0], MISSING) for test in tests]) for found in results.values())
        lines.append(f"| {feature} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(outcomes: list[str]) -> str:
    return PASSED if set(outcomes) == {PASSED} else next(o for o in outcomes if o != PASSED)


def check(found: str, page: str) -> list[str]:
    """What the table of the page says otherwise of the versions that are in another one.

    A version that is in the page's table alone has to have everything.
    """
    said, is_so = _columns(page), _columns(found)
    missing = [f"{version}: not in the page" for version in is_so if version not in said]
    expected = {version: is_so.get(version, [PASSED] * len(FEATURES)) for version in said}
    return missing + [
        f"{version}: {feature}: {cell}, not {wrong}"
        for version, cells in expected.items()
        for feature, cell, wrong in zip_longest(FEATURES, cells, said[version])
        if cell != wrong
    ]


def _columns(text: str) -> dict[str, list[str]]:
    rows = [[cell.strip() for cell in line.split("|")[2:-1]] for line in text.splitlines()]
    header, _, *cells = rows
    return {version: [row[number] for row in cells] for number, version in enumerate(header)}


def main(argv: list[str]) -> int:
    action, folder = argv[0], Path(argv[1])
    if action == "run":
        return run(folder, int(argv[2]))
    if action == "all":
        return run_all(folder, argv[2:])
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    kept, after = rest.split(END)
    if action == "table":
        PAGE.write_text(f"{before}{BEGIN}{table(folder)}{END}{after}", encoding="utf-8")
        return 0
    print(table(folder))
    wrong = check(table(folder), kept)
    if wrong:
        print("docs/versions.md says something else; make versions-table writes it:", *wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
