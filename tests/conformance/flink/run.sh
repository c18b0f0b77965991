#!/usr/bin/env bash
# Makes the batch cases again: run.sh [OUTPUT_DIR]   (default: ../batch_cases)
set -euo pipefail
source "$(dirname "$0")/setup.sh"
out=${1:-$here/../batch_cases}
mkdir -p "$out"
python3 "$here/cases.py" > "$dir/inputs.jsonl"
flink BatchCases "$dir/inputs.jsonl" "$out"
