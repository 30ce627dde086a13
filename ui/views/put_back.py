"""A lost fact is put back into the answer of the call that left it out, and the run goes on."""

from functools import partial
from typing import Literal, NamedTuple

import streamlit as st

from synth.errors import SynthError
from synth.llms.function import FunctionLLM
from synth.prompts.packing import placeholder_answer
from synth.quality import Fact, FactPath
from synth.quality.denials import Statement
from synth.runs.calls import Log
from synth.runs.trace import Trace
from synth.text.sentences import join_sentences, paragraphs
from synth.text.wording import counted, dollars, dollars_at_most, numbered, short
from ui.runs import start
from ui.runs.job import Job
from ui.settings import hosts
from ui.settings.request import Model, Request

_LONGEST = 120  # characters of the sentence that is shown


class BranchCalls(NamedTuple):
    """The numbers of the calls that a branch sends, and their tokens."""

    calls: tuple[int, ...]
    prompt_tokens: int
    output_tokens: int


class PutBack(NamedTuple):
    """The answer of a call with a sentence added, and the calls that are asked anew with it.

    `asked` are those of a branch with short answers and with the longest; None where it can't be
    planned.
    """

    call: int
    added: str
    text: str
    asked: tuple[BranchCalls, BranchCalls] | None


def button(back: PutBack, trace: Trace, job: Job, type: Literal["primary", "secondary"]) -> None:
    """Draw the button that starts a branch with the fact in the answer that left it out."""
    st.button(
        "Put it back and go on",
        icon=":material/playlist_add:",
        type=type,
        key="put_back",
        help=put_back_words(back, job.request.model, job.info.by_person),
        on_click=_go_on,
        args=(job, trace, back),
        disabled=not job.info.by_person and bool(hosts.why_not(start.settings_of(job))),
    )


def _go_on(job: Job, trace: Trace, back: PutBack) -> None:
    start.press(partial(start.branch, job, trace, back.call, back.text))


def put_back(path: FactPath, trace: Trace, request: Request) -> PutBack | None:
    """What would be put back; None where no call left the fact out."""
    if path.why != "left_out" or path.call is None:
        return None
    answers = {call.number: call.answer or "" for call in trace.calls}
    place = path.evidence[0]
    chunks = trace.setup.chunks
    source = answers[place.number] if place.kind == "answer" else ""
    if place.kind == "chunk":
        source = "\n".join(chunks[place.number - 1 : place.number + place.goes_on])
    added = _sentence_with(path.fact, source)
    text = join_sentences([*filter(None, [answers[path.call]]), added])
    log = start.edited_log(trace, path.call, text)
    try:
        asked = _asked_anew(request, log)
    except SynthError:
        asked = None
    return PutBack(path.call, added, text, asked)


def _sentence_with(fact: Fact, text: str) -> str:
    """The sentence of a text that says the fact; the fact's own words where none does."""
    sentences = (sentence for part in paragraphs(text) for sentence in part)
    says = (sentence for sentence in sentences if Statement(sentence).telling(fact).said)
    return next(says, fact.text)


def _asked_anew(request: Request, log: Log) -> tuple[BranchCalls, BranchCalls]:
    """What a branch with these answers sends where the others are short, and where they are long.

    SynthError where such answers can't be read, as with structured answer filtering.
    """
    least, most = request.answers
    return _asked(request, log, least), _asked(request, log, most)


def _asked(request: Request, log: Log, answer_tokens: int) -> BranchCalls:
    tokenizer = request.synthesizer().setup(request.query_str, request.text_chunks).tokenizer
    answer = placeholder_answer(tokenizer, answer_tokens)
    model = FunctionLLM(lambda _: answer, request.context_window, request.num_output)
    branch = request.synthesizer(model).run(
        request.query_str, request.text_chunks, log, **dict(request.variables)
    )
    calls = [call for call in branch.calls if not call.replayed]
    return BranchCalls(
        tuple(call.number for call in calls),
        sum(call.prompt_tokens for call in calls),
        sum(call.output_tokens for call in calls),
    )


def put_back_words(back: PutBack, model: Model, by_person: bool = False) -> str:
    """What the button adds, which calls are asked anew, and what they cost at most."""
    adds = f"It adds “{short(back.added, _LONGEST)}” to the answer of call {back.call}."
    if back.asked is None:
        return f"{adds} The calls that read it are asked anew."
    few, many = back.asked
    if not many.calls:
        return f"{adds} No call reads that answer, so none is asked anew."
    if few.calls != many.calls:
        who = f"About {counted(len(many.calls), 'call')} are"
    elif len(many.calls) == 1:
        who = f"Only call {many.calls[0]} is"
    else:
        who = f"{numbered('call', many.calls).capitalize()} are"
    return f"{adds} {who} asked anew{_cost(back.asked, model, by_person)}."


def _cost(asked: tuple[BranchCalls, BranchCalls], model: Model, by_person: bool) -> str:
    """The cost of the calls; a bound where it depends on no answer but the length of one."""
    few, many = asked
    if by_person:
        return ", and you answer"
    if model.free:
        return ", which costs nothing"
    if model.price is None:
        return ", at a price that is not known"
    most = model.price.of(many.prompt_tokens, many.output_tokens)
    if few.prompt_tokens == many.prompt_tokens:
        return f": {dollars_at_most(most)}"
    return f": {dollars(most)} with the longest answers"
