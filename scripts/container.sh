#!/usr/bin/env bash
# Build the image and start it as it is meant to run, until it says that it is well; then end it.
#
#   scripts/container.sh                                  with docker or podman
#   BASE=localhost/python scripts/container.sh            from an image with Python 3.11 or later
#
# `docker compose up --build` starts all of compose.yaml.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export BUILDAH_FORMAT=docker # podman's own format has no health check
image=localhost/synthesis-playground
for builder in docker podman; do
    "$builder" info >/dev/null 2>&1 && break || builder=
done
[ -n "$builder" ] || {
    echo "This needs docker or podman, and that it runs (Debian: sudo apt-get install podman)." >&2
    exit 1
}
"$builder" build ${BASE:+--build-arg "BASE=$BASE"} --tag "$image" .
container=$("$builder" run --detach --read-only --tmpfs /tmp --cap-drop ALL \
    --security-opt no-new-privileges "$image")
trap '"$builder" rm --force "$container" >/dev/null' EXIT
for _ in $(seq 60); do
    if "$builder" exec "$container" /packages/bin/python -c \
        "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health')" \
        2>/dev/null; then
        "$builder" exec "$container" id
        echo "It is well."
        exit 0
    fi
    sleep 1
done
"$builder" logs "$container" >&2
exit 1
