#!/usr/bin/env bash
# Install packages of Debian, without a question, and without a word where it succeeds. It fails
# where there is no apt, or nobody may use it.
#
#   scripts/debian.sh haproxy
set -euo pipefail
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 1
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm "$log"' EXIT
apt-get -qq update >"$log" 2>&1 &&
    apt-get -qq -y --no-install-recommends install "$@" >>"$log" 2>&1 ||
    { tail -3 "$log" >&2; exit 1; }
