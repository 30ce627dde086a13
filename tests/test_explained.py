"""The notebook of the documents: run anew, it shows what is stored in it.

`python -m tests.test_explained` stores what it shows now.
"""

import json
import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "explain.ipynb"
CHANGING = re.compile(r"<style>.*?</style>|synth-[0-9a-f]{10}|under 1 ms|\d[\d,.]* m?s\b")


def outputs(notebook):
    """What each cell of code shows, without its styles, its times, and names made of them."""
    shown = [
        [output.get("text") or dict(output.data) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    return json.loads(CHANGING.sub("~", json.dumps(shown, ensure_ascii=False)))


def run_anew():
    ran = nbformat.read(NOTEBOOK, as_version=4)
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    client = NotebookClient(ran, timeout=120, kernel_name="python3", record_timing=False)
    client.execute(env={**os.environ, "PYTHONPATH": path})
    return ran


@pytest.mark.slow
def test_the_notebook_shows_what_it_has_stored():
    shown = outputs(run_anew())
    assert shown == outputs(nbformat.read(NOTEBOOK, as_version=4))
    values = [output for cell in shown for output in cell if "text/html" in output]
    assert [sorted(value) for value in values] == [["text/html", "text/plain"]] * 3


if __name__ == "__main__":
    nbformat.write(run_anew(), NOTEBOOK)
