#!/bin/sh
# A PostgreSQL server's programs for tests/spark/test_database_sinks.py, installed where this script may.
[ -n "${PGURL:-}" ] && exit 0
command -v initdb >/dev/null && exit 0
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
export DEBIAN_FRONTEND=noninteractive
{ apt-get update && apt-get install -y --no-install-recommends postgresql; } >/dev/null 2>&1 || echo "no PostgreSQL could be installed" >&2
