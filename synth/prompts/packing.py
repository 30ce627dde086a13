"""Packing texts so that every prompt fits the window, as the count of the whole prompt proves.

A text is filled with chunks as long as the very prompt that would carry it fits, its chat template
included, so templates may hold the chunk text or an answer twice, and functions may change either.
All counts are those of the helper's tokenizer, and are as sure as that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import ClassVar

from synth.errors import BudgetError, TemplateError, whole
from synth.lazy import defer
from synth.prompts.prompt import Prompt
from synth.prompts.prompt_helper import PARAGRAPH, PromptHelper
from synth.prompts.templates import TEMPLATES, ChatPromptTemplate, Value
from synth.text.spans import Text, join
from synth.text.splitter import TextFiller
from synth.text.tokenizer import Tokenizer

_LONGEST_ANSWER = 1_000_000  # tokens, about 7 MB, that a plan assumes
_REMEMBERED = 8  # packings, for the levels of two trees
_MOST_CHARACTERS = 8  # a token, up to which a text is worth counting as a whole
LEAST_ROOM = 16  # tokens; with less for a chunk, a run would be all template
JOINT = 4
"""Tokens by which the count of two joined texts may differ from the sum of theirs, at the most:
more than any joint was seen to make, and tests/invariants/test_bounds.py goes on looking."""


@dataclass(frozen=True)
class Filled:
    """A template with all values but chunk text; `measured` is the one that packing counts."""

    name: str
    template: ChatPromptTemplate
    measured: ChatPromptTemplate
    notes: tuple[str, ...] = ()

    @property
    def context(self) -> str:
        """Return the variable that the chunk text has in templates of this name."""
        return TEMPLATES[self.name].context or "context_str"

    @defer
    def uses(self) -> int:
        """Count how often the chunk text enters the template."""
        return self.template.uses(self.context)

    def partial(self, /, **values: Value) -> Filled:
        """Put more values in place."""
        template = self.template.partial_format(**values)
        same = self.measured is self.template
        measured = template if same else self.measured.partial_format(**values)
        return Filled(self.name, template, measured, self.notes)

    @defer
    def bare(self) -> Prompt:
        """Return the prompt without any chunk text."""
        return self.prompt("")

    def prompt(self, text: Text | str | None) -> Prompt:
        """Make the prompt that carries this chunk text; with None its variable stays as it is."""
        if text is None:
            return self.template.fill()
        latest = self._latest.get("prompt")  # which packing has counted, and a call sends
        if latest is None or latest[0] is not text:
            latest = self._latest["prompt"] = (text, self.template.fill(**{self.context: text}))
        return latest[1]

    @defer
    def _latest(self) -> dict[str, tuple[Text | str, Prompt]]:
        return {}

    def tokens(self, text: str, tokenizer: Tokenizer) -> int:
        """Count the prompt that carries this stripped text, without making its spans."""
        if self.template.function_mappings or tokenizer.asks or not text:
            return self.prompt(text).tokens(tokenizer)
        if tokenizer not in self._around:
            self._around[tokenizer] = self._texts_around(tokenizer)
        extra_tokens, runs = self._around[tokenizer]
        return extra_tokens + sum(tokenizer.count(text.join(around)) for around in runs)

    def _texts_around(self, tokenizer: Tokenizer) -> tuple[int, list[list[str]]]:
        """What is read around the chunk text in each part that is read as one, and extra tokens."""
        runs = []
        for run in self.prompt("\0").runs(tokenizer):
            around = [""]
            for span in run:
                if span.name == self.context:
                    around.append("")
                else:
                    around[-1] += str(span.text)
            runs.append(around)
        return self.bare.extra_tokens(tokenizer), runs

    @defer
    def _around(self) -> dict[Tokenizer, tuple[int, list[list[str]]]]:
        return {}


class Packer:
    """Packs for one helper; refine leaves `padding` free in a prompt, others the `margin`."""

    margin: ClassVar[int] = 0
    counts_exactly: ClassVar[bool] = True  # each prompt before it is sent
    default_padding: ClassVar[int] = 0

    def __init__(self, helper: PromptHelper, response_padding_size: int | None) -> None:
        self.helper = helper
        self.padding = (
            self.default_padding if response_padding_size is None else response_padding_size
        )
        if self.counts_exactly and helper.chunk_overlap_ratio >= 1:
            raise BudgetError(
                f"An overlap of {helper.chunk_overlap_ratio:g} repeats all of every chunk, so"
                " that each call moves on by a single word: give 0.5 or less."
            )
        self._packings: dict[Hashable, list[Text]] = {}

    @property
    def limit(self) -> int:
        """Count the tokens that a prompt may have."""
        return self.helper.context_window - self.helper.most_output

    def require_context(self, filled: Filled) -> None:
        """Raise TemplateError where the chunk text would never enter the prompt."""
        if filled.uses:
            return
        wrong = {"context_str", "context_msg"}.intersection(filled.template.template_vars)
        hint = f" It has {{{wrong.pop()}}}, which is not passed there." if wrong else ""
        raise TemplateError(
            f"{filled.name} never receives the chunk text: put {{{filled.context}}} where it"
            f" belongs.{hint}"
        )

    def count_used(self, filled: Filled) -> int:
        """Count the tokens of the prompt before any chunk text."""
        return filled.bare.tokens(self.helper.tokenizer)

    def room(self, filled: Filled, padding: int = 0) -> int:
        """Return the tokens for each chunk text; BudgetError for fewer than LEAST_ROOM."""
        self.require_context(filled)
        used = self.count_used(filled)
        room = (self.limit - used) // filled.uses - padding
        if room < LEAST_ROOM:
            margin = f" and the safety margin (padding) {padding:,}" if padding else ""
            lowered = "the answer length or the safety margin" if padding else "the answer length"
            raise BudgetError(
                f"Before any chunk {filled.name} needs {used:,} of {self.helper.context_window:,}"
                f" tokens, {self.helper.describe_output()}{margin}:"
                f" that leaves {max(room, 0):,} for a chunk, and {LEAST_ROOM} is the least. Shorten"
                " the template, the question or the variables, raise the window, or lower"
                f" {lowered}."
            )
        return room

    def chunk_size(self, filled: Filled, padding: int = 0) -> int:
        """Count the tokens that a text may have about; BudgetError if too few."""
        return self.helper.limit(self.room(filled, padding))

    def repack(
        self, filled: Filled, texts: Sequence[Text], padding: int | None = None
    ) -> list[Text]:
        """Join all texts, and cut them into as few as fit; none where only white space is left."""
        padding = self.margin if padding is None else padding
        pack = partial(self._repack, filled, texts, padding)
        return self._recall(texts, (padding,), [filled], pack)

    def _repack(self, filled: Filled, texts: Sequence[Text], padding: int) -> list[Text]:
        self.require_context(filled)
        parts = (self.cut(text, filled, padding=padding) for text in self.join_texts(texts))
        return list(chain.from_iterable(parts))

    def _recall(
        self,
        texts: Sequence[Text],
        options: tuple[int, ...],
        templates: list[Filled],
        pack: Callable[[], list[Text]],
    ) -> list[Text]:
        if len(texts) < 2 or any(filled.template.function_mappings for filled in templates):
            return pack()
        around = tuple(filled.prompt("\0").text for filled in templates)
        key = options, around, tuple(texts)
        parts = self._packings.get(key)
        if parts is None:
            parts = pack()
            latest = [*self._packings.items(), (key, parts)]
            self._packings = dict(latest[-_REMEMBERED:])
        return list(parts)

    def join_texts(self, texts: Sequence[Text]) -> list[Text]:
        """Join the texts with blank lines between them; none where only white space is left."""
        present = _present(texts)
        return [join(present, PARAGRAPH)] if present else []

    def cut(self, text: Text, *templates: Filled, padding: int = 0) -> list[Text]:
        """Cut a text into as few parts as fit each template's prompt; the tightest stands first."""
        size = min(self.chunk_size(filled, padding) for filled in templates)
        if len(text) <= _MOST_CHARACTERS * size and self._excess(templates, text, padding) <= 0:
            return [text.strip()] if str(text).strip() else []
        parts = list(self._filler(templates[:1], padding).split(text))
        if any(self._excess(templates[1:], part, padding) > 0 for part in parts):
            parts = list(self._filler(templates, padding).split(text))
        for part in parts:
            self._require_cut(part, templates, padding)
        return parts

    def cut_in_turn(
        self, question: Filled, refine: Filled, texts: Sequence[Text], together: bool
    ) -> list[Text]:
        """Cut texts into as few parts as fit: the first beside the question, all of that room.

        Each later one fits beside an answer of num_output tokens and the question asked again, so
        how many there are depends on no answer. BudgetError where such an answer leaves no room.
        """
        cut = partial(self._cut_in_turn, question, refine, texts, together)
        return self._recall(texts, (self.padding, together), [question, refine], cut)

    def _cut_in_turn(
        self, question: Filled, refine: Filled, texts: Sequence[Text], together: bool
    ) -> list[Text]:
        padding = self.padding
        self.require_context(question)
        self.require_context(refine)
        present = self.join_texts(texts) if together else _present(texts)
        if not present:
            return []
        [text, *others] = present
        end = self._filler([question], padding).find_end(text)
        first = Text(text.document, text.start, end).strip()
        self._require_cut(first, [question], padding)
        if end == text.end and not others:
            return [first]
        held = self.with_longest_answer(refine)
        if end < text.end:  # the overlap is a share of the room of those that repeat it
            others = [self._filler([held, question], padding).leave(text, end), *others]
        parts = (self.cut(rest, held, question, padding=padding) for rest in others)
        return [first, *chain.from_iterable(parts)]

    def truncate(self, filled: Filled, texts: Sequence[Text]) -> Text | None:
        """Return the texts line by line, cut at what fits one prompt; None if only white space."""
        self.require_context(filled)
        whole = join(texts, "\n").strip()
        if not len(whole):
            return None
        part, _ = self._filler([filled], 0).split_off(whole)
        self._require_cut(part, [filled], 0)
        return part

    def _require_cut(self, part: Text, templates: Sequence[Filled], padding: int) -> None:
        if len(part) == 1 and self._excess(templates, part, padding) > 0:
            raise BudgetError(
                f"No cut of the chunks fits {templates[0].name} into"
                f" {self.helper.context_window:,} tokens: raise the window, or look at what its"
                " function_mappings make of the text."
            )

    def _filler(self, templates: Sequence[Filled], padding: int) -> TextFiller:
        size = min(self.chunk_size(filled, padding) for filled in templates)
        return TextFiller(
            partial(self._excess, templates, padding=padding),
            room=size,
            overlap=int(self.helper.chunk_overlap_ratio * size),
            tokenizer=self.helper.tokenizer.text_only,
            separator=self.helper.separator,
        )

    def _excess(self, templates: Sequence[Filled], text: Text, padding: int) -> int:
        """Return by how many tokens a text is too long for one of these prompts."""
        tokenizer, string = self.helper.tokenizer, str(text).strip()
        excess = -self.limit
        if (most := self.helper.chunk_size_limit) is not None:
            excess = tokenizer.count(string) - most
        for filled in templates:
            tokens = filled.tokens(string, tokenizer)
            excess = max(excess, tokens + padding * filled.uses - self.limit)
        return excess

    def require_fit(self, prompt: Prompt, name: str) -> None:
        """Raise BudgetError where a prompt that is counted exactly is over the limit."""
        used = prompt.tokens(self.helper.tokenizer)
        if self.counts_exactly and used > self.limit:
            raise BudgetError(
                f"{name} with the question needs {used:,} tokens and"
                f" {self.helper.describe_output()}, in a window of"
                f" {self.helper.context_window:,}: shorten the question, or raise the window."
            )

    def with_longest_answer(self, refine: Filled) -> Filled:
        """Fill refine with an answer of num_output tokens; BudgetError where no chunk fits then."""
        helper = self.helper
        answer = placeholder_answer(helper.tokenizer, helper.num_output + JOINT)
        held = refine.partial(existing_answer=answer)
        try:
            self.room(held, self.padding)
        except BudgetError as problem:
            raise BudgetError(
                f"With an existing answer of {helper.num_output + JOINT:,} tokens (num_output and"
                f" {JOINT} to spare) in it: {problem}"
            ) from None
        return held

    def hold(self, refine: Filled, answer: Text, text: Text) -> Filled:
        """Return the refine template with the existing answer in it, for this chunk text.

        A model may write more than num_output; the answer is then cut, just enough that the chunk
        fits, and a note says so. BudgetError where the chunk does not fit beside an empty answer.
        """

        def excess(part: Text) -> int:
            return self._excess([refine.partial(existing_answer=part)], text, padding=0)

        held = refine.partial(existing_answer=answer)
        over = held.prompt(text).tokens(self.helper.tokenizer) - self.limit
        if over <= 0:
            return held
        tokenizer = self.helper.tokenizer
        tokens = tokenizer.count(str(answer))
        filler = TextFiller(excess, max(1, tokens - over), 0, tokenizer)
        short, _ = filler.split_off(answer)
        if excess(short) > 0:
            short = answer.slice(0, 0)
        held = refine.partial(existing_answer=short)
        self.require_fit(held.prompt(text), held.name)
        left = tokenizer.count(str(short))
        note = f"existing answer cut from {tokens:,} to {left:,} tokens, so that a chunk fits"
        return replace(held, notes=(*held.notes, note))


def _present(texts: Sequence[Text]) -> list[Text]:
    return [text for text in (text.strip() for text in texts) if len(text)]


def placeholder_answer(tokenizer: Tokenizer, tokens: int) -> str:
    """Return a text of that many tokens for plans; BudgetError for more than a plan can assume."""
    name = "The length of an assumed answer (answer_tokens, else num_output)"
    tokens = whole(name, tokens, most=_LONGEST_ANSWER, error=BudgetError)
    text = (" answer" * tokens).lstrip()
    # A tokenizer may cut words smaller, and count a token for no text at all.
    while text and (counted := tokenizer.count(text)) > tokens:
        text = text[: len(text) * tokens // counted]
    return text
