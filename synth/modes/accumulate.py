"""accumulate and compact_accumulate: the same question to every text, answers in a list."""

from collections.abc import Sequence
from typing import Any

from synth.errors import TemplateError, require
from synth.modes.base import BaseSynthesizer, ModeFacts
from synth.prompts.packing import Filled
from synth.runs.steps import Answer, Steps
from synth.text.spans import Text

SEPARATOR = "\n---------------------\n"


class Accumulate(BaseSynthesizer):
    """One call a chunk, all at once; the answers are numbered and joined by `separator`."""

    mode = "accumulate"
    summary = "Asks every chunk on its own, all at once, and lists the answers."
    templates = ("text_qa_template",)
    makes_objects = False
    facts = ModeFacts(response_source="all_answers")

    def steps(
        self, query_str: str, texts: Sequence[Text], separator: str = SEPARATOR, **variables: Any
    ) -> Steps:
        """Yield one batch, whatever the answers say; TemplateError for a separator that is none."""
        require("separator is", separator, str, "the string between answers", TemplateError)
        template = self.filled("text_qa_template", query_str=query_str, **variables)
        packed = self.pack(template, texts)
        only = len(packed) == 1
        calls = [self.call(template, text, final=only, verbatim=False) for text in packed]
        answers = (yield calls) if calls else []
        return self.ending(
            separator.join(
                f"Response {number}: {self.format_answer(answer)}"
                for number, answer in enumerate(answers, 1)
            )
        )

    bound = BaseSynthesizer.bound_first  # no call reads an answer

    def pack(self, template: Filled, texts: Sequence[Text]) -> list[Text]:
        """Return each chunk on its own, cut where it does not fit."""
        return [piece for text in texts for piece in self.packer.repack(template, [text])]

    def format_answer(self, answer: Answer) -> str:
        """Write an answer as it stands in the list."""
        return answer.text or self.empty_response


class CompactAndAccumulate(Accumulate):
    """As few calls as the chunks fit into, all at once; the answers in a list."""

    mode = "compact_accumulate"
    summary = "Packs the chunks into as few calls as fit, asks them all at once, lists the answers."
    facts = ModeFacts(response_source="all_answers")

    def pack(self, template: Filled, texts: Sequence[Text]) -> list[Text]:
        """Return all chunks together, cut at what fits."""
        return self.packer.repack(template, texts)
