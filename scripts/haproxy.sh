#!/usr/bin/env bash
# Make sure that there is an HAProxy for several servers, where a package can be installed
# without a question. The tests of several servers are skipped where there is none.
set -euo pipefail
command -v haproxy >/dev/null || "$(dirname "$0")/debian.sh" haproxy ||
    echo "No HAProxy: several servers are not tested (Debian: sudo apt-get install haproxy)." >&2
