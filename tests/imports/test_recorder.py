"""The recorder that we tell people to put into their applications."""

import inspect
import re
import textwrap
from pathlib import Path

from llama_index.core.base.llms.types import LLMMetadata
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

from synth import imports
from synth.imports import read
from tests.imports.application import Application, ask, nodes

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def recorder():
    """The code in the docstring of the package."""
    [code] = re.findall(r"\n\n((?: {4}.*\n|\n)+)", inspect.getdoc(imports))
    return textwrap.dedent(code).strip()


def test_it_has_ten_lines_at_most_and_stands_on_the_page():
    assert len([line for line in recorder().splitlines() if line]) <= 10
    assert recorder() in PAGE.read_text("utf-8")


def test_it_records_forty_documents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(recorder(), {})
    try:
        llm = Application(lambda prompt, number: "Yes.", LLMMetadata(context_window=1400))
        ask(llm, "compact", "Is it?", nodes([f"chunk {number}" for number in range(40)]))
    finally:
        LlamaIndexInstrumentor().uninstrument()
    [run] = read((tmp_path / "run.jsonl").read_bytes())
    assert [each.node.id_ for each in run.chunks] == [f"node-{number}" for number in range(40)]
    assert run.verify().equal
