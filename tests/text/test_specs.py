"""Specs of tokenizers, as text and back."""

from hypothesis import given
from hypothesis import strategies as st

from synth.text.specs import ESTIMATE, FILE, MODEL, SERVER, Spec

SPECS = st.builds(
    Spec,
    name=st.sampled_from(["cl100k_base", "gpt-4o", "a model of mine", "localhost:8080 m 1", "é\n"]),
    kind=st.sampled_from(["", MODEL, ESTIMATE, SERVER, FILE]),
)


@given(SPECS)
def test_a_spec_is_read_as_it_was_written(spec):
    assert Spec.of(str(spec)) == spec


@given(st.text() | st.lists(st.sampled_from(["file", "model", "1", "0", " "])))
def test_any_text_is_read(text):
    text = "".join(text)
    spec = Spec.of(text)
    assert str(spec) == text
    assert Spec.of(str(spec)) == spec
