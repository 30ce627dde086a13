"""The recorder that we tell people to take, and the recording that Runs has to try."""

from pathlib import Path

import pytest
from llama_index.core.prompts import PromptTemplate
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

from synth import get_response_synthesizer
from synth.llms import ExtractiveLLM
from synth.prompts.prompt_helper import PromptHelper
from synth.prompts.templates import DEFAULTS
from synth.quality.samples import SAMPLES
from synth.traces import EXAMPLE, EXPORTER, RECORDER, read
from tests.traces.application import Application, ask, end, nodes, recording

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
        ask(Application(), "compact", "Is it?", nodes([f"chunk {number}" for number in range(40)]))
    finally:
        end(LlamaIndexInstrumentor())
    [run] = read((tmp_path / "run.jsonl").read_bytes())
    assert [each.node.id_ for each in run.chunks] == [f"node-{number}" for number in range(40)]
    assert run.verify().equal


[SAMPLE] = [each for each in SAMPLES if each.name == "post_mortem"]
LIMITS = {"context_window": SAMPLE.window, "num_output": SAMPLE.num_output}


def answers():
    """What our offline model answers to the calls of compact."""
    run = get_response_synthesizer(
        "compact", ExtractiveLLM(**LIMITS), PromptHelper(**LIMITS), "llama_index"
    ).run(SAMPLE.question, list(SAMPLE.chunks))
    return (str(call.answer) for call in run.calls)


def recorded():
    """The lines of the file; with `gzip.compress` and `EXAMPLE.write_bytes` they are written."""
    given = answers()
    llm = Application(
        lambda prompt, number: next(given),
        **LIMITS,
        model_name="the offline model of this app",
    )
    templates = {
        name: PromptTemplate(DEFAULTS[name].template)
        for name in ("text_qa_template", "refine_template")
    }
    with recording() as lines:
        ask(llm, "compact", SAMPLE.question, nodes(SAMPLE.chunks, metadata=False), **templates)
    return lines.getvalue()


def test_the_recording_is_what_is_recorded_anew():
    [run], [anew] = read(EXAMPLE.read_bytes()), read(recorded())
    assert run.verify().equal
    assert run.texts == list(SAMPLE.chunks)
    assert [(call.prompt.text, call.answer) for call in run.calls] == [
        (call.prompt.text, call.answer) for call in anew.calls
    ]
    assert not any("/" in note for note in run.notes)
