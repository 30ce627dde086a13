"""A synthesizer whose prompts are kept, with templates that say their own names."""

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.llms import FunctionLLM

QUESTION = "Who kept the light?"
TEMPLATES = {
    "text_qa_template": PromptTemplate("[ask] {query_str}\n{context_str}"),
    "refine_template": PromptTemplate("[refine] {query_str}\n{existing_answer}\n{context_msg}"),
    "summary_template": PromptTemplate("[summary] {query_str}\n{context_str}"),
}


def words(count: int, start: int = 0) -> str:
    """So many words, each of which stands there once."""
    return " ".join(f"word{number}" for number in range(start, start + count))


class Asked:
    """Runs a mode and keeps each prompt; answers are `answer 1`, `answer 2`, and so on."""

    def __init__(self, mode, window=3900, num_output=20, overlap=0.0, **options):
        self.prompts = []
        self.synthesizer = get_response_synthesizer(
            response_mode=mode,
            llm=FunctionLLM(self._answer),
            prompt_helper=PromptHelper(window, num_output, overlap),
            **{**TEMPLATES, **options},
        )

    def _answer(self, prompt):
        self.prompts.append(prompt)
        return f"answer {len(self.prompts)}"

    def response(self, *chunks, **variables):
        return self.synthesizer.get_response(QUESTION, list(chunks), **variables)

    @property
    def templates(self):
        """The name that each prompt begins with."""
        return [prompt.split("]")[0].strip("[") for prompt in self.prompts]

    @property
    def sent(self):
        """What each prompt holds below its first line."""
        return [prompt.split("\n", 1)[1] for prompt in self.prompts]
