"""The sums that several lessons write out: room for chunks, chunks one by one, levels of a tree."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil

from synth.modes.llama_index import PlainPacker
from synth.prompts.packing import JOINT, placeholder_answer
from synth.prompts.window import PARAGRAPH
from synth.runs.calls import PlacedCall
from synth.runs.trace import Plan, Trace
from synth.text.spans import Text
from synth.text.tokens import get_tokenizer
from synth.text.wording import counted
from ui.pages.learn.lessons.lesson import Choice, LessonFacts, Solution, Sum, SumLine
from ui.settings.request import Request


@dataclass(frozen=True)
class Room:
    """The room for chunks in one call, and what takes the rest of the window; all in tokens.

    `answer` is for the answer so far. `of_two` says that the template is the larger of the two, by
    which LlamaIndex packs for all calls of a chain.
    """

    template_name: str
    of_two: bool
    template: int
    query: int
    variables: tuple[tuple[str, int], ...]
    answer: int
    padding: int
    for_chunks: int


def room_of(request: Request, *, later: bool = False) -> Room:
    """The room that the packer computes for the first call, or for each `later` one of a chain.

    BudgetError where there is too little of it.
    """
    synthesizer = request.synthesizer()
    count = synthesizer.prompt_helper.tokenizer.count
    packer, names = synthesizer.packer, synthesizer.templates
    values = {"query_str": request.query_str, **dict(request.variables)}
    filled = [synthesizer.filled(name, **values) for name in names]
    padding = packer.padding if len(filled) > 1 else packer.margin
    of_two = isinstance(packer, PlainPacker) and len(filled) > 1
    variables, answer = request.variables, 0
    if isinstance(packer, PlainPacker):
        bare = [one.partial(existing_answer="") for one in filled]
        used = packer.choose_tighter(*bare) if of_two else filled[0]
        for_chunks = packer.helper.chunk_size(used.measured, padding=padding)
        variables = ()  # LlamaIndex leaves them out when it packs
    elif later and len(filled) > 1:
        used, answer = (packer.with_longest_answer(filled[-1]), request.num_output + JOINT)
        for_chunks = packer.room(used, padding)
    else:
        used = filled[0]
        for_chunks = packer.room(used, padding)
    query, counts = (
        count(request.query_str),
        tuple((name, count(text)) for name, text in variables),
    )
    others = query + answer + sum(tokens for _, tokens in counts)
    template = request.context_window - request.num_output - padding - for_chunks - others
    return Room(used.name, of_two, template, query, counts, answer, padding, for_chunks)


def room_sum(request: Request, *, later: bool = False) -> Sum:
    """The window, minus everything in it that is not for chunks."""
    room = room_of(request, later=later)
    template, call = "", "one call"
    if room.of_two:
        template = f"{room.template_name}, the larger of the two"
    elif len(request.synthesizer().templates) > 1:  # a chain
        template, call = (room.template_name, "each further call" if later else "the first call")
    parts = (
        SumLine("−", "template", room.template, template),
        SumLine("−", "question", room.query),
        *(SumLine("−", f"{name}, your variable", tokens) for name, tokens in room.variables),
        SumLine("−", "answer so far, at most", room.answer, "with what joining it may add"),
        SumLine("−", "room for the answer", request.num_output),
        SumLine("−", "safety margin", room.padding, "for the answer so far" * room.of_two),
    )
    return (
        SumLine("", "context window", request.context_window),
        *(line for line in parts if line.amount),
        SumLine("=", f"room for chunks in {call}", room.for_chunks),
    )


def added(parts: Iterable[tuple[str, int]], total: str = "") -> Sum:
    """Amounts that are added up, each with its name, and their total, if that has one."""
    given = list(parts)
    lines = [SumLine("+" if at else "", *part) for at, part in enumerate(given)]
    return *lines, *[SumLine("=", total, sum(amount for _, amount in given))] * bool(total)


def difference(more: tuple[str, int], less: tuple[str, int], rest: str) -> Sum:
    """The one amount without the other, each with its name, and what the rest is called."""
    return (SumLine("", *more), SumLine("−", *less), SumLine("=", rest, more[1] - less[1]))


def answers_change(trace: Trace) -> bool:
    """Whether each call of a chain changes the answer; a last one with little text need not."""
    answers = [call.answer for call in trace.calls]
    return all(before != after for before, after in pairwise(answers[:-1] or answers))


def chunk_tokens(facts: LessonFacts) -> list[int]:
    """The tokens of each chunk."""
    return list(map(facts.tokens, facts.request.text_chunks))


def context(call: PlacedCall) -> Text:
    """The chunk text of a call."""
    [text] = [span.text for span in call.prompt.spans if span.kind == "context"]
    return text


def calls_per_chunk(facts: LessonFacts) -> tuple[SumLine, ...]:
    """The number of calls for each chunk in a mode that does not pack; the sum has no result."""
    numbers = [origin.number for call in facts.high.calls for origin in context(call).origins]
    counts = [numbers.count(number) for number in range(1, facts.chunks + 1)]
    return added(
        (f"chunk {number}, cut into {count} parts" if count > 1 else f"chunk {number}", count)
        for number, count in enumerate(counts, 1)
    )


def calls_per_level(run: Plan | Trace) -> list[int]:
    """The number of calls on each level of a tree, from the one that reads the chunks."""
    counts = Counter(call.depth for call in run.calls)
    return [counts[level] for level in sorted(counts)]


def answers_sum(facts: LessonFacts, level: int) -> Sum:
    """The tokens that a level reads if all answers below it are as long as they may be."""
    below, tokens = calls_per_level(facts.high)[level - 1], facts.request.num_output
    joined = PARAGRAPH.join(map(str, full_answers(facts.request, below)))
    total = facts.tokens(joined)
    between = SumLine("+", "blank lines between them", total - below * tokens)
    return (
        SumLine("", f"answers of level {level - 1}", below),
        SumLine("×", "tokens in an answer, at most", tokens),
        *([between] if between.amount else []),
        SumLine("=", f"tokens for level {level} to read", total),
    )


def texts_of_answers(request: Request, answers: Sequence[Text]) -> list[Text]:
    """The texts into which a level packs these answers."""
    synthesizer = request.synthesizer()
    variables = dict(request.variables)
    template = synthesizer.filled("summary_template", query_str=request.query_str, **variables)
    return synthesizer.packer.repack(template, answers)


def full_answers(request: Request, count: int) -> list[Text]:
    """Answers that are as long as they may be."""
    answer = placeholder_answer(get_tokenizer(request.tokenizer), request.num_output)
    return [Text.of(answer, "answer", number) for number in range(1, count + 1)]


@dataclass(frozen=True)
class CallShare:
    """The part of the joined chunks that one call sends, in tokens.

    `new` tokens are in no earlier call; `overlap` tokens repeat the end of the call before.
    """

    new: int
    overlap: int


def call_shares(plan: Plan) -> list[CallShare]:
    """The share of each call; the new tokens of all add up to those of the joined chunks."""
    texts = [context(call) for call in plan.calls]
    count = plan.setup.tokenizer.count
    ends = [0, *(text.end for text in texts)]
    joined = texts[0].document.text if texts else ""
    return [
        CallShare(count(joined[:end]) - count(joined[:before]), count(joined[text.start : before]))
        for (before, end), text in zip(pairwise(ends), texts, strict=True)
    ]


def packing_sums(facts: LessonFacts) -> tuple[Sum, ...]:
    """The room in the first call, the new text in each further call, and what each call sends."""
    room = room_of(facts.request).for_chunks
    return *rooms(facts.request), packing_sum(facts.high, room)


_READ = {
    "template": "template",
    "query": "question",
    "answer": "answer so far, at most",
    "context": "text of chunks",
}


def reading_sum(plan: Plan, number: int) -> Sum:
    """Return the tokens that a call reads, by kind, with answers as long as they may be."""
    parts = plan.budget(plan.calls[number - 1]).parts
    reads = ((label, parts[kind]) for kind, label in _READ.items())
    return added(reads, f"tokens that call {number} of {plan.setup.mode} reads")


def packing_solution(
    facts: LessonFacts, choices: tuple[Choice, ...], *more: Sum, **names: object
) -> Solution:
    """Return how many calls a mode that packs makes, with its sums and `more` of them."""
    return Solution(
        facts.calls,
        choices,
        (*packing_sums(facts), *more),
        names={"missed": missed_calls(facts.high), **names},
    )


def _joined_chunks(plan: Plan) -> SumLine:
    """The tokens of all chunks together."""
    label = f"{counted(len(plan.setup.chunks), 'chunk')} with blank lines between them"
    return SumLine("", label, sum(share.new for share in call_shares(plan)))


def rooms(request: Request) -> tuple[Sum, ...]:
    """The room in the first call, and the new text in each further call where that differs."""
    first, later = room_sum(request), room_sum(request, later=True)
    overlap = _overlap(request)
    if first == later and not overlap:
        return (first,)
    *lines, room = later
    if first == later:
        lines = [replace(room, sign="")]
    if overlap:
        lines.append(SumLine("−", "overlap", overlap, "repeated from the end of the call before"))
    new = room.amount - overlap
    return first, (*lines, SumLine("=", "room for new text in each further call", new))


def _overlap(request: Request) -> int:
    """The tokens that a further call repeats at the most."""
    room = room_of(request, later=True).for_chunks
    return int(room * request.chunk_overlap_ratio)


def least_calls(facts: LessonFacts) -> int:
    """The calls for this text if each of them is filled completely."""
    first, later = room_of(facts.request), room_of(facts.request, later=True)
    left = sum(share.new for share in call_shares(facts.high)) - first.for_chunks
    return 1 + max(0, ceil(left / (later.for_chunks - _overlap(facts.request))))


def packing_sum(plan: Plan, room: int) -> Sum:
    """All chunks together, minus the share of each call, down to what is left for the last."""
    chunks, shares = _joined_chunks(plan), call_shares(plan)
    if len(shares) == 1:
        return difference(
            ("room for chunks in one call", room), (chunks.label, chunks.amount), "still free"
        )
    lines = [
        SumLine("−", _share_label(number, share, room), share.new)
        for number, share in enumerate(shares[:-1], 1)
    ]
    return chunks, *lines, SumLine("=", f"left for call {len(shares)}", shares[-1].new)


def _share_label(number: int, share: CallShare, room: int) -> str:
    if share.overlap:
        return f"call {number}, without its {counted(share.overlap, 'repeated token')}"
    return f"call {number}, completely filled" if share.new == room else f"call {number}"


def missed_calls(plan: Plan) -> Callable[[Choice], str]:
    """What is wrong with another number of calls than the plan has."""
    shares = call_shares(plan)

    def miss(guess: Choice) -> str:
        count = int(guess)
        if count > len(shares):
            return f"no text is left after call {len(shares)}"
        left = sum(share.new for share in shares[count:])
        return f"that leaves {counted(left, 'token')} unsent"

    return miss
