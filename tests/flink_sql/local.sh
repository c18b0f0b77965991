#!/usr/bin/env bash
# Asks Flink SQL for windows by local time, in zones whose clocks change: local.sh OUTPUT.jsonl
set -euo pipefail
out=${1:?output file}
sql=$(cd "$(dirname "$0")" && pwd)
source "$sql/../conformance/flink/setup.sh"
javac -nowarn -d "$dir/classes" -cp "$cp" "$sql/SqlRows.java"
: > "$out"
for zone in America/Los_Angeles America/Sao_Paulo Australia/Lord_Howe Pacific/Apia Asia/Kathmandu; do
  python3 "$sql/local_sql.py" "$dir" "$zone"
  flink SqlRows "$dir/tables.sql" "$dir/statements.jsonl" "$dir/local.jsonl" "$zone"
  cat "$dir/local.jsonl" >> "$out"
done
