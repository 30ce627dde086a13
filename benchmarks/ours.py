"""Our `documented` run, from chunks to response."""

from collections.abc import Callable

from benchmarks.asked import ENCODING, NUM_OUTPUT, QUERY, TEMPLATES
from synth import PromptTemplate, get_response_synthesizer
from synth.llms import FunctionLLM
from synth.text.model_tokenizers import get_tokenizer

ANSWER = "text text text text text"  # as llama-index-core's MockLLM says it


def runner(mode: str, pieces: list[str]) -> Callable[[int], object]:
    get_tokenizer(ENCODING).count("load it")
    qa, summary, refine = map(PromptTemplate, TEMPLATES.values())

    def run(window: int) -> object:
        synthesizer = get_response_synthesizer(
            mode,
            FunctionLLM(lambda prompt: ANSWER, window, NUM_OUTPUT, ENCODING),
            text_qa_template=qa,
            summary_template=summary,
            refine_template=refine,
        )
        return synthesizer.get_response(QUERY, pieces)

    return run
