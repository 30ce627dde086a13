"""What a notebook shows of plans, runs and responses, in HTML; that of the documents runs anew."""

import gzip
import json
import os
import re
from base64 import b64decode
from copy import deepcopy as copy
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient

from synth import (
    FunctionLLM,
    Node,
    NodeWithScore,
    PromptHelper,
    SynthError,
    get_response_synthesizer,
)
from synth.errors import AuthFailed
from synth.text.wording import reveal
from synth.traces import EXAMPLE, read
from tests.ui.report.reported import Read

QUESTION = "What was the pool set to?"
CHUNKS = [f"Chunk {number}: the pool was set to 8 instead of 80. " * 12 for number in range(1, 7)]
NASTY = '</div></style><img src=x onerror="alert(1)"><script>alert(2)</script>\u202e\x00\ud800'
MEGABYTE = 1_000_000


def synthesizer(mode="compact", llm=None, **options):
    helper = PromptHelper(context_window=600, num_output=64)
    return get_response_synthesizer(mode, llm, helper, **options)


def shown(value):
    return Read(value._repr_html_())


def test_a_plan_is_its_sentence_its_pictures_and_its_prompts():
    plan = synthesizer().plan(QUESTION, CHUNKS)
    page = shown(plan)
    assert f"compact would make {plan.call_count} calls, one after the other" in page.text
    assert f"{plan.prompt_tokens:,} prompt tokens" in page.text
    assert "if each answer has 64." in page.text
    pictures = [attrs["aria-label"] for _, attrs in page.tags if attrs.get("role") == "img"]
    [picture] = pictures
    assert picture.startswith("6 chunks would go into")
    for text in CHUNKS:
        assert text in page.text
    for call in plan.calls:
        assert str(call.prompt.spans[0].text) in page.text


@pytest.mark.parametrize("mode", ["generation", "no_text", "context_only"])
def test_what_a_mode_never_sends_was_not_cut_off(mode):
    for value in (
        synthesizer(mode).plan(QUESTION, CHUNKS),
        synthesizer(mode).run(QUESTION, CHUNKS),
    ):
        assert "cut off" not in shown(value).text


def test_what_a_run_that_failed_did_not_send_was_not_cut_off():
    page = shown(synthesizer("refine").replay(QUESTION, CHUNKS, {}))
    assert "not sent" in page.text
    assert "cut off" not in page.text + "".join(str(attrs) for _, attrs in page.tags)


def test_a_response_is_its_run_with_its_answer_and_its_sources():
    nodes = [NodeWithScore(Node(text), 0.5 + 0.1 * at) for at, text in enumerate(CHUNKS)]
    response = synthesizer().synthesize(QUESTION, nodes, [Node("A text that no call was given.")])
    page = shown(response)
    assert f"compact made {response.trace.call_count} calls" in page.text
    assert page.of("source"), "a tag behind the words that a chunk has"
    assert "A text that no call was given." in page.text
    assert "1 source" in page.text
    alone = shown(replace(response, response="Nobody knows.", trace=None)).text  # by no steps
    assert "Nobody knows." in alone
    assert "7 sources" in alone


def test_a_failure_says_its_kind_and_not_what_the_server_wrote():
    def refuse(prompt):
        raise AuthFailed("key sk-secret is wrong")

    with pytest.raises(SynthError) as failed:
        synthesizer("refine", FunctionLLM(refuse)).run(QUESTION, CHUNKS)
    text = shown(failed.value.trace).text
    assert "The run failed." in text
    assert "sk-secret" not in text


def test_of_a_recording_that_does_not_know_its_chunks_nothing_is_claimed():
    [run] = read(gzip.decompress(EXAMPLE.read_bytes()))
    page = shown(run.trace())
    assert "Which chunks its calls carried is not known." in page.text
    assert "reads chunks that are not known" in page.text
    assert "reads no chunk" not in page.text
    assert "cut off" not in page.text
    assert not [attrs for _, attrs in page.tags if attrs.get("role") == "img"]


def test_foreign_text_is_text():
    run = synthesizer("refine", FunctionLLM(lambda prompt: NASTY)).run(NASTY, [NASTY, *CHUNKS])
    html = run._repr_html_()
    page = Read(html)
    assert not page.names & {"script", "link", "iframe", "a"}
    [image] = [attrs["src"] for name, attrs in page.tags if name == "img"]
    drawn = ElementTree.fromstring(b64decode(image.removeprefix("data:image/svg+xml;base64,")))
    assert {"svg", "rect", "div"} <= {each.tag.rpartition("}")[2] for each in drawn.iter()}
    assert not [name for each in drawn.iter() for name in each.attrib if name.startswith("on")]
    assert reveal(NASTY) in page.text
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]
    for text in (html, b64decode(image.partition(",")[2]).decode()):
        assert not re.findall(r"url\((?!#)|@import|https?://(?!www.w3.org/)", text)
    html.encode()


def test_equal_outputs_share_no_name():
    plan = synthesizer().plan(QUESTION, CHUNKS)
    both = [plan._repr_html_() for _ in range(2)]
    names = [set(re.findall(r'\bid="([^"]+)"', html)) for html in both]
    assert len(names[0]) == len(names[1]) > 5
    assert not names[0] & names[1]
    for html, own in zip(both, names, strict=True):
        assert set(re.findall(r"url\(#([^)]+)\)", html)) <= own


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["compact", "accumulate", "tree_summarize"])
def test_what_is_too_much_is_left_out_and_that_is_said(mode):
    plan = synthesizer(mode).plan(QUESTION, CHUNKS * 350)  # 2,100 chunks
    html = plan._repr_html_()
    assert len(html) < MEGABYTE
    text = Read(html).text
    assert re.search(r"[\d,]+ chunks of 2,100 are left out here; setup.chunks has all\.", text)


ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "explain.ipynb"
CHANGING = re.compile(
    r"<style>.*?</style>|base64,[\w+/=]+|synth-[0-9a-f]{10}|under 1 ms|\d[\d,.]* m?s\b"
)


def outputs(notebook):
    """What each cell of code shows, without its styles, its times, and names made of them."""
    shown = [
        [output.get("text") or dict(output.data) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    return json.loads(CHANGING.sub("~", json.dumps(shown, ensure_ascii=False)))


def run_anew(times=1):
    ran = nbformat.read(NOTEBOOK, as_version=4)
    ran.cells = [copy(cell) for _ in range(times) for cell in ran.cells]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    client = NotebookClient(ran, timeout=120, kernel_name="python3", record_timing=False)
    client.execute(env={**os.environ, "PYTHONPATH": path})
    return ran


@pytest.mark.slow
def test_the_notebook_shows_what_it_has_stored_twice_in_a_row():
    twice, stored = outputs(run_anew(2)), outputs(nbformat.read(NOTEBOOK, as_version=4))
    shown = twice[: len(stored)]
    assert shown == stored == twice[len(stored) :]
    values = [output for cell in shown for output in cell if "text/html" in output]
    assert [sorted(value) for value in values] == [["text/html", "text/plain"]] * 2


if __name__ == "__main__":  # `python -m tests.test_notebook` stores what it shows now
    nbformat.write(run_anew(), NOTEBOOK)
