#!/usr/bin/env bash
# Build the wheel and install it into an empty environment, without any extra. Run the README's
# example and the command there, and check the types of all examples against the installed package.
# Then serve the pages from it, with what they need from the environment that builds it.
#
#   scripts/wheel.sh .venv/bin/python
set -euo pipefail
python=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/examples"
"$python" -m pip --quiet --disable-pip-version-check wheel --no-deps -w "$work" .
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip --quiet --disable-pip-version-check install "$work"/*.whl
"$python" -m tests.page_examples "$work/examples" README.md docs/library.md
python=$(realpath --no-symlinks "$python")
cd "$work/examples"
"$work/venv/bin/python" readme_*.py
"$work/venv/bin/synth" plan - "Why?" <<<'"One chunk."' >/dev/null
if "$work/venv/bin/synth" app 2>problem; then exit 1; fi
grep --quiet "install synthesis-playground\[app\]" problem
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
# No .pth of these packages is read, so the checkout is not among them.
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
HOME=$work PYTHONPATH=$packages STREAMLIT_LOGGER_LEVEL=error \
	"$work/venv/bin/python" - "$work/venv/bin/synth" >log 2>&1 <<'PYTHON' || { cat log; exit 1; }
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import synth
from streamlit.testing.v1 import AppTest

folder = Path(synth.__file__).parent / "playground"
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = str(free.getsockname()[1])
address = urllib.request.Request(f"http://127.0.0.1:{port}", headers={"Accept": "text/html"})
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
with subprocess.Popen([sys.argv[1], "app", "--port", port]) as app:
    for _ in range(300):
        assert app.poll() is None
        try:
            first = opener.open(address).read().decode()
        except OSError:
            time.sleep(0.1)
        else:
            break
    app.terminate()
assert "<title>Streamlit</title>" in first  # the name of ours comes with the code
sys.path.insert(0, str(folder))  # as `streamlit run` does
from ui.session import keys

assert Path(keys.__file__).is_relative_to(folder)
at = AppTest.from_file(folder / "app.py", default_timeout=60)
for page in (at.run(), at.switch_page("pages/compare.py").run()):
    assert not page.exception, page.exception
    assert page.button
PYTHON
echo "The wheel installs and runs alone."
