"""Inputs that would take for ever: each is refused at a bound that the message names."""

import pytest

from synth import SynthError
from synth.documents import MOST_MEGABYTES, decoding, read_file
from synth.documents.cutting import WAYS, Cutting, cut
from tests.calls import calls_of
from tests.hostile import HOSTILE
from tests.ui.page import Playground


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_a_hostile_input_comes_to_an_end_that_is_named(hostile, monkeypatch):
    if hostile.is_ended:
        monkeypatch.setattr(decoding, "PAGES_SECONDS", 0.5)
    assert hostile.outcome in hostile.read(hostile.make())


ROWS = {
    ".csv": lambda n: b"id,text\n" + b"1,noon\n" * n,
    ".jsonl": lambda n: b'{"text": "noon", "metadata": {"source": "a"}}\n' * n,
    ".json": lambda n: b"[" + b'{"text": "noon"},' * n + b'"noon"]',
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ROWS)
def test_reading_grows_with_a_file_and_ends_at_the_first_text_over_the_limit(kind):
    sizes = (1, 400, 800, 10_000, 20_000)
    _, *work = (calls_of(read_file, f"a{kind}", ROWS[kind](n)) for n in sizes)
    assert work[1] < 2.6 * work[0]
    assert work[3] < 1.1 * work[2]
    with pytest.raises(SynthError, match="at least 2,001 chunks; at most 2,000"):
        read_file(f"a{kind}", ROWS[kind](10_000))


def test_a_file_over_the_limit_is_not_decoded():
    data = b"\xff" * (MOST_MEGABYTES * 1_000_000 + 1)
    assert calls_of(read_file, "a.csv", data) < 50
    with pytest.raises(SynthError, match="20,000,001 bytes, and 20,000,000 is the limit"):
        read_file("a.csv", data)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("piece", ["a", "noon ", "# a\n\n", "\n", "- - -\n"])
def test_cutting_takes_twice_as_long_for_twice_as_much(way, piece):
    cutting = Cutting(way, "n", 200, 20, "cl100k_base")
    cut(piece * 10, cutting)
    once, twice = (calls_of(cut, piece * n, cutting) for n in (20_000, 40_000))
    assert twice < 2.6 * once


@pytest.mark.slow
def test_a_paste_over_the_limit_says_so_and_stays_in_its_box():
    page = Playground(chunks=("one",)).paste("noon " * 500_000)
    assert "The text comes to 2.5 MB of text; at most 2 MB can be used at once." in page.text
    assert page.chunks == ("one",)
