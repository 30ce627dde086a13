"""simple_summarize and generation make one call; no_text and context_only make none."""

from collections.abc import Sequence
from typing import Any

from synth.modes.base import BaseSynthesizer, ModeFacts
from synth.prompts.prompt_helper import PARAGRAPH
from synth.runs.steps import Steps
from synth.text.spans import Text


class SimpleSummarize(BaseSynthesizer):
    """One call; what does not fit is never sent, and the coverage of the trace says how much."""

    mode = "simple_summarize"
    summary = "Puts everything into one call and cuts off what does not fit."
    templates = ("text_qa_template",)
    facts = ModeFacts(response_source="last_answer")

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Join, cut, ask."""
        template = self.filled("text_qa_template", query_str=query_str, **variables)
        text = self.packer.truncate(template, texts)
        if text is None:
            return self.empty_response
        [answer] = yield [self.call(template, text, final=True)]
        return self.ending(answer.text)

    bound = BaseSynthesizer.bound_first  # no call reads an answer


class Generation(BaseSynthesizer):
    """The question alone: what the model says without any chunk, to compare with."""

    mode = "generation"
    summary = "Sends the question without any chunk: what the model says on its own."
    templates = ("simple_template",)
    needs_nodes = False
    facts = ModeFacts(response_source="last_answer", sends_chunks=False)

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Ask once."""
        template = self.filled("simple_template", query_str=query_str, **variables)
        call = self.call(template, final=True, padding=0)
        self.packer.require_fit(call.prompt, template.name)
        [answer] = yield [call]
        return self.ending(answer.text)

    bound = BaseSynthesizer.bound_first  # no call reads an answer


class NoText(BaseSynthesizer):
    """No call and no text: the sources are the answer."""

    mode = "no_text"
    summary = "Makes no call: only the retrieved sources come back."
    facts = ModeFacts(response_source="nothing", sends_chunks=False)

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Nothing."""
        yield from ()
        return ""

    bound = BaseSynthesizer.bound_first  # no call reads an answer


class ContextOnly(BaseSynthesizer):
    """No call: the chunks themselves, joined by blank lines."""

    mode = "context_only"
    summary = "Makes no call: gives the chunks back, joined by blank lines."
    facts = ModeFacts(response_source="chunks", sends_chunks=False)

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Join."""
        yield from ()
        return PARAGRAPH.join(map(str, texts))

    bound = BaseSynthesizer.bound_first  # no call reads an answer
