"""refine: ask with the first chunk, then improve the answer with each further one."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from synth.modes.base import BaseSynthesizer
from synth.modes.facts import ModeFacts
from synth.prompts.packing import Filled
from synth.prompts.window import PARAGRAPH
from synth.runs.bounds import NOTHING, Bounds, Refining
from synth.runs.drivers import placeholder_answer
from synth.runs.steps import Answer, Steps
from synth.text.spans import Text


class Refine(BaseSynthesizer):
    """One call a chunk, one after the other: each carries the answer so far."""

    mode = "refine"
    summary = "Asks with the first chunk, then refines the answer with each further chunk."
    templates = ("text_qa_template", "refine_template")
    filters = True
    facts = ModeFacts(
        goals={"detail": 2, "summary": 3, "cheapest": 4, "fastest": 4},
        response_source="last_answer",
    )

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Texts wait in a queue; a call takes one, and what does not fit goes back in front."""
        question, refine = self.both(query_str, variables)
        waiting = deque(self.pack(question, refine, texts))
        answer: Answer | None = None
        reply: Answer | None = None
        while waiting:
            if answer is None:
                text = self.take(question, waiting)
                if waiting:
                    self.require_room_to_refine(refine)
                call = self.call(question, text, final=not waiting, padding=self.packer.padding)
            else:
                held = self.packer.hold(refine, answer.as_text())
                text = self.take(held, waiting)
                call = self.call(held, text, final=not waiting, padding=0)
            [reply] = yield [call]
            if self.improves(reply):
                answer = reply
        return self.final_text(answer, reply)

    def bound(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """The first call is known; each text that waits for its answer is bounded by itself."""
        question, refine = self.both(query_str, variables)
        waiting = deque(self.pack(question, refine, texts))
        if not waiting:
            return NOTHING
        first = self.bound_batch([question.prompt(self.take(question, waiting))])
        if not waiting:
            return first
        self.require_room_to_refine(refine)
        refining = Refining(self.packer, question, refine)
        return Bounds.in_turn([first, *map(refining.of, waiting)])

    def both(self, query_str: str, variables: Mapping[str, Any]) -> tuple[Filled, Filled]:
        """The template of the first call, and that of the later ones."""
        question = self.filled("text_qa_template", query_str=query_str, **variables)
        return question, self.filled("refine_template", query_str=query_str, **variables)

    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        """Each chunk on its own, cut where it does not fit the larger of the two templates."""
        template = self.packs_by(question, refine)
        padding = self.packer.padding
        return [piece for text in texts for piece in self.packer.repack(template, [text], padding)]

    def packs_by(self, question: Filled, refine: Filled) -> Filled:
        """The template that every text must fit before there is an answer."""
        return self.packer.tighter(question, refine.partial(existing_answer=""))

    def take(self, filled: Filled, waiting: deque[Text]) -> Text:
        """The next text, or as much of it as fits the prompt that is sent."""
        first, *rest = self.packer.fit(filled, waiting.popleft())
        waiting.extendleft(reversed(rest))
        return first

    def require_room_to_refine(self, refine: Filled) -> None:
        """BudgetError where an answer of num_output tokens leaves no room for a chunk."""
        helper = self.prompt_helper
        self.packer.require_answer_room(
            refine, placeholder_answer(helper.tokenizer, helper.num_output)
        )

    def improves(self, reply: Answer) -> bool:
        """Whether the reply takes the place of the answer so far."""
        return reply.satisfied and bool(reply.text)

    def final_text(self, answer: Answer | None, last: Answer | None) -> str:
        """The response, given the best answer and the last reply."""
        return self.ending("" if answer is None else answer.text)


class CompactAndRefine(Refine):
    """As few calls as the chunks fit into, one after the other."""

    mode = "compact"
    summary = "Packs the chunks into as few calls as fit; each later call refines the answer."
    facts = ModeFacts(
        goals={"detail": 1, "summary": 2, "cheapest": 1, "fastest": 1},
        response_source="last_answer",
        chunk_separator=PARAGRAPH,
    )

    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        """All chunks together, cut at what fits the larger of the two templates."""
        template = self.packs_by(question, refine)
        return self.packer.repack(template, texts, self.packer.padding)
