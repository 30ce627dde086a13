"""The recording that Runs has to try: made by the real package, as it is made here."""

from llama_index.core.base.llms.types import LLMMetadata
from llama_index.core.prompts import PromptTemplate

from synth import get_response_synthesizer
from synth.llms import ExtractiveLLM
from synth.prompts.defaults import DEFAULTS
from synth.prompts.window import PromptHelper
from synth.quality.samples import SAMPLES
from synth.traces import EXAMPLE, read
from tests.traces.application import Application, ask, nodes, recording

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
        LLMMetadata(**LIMITS, model_name="the offline model of this app"),
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
