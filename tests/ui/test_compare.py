"""The Compare page without a browser: columns, keys, runs that are shared, repeats, all modes."""

import re
from dataclasses import replace

import pytest

from synth.modes.registry import MODES
from synth.prompts.defaults import DEFAULTS
from synth.runs.bounds import Bounds
from tests.eventually import eventually
from tests.fake_openai import Answer, Failure, FakeOpenAI, Silence
from tests.ui.page import Page, Playground, comes_back
from ui.kept import saving
from ui.kept.values import from_json
from ui.pages.compare import runs
from ui.pages.compare.answers_view import repeats_summary
from ui.pages.compare.columns import Column
from ui.pages.compare.ratings import Rating
from ui.pages.compare.run_slots import ComparedRuns, RunSlot
from ui.pages.compare.runs import RUNS_AT_ONCE
from ui.plans.plan_range import plan_range
from ui.runs.start import job_of
from ui.session import keys, workspace
from ui.settings.request import Request
from ui.settings.schema import FIRST_MODES
from ui.store.store import current_store

pytestmark = pytest.mark.slow

ONE_CHUNK = ("The pump failed at noon.",)


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

    def edit(self):
        return self.press("edit_columns")

    @property
    def compared(self):
        return self.space.holding(ComparedRuns).by_slot

    @property
    def jobs(self):
        return {found.job for found in self.compared.values()}

    def trace(self, column, question=0, repeat=0):
        return self.compared[RunSlot(column, question, repeat)].job.trace

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
    ("models", "said"),
    [
        (["gpt-4.1-mini"] * 2, "at most $0.0003; longest"),
        (["gpt-4.1-mini", "never-heard-of"], "at most $0.0003, as far as prices are known;"),
        (["never-heard-of"] * 2, "price unknown; longest"),
    ],
)
def test_what_the_runs_would_cost_together(models, said):
    columns = [{"mode": "generation", "model": "endpoint", "model_name": name} for name in models]
    assert said in Compare(*columns).text


def test_what_the_runs_would_make_together_is_the_sum_of_their_bounds():
    page = Compare(mode="tree_summarize", context_window=500, num_output=60)
    ranges = [
        plan_range(Request.of(page.settings.with_({"mode": mode}))).bounds
        for mode in dict.fromkeys(("tree_summarize", *FIRST_MODES))
    ]
    total, chains = Bounds.in_turn(ranges), [bounds.longest_chain for bounds in ranges]
    prompt, chain = total.prompt_tokens, [max(ends) for ends in zip(*chains, strict=True)]
    for words in (
        f"Still to run: 4 runs with {total.calls.low} to {total.calls.high} calls, ",
        f"{prompt.low:,} to {prompt.high:,} prompt tokens, ",
        f"at most {total.output_tokens.high:,} output tokens",
        f"longest chain {chain[1]}, whatever the model answers.",
    ):
        assert words in page.text


def test_no_run_begins_beside_the_page_that_makes_the_others(monkeypatch):
    made, began = [], []

    def slowly(*given, **more):
        job = job_of(*given, **more)
        job.wait(0.05)
        made.append(job)
        began.append(any(not one.waiting for one in made))
        return job

    monkeypatch.setattr(runs, "job_of", slowly)
    page = Compare().finish()
    assert began == [False] * 4
    assert all(page.trace(column).response for column in "ABCD")


def test_a_run_of_the_playground_that_is_the_very_one_is_not_paid_for_again():
    playground = Playground(mode="refine").finish()
    job = playground.job
    job.info = replace(job.info, edited=frozenset({1}))
    page = Compare.of(playground.space)
    assert "Still to run: 4 runs" in page.text
    job.info, window = job.writer.info, page.settings.context_window
    page.put(context_window=900)
    assert "Still to run: 4 runs" in page.open().text
    page.put(context_window=window)
    assert "Still to run: 3 runs" in page.open().text
    said = (
        "longest chain 2, whatever the model answers. The run of the Playground is taken as it is."
    )
    assert said in page.text
    page.finish()
    assert page.compared[RunSlot("A")] == (playground.job.request, playground.job)
    assert "Still to run" not in page.text
    page.finish()
    assert page.compared[RunSlot("A")].job is not playground.job


def test_all_columns_run_and_can_be_run_again():
    page = Compare().finish()
    assert page.button.label == "Run again"
    assert page.heads == ["A compact", "B refine", "C tree_summarize", "D simple_summarize"]
    frame = page.set(measures_table=True).at.dataframe[0].value
    assert list(frame["cut off"]) == [0, 0, 0, 438]
    before = page.jobs
    assert not before & page.finish().jobs


def test_columns_are_duplicated_changed_and_removed():
    page = Compare(*({"mode": mode} for mode in ("compact", "refine", "accumulate"))).edit()
    page.press("remove B").press("duplicate C")
    assert [(one.name, one.override("mode")) for one in page.columns] == [
        ("A", "compact"),
        ("C", "accumulate"),
        ("B", "accumulate"),
    ]
    page.at.selectbox(key="own mode of B").select("generation")
    page.enter("own context_window of B", 700)
    assert page.columns[2] == Column("B", (("mode", "generation"), ("context_window", 700)))
    assert "window 700" in page.text
    page.enter("own context_window of B", None)
    assert page.columns[2] == Column("B", (("mode", "generation"),))
    page.press("remove B")
    assert page.at.button(key="remove A").disabled


def test_a_change_marks_results_old_and_runs_only_what_changed():
    page = Compare({"mode": "compact"}, {"mode": "refine"}).finish()
    kept, old = page.trace("A"), page.trace("B").response
    page.edit()
    page.enter("own context_window of B", 900)
    assert "Out of date." in page.text
    assert "B: window 1,024 → 900" in page.text
    assert old[:40] in page.text
    page.finish()
    assert page.trace("A") is kept
    assert page.trace("B").setup.context_window == 900
    assert "Out of date." not in page.text


def test_a_column_has_a_set_of_templates_of_its_own():
    mine = {name: text.template for name, text in DEFAULTS.items()}
    mine["text_qa_template"] = "{context_str} {query_str} In the voice of {tone}."
    own = {"mode": "compact", "template_set": "mine", "variables.tone": "Poe"}
    page = Compare({"mode": "compact"}, own, template_sets={"mine": mine}).finish()
    assert "In the voice of Poe." in page.trace("B").calls[0].prompt.text
    assert "In the voice of" not in page.trace("A").calls[0].prompt.text
    page.edit()
    assert "Value of tone" in {field.label for field in page.at.text_input}


def test_templates_are_edited_in_a_column_with_their_checks_and_its_plan_follows():
    page = Compare({"mode": "accumulate"}, {"mode": "accumulate"}).edit()
    text = "own text_qa_template of B"
    assert "This can&#39;t run." in page.enter(text, "{contxt_str} {query_str}").text
    page.press("own fix 1 of B").finish()
    assert "templates edited" in page.text
    first, second = (page.trace(column).calls[0].prompt.text for column in "AB")
    assert (first.startswith("Summary."), second.startswith("Summary.")) == (False, True)
    page.press("own template_default of B")
    assert page.columns[1] == Column("B", (("mode", "accumulate"),))
    assert page.settings.value("text_qa_template") == page.at.text_area(key=text).value


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
        page.edit().type_key("sk-theirs", theirs.base_url).set(model_name="other")
        page.finish().finish()
        assert {one.authorization for one in ours.requests} == {"Bearer sk-sidebar"}
    assert "sk-" not in repr(page.space.values)
    assert "sk-" not in repr([one.request for one in page.compared.values()])


def test_open_does_not_bring_the_sidebars_key_to_the_address_of_a_column():
    with FakeOpenAI(Answer("there")) as theirs:
        page = Compare({"mode": "generation"}, at(theirs, model_name="m"))
        page.type_key("sk-sidebar", "https://a.test/v1").finish().press("open B")
    assert page.settings.base_url == theirs.base_url
    assert {one.authorization for one in theirs.requests} == {"Bearer none"}
    assert "sk-sidebar" not in repr(page.space.values)


def test_columns_that_ask_the_same_are_run_once():
    with FakeOpenAI(Answer("It failed.")) as server:
        columns = [at(server, mode=mode, model_name="m") for mode in ("compact", "refine")]
        page = Compare(*columns, at(server, model_name="other"), chunks=ONE_CHUNK)
        assert "same prompts as A: run once" in page.text
        assert "Still to run: 2 runs with 2 calls" in page.text
        page.finish()
        assert len(server.requests) == 2
        assert page.text.count(">It failed.</div>") == 1
        assert "gave the same 2 words" in page.text
        assert "so one run serves them all" not in page.text
        page.finish()  # Run again asks again, each prompt once
        assert len(server.requests) == 4
        assert "reused" not in page.text
        page.press("open B").job.wait()
        assert page.job.request.mode == "refine"
        assert page.job.trace.response == "It failed."
        assert len(server.requests) == 4


def test_what_is_still_to_run_says_that_answers_are_kept():
    said = "Calls that have an answer are not sent again."
    with FakeOpenAI(Answer("It failed.")) as server:
        page = Compare(**at(server, model_name="m"), chunks=ONE_CHUNK)
        assert said not in page.text
        page.finish().edit().enter("own mode of B", "accumulate")
        assert "Still to run: 1 run with 1 call" in page.text
        assert said in page.text
        sent = len(server.requests)
        page.finish()
        assert len(server.requests) == sent


def test_the_same_prompts_with_another_response_are_named_and_run():
    page = Compare({"mode": "refine"}, {"mode": "accumulate"}, chunks=ONE_CHUNK)
    assert "same prompts as refine, answers combined differently" in page.text
    page.finish()
    assert page.trace("A").response != page.trace("B").response


def test_a_column_that_fails_says_why_and_asks_only_the_rest_again():
    with FakeOpenAI(Answer("first"), Failure(401, "no such key"), Answer("second")) as server:
        page = Compare({"mode": "compact"}, at(server, model_name="m", mode="refine")).finish()
        assert "This column failed." in page.text
        assert "no such key" in page.text
        assert "1 answer was kept." in page.text
        assert "Calls that have an answer are not sent again." in page.text
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
        slow = page.compared[RunSlot("B")].job
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
    assert "3 of 3 repeats answered: all identical." in page.text
    assert "3 of 3 repeats answered: 2 different answers." in page.text
    assert "given 2 times" in page.text
    assert "given once" in page.text


def test_a_repeat_that_has_no_other_is_compared_with_none():
    assert repeats_summary([], 3) == "0 of 3 repeats answered."
    assert repeats_summary([1], 2) == "1 of 2 repeats answered."


def test_a_list_of_questions_is_a_grid_with_the_answers_to_each():
    page = Compare(
        {"mode": "compact"},
        {"mode": "generation"},
        compare_questions="What failed?\n\n When did it rain? \nWhat failed?",
    )
    assert "<bdi>2 questions</bdi>" in page.text
    assert "Still to run: 4 runs" in page.text
    assert "<b>A 4 calls · B 2 calls</b>" in page.text
    page.finish().set(compare_view="grid")
    [grid] = re.findall(r"<table style.*?</table>", page.text, re.DOTALL)
    assert re.findall('scope="row"><span dir="auto">(.*?)</span>', grid) == [
        "What failed?",
        "When did it rain?",
    ]
    assert grid.count(page.trace("A", 1).response[:60]) == 1
    page.set(compare_view="columns")
    assert page.trace("A").response[:40] in page.text
    assert "Question 2 of 2" in page.set(compare_question=2).text


def test_an_answer_to_another_question_stands_beside_none():
    page = Compare({"mode": "compact"}, {"mode": "refine"}, compare_questions="What failed?\nWhen?")
    old = page.finish().trace("A").response
    page.edit()
    for questions in ("Who was told?\nWhen?", "Who was told?"):
        page.set(compare_view="columns").enter("compare_questions", questions)
        assert old[:40] not in page.text
        assert page.trace("A").response == old
        page.set(compare_view="grid")
        assert "It was not run." in page.text
        if "When?" in questions:
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
        assert "Still to run: 160 runs" in page.text
        page.press("run_button")
        eventually(lambda: len(server.requests) >= 24, "runs that wait for the silent server")
        assert " of 160 runs ended, about " in page.draw().text
        assert sum(not job.waiting for job in page.jobs if job.running) == RUNS_AT_ONCE
        page.press("stop_button")
        [others] = re.findall("Still to run: ([0-9]+) runs", page.text)
        assert page.button.label == f"Run the other {others}"
        answered = [slot for slot, run in page.compared.items() if run.job.trace.response]
        assert len(answered) + int(others) == 160
        kept = {slot: page.compared[slot].job for slot in answered}
        page.press("run_button")
        assert {slot: page.compared[slot].job for slot in answered} == kept
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
    workspace.registry().remove(page.space.id)
    page.open()
    page.space = workspace.registry().spaces[page.space.id]


def test_after_a_restart_a_set_has_its_runs_and_goes_on_with_the_rest():
    def answers():
        runs = page.compared.items()
        return {slot: run.job.trace.response for slot, run in runs if run.job.trace}

    questions = {"compare_questions": "Why?\nWhen?", "compare_repeats": 2, "chunks": ONE_CHUNK}
    replies = [Answer(f"answer {number}") for number in range(6)]
    with FakeOpenAI(*replies, Silence(), Silence(), Answer("the rest")) as server:
        same = [at(server, model_name="m", mode=mode) for mode in ("compact", "refine")]
        columns = (*same, at(server, model_name="other"))
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
        assert len({page.compared[slot].job for slot in after if after[slot]}) == 6
        for slot, response in after.items():  # which of its repeats a run was is not saved
            again = RunSlot(slot.column, slot.question, 1 - slot.repeat)
            assert response in (before.get(slot), before.get(again))
        assert len(server.requests) == 8
        page.finish()
        assert len(server.requests) == 8 + 2
    assert len(page.compared) == 12
    assert all(run.job.trace.response for run in page.compared.values())


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


def test_the_thumbs_of_an_older_program_are_ratings():
    assert from_json({"blind_thumbs": {"a": False}}) == {keys.RATINGS: {"a": Rating(False)}}


def test_a_saved_note_that_is_longer_than_its_field_takes_is_left_out():
    assert from_json({keys.RATINGS: {"a": {"thumb": None, "note": "x" * 10_001}}}) == {}


def test_a_person_is_no_model_of_columns():
    page = Compare({"mode": "compact"}, {"mode": "no_text"}, model="human").finish()
    assert page.trace("A").response
    assert "offline model" in page.text


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


SAID = "Your press did nothing."


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (keys.COLUMNS, (Column("A", (("mode", "refine"),)), Column("B", (("mode", "no_text"),)))),
        (keys.QUESTIONS, "What failed?\nWhen?"),
        (keys.REPEATS, 3),
        ("query_str", "Who was told?"),
    ],
)
def test_run_all_starts_nothing_that_its_tab_does_not_show(key, value):
    page = Compare()
    page.put(**{key: value})
    page.press("run_button")
    assert not page.compared
    assert SAID in page.text
    page.finish()
    assert page.compared
    assert SAID not in page.text


def test_what_a_tab_changes_itself_is_run_at_once():
    page = Compare().edit()
    page.at.number_input(key=keys.REPEATS).set_value(2)
    page.finish()  # which brings both to the server together
    assert RunSlot("A", 0, 1) in page.compared
