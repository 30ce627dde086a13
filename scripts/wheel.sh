#!/usr/bin/env bash
# Build the wheel, install it into an empty environment without the app's packages, and run the
# README's example of the library there.
#
#   scripts/wheel.sh .venv/bin/python
set -euo pipefail
python=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Built from a copy: a build leaves folders behind, which the next wheel would take in.
mkdir "$work/source"
cp -r pyproject.toml README.md LICENSE synth "$work/source"
"$python" -m pip --quiet --disable-pip-version-check wheel --no-deps -w "$work" "$work/source"
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip --quiet --disable-pip-version-check install "$work"/*.whl
sed -n '/^## The package in five lines/,/^## /{/^```python$/,/^```$/{/^```/!p}}' README.md \
    >"$work/example.py"
cd "$work"
test -s example.py
venv/bin/python example.py
venv/bin/python - <<'PYTHON'
import importlib.util
import sys

import synth

absent = [name for name in ("streamlit", "plotly", "pandas", "openai") if name in sys.modules]
assert not absent, f"import synth loads {absent}"
assert importlib.util.find_spec("streamlit") is None
assert "site-packages" in synth.__file__
PYTHON
echo "The wheel installs and runs alone."
