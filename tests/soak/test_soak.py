"""A part of what `make soak` tries: damaged files are read or refused, and nothing else happens."""

import pytest

from tests.examples import share
from tests.soak.readers import READERS

CASES = 400
readers = pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)


@readers
def test_a_file_without_damage_is_read(reader):
    if reader.name != "the same, drawn on the pages":
        reader.use(reader.files()[0])


@readers
def test_a_damaged_file_is_read_or_refused_in_words(reader):
    for case in range(share(max(5, round(CASES * reader.share)))):
        reader.try_one(f"0 {case}")
