"""FunctionLLM: a model made of one function, for tests, examples and models of your own."""

from collections.abc import Callable

from pydantic import BaseModel
from typing_extensions import override

from synth.errors import ModelError, describe, require
from synth.prompts.prompt import Prompt
from synth.prompts.prompt_helper import CONTEXT_WINDOW, NUM_OUTPUT, LLMMetadata
from synth.runs.llm import LLM, Completion
from synth.text.model_tokenizers import DEFAULT_ENCODING
from synth.text.tokenizer import Encode, Tokenizer


class FunctionLLM(LLM):
    """Answers with `fn(prompt)`, where the prompt is one string; sizes are in tokens.

    With a schema (structured answer filtering, `output_cls`) `fn` returns the JSON text.
    SynthError for an `fn` that can't be called; ModelError where it returns no string.

    >>> FunctionLLM(str.upper, context_window=512).metadata.context_window
    512
    """

    def __init__(
        self,
        fn: Callable[[str], str],
        context_window: int = CONTEXT_WINDOW,
        num_output: int = NUM_OUTPUT,
        tokenizer: str | Encode | Tokenizer = DEFAULT_ENCODING,
    ) -> None:
        require("fn is", fn, Callable, "a function from a prompt to its answer")
        self.fn = fn
        self.metadata = LLMMetadata(context_window, num_output, "function", tokenizer)

    @override
    def complete(self, prompt: Prompt | str, schema: type[BaseModel] | None = None) -> Completion:
        answer = self.fn(str(prompt))
        if not isinstance(answer, str):
            raise ModelError(f"The function gave {describe(answer)}: it must return a string.")
        return Completion(answer)
