"""refine: ask with the first chunk, then improve the answer with each further one."""

from collections.abc import Mapping, Sequence
from typing import Any

from synth.modes.base import BaseSynthesizer, ModeFacts
from synth.prompts.packing import Filled
from synth.runs.bounds import Bounds, bound_refine
from synth.runs.steps import Answer, Steps
from synth.text.spans import Text


class Refine(BaseSynthesizer):
    """One call a chunk, one after the other: each carries the answer so far."""

    mode = "refine"
    summary = "Asks with the first chunk, then refines the answer with each further chunk."
    templates = ("text_qa_template", "refine_template")
    filters = True
    facts = ModeFacts(response_source="last_answer")

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Ask one text after the other; the first question until an answer says something."""
        question, refine = self.fill_both(query_str, variables)
        parts = self.pack(question, refine, texts)
        answer: Answer | None = None
        reply: Answer | None = None
        for number, part in enumerate(parts, 1):
            filled = question
            if answer is not None:
                filled = self.packer.hold(refine, answer.as_text(), part)
            final = number == len(parts)
            [reply] = yield [self.call(filled, part, final=final, padding=self.packer.padding)]
            if self.improves(reply):
                answer = reply
        return self.final_text(answer, reply)

    def bound(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """Bound the calls: the first is known, and the texts of all others."""
        question, refine = self.fill_both(query_str, variables)
        parts = self.pack(question, refine, texts)
        first = self.bound_batch(map(question.prompt, parts[:1]))
        return Bounds.in_turn([first, self.bound_others(question, refine, parts[1:])])

    def bound_others(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> Bounds:
        """Return the bounds of the calls after the first one, which send these texts."""
        return bound_refine(self.packer, question, refine, texts)

    def fill_both(self, query_str: str, variables: Mapping[str, Any]) -> tuple[Filled, Filled]:
        """Return the template of the first call, and that of the later ones."""
        question = self.filled("text_qa_template", query_str=query_str, **variables)
        return question, self.filled("refine_template", query_str=query_str, **variables)

    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        """Return each chunk on its own, cut where it does not fit."""
        return self.packer.cut_in_turn(question, refine, texts, together=False)

    def improves(self, reply: Answer) -> bool:
        """Return whether the reply takes the place of the answer so far."""
        return reply.satisfied and bool(reply.text)

    def final_text(self, answer: Answer | None, last: Answer | None) -> str:
        """Return the response, given the best answer and the last reply."""
        return self.ending("" if answer is None else answer.text)


class CompactAndRefine(Refine):
    """As few calls as the chunks fit into, one after the other."""

    mode = "compact"
    summary = "Packs the chunks into as few calls as fit; each later call refines the answer."
    facts = ModeFacts(response_source="last_answer")

    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        """Return all chunks together, cut at what fits."""
        return self.packer.cut_in_turn(question, refine, texts, together=True)
