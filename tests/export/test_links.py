"""A text in a link: there and back, small, and safe to open."""

import base64
import random
import string
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ImportedRunError, SynthError
from synth.export.files import MOST_LETTERS, pack, unpack


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=500))
def test_there_and_back(text):
    letters = pack(text)
    assert unpack(letters) == text
    assert set(letters) <= set(string.ascii_letters + string.digits + "-_")


def test_a_text_that_is_too_long_says_so_with_the_numbers():
    text = "".join(random.Random(1).choices(string.ascii_letters, k=20_000))
    with pytest.raises(SynthError, match=r"takes \d\d,\d{3} characters, and 7,000 is the limit"):
        pack(text)


def letters_of(body):
    return base64.urlsafe_b64encode(body).decode().rstrip("=")


@pytest.mark.parametrize(
    ("letters", "said"),
    [
        ("A" * (MOST_LETTERS + 1), "has 7,001 characters, and 7,000 is the limit"),
        (letters_of(zlib.compress(b"0" * 3_000_000, 9)), "unpacks to more than 1,000,000 bytes"),
        (pack("a text")[:-3], "damaged"),
        (letters_of(zlib.compress(b"\xff\xfe")), "damaged"),
        ("<script>", "damaged"),
        ("äöü", "damaged"),
        ("", "damaged"),
        ("A", "damaged"),
    ],
)
def test_a_hostile_link_is_refused_with_a_reason(letters, said):
    with pytest.raises(ImportedRunError, match=said):
        unpack(letters)
