"""The same modes as llama-index-core 0.14.25 really runs them, prompt for prompt.

Each override below is one difference from what the documents promise, under its name:

    query_unreserved        refine packs as if the question were empty
    variables_unreserved    custom variables cost nothing when packing
    unverified              counts of pieces are added up; nobody counts the prompt
    fixed_padding           refine and compact keep 500 tokens free, whatever the window
    biggest_by_characters   "the larger template" has more characters, not more tokens
    compared_as_text        of a selector those of the text count, though the chat is sent
    special_tokens_as_one   `<|endoftext|>` in a chunk counts as one token
    packed_twice            compact and compact_accumulate pack what they packed
    reverse_resplits        a text that is cut again is sent from its end (issue 23155)
    blank_calls             blank chunks, and no chunks at all, cost calls
    endless                 tree_summarize goes on until Python's stack ends (issue 6976)
    list_repr               simple_summarize sends the text as a Python list (PR 22392)
    passed_template         functions of accumulate's template get `template` as well
    blank_truncation        simple_summarize breaks on a long text of white space
    swallowed_errors        refine takes a model's ValueError for "no answer" (issue 21089), and
                            JSON that can't be read
    braces                  an object is what stands from the first brace to the last
    read_by_pieces          refine reads an object while it streams, by its beginnings: what is not
                            JSON from the first character on is no answer, what was cut off is one,
                            and of `output_cls` it takes the text of a field `answer` alone
    reasoning_kept          reasoning in the text of a reply is a part of it
    filtered_as_text        with filtering, the answer is text, and may hold JSON of `output_cls`
    streamed_as_text        tree_summarize asks for no object where it streams
    objects_unasked         simple_summarize and generation ignore `output_cls`
    streamed_blanks         when streaming, an empty answer replaces the one before
    unstreamable            accumulate refuses to stream
    empty_answers           tree_summarize, generation and empty lists give "" back
    uncalled_whole          no_text and context_only give a Response where streaming is asked for

llama-index-core asks for an object by a call of a function, whose arguments are the object, or in
words where the model calls none. Here it is asked for beside the prompt, and the reply is read as
words are.

A stream in which nothing is accepted is a StreamingResponse of the empty answer here, and a
Response there.

Issue numbers are those of https://github.com/run-llama/llama_index.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, groupby
from typing import Any, Unpack

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from typing_extensions import override

from synth.errors import BadResponse, BudgetError, ModelError, NotShrinking, SynthError
from synth.modes.accumulate import Accumulate, CompactAndAccumulate
from synth.modes.base import BaseSynthesizer
from synth.modes.inputs import Options
from synth.modes.refine import CompactAndRefine, Refine
from synth.modes.single_call import ContextOnly, Generation, NoText, SimpleSummarize
from synth.modes.tree_summarize import TreeSummarize
from synth.prompts.packing import JOINT, Filled, Packer, placeholder_answer
from synth.prompts.prompt_helper import PADDING, PromptHelper
from synth.prompts.templates import ChatPromptTemplate, ListedText
from synth.runs.bounds import Bounds
from synth.runs.llm import Completion
from synth.runs.meaning import explain, find_object, meaning_of
from synth.runs.steps import Answer, Call, Meaning, Steps
from synth.text.spans import Document, Segment, Text, join
from synth.text.wording import counted

STACK_LEVELS = 325  # where Python's recursion limit ends a tree, as measured
_MOST_READ = 30_000_000  # characters of all beginnings of a reply that are read, one by one

Partial = BaseModel | Mapping[str, Any]


class PlainPacker(Packer):
    """Packs by the helper's rules alone."""

    margin = PADDING
    counts_exactly = False  # unverified
    default_padding = 500  # fixed_padding

    def __init__(self, helper: PromptHelper, response_padding_size: int | None) -> None:
        super().__init__(helper.with_special_tokens(), response_padding_size)

    def counted(self, filled: Filled) -> ChatPromptTemplate:
        """Return the template whose tokens are taken off the window."""
        return filled.measured

    @override
    def chunk_size(self, filled: Filled, padding: int = PADDING) -> int:
        try:
            return self.helper.chunk_size(self.counted(filled), padding=padding)
        except BudgetError as problem:
            if (answer := filled.template.kwargs.get("existing_answer")) is None:
                raise
            tokens = counted(self.helper.tokenizer.count(str(answer)), "token")
            raise BudgetError(
                f"{problem} The template holds an existing answer of {tokens}."
            ) from None

    @override
    def _repack(self, filled: Filled, texts: Sequence[Text], padding: int) -> list[Text]:
        # unverified, blank_calls: no texts are one empty text
        return self.helper.pack(texts, self.chunk_size(filled, padding))

    @override
    def truncate(self, filled: Filled, texts: Sequence[Text]) -> Text:
        splitter = self.helper.splitter(self.chunk_size(filled))
        cut = splitter.split(join(texts, "\n"))
        if not cut:  # blank_truncation
            raise SynthError("llama-index-core fails here: the chunks are nothing but white space.")
        return write_list(cut[0])

    def choose_tighter(self, one: Filled, other: Filled) -> Filled:
        """Return the template that texts are packed for."""
        return max(one, other, key=_characters)  # biggest_by_characters


def _characters(filled: Filled) -> int:
    measured = filled.measured
    template = measured.default_template or measured  # compared_as_text
    empty = dict.fromkeys(template.template_vars, "")
    return len(template.fill(**empty | measured.kwargs).text)


def write_list(text: Text) -> Text:
    """Write a text as Python shows a list of it (list_repr); plain characters keep their origin."""
    quote = repr(str(text))[0]
    before_marked = re.compile(rf"(?=[{quote}\\])")
    parts, at, start = [f"[{quote}"], 2, 0
    segments: list[Segment] = []
    for printable, run in groupby(str(text), key=str.isprintable):
        for characters in before_marked.split("".join(run)):
            end = start + len(characters)
            if not printable:
                shown = repr(characters)[1:-1]
            else:
                mark = "\\" if characters[:1] in (quote, "\\") else ""
                shown = mark + characters
                kept = text.slice(start, end).placed
                segments += [Segment(at + len(mark) + offset, origin) for offset, origin in kept]
            parts.append(shown)
            at, start = at + len(shown), end
    whole = "".join([*parts, f"{quote}]"])
    return ListedText(Document(whole, tuple(segments)), 0, len(whole))


def read_whole(call: Call, completion: Completion, ends: Sequence[int]) -> Meaning:
    """Read what is from the first brace to the last, as its PydanticOutputParser does (braces)."""
    text = completion.text
    if call.schema is None:
        return Meaning(text)
    if (found := find_object(text)) is None:
        raise BadResponse(f"there is no object in the reply. It begins {text[:80]!r}.")
    try:
        value = call.schema.model_validate_json(found)
    except ValidationError as problem:
        raise BadResponse(explain(problem, completion, text)) from problem
    return meaning_of(call, value)


def read_stream(call: Call, completion: Completion, ends: Sequence[int]) -> Meaning:
    """Read a reply by its pieces, as refine does there while it streams; only its `answer`."""
    if call.schema is None:
        return Meaning(completion.text)
    objects = _objects(call.schema, completion.text, ends)
    if not call.filtered:
        objects = (one for one in objects if _field(one, "answer") is not None)
    decides = "query_satisfied" if call.filtered else "answer"
    first = next((one for one in objects if _field(one, decides) is not None), None)
    if first is None or (not call.filtered and not isinstance(_field(first, "answer"), str)):
        raise BadResponse(f"no piece of the reply ends an object with {decides}.")
    if call.filtered and not _field(first, decides):
        return Meaning("", satisfied=False)
    answer: Any = None
    for one in chain([first], objects):
        answer = _field(one, "answer")
        if not call.filtered and not isinstance(answer, str):
            break  # it fails there
    if not isinstance(answer, str):
        raise ModelError("llama-index-core fails here: what it streams as the answer is no text.")
    return Meaning(answer)


def _objects(schema: type[BaseModel], text: str, ends: Sequence[int]) -> Iterator[Partial]:
    """Give the object after each piece, or its fields while some are missing."""
    latest: Partial = {}
    step = 1 + len(text) * len(ends) // _MOST_READ
    for end in (*ends[step - 1 : -1 : step], len(text)):
        found = _repair(text[:end])
        if found is not None:
            if _fill(schema, found) >= _fill(schema, latest):
                latest = found
            with suppress(ValidationError):  # as long as fields are missing
                latest = schema.model_validate(latest)
        yield latest


def _repair(text: str) -> dict[str, Any] | None:
    closed = text + '"' * (text.count('"') % 2)
    closed += "}" * (text.count("{") - text.count("}"))
    try:
        found = from_json(closed if text.strip() else "{}")
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _fill(schema: type[BaseModel], found: Partial) -> int:
    return sum(_count(_field(found, name)) for name in schema.model_fields)


def _count(value: Any) -> int:
    if isinstance(value, BaseModel):
        value = value.__dict__
    if isinstance(value, Mapping):
        return sum(map(_count, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_count, value))
    return value is not None


def _field(value: Partial, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


class AsLlamaIndex(BaseSynthesizer):
    """What all modes have in common there."""

    behaviour = "llama_index"
    packs_with = PlainPacker
    packer: PlainPacker
    reader = staticmethod(read_whole)  # braces, reasoning_kept

    @property
    @override
    def _answer_form(self) -> type:
        return str  # filtered_as_text

    @override
    def filled(self, name: str, /, **values: Any) -> Filled:
        template = self._prompts[name]
        measured = template.partial_format(query_str=values["query_str"])
        return Filled(name, template.partial_format(**values), measured)  # variables_unreserved

    @override
    def ending(self, text: str) -> str:
        return text  # empty_answers


class LlamaIndexRefine(AsLlamaIndex, Refine):
    """refine there."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        lazily = self.streaming and self._schema is None  # a stream fails outside their try
        self.tolerates = () if lazily else (ValueError, TypeError, BadResponse)  # swallowed_errors
        if self.streaming:
            self.reader = read_stream  # read_by_pieces

    @override
    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Queue the texts; a call takes one, and what does not fit goes back in front."""
        question, refine = self.fill_both(query_str, variables)
        waiting = deque(self.pack(question, refine, texts))
        answer: Answer | None = None
        reply: Answer | None = None
        while waiting:
            if answer is None:
                text = waiting.popleft()
                call = self.call(question, text, final=not waiting, padding=self.packer.padding)
            else:
                held = refine.partial(existing_answer=answer.as_text())
                while len(pieces := self.packer.repack(held, [waiting.popleft()])) > 1:
                    waiting.extendleft(pieces)  # reverse_resplits
                text = pieces[0]
                call = self.call(held, text, final=not waiting, padding=0)
            [reply] = yield [call]
            if self.improves(reply):
                answer = reply
        return self.final_text(answer, reply)

    bound = Refine.bound  # of these steps as well, by `bound_others`

    @override
    def bound_others(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> Bounds:
        """Bound as ours where no text is cut again beside a long answer; else nothing bounds it."""
        bounds = super().bound_others(question, refine, texts)
        tokenizer, num_output = self.prompt_helper.tokenizer, self.prompt_helper.num_output
        answer = placeholder_answer(tokenizer, num_output + 2 * JOINT)
        try:
            size = self.packer.chunk_size(refine.partial(existing_answer=answer))
        except BudgetError:
            size = 0
        largest = max((tokenizer.count(str(text)) for text in texts), default=0)
        return bounds if largest <= size else bounds.or_more()

    @override
    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        template = self.packer.choose_tighter(self._bare(question), self._bare(refine))
        padding = self.packer.padding
        return [part for text in texts for part in self.packer.repack(template, [text], padding)]

    def _bare(self, filled: Filled) -> Filled:
        template = self._prompts[filled.name]
        return Filled(filled.name, template, template)  # query_unreserved

    @override
    def improves(self, reply: Answer) -> bool:
        return reply.satisfied and (self.streaming or bool(reply.text))  # streamed_blanks

    @override
    def final_text(self, answer: Answer | None, last: Answer | None) -> str:
        if answer is None:
            return self.empty_response
        streams = answer is last and self.streaming
        if streams or self.output_cls is not None:  # streamed_blanks
            return answer.text
        return answer.text or self.empty_response


class LlamaIndexCompact(LlamaIndexRefine, CompactAndRefine):
    """compact there."""

    @override
    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        filled = self.packer.choose_tighter(question, refine)
        together = self.packer.repack(filled, texts, self.packer.padding)
        return LlamaIndexRefine.pack(self, question, refine, together)  # packed_twice


class LlamaIndexTree(AsLlamaIndex, TreeSummarize):
    """tree_summarize there."""

    @override
    def call(self, *args: Any, final: bool = False, **options: Any) -> Call:
        call = super().call(*args, final=final, **options)
        as_text = final and self.streaming  # streamed_as_text
        return replace(call, schema=None, verbatim=True) if as_text else call

    @override
    def require_shrinking(self, levels: Sequence[Sequence[Text]]) -> None:
        if len(levels) > STACK_LEVELS:  # endless
            raise NotShrinking(
                f"llama-index-core ends here with a RecursionError, after {STACK_LEVELS} levels:"
                " the answers are as long as what they summarize."
            )


class _AsText(AsLlamaIndex):
    @override
    def configure(self, prompt_helper: PromptHelper | None, **options: Unpack[Options]) -> None:
        super().configure(prompt_helper, **options)
        self.output_cls = None  # objects_unasked


class LlamaIndexSimple(_AsText, SimpleSummarize):
    """simple_summarize there."""

    @override
    def ending(self, text: str) -> str:
        return text if self.streaming else text or self.empty_response  # streamed_blanks


class LlamaIndexAccumulate(AsLlamaIndex, Accumulate):
    """accumulate there."""

    @override
    def pack(self, template: Filled, texts: Sequence[Text]) -> list[Text]:
        if self.streaming:  # unstreamable
            raise SynthError("llama-index-core can't stream in accumulate modes: switch it off.")
        return Accumulate.pack(self, template, texts)

    @override
    def filled(self, name: str, /, **values: Any) -> Filled:
        filled, own = super().filled(name, **values), self._prompts[name]
        if not own.function_mappings:
            return filled
        bare = own.partial_format(query_str="{query_str}")  # passed_template
        return Filled(name, filled.template.partial_format(template=bare), filled.measured)

    @override
    def format_answer(self, answer: Answer) -> str:
        if self.output_cls is None or not answer.text:
            return super().format_answer(answer)
        try:
            return str(self.output_cls.model_validate_json(answer.text))
        except ValidationError:  # a plan's answer, or one that was edited
            return answer.text


class LlamaIndexCompactAccumulate(LlamaIndexAccumulate, CompactAndAccumulate):
    """compact_accumulate there."""

    @override
    def pack(self, template: Filled, texts: Sequence[Text]) -> list[Text]:
        together = CompactAndAccumulate.pack(self, template, texts)
        return LlamaIndexAccumulate.pack(self, template, together)  # packed_twice


class LlamaIndexGeneration(_AsText, Generation):
    """generation there."""


class LlamaIndexNoText(_AsText, NoText):
    """no_text there."""

    streams = False  # uncalled_whole


class LlamaIndexContextOnly(_AsText, ContextOnly):
    """context_only there."""

    streams = False  # uncalled_whole


LLAMA_INDEX: dict[str, type[BaseSynthesizer]] = {
    synthesizer.mode: synthesizer
    for synthesizer in (
        LlamaIndexRefine,
        LlamaIndexCompact,
        LlamaIndexTree,
        LlamaIndexSimple,
        LlamaIndexAccumulate,
        LlamaIndexCompactAccumulate,
        LlamaIndexGeneration,
        LlamaIndexNoText,
        LlamaIndexContextOnly,
    )
}
