#!/usr/bin/env bash
# Build the wheel and install it into an empty environment, without any extra. Run the README's
# example there, and check the types of all examples against the installed package.
#
#   scripts/wheel.sh .venv/bin/python
set -euo pipefail
python=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Built from a copy: a build leaves folders behind, which the next wheel would take in.
mkdir "$work/source" "$work/examples"
cp -r pyproject.toml README.md LICENSE synth "$work/source"
"$python" -m pip --quiet --disable-pip-version-check wheel --no-deps -w "$work" "$work/source"
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip --quiet --disable-pip-version-check install "$work"/*.whl
"$python" -m tests.page_examples "$work/examples" README.md docs/library.md
python=$(realpath --no-symlinks "$python")
cd "$work/examples"
"$work/venv/bin/python" readme_*.py
"$work/venv/bin/python" - <<'PYTHON'
import importlib.util
import sys

import synth

absent = ("streamlit", "plotly", "pandas", "openai")
assert not [name for name in absent if name in sys.modules or importlib.util.find_spec(name)]
assert "site-packages" in synth.__file__
plan = synth.get_response_synthesizer("compact").plan("Why?", ["A chunk."])
assert "<svg" in plan._repr_html_()
try:
    synth.OpenAILLM
except ModuleNotFoundError as missing:
    assert "synthesis-playground[openai]" in str(missing), missing
else:
    raise AssertionError("OpenAILLM was imported without openai")
PYTHON
cat >mypy.ini <<'INI'
[mypy]
strict = true
[mypy-llama_index.*,openinference.*,opentelemetry.*]
ignore_missing_imports = true
INI
"$python" -m mypy --cache-dir ../types --python-executable ../venv/bin/python .
echo "The wheel installs and runs alone."
