#!/usr/bin/env bash
# Start several servers of the app behind HAProxy, for more people than one server holds.
# HAProxy keeps each browser at its server with a cookie. If a server ends, its people go on at
# another one: all servers save to one database.
#
#   scripts/servers.sh 2                   on port 8501, with two servers on 8502 and 8503
#   scripts/servers.sh 3 127.0.0.1:9000    for this machine alone, with three on the next ports
#   scripts/servers.sh 2 :8501 floor.py    of another script
set -euo pipefail
servers=$1 address=${2:-:8501} app=${3:-server.py}
port=${address##*:}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-.venv/bin/python}
unset SYNTH_OWN_MACHINE # these servers are for others

command -v haproxy >/dev/null || {
    echo "This needs HAProxy (Debian: sudo apt-get install haproxy)." >&2
    exit 1
}
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT

backends=()
for number in $(seq "$servers"); do
    own=$((port + number))
    "$python" -m streamlit run "$app" --server.address 127.0.0.1 --server.port "$own" \
        --server.headless true --logger.hideWelcomeMessage true &
    backends+=("    server server$number 127.0.0.1:$own cookie server$number")
done
for number in $(seq "$servers"); do
    until (: <"/dev/tcp/127.0.0.1/$((port + number))") 2>/dev/null; do
        kill -0 "$(jobs -p | sed -n "${number}p")" || exit 1
        sleep 0.2
    done
done

haproxy -db -f <(
    sed "s/bind :8501/bind $address/; /^    server /d" scripts/haproxy.cfg
    printf '%s\n' "${backends[@]}"
) &
echo "The app is at http://localhost:$port"
wait $!
