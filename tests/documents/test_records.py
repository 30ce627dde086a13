"""The values of a file and the records under any path in them, for chunks and for spans."""

import gzip
import json

import pandas as pd
import pytest

from synth.documents.records import find_records, read_contents, read_frame
from synth.errors import SynthError

ROWS = [{"id": "1", "text": "Ada"}, {"id": "2", "text": "Bob, é"}]
LINES = "\n".join(map(json.dumps, ROWS))
FRAME = pd.DataFrame(ROWS)

FORMS = {
    "a list": json.dumps(ROWS),
    "lines": LINES,
    "indented": "\n".join(json.dumps(row, indent=2) for row in ROWS),
    "on one line": LINES.replace("\n", ""),
    "prints between": "It begins, [at] 8:\n" + LINES.replace("\n", '\n{"no\nSaid: '),
    "under a path": json.dumps({"count": 2, "result": {"points": [*ROWS], "time": 0.1}}),
    "around each": json.dumps([{"node": row} for row in ROWS]),
    "a table": FRAME.to_csv(index=False),
    "semicolons": FRAME.to_csv(index=False, sep=";").encode("cp1252"),
    "packed": gzip.compress(LINES.encode()),
    "UTF-16": LINES.encode("utf-16"),
    "parquet": FRAME.to_parquet(),
}


def has_text(record):
    return isinstance(record.get("text"), str)


def records(contents):
    groups = [group for _, value in contents.values for group in find_records(value, has_text)]
    return [record for group in groups for record in group.records]


@pytest.mark.parametrize("data", FORMS.values(), ids=FORMS)
def test_the_records_of_a_file_are_found(data):
    assert records(read_contents(data)) == ROWS


def test_a_frame_is_read_with_its_named_index():
    assert records(read_frame(FRAME.set_index("id"))) == ROWS


def test_what_is_no_value_is_counted_by_its_lines():
    contents = read_contents(f"Said:\n\n{LINES},\n{LINES}\n[1, 2\n")
    assert [line for line, _ in contents.values] == [3, 4, 5, 6]
    assert contents.left_out == [1, 7]
    assert "2 lines of the file are no JSON" in contents.notice
    assert not read_contents(LINES).notice


def test_what_stands_around_a_list_is_given_with_it():
    document = {"a": 1, "deep": {"b": 2, "list": ROWS}, "other": [ROWS[0], {"score": 1}]}
    first, second = find_records(document, has_text)
    assert first.parents == (document["deep"], document)
    assert (second.records, second.parents) == ([ROWS[0]], (document,))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("[1, 2, 3]" * 5, "has 15 values, and 9 is the limit"),
        ("a,b\n" * 6, "has 10 cells, and 9 is"),
        (b"\1" * 60, "has 60 bytes, and 50 is"),
        (gzip.compress(b"a" * 60, mtime=0), "has 51 bytes, and 50 is"),
        (b"PAR1 and more", "can't be read as parquet"),
        (gzip.compress(LINES.encode(), mtime=0)[:-20], "gzip file is damaged"),
    ],
)
def test_what_can_not_be_read_says_why(data, problem):
    with pytest.raises(SynthError, match=problem):
        read_contents(data, most_bytes=50, most_values=9)


def test_too_many_broken_values_are_no_file():
    with pytest.raises(SynthError, match="What follows line 1 is no JSON"):
        read_contents('{"a"\n' * 200)
