"""Specs of tokenizers, as text and back."""

from hypothesis import given
from hypothesis import strategies as st

from synth.text.specs import ESTIMATE, FILE, MODEL, SERVER, Correction, Spec

NUMBERS = st.integers(1, 1_000_000)
SPECS = st.builds(
    Spec,
    name=st.sampled_from(["cl100k_base", "gpt-4o", "a model of mine", "localhost:8080 m 1", "é\n"]),
    kind=st.sampled_from(["", MODEL, ESTIMATE, SERVER, FILE]),
    correction=st.none() | st.builds(Correction, st.integers(0, 1_000_000), NUMBERS, NUMBERS),
    packs=st.sampled_from(["", "cl100k_base"]),
)


@given(SPECS)
def test_a_spec_is_read_as_it_was_written(spec):
    assert Spec.of(str(spec)) == spec


@given(st.text() | st.lists(st.sampled_from(["packed", "measured", "model", "1", "0", " "])))
def test_any_text_is_read(text):
    text = "".join(text)
    spec = Spec.of(text)
    assert spec.correction is None or (spec.correction.percent and spec.correction.calls)
    assert Spec.of(str(spec)) == spec
