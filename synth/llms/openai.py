"""OpenAILLM: any chat endpoint that speaks OpenAI's protocol, in the cloud or at home."""

from typing import TYPE_CHECKING

from synth.elsewhere import module_names, says_what_to_take
from synth.llms.chat_completions import ChatCompletions
from synth.llms.endpoint_llm import EndpointLLM

if not TYPE_CHECKING:
    __getattr__ = module_names(__name__)


@says_what_to_take
class OpenAILLM(EndpointLLM):
    """A model behind an OpenAI-compatible chat endpoint, with the options of `EndpointLLM`.

    The environment's OPENAI_API_KEY and OPENAI_BASE_URL stand for a key and an address that are
    not given. `num_output` goes out under the name that the host reads (chat_completions.py).
    """

    adapter = ChatCompletions()
