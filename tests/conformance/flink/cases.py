"""Write the inputs of the batch cases as JSON lines: the hand-written ones, then the seeded random ones.

    python3 cases.py > inputs.jsonl

Fields and meaning: ../batch_cases/README.md. BatchCases.java adds what Flink answers.
"""

from __future__ import annotations

import json

from drawn import random_cases
from written_triggers import trigger_cases
from written_windows import window_cases


def main() -> None:
    names: set[str] = set()
    for case in [*window_cases(), *trigger_cases(), *random_cases()]:
        if case["name"] in names:
            raise ValueError(f"two cases are called {case['name']}")
        names.add(case["name"])
        print(json.dumps(case))


if __name__ == "__main__":
    main()
