#!/usr/bin/env bash
# Make sure that the browser tests find a Chromium: one on PATH, else Playwright's own, else the
# system's package, with the fonts that the samples and screenshots need. What Playwright offers is
# downloaded only where none of these is there and its server answers.
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

can_be_downloaded() {
    "$python" - >/dev/null 2>&1 <<'PYTHON'
import os
from urllib.error import HTTPError
from urllib.request import urlopen

try:
    urlopen(os.environ.get("PLAYWRIGHT_DOWNLOAD_HOST", "https://cdn.playwright.dev"), timeout=5)
except HTTPError:
    pass  # it answers
PYTHON
}

if runs_its_own ||
    "$(dirname "$0")/debian.sh" chromium fonts-noto-cjk fonts-noto-color-emoji; then
    exit 0
fi
if can_be_downloaded; then
    log=$(mktemp)
    trap 'rm "$log"' EXIT
    if "$python" -m playwright install chromium >"$log" 2>&1 && runs_its_own; then
        exit 0
    fi
    tail -3 "$log" >&2
fi
cat >&2 <<'HELP'
No Chromium could be installed. Install chromium or google-chrome yourself and run this again
(Debian: sudo apt-get install chromium fonts-noto-cjk fonts-noto-color-emoji).
HELP
exit 1
