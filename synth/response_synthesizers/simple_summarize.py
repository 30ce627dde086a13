"""simple_summarize: one call with all the chunks, cut where the window ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.response_synthesizers.base import BaseSynthesizer
from synth.spans import Text
from synth.steps import Steps


class SimpleSummarize(BaseSynthesizer):
    """One call; what does not fit is never sent, and the coverage of the trace says how much."""

    mode = "simple_summarize"
    summary = "Puts everything into one call and cuts off what does not fit."
    templates = ("text_qa_template",)

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Join, cut, ask."""
        template = self.filled("text_qa_template", query_str=query_str, **variables)
        text = self.packer.truncate(template, texts)
        if text is None:
            return self.empty_response
        [answer] = yield [self.call(template, text, final=True)]
        return self.ending(answer.text)

    bound = BaseSynthesizer.bound_first  # no call reads an answer

    def ending(self, text: str) -> str:
        """The response, given the text of the answer."""
        return text or self.empty_response
