"""The parts of the sums are those that the packer really has."""

from dataclasses import replace
from math import ceil

import pytest

from synth.prompts.window import PARAGRAPH
from synth.text.spans import Text
from tests.examples import share
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.exercises import LIGHTHOUSE, request_of
from ui.pages.learn.lessons.lesson import facts_of, planned
from ui.pages.learn.lessons.sums import (
    call_shares,
    calls_per_level,
    full_answers,
    room_of,
    room_sum,
    texts_of_answers,
)

MODES = ("refine", "compact", "tree_summarize", "simple_summarize", "accumulate")


def request(mode, **limits):
    limits = {"context_window": 400, "num_output": 48, "response_padding_size": 48, **limits}
    return request_of(mode, LIGHTHOUSE.question, LIGHTHOUSE.chunks, **limits)


@pytest.mark.parametrize("mode", [*MODES, "compact_accumulate"])
@pytest.mark.parametrize("behaviour", ["documented", "llama_index"])
def test_the_parts_are_those_of_the_budget(mode, behaviour):
    asked = request(mode, behaviour=behaviour)
    plan, room = planned(asked, asked.num_output), room_of(asked)
    parts = [plan.budget(call) for call in plan.calls if call.template == room.template_name]
    assert parts
    for part in parts:
        assert abs(part.parts["template"] - room.template) <= 2  # what joining adds or saves
        assert part.parts["query"] == room.query
        assert part.reserved == asked.num_output
    assert plan.calls[0].padding == room.padding


@pytest.mark.parametrize("mode", [*MODES, "compact_accumulate"])
def test_no_call_has_more_than_the_room_and_some_call_fills_it(mode):
    asked = request(mode, context_window=290)
    plan, room = planned(asked, asked.num_output), room_of(asked).for_chunks
    contexts = [plan.budget(call).parts["context"] for call in plan.calls]
    assert max(contexts) <= room + 2  # the rules add up words; as one text they may have more
    if mode in {"compact", "compact_accumulate", "tree_summarize", "simple_summarize"}:
        assert max(contexts) > room - 4


def test_a_variable_is_a_line_of_its_own():
    [lesson] = [lesson for lesson in LESSONS if lesson.key == "variable"]
    asked = lesson.preset(0).request
    without = room_of(replace(asked, variables=(("tone_name", ""),)))
    [(name, tokens)] = room_of(asked).variables
    assert f"{name}, your variable" in {line.label for line in room_sum(asked)}
    assert 0 <= without.for_chunks - room_of(asked).for_chunks - tokens + 1 <= 2


@pytest.mark.parametrize("overlap", [0.0, 0.1, 0.4])
def test_new_tokens_of_all_calls_are_those_of_the_joined_chunks(overlap):
    plan = planned(request("compact", context_window=300, chunk_overlap_ratio=overlap), 48)
    shares = call_shares(plan)
    count = plan.setup.tokenizer.count
    assert sum(share.new for share in shares) == count(PARAGRAPH.join(LIGHTHOUSE.chunks))
    contexts = [plan.budget(call).parts["context"] for call in plan.calls]
    for shared, context in zip(shares, contexts, strict=True):
        assert abs(shared.new + shared.overlap - context) <= 2
    assert any(share.overlap for share in shares) == bool(overlap)


def test_the_next_level_is_packed_as_the_plan_packs_it():
    asked = request("tree_summarize", context_window=200)
    levels = calls_per_level(planned(asked, asked.num_output))
    assert len(levels) > 2
    answers = full_answers(asked, levels[0])
    assert len(texts_of_answers(asked, answers)) == levels[1]


@pytest.mark.parametrize("key", ["cliff", "compact", "upstream", "endless"])
@pytest.mark.parametrize("seed", range(share(5)))
def test_the_sum_to_do_gives_the_answer(key, seed):
    [lesson] = [lesson for lesson in LESSONS if lesson.key == key]
    question = lesson.question(facts_of(lesson.preset(seed)))
    room, new = (block[-1] for block in question.to_do[:2])
    total = question.to_do[2][-1 if key == "endless" else 0]
    further = max(0, ceil((total.amount - room.amount) / new.amount))
    assert 1 + further == question.answer


@pytest.mark.parametrize("seed", range(share(5)))
def test_a_tree_that_never_ends_has_one_number_in_its_sum_and_where_it_stops(seed):
    [lesson] = [lesson for lesson in LESSONS if lesson.key == "endless"]
    found = facts_of(lesson.preset(seed))
    *_, sent, _ = lesson.reveal(found).sums
    texts = len(texts_of_answers(found.request, [Text.of(c.answer) for c in found.trace.calls]))
    assert f"has {texts} texts of {sent[-1].amount:,} tokens" in found.trace.error
    assert sent[0].amount == lesson.question(found).to_do[-2][-1].amount
