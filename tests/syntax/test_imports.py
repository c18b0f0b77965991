"""The syntax layer stands on Python alone: no build of any SQL parser can change what a statement means."""

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


def test_no_parser_is_needed() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == "SELECT __winsql_key_0 AS `k`, __winsql_aggregate_0 AS `sum(v)`\n"
