#!/bin/sh
# A Chromium for tests/picture, installed where this script may; where it may not, the test says that there is none.
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && exit 0
done
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
export DEBIAN_FRONTEND=noninteractive
{ apt-get update && apt-get install -y --no-install-recommends chromium; } >/dev/null 2>&1 || echo "no Chromium could be installed" >&2
