"""The picture of a prediction: tokens on one scale, and nothing that tells the answer."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.budget import Budget
from tests.examples import examples
from ui.figures import BudgetRow
from ui.learn.prediction_picture import picture_html


def parts(*tokens):
    return dict(zip(("template", "query", "variable", "context", "answer"), tokens, strict=True))


FIRST = Budget(parts(28, 10, 0, 690, 0), 128, 128, 0, 0, 984)
LATER = Budget(parts(71, 10, 0, 647, 128), 128, 0, 0, 0, 984)
CHUNKS = [107, 120, 98, 131]


def calls(count=2):
    rows = [BudgetRow("call 1", FIRST, False)]
    return rows + [BudgetRow(f"call {at}", LATER, True) for at in range(2, count + 1)]


def bars(html):
    """The widths of the segments of each bar, in per cent, by their class."""
    found = re.findall(r'<div class="tokens".*?</div>', html)
    return [
        [
            (kind, float(width))
            for kind, width in re.findall(r'class="k-(\w+)" style="width:([\d.]+)%', bar)
        ]
        for bar in found
    ]


def test_chunks_and_calls_stand_on_one_scale():
    chunks, first, later = bars(picture_html(CHUNKS, calls()))
    assert [width for _, width in chunks] == pytest.approx(
        [100 * n / 984 for n in CHUNKS], abs=1e-3
    )
    assert [kind for kind, _ in first] == ["template", "query", "room", "reserved", "padding"]
    assert [kind for kind, _ in later] == ["template", "query", "room", "answer", "reserved"]
    assert sum(width for _, width in first) == pytest.approx(100, abs=0.01)


def test_every_segment_is_told_once_for_each_kind_of_call():
    html = picture_html(CHUNKS, calls(9))
    keys = re.findall(r'<div class="key">(.*?)</div>', html)
    assert len(keys) == 2
    words = [re.sub(r"<[^>]+>", "", span) for span in re.findall(r"<span>.*?</span>", keys[1])]
    assert words[:4] == ["template 71", "question 10", "room for chunks ?", "answer so far ≤ 128"]


@examples(15)
@given(st.integers(1, 40))
def test_the_room_is_never_told_as_a_number(count):
    html = picture_html(CHUNKS, calls(count))
    words = re.sub(r'style="[^"]*"', "", html)
    assert "690" not in words
    assert "647" not in words
    assert html.count("<b>?</b></i>") == count


def test_the_scale_holds_the_chunks_and_the_window():
    for chunks in (CHUNKS, [900, 900], []):
        for bar in bars(picture_html(chunks, calls())):
            assert sum(width for _, width in bar) <= 100.01
    assert 'style="width:54.667%">window 984' in picture_html([900, 900], calls())


def test_bars_of_many_calls_are_low():
    assert 'class="prediction num low"' in picture_html(CHUNKS, calls(5))
    assert 'class="prediction num"' in picture_html(CHUNKS, calls(4))


def test_a_call_without_room_is_drawn():
    full = BudgetRow("call 1", replace(FIRST, parts={**FIRST.parts, "context": 0}), False)
    assert "room" not in dict(bars(picture_html(CHUNKS, [full]))[1])


@pytest.mark.parametrize(
    ("chunks", "words"),
    [
        ([5], "1 chunk of 5 tokens in all"),
        (CHUNKS, "4 chunks of 456 tokens in all"),
        ([], "0 chunks of 0 tokens in all"),
    ],
)
def test_the_picture_in_words(chunks, words):
    html = picture_html(chunks, calls(1))
    assert f'role="img" aria-label="{words}"' in html
    assert 'aria-label="call 1, which is still empty: template 28, question 10, room for' in html
