"""The same by llama-index-core, with its own default tokenizer, which is cl100k_base too."""

from collections.abc import Callable

from llama_index.core import PromptTemplate
from llama_index.core.indices.prompt_helper import PromptHelper
from llama_index.core.llms.mock import MockLLM
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer
from llama_index.core.utils import get_tokenizer

from benchmarks.asked import NUM_OUTPUT, QUERY, TEMPLATES


def runner(mode: str, pieces: list[str]) -> Callable[[int], object]:
    get_tokenizer()("load it")
    qa, summary, refine = map(PromptTemplate, TEMPLATES.values())

    def run(window: int) -> object:
        synthesizer = get_response_synthesizer(
            llm=MockLLM(max_tokens=5),
            prompt_helper=PromptHelper(window, NUM_OUTPUT),
            response_mode=ResponseMode(mode),
            text_qa_template=qa,
            summary_template=summary,
            refine_template=refine,
        )
        return synthesizer.get_response(QUERY, pieces)

    return run
