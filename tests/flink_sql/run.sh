#!/usr/bin/env bash
# Draws statements and asks Flink SQL for their rows: run.sh SEED NUMBER OUTPUT.jsonl [nested_sql.py]
set -euo pipefail
seed=${1:?seed}; number=${2:?number of statements}; out=${3:?output file}; program=${4:-drawn_sql.py}
sql=$(cd "$(dirname "$0")" && pwd)
source "$sql/../conformance/flink/setup.sh"
javac -nowarn -d "$dir/classes" -cp "$cp" "$sql/SqlRows.java"
python3 "$sql/$program" "$seed" "$number" "$dir"
flink SqlRows "$dir/tables.sql" "$dir/statements.jsonl" "$out"
