"""The values of JSON are counted before one of them is built."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.traces.capacity import values_of_json

JSON = st.recursive(
    st.text(alphabet='a"\\,[{连') | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='b"\\,{['), inner),
)


def values_of(document):
    if not isinstance(document, list | dict):
        return 0
    inner = document.values() if isinstance(document, dict) else document
    return max(1, len(document)) + sum(map(values_of, inner))


@given(document=JSON)
def test_they_are_counted_without_what_stands_in_texts(document):
    text = json.dumps(document, ensure_ascii=False)
    assert values_of_json(text, len(text)) == values_of(document)
    assert (values_of_json(text, 0) > 0) == (values_of(document) > 0)


@pytest.mark.parametrize("value", ["{},", "1,", '"",', '"' * 5, r'"\"",'])
def test_more_than_the_most_is_found_of_any_kind(value):
    assert values_of_json(f"[{value * 1_000}0]", 900) > 900
