"""simple_summarize: one call with all the chunks, cut where the window ends."""

from collections.abc import Sequence
from typing import Any

from synth.modes.base import BaseSynthesizer
from synth.modes.facts import ModeFacts
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
