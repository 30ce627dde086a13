"""What is read of saved runs: earlier texts of templates, files."""

import json
from dataclasses import replace

import pytest

from synth.errors import SynthError
from synth.llms.counting_server import server_tokenizer
from tests.fake_counting import FakeServer
from tests.ui.history.recorded import WORKSPACE, Failing, ended, request_of, saved
from ui.history import run_file, summaries
from ui.history.run_file import RunFile
from ui.history.saved_run import list_earlier_texts, load

OWN = "Read {context_str}, then say: {query_str}"


@pytest.fixture
def url(tmp_path):
    """SQLite alone: what is tested here stands above the database."""
    return f"sqlite:///{tmp_path / 'history.sqlite3'}"


def with_template(request, text):
    [(name, _), *rest] = request.templates
    return replace(request, templates=((name, (("user", text),)), *rest))


def loaded(history, request, **how):
    return load(history, WORKSPACE, saved(request, **how).run)


@pytest.mark.slow
def test_earlier_texts_of_a_template_are_those_of_runs(history):
    request = request_of("refine")
    own = with_template(request, OWN)
    runs = [loaded(history, one) for one in (request, own, own, request)]
    latest, before = list_earlier_texts(history, WORKSPACE, "text_qa_template")
    assert (latest.used, latest.messages) == (runs[3].summary.started, request.templates[0][1])
    assert (before.used, before.messages) == (runs[2].summary.started, (("user", OWN),))
    [refine] = list_earlier_texts(history, WORKSPACE, "refine_template")
    assert refine.used == runs[3].summary.started
    assert list_earlier_texts(history, WORKSPACE, "summary_template") == []
    assert list_earlier_texts(history, "another", "text_qa_template") == []


def test_a_run_is_read_back_from_its_file(history):
    job = ended(request_of("refine", "why \0 \ud800?"), Failing(at=4))
    summaries.rename(history, WORKSPACE, job.run, "my run")
    summaries.annotate(history, WORKSPACE, job.run, "a note")
    kept = load(history, WORKSPACE, job.run)
    back = run_file.read(run_file.written(RunFile.of(kept)))
    assert (back.name, back.note) == ("my run", "a note")
    assert (back.request, back.trace, back.edited) == (kept.request, kept.trace, kept.edited)
    assert back.trace.log() == kept.trace.log()


@pytest.mark.slow
def test_a_file_that_names_a_server_which_counts_for_somebody_asks_it_nothing():
    with FakeServer("llama.cpp") as server:
        known = server_tokenizer(
            server.model, "sk-somebodys", server.base_url, owner="0123456789ab"
        )
        request = request_of("refine", tokenizer=known.name)
        trace = request.synthesizer().run(request.query_str, request.text_chunks)
        text = run_file.written(RunFile(request, trace))
        assert server.base_url.split("/")[2] not in text
        asked = server.asked.total()
        back = run_file.read(text)
        assert back.trace.setup.tokenizer.count("Words that nobody counted.") > 0
        assert server.asked.total() == asked
    assert (back.request.tokenizer, back.trace.log()) == ("estimate o200k_base", trace.log())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "version 2, and this program reads versions up to 1: update"),
        ({"kind": "comparison"}, "holds a comparison, not a run"),
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
    data = json.loads(run_file.written(RunFile(request, trace)))
    for path, value in change.items():
        *parents, last = path.split(".")
        place = data
        for name in parents:
            place = place[int(name) if isinstance(place, list) else name]
        place[int(last) if isinstance(place, list) else last] = value
    with pytest.raises(SynthError, match=said):
        run_file.read(json.dumps(data))
