"""Every lesson, walked to its end: what it says it shows is so."""

import re
from dataclasses import replace
from functools import cache
from hashlib import sha256
from inspect import getsource
from itertools import product

import pytest

from synth.text.diff import count_common
from synth.text.wording import counted
from tests import plans
from tests.examples import share
from ui.pages.learn.lessons import LESSONS, small_model
from ui.pages.learn.lessons.exercises import (
    chunk_tokens,
    count_new_tokens,
    planned,
    value_of,
    with_value,
)
from ui.pages.learn.lessons.small_model import RECORDING

SEEDS = range(20)
WALKED = SEEDS[: max(5, share(8))]  # of fewer, all may have one answer


BY_KEY = {lesson.key: lesson for lesson in LESSONS}


@cache
def preset_of(key, seed):
    return BY_KEY[key].preset(seed)


def facts_at(key, seed):
    return BY_KEY[key].facts(preset_of(key, seed))


each = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
QUOTE = re.compile("“[^”]*”")


def misses_of(task):
    return [task.verdict(choice) for choice in task.choices if choice != task.answer]


def walked(lesson, preset):
    """The facts and the task of a preset, looked at on the way."""
    found = lesson.facts(preset)
    task, answer = lesson.task(found), lesson.task(found).answer
    assert answer in task.choices
    assert list(task.choices) == sorted(set(task.choices))
    shown = answer if isinstance(answer, str) else f"{answer:,}"
    assert re.match(rf"{shown}( .+)?\.$", task.head), task.head
    assert task.asks != "chunk tokens" or answer in chunk_tokens(found)
    misses = misses_of(task)
    for miss in misses:
        assert re.fullmatch(r"You said .+\.", miss)
    for text in (task.text, task.hint, task.head, task.remark, *misses):
        assert "  " not in text
        ours = QUOTE.sub("", text)
        assert not re.search(r"\b1 (\w+ )?(calls|tokens|chunks|levels|answers)\b", ours), text
        assert not re.search(r"\b1 token of the chunks were|-\d", ours), text
    return found, task


NO_NUMBER = re.compile(r"\w*[a-z_]+\d+\w*|\d\d:\d\d|“[^”]*”")  # names, times of day, quotes


def known_numbers(found, task):
    """The numbers of an exercise: of its input, its plan and its run."""
    request = found.request
    most = len(request.text_chunks)
    numbers = {request.context_window, request.num_output, *chunk_tokens(found)}
    numbers.update(map(len, request.text_chunks))
    numbers.update(choice for choice in task.choices if isinstance(choice, int))
    for plan in (found.low, found.high, found.trace):
        most = max(most, plan.call_count, plan.longest_chain)
        numbers.update(chunk.lost_tokens for chunk in plan.coverage)
        numbers.add(plan.lost_tokens)
        numbers.add(sum(chunk.repeated_tokens for chunk in plan.coverage))
    for call in found.high.calls:
        budget = found.high.budget(call)
        numbers.update({budget.prompt, budget.padding, *budget.parts.values()})
    if "rule" in task.names:
        rule, shared = task.names["rule"], task.names["shared"]
        numbers.update({rule.least, rule.step, shared, task.answer // rule.step})
    if request.mode == "compact":
        tokens = count_new_tokens(found.high)
        numbers.update(sum(tokens[at:]) for at in range(len(tokens)))
    numbers.update(range(most + 1))
    return numbers


def numbers_are_those_of_the_exercise(found, task):
    """Each number in a sentence is one of its input, its plan or its run."""
    known = known_numbers(found, task)
    for text in (task.text, task.hint, task.head, task.remark, *misses_of(task)):
        numbers = re.findall(r"\d[\d,]*", NO_NUMBER.sub("", text))
        assert {int(number.replace(",", "")) for number in numbers} <= known, text


@pytest.mark.slow
@each
def test_every_exercise_shows_what_the_lesson_says(lesson):
    answers, places = set(), set()
    for seed in WALKED:
        found, task = walked(lesson, preset_of(lesson.key, seed))
        numbers_are_those_of_the_exercise(found, task)
        assert lesson._claim(found), seed
        assert 4 <= len(task.choices) <= 6, seed
        answers.add(task.answer)
        places.add(task.choices.index(task.answer))
    assert len(answers) > 1
    assert len(places) > 1


@pytest.mark.slow
@each
def test_a_seed_always_gives_the_same_exercise(lesson):
    assert lesson.preset(7) == preset_of(lesson.key, 7)
    assert len({preset_of(lesson.key, seed) for seed in WALKED}) > len(WALKED) // 5


@pytest.mark.slow
@each
def test_one_thing_can_be_changed(lesson):
    control = lesson.control
    for seed in WALKED:
        assert value_of(preset_of(lesson.key, seed), control) in control.values
    for seed in range(share(3)):
        seen = set()
        for value in control.values[:: 1 + len(control.values) // 20]:
            changed = with_value(preset_of(lesson.key, seed), control, value)
            assert value_of(changed, control) == value
            found, task = walked(lesson, changed)
            assert len(task.choices) >= 3
            assert found.high.calls
            assert found.trace.calls
            assert found.high.problem is None or lesson.key == "endless"
            assert lesson.key != "endless" or found.high.longest_chain > 1 or found.high.problem
            seen.add((task.head, found.high.prompt_tokens, task.remark))
        assert len(seen) > 1


@pytest.mark.parametrize("seed", range(share(2)))
@pytest.mark.parametrize("at", [0, 20, 40])
def test_every_window_that_is_said_to_save_a_call_does(seed, at):
    lesson = BY_KEY["cliff"]
    preset = with_value(preset_of("cliff", seed), lesson.control, lesson.control.values[at])
    found = lesson.facts(preset)
    more = int(re.search(r"at least (\d+) token", lesson.task(found).remark)[1])
    request, calls = found.request, found.high.call_count

    def calls_at(window):
        return planned(replace(request, context_window=window), request.num_output).call_count

    enough = request.context_window + more
    assert calls_at(enough - 1) >= calls
    assert all(calls_at(window) < calls for window in range(enough, enough + 40))


@pytest.mark.parametrize("seed", range(share(12)))
def test_what_refine_is_said_to_forget_is_gone_from_the_answer(seed):
    found = facts_at("forgets", seed)
    sentences = [chunk.split(".")[0] for chunk in found.request.text_chunks]
    answers = plans.answers(found.trace)
    gone = [text for text in sentences if any(text in one for one in answers[:-1])]
    gone = [text for text in gone if text not in answers[-1]]
    assert counted(len(gone), "chunk") in BY_KEY["forgets"].task(found).remark


@pytest.mark.parametrize("seed", range(share(4)))
def test_a_second_question_finds_the_chunks_cached_only_where_it_stands_behind_them(seed):
    lesson = BY_KEY["prefix"]
    cached = {}
    for place in lesson.control.values:
        found = lesson.facts(with_value(preset_of("prefix", seed), lesson.control, place))
        names, [call] = lesson.task(found).names, found.high.calls
        text = call.prompt.text
        first = text.replace(names["second"], names["first"])
        alike = count_common(*(call.tokenizer.encode(one) for one in (first, text)))
        assert names["shared"] == alike
        assert call.cached_tokens == (alike - alike % 128 if alike >= 1_024 else 0)
        cached[place] = call.cached_tokens
    assert [*map(bool, cached.values())] == [True, False]


@pytest.mark.slow
def test_the_recorded_answers_are_those_to_the_prompts_of_the_lessons():
    answers = {}
    inputs_of = {"anchors": small_model.ORDERS, "invented": small_model.QUESTIONS_OF_CHUNKS}
    for key, inputs in inputs_of.items():
        lesson = BY_KEY[key]
        assert {preset_of(lesson.key, seed) for seed in WALKED} <= set(inputs)
        for preset, value in product(inputs, lesson.control.values):
            for call in lesson.facts(with_value(preset, lesson.control, value)).trace.calls:
                answers[sha256(call.prompt.text.encode()).hexdigest()] = call.answer
    assert answers == RECORDING.answers


@each
def test_a_lesson_has_at_most_sixty_lines(lesson):
    assert len(getsource(type(lesson)).splitlines()) <= 60
