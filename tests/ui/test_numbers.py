"""The numbers in the Playground's headline are those of the plan or the run, counted anew.

Calls are counted one by one and texts by plain tiktoken; nothing here asks what a page asks.
"""

import re
from contextlib import suppress
from itertools import groupby
from math import inf

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.quality.samples import SAMPLES
from tests import plain
from tests.examples import examples
from tests.ui.page import Playground
from ui.controls.modes import CARD_MODES
from ui.plans.plan_range import SHORT, Request

pytestmark = pytest.mark.slow

FEW = {"chunks": SAMPLES[0].chunks[:4], "selection": "top", "similarity_top_k": 3}


@st.composite
def workspaces(draw):
    """The settings of a workspace: some chunks of a sample, and limits around them."""
    sample = draw(st.sampled_from(SAMPLES))
    behaviour = draw(st.sampled_from(("documented", "documented", "llama_index")))
    most = 5 if behaviour == "documented" else 2  # the time of a test grows with the chunks
    return {
        "query_str": sample.question,
        "chunks": draw(st.permutations(sample.chunks))[: draw(st.integers(1, most))],
        "mode": draw(st.sampled_from(sorted(MODES))),
        "behaviour": behaviour,
        "context_window": draw(st.integers(200, 3_000)),
        "num_output": draw(st.integers(8, 160)),
        "chunk_overlap_ratio": draw(st.sampled_from((0.0, 0.1, 0.5))),
        "chunk_size_limit": draw(st.none() | st.integers(60, 500)),
        "tokenizer": draw(st.sampled_from(("cl100k_base", "o200k_base"))),
    }


def unsent(run):
    """The stretches of chunks that stand in no call; white space alone is none."""
    for number, chunk in enumerate(run.setup.chunks, 1):
        sent = bytearray(len(chunk))
        for origin in (origin for call in run.calls for origin in call.origins):
            if (origin.kind, origin.number) == ("chunk", number):
                sent[origin.start : origin.end] = b"\1" * (origin.end - origin.start)
        for covered, stretch in groupby(range(len(chunk)), key=sent.__getitem__):
            text = "".join(chunk[at] for at in stretch)
            if not covered and text.strip():
                yield text


class Counted:
    """What a page may say of some settings, each number by what it is the number of."""

    def __init__(self, settings):
        self.encoding, self.settings = settings.tokenizer or "cl100k_base", settings

    def count(self, texts):
        return sum(plain.count(text, self.encoding) for text in texts)

    def of_lost(self, run):
        lost, whole = self.count(unsent(run)), self.count(run.setup.chunks)
        share = round(100 * lost / (whole or 1))
        return {lost, whole, share if lost in (0, whole) else min(max(share, 1), 99)}

    def of_plan(self):
        request, most = Request.of(self.settings), self.settings.num_output
        asked = request.query_str, request.text_chunks
        synthesizer = request.synthesizer()
        bounds = synthesizer.bounds(*asked)
        ends = {end for pair in vars(bounds).values() for end in pair} - {inf}
        numbers = {self.settings.context_window, most, *map(int, ends)}
        for answer in (min(SHORT, most), most):
            plan = synthesizer.plan(*asked, answer_tokens=answer)
            prompts = self.count(call.prompt.text for call in plan.calls)
            levels = len({call.depth for call in plan.calls})
            numbers |= {len(plan.calls), levels, prompts, answer * len(plan.calls)}
            numbers |= self.of_lost(plan)
        return numbers

    def of_advice(self):
        numbers = {0}
        for mode in dict.fromkeys((*CARD_MODES, self.settings.mode)):
            request = Request.of(self.settings.with_({"mode": mode}))
            with suppress(SynthError):
                plan = request.synthesizer().plan(request.query_str, request.text_chunks)
                prompts = self.count(call.prompt.text for call in plan.calls)
                levels = len({call.depth for call in plan.calls})
                tokens = prompts + len(plan.calls) * self.settings.num_output
                numbers |= {len(plan.calls), levels, tokens, *self.of_lost(plan)}
        return numbers

    def of_run(self, trace):
        answers = [call.answer or "" for call in trace.calls]
        prompts = self.count(call.prompt.text for call in trace.calls)
        return {len(answers), prompts, self.count(answers), *self.of_lost(trace)}


def headline(page):
    """The numbers of the headline and of the line below it, but for times and names of calls."""
    words = " ".join(re.findall(r'<div class="(?:lede|subline)[^>]*>(.*?)</div>', page.text))
    words = re.sub(r"<[^>]+>|[\d.,]+ m?s\b|tree_summarize", "", words)
    return {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", words)}


@examples(3)
@given(workspaces())
@example({**FEW, "context_window": 500})
@example({**FEW, "mode": "simple_summarize", "context_window": 400})
def test_each_number_is_what_it_speaks_of(settings):
    page = Playground(**settings)
    counted = Counted(page.settings)
    if page.can_run:
        assert headline(page) <= counted.of_plan() | counted.of_advice()
        page.finish(view="picture")
        assert headline(page) <= counted.of_run(page.job.trace)
        assert page.job.trace.call_count in headline(page) or not page.job.trace.calls
