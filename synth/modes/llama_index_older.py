"""The modes as llama-index-core before 0.14.22 ran them: that version wrote refine anew.

Each override below is one difference from llama_index.py, under its name:

    narrow_padding          refine and compact keep 5 tokens free, as the others do, and no setting
                            says another number
    names_counted           in messages of a chat a variable without a value counts as its name
    cut_in_turn             refine and compact cut a text when its turn comes, to what fits beside
                            the answer by then, and send its parts in order
    same_answer             the parts of a text are sent beside the answer before the first of them,
                            unless they are streamed
    empty_refined           an empty answer replaces the one before; after the first text it is
                            "Empty Response", and that is refined

A text beside whose answer 0 to 4 tokens are free is refused here, and left out there. Where it
streams, filtering and `output_cls` do what they do in llama_index.py: filtering was refused there,
and the class ignored.
query_unreserved, fixed_padding, reverse_resplits, passed_template and read_by_pieces came with it.
The sources of 0.11.23 to 0.14.21 were compared.
"""

from collections import deque
from collections.abc import Generator, Sequence
from typing import Any

from typing_extensions import override

from synth.modes.base import BaseSynthesizer
from synth.modes.llama_index import (
    LLAMA_INDEX,
    AsLlamaIndex,
    LlamaIndexAccumulate,
    LlamaIndexCompact,
    LlamaIndexCompactAccumulate,
    LlamaIndexRefine,
    LlamaIndexSimple,
    LlamaIndexTree,
    PlainPacker,
)
from synth.prompts.packing import Filled
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
from synth.runs.steps import Answer, Call, Steps
from synth.text.spans import Text

BEHAVIOUR = "llama_index_before_0.14.22"
AnswerSteps = Generator[list[Call], list[Answer], Answer]


class OlderPacker(PlainPacker):
    """Packs as before 0.14.22."""

    @override
    def counted(self, filled: Filled) -> ChatPromptTemplate:
        measured = filled.measured
        if isinstance(measured, PromptTemplate):
            return measured
        chat = ChatPromptTemplate(measured.message_templates)
        names = {name: f"{{{name}}}" for name in chat.template_vars}  # names_counted
        return chat.partial_format(**names | measured.kwargs)


class BeforeRewrite(AsLlamaIndex):
    """What all modes have in common before 0.14.22."""

    behaviour = BEHAVIOUR
    packs_with = OlderPacker
    packer: OlderPacker


class OlderRefine(BeforeRewrite, LlamaIndexRefine):
    """refine before 0.14.22."""

    @override
    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Ask with one text after the other, cut beside the answer that is there by then."""
        question, refine = self.fill_both(query_str, variables)
        waiting = deque(self.pack(question, refine, texts))
        first = waiting.popleft()
        answer = yield from self._ask(question, refine, first, final=not waiting)
        while waiting:
            text = waiting.popleft()
            answer = yield from self._refine(refine, answer, text, final=not waiting)
        return self.final_text(answer, answer)

    def _ask(self, question: Filled, refine: Filled, text: Text, *, final: bool) -> AnswerSteps:
        """Ask the question with the parts of a text until one is accepted, then refine."""
        answer: Answer | None = None
        waiting = deque(self.packer.repack(question, [text]))
        while waiting:
            part = waiting.popleft()
            ends = final and not waiting
            if answer is not None:
                answer = yield from self._refine(refine, answer, part, final=ends)
                continue
            [reply] = yield [self.call(question, part, final=ends)]
            answer = reply if reply.satisfied else None
        if answer is None or not (self.streaming or answer.text):
            return Answer(reply.number, self.empty_response)  # empty_refined
        return answer

    def _refine(self, refine: Filled, answer: Answer, text: Text, *, final: bool) -> AnswerSteps:
        """Refine the answer with all parts of a text."""
        held = refine.partial(existing_answer=answer.as_text())
        waiting = deque(self.packer.repack(held, [text]))
        while waiting:
            part = waiting.popleft()
            ends = final and not waiting
            [reply] = yield [self.call(held, part, final=ends)]
            if reply.satisfied:
                answer = reply
            if self.streaming:  # same_answer
                held = refine.partial(existing_answer=answer.as_text())
        return answer

    @override
    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        return list(texts) or [Text.of("")]


class OlderCompact(OlderRefine, LlamaIndexCompact):
    """compact before 0.14.22."""

    @override
    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        filled = self.packer.choose_tighter(question, refine)
        return self.packer.repack(filled, texts)


class OlderTree(BeforeRewrite, LlamaIndexTree):
    """tree_summarize before 0.14.22."""


class OlderSimple(BeforeRewrite, LlamaIndexSimple):
    """simple_summarize before 0.14.22."""


class OlderAccumulate(BeforeRewrite, LlamaIndexAccumulate):
    """accumulate before 0.14.22."""

    @override
    def filled(self, name: str, /, **values: Any) -> Filled:
        return AsLlamaIndex.filled(self, name, **values)


class OlderCompactAccumulate(OlderAccumulate, LlamaIndexCompactAccumulate):
    """compact_accumulate before 0.14.22."""


OLDER_LLAMA_INDEX: dict[str, type[BaseSynthesizer]] = {
    **LLAMA_INDEX,
    "refine": OlderRefine,
    "compact": OlderCompact,
    "tree_summarize": OlderTree,
    "simple_summarize": OlderSimple,
    "accumulate": OlderAccumulate,
    "compact_accumulate": OlderCompactAccumulate,
}
