#!/usr/bin/env bash
# Make sure that there is an HAProxy for several servers, where a package can be installed
# without a question. The tests of several servers are skipped where there is none.
set -euo pipefail
if command -v haproxy >/dev/null; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    if apt-get -q update && apt-get -q -y --no-install-recommends install haproxy; then
        exit 0
    fi
fi
echo "No HAProxy: several servers are not tested (Debian: sudo apt-get install haproxy)." >&2
