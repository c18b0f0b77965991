"""sqlglot is imported where a SELECT is around windows, and nowhere else: it takes a tenth of a second."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
sys.modules["sqlglot"] = None  # importing it fails from here on
from winsql.syntax import parse_statement
query = parse_statement("SELECT k, sum(v) FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k").queries[0]
print(query.head)
"""


def test_windows_alone_need_no_tree() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == "SELECT windowed__key_0 AS `k`, windowed__aggregate_0 AS `sum(v)`\n"


def test_the_old_name_of_the_function_that_registers_apply_functions() -> None:
    import winsql

    assert winsql.register_window_function is winsql.register_apply_function
    assert "register_window_function" not in winsql.__all__
