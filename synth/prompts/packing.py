"""Packing texts so that every prompt fits the window, proved by a count of the whole prompt.

The helper's rules add up the counts of pieces. Joining and stripping can add a few tokens
to that, and a template may hold the chunk text or an answer twice. So a packed text is
counted in the very prompt that would carry it, its chat template included, and where it is
over, packed again with that much less room, which is rarely needed. All counts are those of the
helper's tokenizer, and are as sure as that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import is_
from typing import ClassVar, NamedTuple, Self

from synth.errors import BudgetError, TemplateError
from synth.prompts.prompt import Prompt
from synth.prompts.templates import TEMPLATES, ChatPromptTemplate, Value
from synth.prompts.window import PADDING, PromptHelper
from synth.text.spans import Document, Text, join
from synth.text.splitter import ExactTextSplitter, TokenTextSplitter

LEAST_ROOM = 16  # tokens; with less for a chunk, a run would be all template
_REMEMBERED = 8  # packings, for the levels of two trees


@dataclass(frozen=True)
class Filled:
    """A template with its values in place, all but the chunk text.

    `measured` is the template that packing counts; the same one, in documented behaviour.
    """

    name: str
    template: ChatPromptTemplate
    measured: ChatPromptTemplate
    notes: tuple[str, ...] = ()

    @property
    def context(self) -> str:
        """The variable that the chunk text has in templates of this name."""
        return TEMPLATES[self.name].context or "context_str"

    @property
    def uses(self) -> int:
        """How often the chunk text enters the template."""
        return self.template.uses(self.context)

    def partial(self, /, **values: Value) -> Self:
        """With more values in place."""
        template = self.template.partial_format(**values)
        same = self.measured is self.template
        measured = template if same else self.measured.partial_format(**values)
        return replace(self, template=template, measured=measured)

    def sends_like(self, other: Self) -> bool:
        """Whether both send and measure equal prompts, and are named alike in errors."""
        return (
            (self.name, self.notes) == (other.name, other.notes)
            and self.template.fills_like(other.template)
            and self.measured.fills_like(other.measured)
        )

    @cached_property
    def bare(self) -> Prompt:
        """The prompt without any chunk text."""
        return self.prompt("")

    def prompt(self, text: Text | str | None) -> Prompt:
        """The prompt that carries this chunk text; with None its variable stays as it stands."""
        if not isinstance(text, Text):
            return self.template.fill(**({} if text is None else {self.context: text}))
        view = (text.document, text.start, text.end)
        if view not in self._prompts:  # a text is tried, and sent once it fits
            self._prompts[view] = self.template.fill(**{self.context: text})
        return self._prompts[view]

    @cached_property
    def _prompts(self) -> dict[tuple[Document, int, int], Prompt]:
        return {}


class _Packing(NamedTuple):
    """What texts were packed into for a template."""

    filled: Filled
    texts: list[Text]
    padding: int
    packed: list[Text]

    def is_of(self, filled: Filled, texts: list[Text], padding: int) -> bool:
        return (
            padding == self.padding
            and len(texts) == len(self.texts)
            and all(map(is_, texts, self.texts))
            and filled.sends_like(self.filled)
        )


class Packer:
    """Packs for one prompt helper; `padding` is what refine and compact leave for the answer."""

    counts_exactly: ClassVar[bool] = True  # each prompt before it is sent, each part of a cut
    splits_with: ClassVar[type[TokenTextSplitter]] = ExactTextSplitter

    def __init__(self, helper: PromptHelper, response_padding_size: int | None) -> None:
        self.helper = helper
        self.padding = (
            self.default_padding if response_padding_size is None else response_padding_size
        )
        if helper.chunk_overlap_ratio >= 1:
            self.refuse_overlap()
        self._packings: tuple[_Packing, ...] = ()
        # What `_lacking` says of the latest answer: all answers of a plan are alike.
        self._held: tuple[Filled, str, int] | None = None

    @property
    def default_padding(self) -> int:
        """500 tokens, or an eighth of the window where that is less."""
        return min(500, self.helper.context_window // 8)

    @property
    def limit(self) -> int:
        """Tokens that a prompt may have."""
        return self.helper.context_window - self.helper.num_output

    def refuse_overlap(self) -> None:
        """BudgetError: with an overlap of whole chunks each call moves on by one word."""
        raise BudgetError(
            f"An overlap of {self.helper.chunk_overlap_ratio:g} repeats all of every chunk, so"
            " that each call moves on by a single word: give 0.5 or less."
        )

    def require_context(self, filled: Filled) -> None:
        """TemplateError where the chunk text would never enter the prompt."""
        if filled.uses:
            return
        wrong = {"context_str", "context_msg"}.intersection(filled.template.template_vars)
        hint = f" It has {{{wrong.pop()}}}, which is not passed there." if wrong else ""
        raise TemplateError(
            f"{filled.name} never receives the chunk text: put {{{filled.context}}} where it"
            f" belongs.{hint}"
        )

    def used(self, filled: Filled) -> int:
        """Tokens of the prompt before any chunk text."""
        return filled.bare.tokens(self.helper.tokenizer)

    def room(self, filled: Filled, padding: int = PADDING) -> int:
        """Tokens for the chunk text at each place where it enters the template.

        BudgetError for fewer than LEAST_ROOM.
        """
        used = self.used(filled)
        room = (self.limit - used) // filled.uses - padding
        if room < LEAST_ROOM:
            lowered = "the answer length or the safety margin" if padding else "the answer length"
            raise BudgetError(
                f"Before any chunk {filled.name} needs {used:,} of {self.helper.context_window:,}"
                f" tokens, the answer length (num_output) is {self.helper.num_output:,} and the"
                f" safety margin (padding) {padding:,}: that leaves {max(room, 0):,} for a chunk,"
                f" and {LEAST_ROOM} is the least. Shorten the template, the question or the"
                f" variables, raise the window, or lower {lowered}."
            )
        return room

    def chunk_size(self, filled: Filled, padding: int = PADDING) -> int:
        """Tokens that `repack` fills a text up to; BudgetError if too few."""
        return self.helper.limited(self.room(filled, padding))

    def repack(self, filled: Filled, texts: Sequence[Text], padding: int = PADDING) -> list[Text]:
        """All texts joined and cut into as few as fit; none where only white space is left."""
        self.require_context(filled)
        present = [text for text in texts if str(text).strip()]
        if not present:
            return []
        if len(present) == 1:
            return self._repack(filled, present, self.room(filled, padding))
        # A plan for short answers, one for long answers and the bounds all pack the same chunks.
        for known in self._packings:
            if known.is_of(filled, present, padding):
                return list(known.packed)
        packed = self._repack(filled, present, self.room(filled, padding))
        latest = _Packing(filled, present, padding, packed)
        self._packings = (latest, *self._packings[: _REMEMBERED - 1])
        return list(packed)

    def _repack(self, filled: Filled, texts: Sequence[Text], room: int) -> list[Text]:
        def pack(size: int) -> list[Text]:
            return self.helper.pack(texts, size, self.splits_with)

        return self._cut(filled, room, pack)

    def keeps_whole(
        self, filled: Filled, tokens: int, prompt_tokens: int, padding: int = PADDING
    ) -> bool:
        """Whether `repack` is certain to leave each text whole, if none is larger than this.

        `tokens` are those of the largest text, `prompt_tokens` those of the largest prompt.
        """
        self.require_context(filled)
        return tokens <= self.chunk_size(filled, padding) and prompt_tokens <= self.limit

    def whole_up_to(self, filled: Filled) -> int:
        """Tokens that a text may have so that the prompt takes it whole, joints not counted."""
        return (self.limit - self.used(filled)) // filled.uses

    def fit(self, filled: Filled, text: Text) -> list[Text]:
        """The text as it is where its prompt fits, else cut into texts that fit."""
        if not self._excess(filled, text):
            return [text]
        return self._repack(filled, [text], self.room(filled, padding=0))

    def truncate(self, filled: Filled, texts: Sequence[Text]) -> Text | None:
        """The texts line by line, cut at what fits one prompt; None if only white space."""
        self.require_context(filled)
        whole = join(texts, "\n").strip()
        if not len(whole):
            return None

        def begin(size: int) -> list[Text]:
            return [self.helper.splitter(size, self.splits_with).first(whole)]

        return self._cut(filled, self.room(filled), begin)[0]

    def _cut(self, filled: Filled, room: int, cut: Callable[[int], list[Text]]) -> list[Text]:
        """What `cut` makes with the largest size, in tokens, at which each prompt fits."""
        while room > 0:
            packed = cut(self.helper.limited(room))
            excess = max(self._excess(filled, text) for text in packed)
            if not excess:
                return packed
            room = min(room, self.helper.limited(room)) - excess
        raise BudgetError(
            f"No cut of the chunks fits {filled.name} into {self.helper.context_window:,} tokens:"
            " raise the window, or look at what its function_mappings make of the text."
        )

    def _excess(self, filled: Filled, text: Text) -> int:
        """Tokens by which the prompt with this text is over the limit."""
        prompt = filled.prompt(text)
        if prompt.fits(self.helper.tokenizer, self.limit):
            return 0
        return prompt.tokens(self.helper.tokenizer) - self.limit

    def require_fit(self, prompt: Prompt, name: str) -> None:
        """BudgetError where a prompt without chunk text is over the limit."""
        used = prompt.tokens(self.helper.tokenizer)
        if used > self.limit:
            raise BudgetError(
                f"{name} with the question needs {used:,} tokens and the answer length"
                f" (num_output) is {self.helper.num_output:,}, in a window of"
                f" {self.helper.context_window:,}: shorten the question, or raise the window."
            )

    def tighter(self, one: Filled, other: Filled) -> Filled:
        """The template that leaves less room for the chunk text; the first of two alike."""
        self.require_context(one)
        self.require_context(other)
        return min(one, other, key=self.whole_up_to)

    def require_answer_room(self, refine: Filled, placeholder: str) -> None:
        """BudgetError where an answer of num_output tokens would leave no room for a chunk."""
        try:
            self.room(refine.partial(existing_answer=placeholder), padding=0)
        except BudgetError as problem:
            raise BudgetError(
                f"With an existing answer of {self.helper.num_output:,} tokens (num_output)"
                f" in it: {problem}"
            ) from None

    def hold(self, refine: Filled, answer: Text) -> Filled:
        """The refine template with the existing answer in it.

        A model may write more than num_output; the answer is then cut, just enough that a
        chunk still fits, and a note says so.
        """
        held = refine.partial(existing_answer=answer)
        tokens = self.helper.tokenizer.count(str(answer))
        known = self._held  # another thread may put its own there meanwhile
        if known is None or known[0] is not refine or known[1] != str(answer):
            known = self._held = (refine, str(answer), self._lacking(held))
        lacking = known[2]
        kept_tokens = tokens
        while lacking > 0 and len(answer):
            kept_tokens = max(kept_tokens - lacking, 0)
            splitter = self.helper.splitter(max(kept_tokens, 1), self.splits_with)
            answer = splitter.split(answer)[0] if kept_tokens else answer.slice(0, 0)
            held = refine.partial(existing_answer=answer)
            lacking = self._lacking(held)
        if kept_tokens == tokens:
            return held
        left = self.helper.tokenizer.count(str(answer))
        note = f"existing answer cut from {tokens:,} to {left:,} tokens, so that a chunk fits"
        return replace(held, notes=(*held.notes, note))

    def _lacking(self, held: Filled) -> int:
        """Tokens that the existing answer has too many, so that no chunk fits beside it."""
        return LEAST_ROOM - self.whole_up_to(held)
