#!/usr/bin/env bash
# Draws new cases of streams and asks Flink what it does with them: fresh.sh SEED NUMBER OUTPUT_DIR
set -euo pipefail
seed=${1:?seed}; number=${2:?number of cases}; out=${3:?output directory}
source "$(dirname "$0")/setup.sh"
mkdir -p "$out"
python3 "$here/drawn_steps.py" "$seed" "$number" > "$dir/fresh.jsonl"
flink StreamCases "$dir/fresh.jsonl" "$out/fresh.jsonl"
python3 "$here/flags.py" "$out/fresh.jsonl"
