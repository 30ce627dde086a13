"""A filtered reply that was cut off at num_output, in llama-index-core and here."""

import pytest
from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.llms import CustomLLM
from llama_index.core.response_synthesizers import get_response_synthesizer as theirs

import synth
from synth.llms import Completion

CUT = '{"query_satisfied": true, "answer": "Ada fix'
CHUNKS = ["Ada fixed the pool."]


class TheirModel(CustomLLM):
    @property
    def metadata(self):
        return LLMMetadata(context_window=4_000, num_output=16)

    def complete(self, prompt, formatted=False, **_):
        return CompletionResponse(text=CUT)

    def stream_complete(self, prompt, formatted=False, **_):
        yield from (CompletionResponse(text=CUT[: end + 1], delta=CUT[end]) for end in range(44))


class OurModel(synth.LLM):
    metadata = synth.LLMMetadata(4_000, 16)

    def complete(self, prompt, schema=None):
        return Completion(CUT, finish_reason="length")


@pytest.mark.parametrize(("streaming", "response"), [(False, "Empty Response"), (True, "Ada fix")])
def test_it_is_no_answer_unless_it_is_streamed_and_here_it_counts_as_far_as_it_came(
    streaming, response
):
    options = {"structured_answer_filtering": True, "streaming": streaming}
    package = theirs(llm=TheirModel(), response_mode="refine", **options)
    alike = synth.get_response_synthesizer("refine", OurModel(), behaviour="llama_index", **options)
    documented = synth.get_response_synthesizer("refine", OurModel(), **options)
    assert len(CUT) == 44
    assert said(package) == said(alike) == response
    assert said(documented) == "Ada fix"


def said(synthesizer):
    response = synthesizer.get_response("Who?", CHUNKS)
    return response if isinstance(response, str) else "".join(response)
