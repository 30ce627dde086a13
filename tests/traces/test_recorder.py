"""The recorder that we tell people to put into their applications."""

from pathlib import Path

import pytest
from llama_index.core.base.llms.types import LLMMetadata
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

from synth.traces import EXPORTER, RECORDER, read
from tests.traces.application import Application, ask, end, nodes

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "library.md"


def test_it_has_ten_lines_at_most_and_stands_in_the_documents():
    assert len([line for line in RECORDER.splitlines() if line]) <= 10
    assert RECORDER in PAGE.read_text("utf-8")
    assert EXPORTER in (ROOT / "docs" / "live.md").read_text("utf-8")


@pytest.mark.slow
def test_it_records_forty_documents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(RECORDER, {})
    try:
        llm = Application(lambda prompt, number: "Yes.", LLMMetadata(context_window=1400))
        ask(llm, "compact", "Is it?", nodes([f"chunk {number}" for number in range(40)]))
    finally:
        end(LlamaIndexInstrumentor())
    [run] = read((tmp_path / "run.jsonl").read_bytes())
    assert [each.node.id_ for each in run.chunks] == [f"node-{number}" for number in range(40)]
    assert run.verify().equal
