"""A model's tokenizer.json, given on the page: what is taken, kept and refused."""

import json
from functools import partial
from pathlib import Path

import pytest
from tokenizers import Regex, Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Sequence, Split

from synth.text import kept_files
from synth.text.tokens import get_tokenizer
from tests.ui.history.recorded import WORKSPACE, request_of, saved
from tests.ui.page import Playground
from ui.controls import own_tokenizer
from ui.history import history as opened
from ui.history.saved_run import load
from ui.session import apart, browser
from ui.settings import model
from ui.settings.request import Request

pytestmark = pytest.mark.slow

NAME, BESIDE = "tokenizer.json", "chat_template.jinja"
TEMPLATE = b"{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<answer>"
ENDPOINT = {"model": "endpoint", "base_url": "https://host/v1", "model_name": "mine"}


def tokenizer_json(pattern=None):
    """A tokenizer of bytes, whose pattern cuts texts first."""
    letters = sorted(ByteLevel.alphabet())
    tokenizer = Tokenizer(BPE({letter: number for number, letter in enumerate(letters)}, []))
    bytes_alone = ByteLevel(add_prefix_space=False, use_regex=False)
    cut = [] if pattern is None else [Split(Regex(pattern), "isolated")]
    tokenizer.pre_tokenizer = Sequence([*cut, bytes_alone])
    return tokenizer.to_str().encode()


BYTES = tokenizer_json()


@pytest.fixture(autouse=True)
def own_machine(monkeypatch):
    """The browser is on the machine of the app."""
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)


def give(page, *files):
    [uploader] = [one for one in page.at.file_uploader if "tokenizer" in one.label]
    kind = {".json": "application/json", ".jinja": "text/plain"}
    uploader.set_value([(name, data, kind[Path(name).suffix]) for name, data in files])
    return page.draw()


def test_a_file_with_its_template_counts_for_its_model_until_it_is_removed():
    page = give(Playground(**ENDPOINT, tokenizer="cl100k_base"), (NAME, BYTES), (BESIDE, TEMPLATE))
    assert "Tokens are counted with your tokenizer.json." in page.sidebar
    tokenizer = get_tokenizer(Request.of(page.settings).tokenizer)
    assert tokenizer.sure
    assert tokenizer.count("four") == 4
    assert tokenizer.frame(("user",)).texts == ("<user>", "<answer>")
    assert "estimated with" not in page.text
    assert "your tokenizer.json" not in page.set(model_name="another").sidebar
    page.set(model_name="mine").press("Remove its tokenizer.json")
    assert "Tokens are estimated with o200k_base." in page.sidebar
    assert not page.settings.tokenizer_files


def test_a_template_can_come_later():
    page = give(Playground(**ENDPOINT), (NAME, BYTES))
    assert "counted with your tokenizer.json, without its chat template." in page.sidebar
    assert not get_tokenizer(model.tokenizer(page.settings)).sure
    assert get_tokenizer(model.tokenizer(give(page, (BESIDE, TEMPLATE)).settings)).sure


def test_it_comes_back_after_a_refresh_and_a_plan_apart_counts_with_it():
    page = give(Playground(**ENDPOINT), (NAME, BYTES), (BESIDE, TEMPLATE))
    assert "counted with your tokenizer.json" in page.open().sidebar
    spec = model.tokenizer(page.settings)
    process = apart._Worker()
    assert process.call(partial(tokens_of, spec, "four")) == 4
    process._end()


def tokens_of(spec, text):
    return get_tokenizer(spec).count(text)


def test_a_hash_that_is_not_here_is_said_and_no_path_is_one(tmp_path):
    page = Playground(**ENDPOINT, tokenizer_files={"mine": "0" * 64})
    assert "counts on another machine: give the file again." in page.sidebar
    assert "Tokens are estimated with o200k_base." in page.sidebar
    for name in ("0" * 64, str(tmp_path / NAME), "../../etc"):
        assert get_tokenizer(f"file {name}").counting.endswith("is not on this machine")


def test_a_run_and_a_measure_of_a_file_that_is_gone_are_opened():
    gone = f"file {'0' * 64}"
    page = Playground(**ENDPOINT, tokenizer=f"measured 9 110 3 {gone}")
    assert "Tokens are measured on 3 calls." in page.sidebar
    job = saved(request_of(tokenizer=gone))
    trace = load(opened.history(), WORKSPACE, job.run).trace
    assert not trace.setup.tokenizer.sure
    assert "as your tokenizer.json is not on this machine" in trace.setup.tokenizer.counting


def test_a_stranger_has_no_field_for_it(monkeypatch):
    monkeypatch.setattr(browser, "is_own_machine", lambda: False)
    page = Playground(**ENDPOINT)
    assert not [one for one in page.at.file_uploader if "tokenizer" in one.label]


DEEP = b'{"model": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
NO_TOKENS = json.dumps({"model": {"type": "BPE", "vocab": {}, "merges": []}}).encode()
LOOPS = b"{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
ENDLESS = tokenizer_json(r"(a|a)*b|.")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([("model.json", BYTES)], "model.json is none of tokenizer.json,"),
        ([(BESIDE, TEMPLATE)], "give tokenizer.json too"),
        ([(NAME, b"{}")], "can't be read as a tokenizer.json"),
        ([(NAME, DEEP)], "can't be read as a tokenizer.json"),
        ([(NAME, NO_TOKENS)], "tokenizer.json finds no token in"),
        ([(NAME, BYTES), ("tokenizer_config.json", b"[" * 100_000)], "can't be read"),
        ([(NAME, BYTES), (BESIDE, b"{{ nothing }}")], "The chat template gives nothing"),
        ([(NAME, BYTES), (BESIDE, LOOPS)], "took more than 2 seconds"),
        ([(NAME, ENDLESS)], "retry-limit-in-match over"),
    ],
)
def test_what_can_t_be_used_is_refused_in_words(files, words, monkeypatch):
    seconds = 2.0 if words.startswith("took") else 60.0  # of a machine that is busy
    monkeypatch.setattr(apart, "SECONDS", seconds)
    page = give(Playground(**ENDPOINT), *files)
    assert words in page.sidebar
    assert str(kept_files.folder()) not in page.sidebar
    assert not page.settings.tokenizer_files
    assert not [*kept_files.folder().glob("tmp*")]


def test_a_file_that_is_too_long_is_not_read(monkeypatch):
    monkeypatch.setattr(own_tokenizer, "MOST_BYTES", 1_000_000)
    page = give(Playground(**ENDPOINT), (NAME, b" " * 1_000_001))
    assert "has 1,000,001 bytes, and 1,000,000 is the limit" in page.sidebar
