#!/usr/bin/env bash
# Make sure that the browser tests find a Chromium: one on PATH, else Playwright's own, else
# the system's package, with the fonts that the samples and screenshots need.
#
#   scripts/chromium.sh .venv/bin/python
set -euo pipefail
python=$1

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then
        exit 0
    fi
done

runs_its_own() {
    "$python" - >/dev/null 2>&1 <<'PYTHON'
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    playwright.chromium.launch(args=["--no-sandbox"]).close()
PYTHON
}

if runs_its_own; then
    exit 0
fi
echo "The browser tests need a Chromium: getting one." >&2
if "$python" -m playwright install chromium && runs_its_own; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    packages=(chromium fonts-noto-cjk fonts-noto-color-emoji)
    if apt-get -q update && apt-get -q -y --no-install-recommends install "${packages[@]}"; then
        exit 0
    fi
fi
cat >&2 <<'HELP'
No Chromium could be installed. Install chromium or google-chrome yourself and run this again
(Debian: sudo apt-get install chromium fonts-noto-cjk fonts-noto-color-emoji).
HELP
exit 1
