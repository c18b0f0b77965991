"""Flags the cases of a file in which sessions merge and Flink's contents are not those of arrival order.

    python3 flags.py fresh.jsonl

`merge_order`: the same contents in another order; `lost_contents`: Flink forgets some. See ../cases/README.md.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from run import Case, check

MERGING = ("session", "dynamic_session")
FLAGS = ("merge_order", "lost_contents")


def flagged(case: dict[str, object]) -> dict[str, object]:
    """The case with the flag that explains a difference, or as it is: then the difference is a failure."""
    if check(Case(case), "operator", {}) is None:
        return case
    for flag in FLAGS:
        named = {**case, "flags": [flag]}
        if check(Case(named), "operator", {}) is None:
            return named
    return case


def main() -> None:
    path = Path(sys.argv[1])
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cases = [flagged(case) if case["assigner"]["type"] in MERGING else case for case in cases]
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")


if __name__ == "__main__":
    main()
