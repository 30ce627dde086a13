"""Runs as JSON: to the letter in rows of the store, and named fields alone in files."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from synth.errors import ImportedRunError, SynthError
from synth.export.files import trace_from_json, trace_to_json
from synth.llms import FunctionLLM
from synth.modes.registry import MODES
from tests.ui.store.recorded import WORKSPACE, Failing, ended, reply, request_of
from ui.store import runs as saved_runs
from ui.store.rows import (
    Run,
    RunInfo,
    packed,
    request_from_json,
    request_to_json,
    unpacked,
    write_file,
)
from ui.store.runs import load_run
from ui.workspaces import files

DATABASES = ["sqlite"]  # what is tested here stands above the database


def test_a_run_is_read_back_from_its_file(store):
    job = ended(request_of("refine", "why \0 \ud800?"), Failing(at=4))
    saved_runs.change(store, WORKSPACE, [job.run], name="my run")
    saved_runs.change(store, WORKSPACE, [job.run], note="a note")
    kept = load_run(store, WORKSPACE, job.run)
    back = files.read(write_file(kept))
    assert (back.info.name, back.info.note) == ("my run", "a note")
    assert (back.request, back.trace) == (kept.request, kept.trace)
    assert back.trace.log() == kept.trace.log()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "recipe"}, "holds a recipe; a run or a workspace"),
        ({"version": 2}, "version 2, and this program reads versions up to 1: update"),
        ({"api_key": "sk"}, "wrong field, api_key"),
        ({"request": {"mode": "refine"}}, "The request has a wrong field, behaviour"),
        ({"run.calls": [{"number": 1}]}, r"wrong field, calls.0.depth"),
        ({"request.context_window": "wide"}, "The request has a wrong field, context_window"),
        ({"request.api_key": "sk"}, "The request has a wrong field, api_key"),
        ({"request.model": {"kind": "offline", "key": "sk"}}, "wrong field, model.key"),
        ({"request.positions": [0]}, "9 chunks, 1 positions"),
        ({"request.mode": "no such mode"}, "no such mode"),
        ({"run.calls.1.number": 1}, "numbered 1, 1:"),
        ({"request.text_chunks.0": "changed"}, "the file was changed"),
    ],
)
def test_a_wrong_field_of_a_file_is_named(change, said):
    request = request_of("refine")
    trace = request.synthesizer().run(request.query_str, request.text_chunks)
    data = json.loads(write_file(Run(RunInfo(), request, trace)))
    for path, value in change.items():
        *parents, last = path.split(".")
        place = data
        for name in parents:
            place = place[int(name) if isinstance(place, list) else name]
        place[int(last) if isinstance(place, list) else last] = value
    with pytest.raises(SynthError, match=said):
        files.read(json.dumps(data))


@given(
    st.lists(st.text(min_size=1, max_size=300), min_size=1, max_size=4),
    st.sampled_from(["compact", "refine", "tree_summarize"]),
    st.sampled_from(["documented", "llama_index"]),
)
def test_any_prompt_comes_back_with_its_origins(chunks, mode, behaviour):
    request = request_of(
        mode, text_chunks=tuple(chunks), behaviour=behaviour, response_padding_size=10
    )
    trace = trace_of(request)
    assert request_from_json(unpacked(packed(request_to_json(request)))) == request
    read = trace_from_json(unpacked(packed(trace_to_json(trace))), trace.setup)
    for call, back in zip(trace.calls, read.calls, strict=True):
        assert back == call
        assert back.origins == call.origins
        assert back.prompt.text == call.prompt.text


def test_a_saved_run_of_a_mode_that_is_gone_is_refused_in_words(store, monkeypatch):
    job = ended(request_of("accumulate"))
    monkeypatch.delitem(MODES, "accumulate")
    with pytest.raises(ImportedRunError, match="There is no mode 'accumulate'"):
        load_run(store, WORKSPACE, job.run)


def test_bytes_that_were_damaged_are_refused_in_words(store):
    job = ended(request_of("accumulate"))
    damaged = "X'00112233'" if store.database().folder else "decode('00112233', 'hex')"
    with store.write() as connection:
        connection.execute(text(f"UPDATE synth_saved_answer SET body = {damaged} WHERE number = 2"))
    with pytest.raises(ImportedRunError, match="A row of the history is damaged"):
        load_run(store, WORKSPACE, job.run)


def trace_of(request):
    llm = FunctionLLM(reply, context_window=request.context_window, num_output=request.num_output)
    return request.synthesizer(llm).run(request.query_str, request.text_chunks)
