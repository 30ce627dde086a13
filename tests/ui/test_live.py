"""The page Live: what it says of syntheses as their spans come, and where its buttons lead."""

import re
from dataclasses import replace

import pytest
from llama_index.core.base.llms.types import LLMMetadata

from synth.traces.containers import spans_in
from tests.eventually import eventually
from tests.traces.application import Application, ask, nodes, recording
from tests.traces.test_fitting import helper
from tests.traces.test_live import CHUNKS, says
from tests.ui.page import Page, Playground
from tests.ui.test_import import Trace
from ui.history import history as opened
from ui.history import keeping, summaries
from ui.history.database import ADDRESS
from ui.history.summaries import Filter
from ui.imported import received_runs
from ui.imported.behind import behind
from ui.imported.received_runs import delete_all
from ui.received import store, whose
from ui.session import apart, keys

pytestmark = pytest.mark.slow

TOKEN = "of the tests"


class Seeing(Page):
    """A page of somebody who has entered the token."""

    def load(self, **params):
        super().load(**params)
        self.at.session_state[keys.RECEIVE_TOKEN] = TOKEN

    def see(self, words):
        """Look again and again, as the browser does, until the page says this."""

        def there():
            self.draw()
            return words in self.text + " ".join(self.listed)

        eventually(there, words)
        return self

    listed = ()


class Live(Seeing):
    script = "pages/live.py"

    @property
    def listed(self):
        """What the buttons of the list say, without marks of Markdown."""
        labels = [one.label for one in self.at.button if str(one.key).startswith("live-")]
        return [re.sub(r"[*~\\]|:small\[chosen\]|:material/\w+: ", "", label) for label in labels]

    @property
    def buttons(self):
        return {button.label: button for button in self.at.button}


@pytest.fixture(autouse=True)
def _receiving(tmp_path, monkeypatch):
    monkeypatch.setenv(whose.TOKEN, TOKEN)
    monkeypatch.setenv(ADDRESS, f"sqlite:///{tmp_path}/history.sqlite3")
    monkeypatch.setattr(opened, "_opened", opened._Opened())
    yield
    opened.history().close()


def recorded(mode, query="What is it?", chunks=CHUNKS, **options):
    """The file of a synthesis that ended just now."""
    metadata = LLMMetadata(context_window=1400, num_output=64, model_name="small")
    with recording() as lines:
        ask(Application(says, metadata), mode, query, nodes(chunks), **options)
    return lines.getvalue()


def ended(lines):
    """The spans of a file in the order in which they ended."""
    return sorted(spans_in(lines), key=lambda span: span.end)


def spans_of(*args, **options):
    return ended(recorded(*args, **options))


def until_call(number, spans):
    """The spans that have come when the call with this number of refine has ended, and the rest."""
    ends = [at for at, span in enumerate(spans, 1) if span.name.endswith("Program.__call__")]
    return spans[: ends[number - 1]], spans[ends[number - 1] :]


def test_before_anything_came_the_page_says_what_to_set():
    page = Live()
    [line, code] = [one.value for one in page.at.code]
    assert line.startswith("OTEL_EXPORTER_OTLP_ENDPOINT=http")
    assert "OTLPSpanExporter()" in code
    assert "Waiting for a run of your application." in page.text
    assert "In the place of SYNTH_RECEIVE_TOKEN stands the token itself" in page.text


def test_a_synthesis_grows_until_it_is_verified_and_its_steps_open():
    first, rest = until_call(2, spans_of("refine"))
    page = Live()
    store.add(first)
    page.see("likely refine call 3 of about 4")
    page.see("<b>2 of about 4 calls</b> answered, all 2 prompts verified.")
    assert "mode: likely refine, certain with its last span" in page.text
    assert "Each call, in tokens · call 3 computed, not answered yet" in page.text
    assert page.buttons["Contract"].disabled
    assert "other modes and a contract wait for its last span" in page.text
    assert "lede" not in page.text  # which would be said aloud at each call
    page.press("Steps")
    assert "<b>Step 1 of about 4</b>: chunk 1 goes in; the first answer has" in page.text
    page.set(**{keys.STEP: 3})
    assert "<b>Step 3 of about 4</b>: it is not answered yet." in page.text
    assert "New: chunk 3 · " in page.text
    assert "It has not come yet." in page.text
    store.add(rest)
    page.see("refine ✓ same 4 prompts")
    page.see("<b>refine</b> made <b>4 calls</b>")
    assert "<b>Step 3 of 4</b>: chunk 3 goes in; " in page.text
    page.press("Flow")
    assert "Step 3" not in page.text
    assert "<b>1 synthesis of 1 application</b> in the last 10 minutes, 1 verified" in page.text
    page.press("Steps")
    page = page.turn_to(Playground)
    assert "Back to the trace" in {link.label for link in page.at.get("page_link")}
    assert page.job.trace.call_count == 4


def test_two_applications_are_kept_apart_and_one_can_be_seen_alone():
    for query, service in (("Why?", "support-bot"), ("And then?", "docs-search")):
        own = spans_of("compact", query)
        store.add([replace(span, service=service) for span in own])
    page = Live().see("✓ same").see("Why?")
    page.see("2 syntheses of 2 applications")
    first, second = page.listed
    assert "And then? " in first
    assert "docs-search · compact" in first
    assert "Why?" in second
    page.set(**{keys.LIVE_SERVICE: "support-bot"})
    [only] = page.listed
    assert "support-bot" in only


def test_what_is_chosen_stays_chosen_when_more_comes():
    store.add(spans_of("compact", "First?"))
    page = Live().see("First?")
    page.press(next(one.key for one in page.at.button if "First" in one.label))
    store.add(spans_of("refine", "Second?"))
    page.see("Second?").see('<h2 class="run-title" dir="auto">First?')
    assert "chosen" in next(one.label for one in page.at.button if "First" in one.label)


def test_a_paused_page_stays_as_it_is_until_it_goes_on():
    store.add(spans_of("compact", "First?"))
    page = Live().see("✓ same").press("Pause")
    store.add(spans_of("compact", "Second?"))
    assert len(page.draw().listed) == 1
    page.press("Go on").see("Second?")


def test_a_paused_page_is_drawn_again_once_the_one_that_was_chosen_is_read():
    store.add(spans_of("compact", "First?"))
    store.add(spans_of("refine", "Second?"))
    page = Live().see("✓ same 4 prompts").see("<b>4 calls</b>").press("Pause")
    drawn = page.at.session_state[keys.LIVE_DRAWN]
    page.press(next(one.key for one in page.at.button if "First" in one.label))
    page.see("<b>compact</b> made")
    assert page.at.session_state[keys.LIVE_DRAWN] != drawn


def test_what_is_deleted_is_in_no_memory_and_on_no_paused_page():
    store.add(spans_of("compact", "Secret?"))
    page = Live().see("✓ same").press("Pause")
    kept = store._remembered, received_runs._read_so_far, behind()._results
    assert all(map(len, kept))
    assert "Secret?" in repr(page.at.session_state)
    delete_all()
    assert "Waiting for a run of your application." in page.draw().text
    assert "Secret?" not in repr(page.at.session_state)
    assert not any(map(len, kept))


def test_a_difference_names_its_reason_once_it_was_tried_and_offers_it():
    store.add(spans_of("compact", prompt_helper=helper(chunk_overlap_ratio=0)))
    page = Live().see("✕ differs at call 2").see("Explained by overlap 0.")
    assert "cut off" not in page.text  # which only a verified run knows
    assert "As it was recorded." in page.press("Open as recorded").text
    page.press("Back to the trace").press("Use overlap 0").see("✓ same")
    assert "This is so with overlap 0." in page.text
    assert not page.buttons["Contract"].disabled


def test_spans_that_never_come_are_counted(monkeypatch):
    came, _ = until_call(2, spans_of("refine"))
    store.add(replace(span, start=span.start - 200, end=span.end - 200) for span in came)
    Live().see("silent for 3 min")
    monkeypatch.setattr("ui.imported.received_runs.SILENT", -1)
    Live().see("… 1 span missing")


def test_a_trace_that_fails_leaves_the_others_as_they_are(monkeypatch):
    store.add(spans_of("compact", "First?"))
    read = store.syntheses
    broken = store.traces()[0].trace_id

    def fails(trace):
        return 1 / 0 if trace.trace_id == broken else read(trace)

    monkeypatch.setattr(store, "syntheses", fails)
    store.add(spans_of("compact", "Second?"))
    page = Live().see("✓ same").see("✕ can't be read")
    page.see("no question yet time not known")
    page.press(next(one.key for one in page.at.button if "be read" in one.label))
    page.see("This app fails to read it (ZeroDivisionError)")


def test_an_application_without_a_name_has_none():
    store.add([replace(span, service="") for span in spans_of("compact")])
    page = Live().see("What is it?").see("✓ same")
    assert any("~~compact~~" in one.label for one in page.at.button)
    assert '<span class="tag exact"></span>' not in page.see("4 chunks").text


def test_what_an_agent_sends_is_read_without_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(apart, "apart", None)
    spans = spans_of("compact")
    repeats = replace(spans[0], span_id="f" * 16, attributes={"output.value": "x" * 400_000})
    store.add([*spans, repeats])
    [one] = store.syntheses(*store.traces())
    assert one.ended


def test_a_trace_that_grows_is_remembered_once():
    page = Live()
    for span in spans_of("refine"):
        store.add([span])
        page.draw()
    page.see("✓ same").see("<b>4 calls</b>")
    [trace] = store.traces()
    about = [key[0] for key in behind()._results if trace.trace_id in str(key)]
    assert sorted(about) == ["kept", "listed"]


class Runs(Seeing):
    script = "pages/runs.py"


def found(page):
    """The saved runs of the page's workspace."""
    return summaries.found(opened.history(), page.space.id, Filter()).runs


def test_runs_has_what_goes_on_and_then_the_run_once_also_from_a_file():
    lines = recorded("refine")
    first, rest = until_call(1, ended(lines))
    store.add(first)
    page = Runs().see("likely refine: call 2 of about 4")
    assert "No run is saved yet." in page.text
    store.add(rest)
    page.see("<b>refine</b> made <b>4 calls</b>")
    [saved] = found(page)
    assert (saved.page, saved.state, saved.calls) == ("Live", "done", 4)
    assert "made 4 calls; the price of 1 run is not known." in page.text.replace("</b>", "")
    file = Trace.of(page.space).upload(lines.encode())
    file.press("Open as a run")
    [again] = found(page)
    assert (again.id, again.page) == (saved.id, "Playground")


def test_a_run_that_was_deleted_is_not_made_again_by_another_server(monkeypatch):
    store.add(spans_of("refine"))
    page = Runs().see("made <b>4 calls</b>")
    [saved] = found(page)
    summaries.remove(opened.history(), page.space.id, [saved.id])
    monkeypatch.setattr(keeping, "UNDO_SECONDS", 0)  # a day later
    keeping.forget_old(opened.history(), None)
    behind().clear()  # another server remembers nothing
    page.see("No run is saved yet.")
    received_runs.arrived(60)
    assert not found(page)
    assert Runs().see("made <b>4 calls</b>")  # in another workspace it is another run


def test_who_has_no_token_sees_nothing():
    store.add(spans_of("compact", "Secret?"))
    page = Live()
    page.at.session_state[keys.RECEIVE_TOKEN] = "guessed"
    page.draw()
    assert not page.listed
    assert "Secret?" not in page.text
    page.at.text_input(key="live_token").set_value(TOKEN)
    page.press("Enter").see("Secret?")
