"""The Compare page without a browser: columns, keys, runs that are shared, repeats, all modes."""

import re
from typing import NamedTuple

import pytest

from synth.modes.registry import MODES
from synth.runs.bounds import Bounds
from tests.eventually import eventually
from tests.fake_openai import Answer, Failure, FakeOpenAI, Silence
from tests.ui.page import Page, comes_back
from ui.pages.compare.columns import FIRST_MODES, Column, current_columns
from ui.pages.compare.comparison import ComparedRuns, comparison_of
from ui.pages.compare.runs import RUNS_AT_ONCE
from ui.plans.plan_range import plan_range
from ui.session import keys, workspace
from ui.settings.request import Request
from ui.settings.schema import Pricing
from ui.store.store import current_store
from ui.workspaces import saving

pytestmark = pytest.mark.slow

ONE_CHUNK = ("The pump failed at noon.",)


class RunSlot(NamedTuple):
    """Where a run stands."""

    column: str
    question: int = 0
    repeat: int = 0


class Compare(Page):
    """The page with these columns, or with those it begins with."""

    script = "pages/compare.py"

    def __init__(self, *columns, **settings):
        if columns:
            letters = zip("ABCD", columns, strict=False)
            settings["columns"] = tuple(
                Column(letter, tuple(own.items())) for letter, own in letters
            )
        super().__init__(**settings)

    def finish(self):
        return self.press("run_button").wait()

    def wait(self):
        for job in self.jobs:
            job.wait()
        return self.draw()

    def change(self, letter, **own):
        """Give a column other values of its own, as a recipe would."""
        columns = [
            Column(letter, tuple({**dict(one.overrides), **own}.items()))
            if one.name == letter
            else one
            for one in self.space.values["columns"]
        ]
        self.put(columns=tuple(columns))
        return self.draw()

    @property
    def compared(self):
        """The runs of what each place of the page asks."""
        workspace._current.set(self.space)
        rows = comparison_of(self.settings, current_columns(self.settings)).rows
        return {
            RunSlot(row.column, row.question, row.repeat): row.job
            for row in rows
            if row.job is not None
        }

    @property
    def jobs(self):
        return set(self.space.holding(ComparedRuns).jobs.values())

    def trace(self, column, question=0, repeat=0):
        return self.compared[RunSlot(column, question, repeat)].trace

    @property
    def heads(self):
        """Letter and mode of each column, and what else differs."""
        heads = re.findall(r'class="letter">(.)</span><b>(.*?)</b>', self.text)
        differs = re.findall(r'class="differs [^>]*>(.*?)</div>', self.text) or [""] * len(heads)
        return [
            f"{letter} {mode} {rest}".replace("<wbr>", "").strip()
            for (letter, mode), rest in zip(heads, differs, strict=True)
        ]

    @property
    def columns(self):
        return self.space.values["columns"]

    @property
    def button(self):
        return self.at.button(key="run_button")


def at(server, **own):
    return {"mode": "compact", "model": "endpoint", "base_url": server.base_url, **own}


@pytest.mark.parametrize(
    ("models", "words"),
    [
        (["gpt-4.1-mini"] * 2, ", likely $0.0008, at most $0.0009."),
        (["gpt-4.1-mini", "never-heard-of"], ", likely $0.0004, at most $0.0005, price unknown."),
        (["never-heard-of"] * 2, "tokens, price unknown."),
    ],
)
def test_what_the_runs_would_cost_together(models, words):
    columns = [
        {"mode": "generation", "model": "endpoint", "model_name": name, "num_output": 256 + at}
        for at, name in enumerate(models)
    ]
    assert words in Compare(*columns).text


def test_whose_price_a_free_model_has_is_said():
    page = Compare(mode="generation", prices={"offline": Pricing(like="gpt-4.1-mini")})
    assert re.search(r"To send: .*, at most \$[\d.]+ \(price as gpt-4.1-mini\)\.", page.text)


def test_what_the_runs_would_make_together_is_the_sum_of_their_bounds():
    page = Compare(mode="compact", context_window=500, num_output=60)
    ranges = [
        plan_range(Request.of(page.settings.with_({"mode": mode}))).bounds
        for mode in dict.fromkeys(("compact", *FIRST_MODES))
    ]
    total = Bounds.in_turn(ranges)
    tokens = total.prompt_tokens.high + total.output_tokens.high
    assert f"To send: at most {total.calls.high} calls, {tokens:,} tokens." in page.text


def test_all_columns_run_and_can_be_run_again():
    page = Compare().finish()
    assert page.button.label == "Run again"
    assert page.heads == ["A compact", "B refine", "C tree_summarize", "D simple_summarize"]
    assert page.text.count("<b>34\u00a0%</b>") == 1
    before = page.jobs
    assert not before & page.finish().jobs


def test_a_change_runs_only_what_changed_and_the_way_back_has_its_run():
    page = Compare({"mode": "compact"}, {"mode": "refine"}).finish()
    kept, old = page.trace("A"), page.trace("B")
    page.change("B", context_window=900)
    assert RunSlot("B") not in page.compared
    assert page.button.label == "Run the other 1"
    page.finish()
    assert page.trace("A") is kept
    assert page.trace("B").setup.context_window == 900
    page.change("B", context_window=page.settings.context_window)
    assert page.trace("B") is old
    assert page.button.label == "Run again"


def test_a_run_that_nothing_asks_for_any_longer_is_stopped():
    with FakeOpenAI(Silence()) as server:
        columns = ({"mode": "generation"}, at(server, model_name="m"))
        page = Compare(*columns).press("run_button")
        slow = page.compared[RunSlot("B")]
        assert slow.running
        page.change("B", model_name="other")
        assert not slow.running


def test_the_sidebars_key_goes_to_no_other_address():
    with FakeOpenAI(Answer("here")) as ours, FakeOpenAI(Answer("there")) as theirs:
        page = Compare(
            {"mode": "compact", "model_name": "m"},
            at(theirs, model_name="m"),
            model="endpoint",
            base_url=ours.base_url,
        )
        page.type_key("sk-sidebar").finish()
        assert {one.authorization for one in ours.requests} == {"Bearer sk-sidebar"}
        assert "sk-sidebar" not in repr([one.authorization for one in theirs.requests])
        page.type_key("sk-theirs", theirs.base_url).change("B", model_name="other")
        page.finish().finish()
        assert {one.authorization for one in ours.requests} == {"Bearer sk-sidebar"}
    assert "sk-" not in repr(page.space.values)
    assert "sk-" not in repr([job.request for job in page.jobs])


def test_open_does_not_bring_the_sidebars_key_to_the_address_of_a_column():
    with FakeOpenAI(Answer("there")) as theirs:
        page = Compare({"mode": "generation"}, at(theirs, model_name="m"))
        page.type_key("sk-sidebar", "https://a.test/v1").finish().press("open B")
    assert page.settings.base_url == theirs.base_url
    assert {one.authorization for one in theirs.requests} == {"Bearer none"}
    assert "sk-sidebar" not in repr(page.space.values)


def test_an_answer_of_two_columns_is_drawn_once_and_each_opens_with_its_settings():
    with FakeOpenAI(Answer("It failed.")) as server:
        columns = [at(server, mode=mode, model_name="m") for mode in ("compact", "refine")]
        page = Compare(*columns, chunks=ONE_CHUNK).finish()
        assert page.text.count(">It failed.</div>") == 1
        assert page.text.count("the same answer as A") == 1
        sent = len(server.requests)
        page.press("open B")
        assert page.settings.mode == page.job.request.mode == "refine"
        assert page.job.trace.response == "It failed."
        assert len(server.requests) == sent


def test_what_has_an_answer_is_not_counted_among_what_is_to_send():
    with FakeOpenAI(Answer("It failed.")) as server:
        page = Compare(**at(server, model_name="m"), chunks=ONE_CHUNK)
        page.finish().change("B", mode="accumulate")
        assert "To send: 0 calls" in page.text
        sent = len(server.requests)
        page.finish()
        assert len(server.requests) == sent


def test_questions_that_follow_one_another_are_likely_to_find_prompts_cached():
    columns = [
        {"model": "endpoint", "model_name": "gpt-5-mini", "mode": mode}
        for mode in ("compact", "tree_summarize")
    ]
    long = [f"Report {number}. " + "The pool was set to eight. " * 150 for number in range(6)]
    costs = []
    for questions in ("Which pool?", "\n".join(f"Which pool was number {at}?" for at in range(6))):
        page = Compare(*columns, chunks=long, context_window=8_192, compare_questions=questions)
        costs.append(re.search(r"likely \$([\d.]+), at most \$([\d.]+)\.", page.text).groups())
    (one, one_most), (six, six_most) = [[*map(float, pair)] for pair in costs]
    assert six < 4 * one  # of twelve runs the first four begin together
    assert six_most == pytest.approx(6 * one_most, rel=0.05)


def test_a_column_that_fails_says_why_and_asks_only_the_rest_again():
    with FakeOpenAI(Answer("first"), Failure(401, "no such key"), Answer("second")) as server:
        page = Compare({"mode": "compact"}, at(server, model_name="m", mode="refine")).finish()
        assert "This column failed." in page.text
        assert "no such key" in page.text
        assert "1 answer was kept." in page.text
        assert "To send: at most 11 calls" in page.text
        assert page.trace("A").response
        offline = page.trace("A")
        page.space.results.pop("answers")  # what was paid for would hide a log that is lost
        page.press("resume B").wait()
        assert page.trace("B").response == "second"
        assert page.trace("A") is offline
        assert len(server.requests) == 13


def test_a_column_that_cannot_run_says_so_and_the_others_run():
    page = Compare({"mode": "compact"}, {"mode": "compact", "context_window": 20}).finish()
    assert "This can&#39;t run." in page.text
    assert page.trace("A").response
    assert RunSlot("B") not in page.compared


def test_stop_keeps_what_arrived():
    with FakeOpenAI(Answer("first"), Silence()) as server:
        page = Compare({"mode": "generation"}, at(server, model_name="m", mode="refine"))
        page.press("run_button")
        assert page.at.button(key="stop_button")
        slow = page.compared[RunSlot("B")]
        eventually(lambda: slow.answered, "the first answer")
        page.open()  # a refresh finds the run that goes on
        page.press("stop_button")
        assert "You stopped this column." in page.text
        assert "1 answer was kept." in page.text
        assert page.button.label == "Run the other 1"


def test_repeats_are_each_asked_and_the_same_answers_are_one():
    with FakeOpenAI(Answer("Yes."), Answer("No."), Answer("Yes.")) as server:
        columns = [{"mode": "generation"}, at(server, model_name="m", mode="generation")]
        page = Compare(*columns, chunks=ONE_CHUNK, compare_repeats=3).finish()
        assert len(server.requests) == 3
    answers = [page.trace("B", 0, at).response for at in range(3)]
    assert sorted(answers) == ["No.", "Yes.", "Yes."]  # they were asked at once
    assert len({page.trace("A", 0, at).response for at in range(3)}) == 1


def test_a_list_of_questions_is_a_grid_with_the_answers_to_each():
    page = Compare(
        {"mode": "compact"},
        {"mode": "generation"},
        compare_questions="What failed?\n\n When did it rain? \nWhat failed?",
    )
    choice = page.at.selectbox(key=keys.COMPARE_QUESTION)
    assert choice.options == ["1 of 2 · What failed?", "2 of 2 · When did it rain?"]
    assert "To send: at most 6 calls" in page.text
    assert "<b>Calls: A 2 · B 1</b>" in page.text
    page.finish().set(compare_view="grid")
    assert re.findall(r'data-click="question \d" dir="auto" title="(.*?)"', page.text) == [
        "What failed?",
        "When did it rain?",
    ]
    page.set(compare_view="columns")
    assert page.trace("A").response[:40] in page.text
    assert page.trace("A", 1).response[:40] in page.set(compare_question=2).text


def test_an_answer_to_another_question_stands_beside_none():
    page = Compare({"mode": "compact"}, {"mode": "refine"}, compare_questions="What failed?\nWhen?")
    old = page.finish().trace("A").response
    page.enter("compare_questions", "Who was told?\nWhen?")
    assert old[:40] not in page.text
    assert RunSlot("A") not in page.compared
    assert page.trace("A", 1).response[:60] in page.set(compare_question=2).text


def test_too_many_runs_are_refused_with_the_numbers():
    lines = "\n".join(f"Question {number}?" for number in range(201))
    asked = {"compare_questions": lines, "compare_repeats": 10}
    page = Compare({"mode": "generation"}, {"mode": "no_text"}, **asked)
    assert "would be 4,020 runs. At most 4,000" in page.text
    assert page.button.disabled


def test_a_few_of_many_runs_start_together_and_a_stopped_set_goes_on_with_the_rest():
    lines = "\n".join(f"Question {number}?" for number in range(40))
    with FakeOpenAI(*[Answer("So it is.")] * 20, Silence()) as server:
        columns = [at(server, model_name="m", mode=mode) for mode in MODES if mode != "no_text"][:4]
        page = Compare(*columns, chunks=ONE_CHUNK * 2, compare_questions=lines, concurrency=1)
        page.press("run_button")
        eventually(lambda: len(server.requests) >= 24, "runs that wait for the silent server")
        assert " of 160 runs ended." in page.draw().text
        assert sum(not job.waits for job in page.jobs if job.running) == RUNS_AT_ONCE
        page.press("stop_button")
        answered = [slot for slot, job in page.compared.items() if job.trace.response]
        assert page.button.label == f"Run the other {160 - len(answered)}"
        kept = {slot: page.compared[slot] for slot in answered}
        page.press("run_button")
        assert {slot: page.compared[slot] for slot in answered} == kept
        page.press("stop_button")


def test_a_set_that_is_run_again_and_stopped_goes_on_asking_anew():
    with FakeOpenAI(Answer("first"), Answer("second"), Silence(), Answer("anew")) as server:
        columns = ({"mode": "no_text"}, at(server, model_name="m"))
        questions = {"compare_questions": "Why?\nWhen?", "chunks": ONE_CHUNK}
        page = Compare(*columns, **questions).finish().press("run_button")
        eventually(lambda: len(server.requests) == 4, "both calls that are sent anew")
        page.press("stop_button").finish()
    assert {page.trace("B", number).response for number in (0, 1)} == {"anew"}


def restart(page):
    """Open the page as a server does that was started anew."""
    saving.saver().save()
    current_store().close()
    workspace.registry().spaces.pop(page.space.id, None)
    page.open()
    page.space = workspace.registry().spaces[page.space.id]


def test_after_a_restart_a_set_has_its_runs_and_goes_on_with_the_rest():
    def answers():
        runs = page.compared.items()
        return {slot: job.trace.response for slot, job in runs if job.trace}

    questions = {"compare_questions": "Why?\nWhen?", "compare_repeats": 2, "chunks": ONE_CHUNK}
    replies = [Answer(f"answer {number}") for number in range(6)]
    with FakeOpenAI(*replies, Silence(), Silence(), Answer("the rest")) as server:
        columns = [at(server, model_name=name) for name in ("m", "other")]
        page = Compare(*columns, **questions, concurrency=1).press("run_button")
        eventually(
            lambda: (sum(job.running for job in page.jobs), len(server.requests)) == (2, 8),
            "the end of all runs but two that are never answered",
        )
        before = answers()
        page.press("stop_button")
        restart(page)
        after = answers()
        assert sum(map(bool, after.values())) == len(before)
        for slot, response in after.items():  # which of its repeats a run was is not saved
            again = RunSlot(slot.column, slot.question, 1 - slot.repeat)
            assert response in (before.get(slot), before.get(again))
        assert len(server.requests) == 8
        page.finish()
        assert len(server.requests) == 8 + 2
    assert len(page.compared) == 8
    assert all(job.trace.response for job in page.compared.values())


def test_runs_of_other_settings_do_not_come_back():
    page = Compare({"mode": "compact"}, {"mode": "refine"}, chunks=ONE_CHUNK).finish()
    page.put(context_window=900)
    restart(page)
    assert not page.compared


def test_a_thumb_and_a_note_belong_to_an_answer_and_are_kept():
    page = Compare({"mode": "compact"}, {"mode": "no_text"}).finish()
    [thumb, *_] = [key for key in page.keys if key.startswith("thumb ")]
    note = thumb.replace("thumb", "note")
    page.at.text_area(key=note).set_value("Too long.")
    page.enter(thumb, 0)
    page.space.values = comes_back(page.space.values)
    page.finish().open()
    assert page.at.text_area(key=note).value == "Too long."
    assert page.at.feedback(key=thumb).value == 0


def test_a_person_is_no_model_of_columns():
    page = Compare({"mode": "compact"}, {"mode": "no_text"}, model="human").finish()
    assert page.trace("A").response
    assert page.compared[RunSlot("A")].request.model.kind == "offline"


def test_a_workspace_with_runs_is_not_forgotten():
    with FakeOpenAI(Silence()) as server:
        page = Compare({"mode": "generation"}, at(server, model_name="m")).press("run_button")
        page.space.seen -= 24 * 3600
        registry = workspace.registry()
        registry.find(None)
        assert page.space.id in registry.spaces
        page.press("stop_button")


def test_compare_runs_nothing_without_a_question():
    page = Compare(query_str="")
    assert page.at.button(key="run_button").disabled
    assert "The question is missing." in page.text
    page = Compare(query_str="", compare_questions="Who was told?")
    assert not page.at.button(key="run_button").disabled


# ---- columns by recipe


def test_all_modes_are_rows_with_those_that_pass_first_and_the_cheapest_before_others():
    page = Compare(chunks=(*ONE_CHUNK, "It was noon."))
    page.put(**{keys.FACTS: {page.settings.query_str: "the pump failed"}})
    page.at.radio(key="recipe_kind").set_value("All modes")
    page.draw().press("make_columns").finish()
    assert sorted(head.split()[1] for head in page.heads) == sorted(MODES)
    traces = [page.trace(head[0]) for head in page.heads]
    asking = [one for one in traces if one.calls and "pump failed" in one.response]
    assert traces[: len(asking)] == asking
    tokens = [sum(one.spent.tokens) for one in asking]
    assert tokens == sorted(tokens)
    assert "context_only" in page.heads[len(asking)]  # which gives the chunks, and asks nobody
    assert comes_back(page.space.values)[keys.COLUMNS] == page.columns


@pytest.mark.parametrize(
    ("kind", "name", "typed", "words"),
    [
        ("Windows", "context_window", ["512", "many"], "many can't be the window of a column."),
        ("Windows", "context_window", ["512", "512"], "It takes 2 that differ."),
        ("Windows", "context_window", ["512", "", "900"], ""),
        ("A variable", "variables.tone", ["dry", "merry"], ""),
        ("Models", "", [], "Choose an endpoint"),
    ],
)
def test_a_recipe_makes_columns_or_says_what_it_lacks(kind, name, typed, words):
    text = "{context_str} {query_str} {tone}"
    page = Compare(text_qa_template=text)
    page.at.radio(key="recipe_kind").set_value(kind)
    page.draw()
    for letter, value in zip("ABC", typed, strict=False):
        page.enter(f"recipe {name} {letter}", value)
    assert words in page.said
    if typed and not words:
        page.press("make_columns")
        values = [(column.name, str(column.override(name))) for column in page.columns]
        assert values == list(zip("AB", filter(None, typed), strict=True))


def test_columns_of_wordings_are_told_apart_by_number():
    texts = [f"{{context_str}} {{query_str}} {tone}" for tone in ("dry", "merry", "dry")]
    page = Compare(*({"mode": "compact", "text_qa_template": text} for text in texts))
    assert [head.rpartition("wording ")[2] for head in page.heads] == [
        f"{number} of text_qa_template" for number in (1, 2, 1)
    ]
