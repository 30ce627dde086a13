"""A model's tokenizer.json, named by its path: on one's own machine alone."""

import json

import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel

from synth.export import files as any_file
from synth.text.tokens import get_tokenizer
from tests.ui.page import Playground
from tests.ui.store.recorded import WORKSPACE, request_of, saved
from ui.session import browser, keys
from ui.settings.request import Request
from ui.store.run_json import request_from_json, request_to_json, write_file
from ui.store.runs import load_run
from ui.store.store import current_store
from ui.workspaces import files

pytestmark = pytest.mark.slow

ENDPOINT = {"model": "endpoint", "base_url": "https://host/v1", "model_name": "mine"}


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A tokenizer of bytes on the machine of the app."""
    monkeypatch.setenv("SYNTH_OWN_MACHINE", "1")
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    letters = sorted(ByteLevel.alphabet())
    tokenizer = Tokenizer(BPE({letter: number for number, letter in enumerate(letters)}, []))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return str(tmp_path / "tokenizer.json")


def test_it_counts_and_comes_back(path):
    page = Playground(**ENDPOINT).enter("tokenizer_path", path)
    tokenizer = get_tokenizer(Request.of(page.settings).tokenizer)
    assert tokenizer.count("four") == 4
    assert tokenizer.counting.endswith(", without its chat template")
    assert f"Tokens are {tokenizer.counting}." in page.said_of_model
    assert files.from_json(files.to_json(files.select_saved(page.space.values)))[
        "settings"
    ].tokenizer == (f"file {path}")
    assert page.enter("tokenizer_path", "").settings.tokenizer == ""


def test_what_can_t_be_read_is_said_and_not_taken(path, tmp_path):
    page = Playground(**ENDPOINT).enter("tokenizer_path", str(tmp_path / "absent.json"))
    assert "absent.json can't be read as a tokenizer.json: it is no file." in page.said
    assert page.settings.tokenizer == ""


def test_others_have_no_field_and_a_link_that_names_a_path_is_not_followed(path, monkeypatch):
    monkeypatch.setenv("SYNTH_OWN_MACHINE", "")
    monkeypatch.setattr(browser, "is_own_machine", lambda: False)
    page = Playground(**ENDPOINT)
    assert "tokenizer_path" not in page.keys
    page.open(encoding=f"file {path}")
    assert page.settings.tokenizer == ""
    assert "encoding" in page.text
    text = any_file.to_text("workspace", {"values": {"tokenizer": f"file {path}"}}, None)
    with pytest.raises(any_file.ImportedRunError, match="tokenizer: it is never shared"):
        files.read(text)


def test_no_file_that_is_shared_has_the_path(path):
    page = Playground(**ENDPOINT).enter("tokenizer_path", path)
    assert path not in files.write(page.space.values)
    job = saved(request_of(tokenizer=f"file {path}"))
    run = load_run(current_store(), WORKSPACE, job.run)
    assert run.trace.setup.tokenizer.count("four") == 4
    assert path not in write_file(run)


def test_what_an_older_program_measured_is_the_models_own_again():
    older = "measured 9 110 3 estimate o200k_base"
    text = json.dumps({"kind": "workspace", "version": 1, "values": {"tokenizer": older}})
    file = files.read(text)
    assert file[keys.GONE] == ("what a run measured of its tokenizer",)
    assert "settings" not in file or file["settings"].tokenizer == ""
    packs = f"packed cl100k_base {older}"
    for spec, today in ((older, "estimate o200k_base"), (packs, "cl100k_base")):
        request = request_to_json(request_of()) | {"tokenizer": spec}
        assert request_from_json(request).tokenizer == today
