"""The view By window of the Playground: its curves, its controls, and the addresses it had."""

import pytest

from synth.export import links
from synth.quality.samples import SAMPLES
from tests.ui.page import Page, Playground, settings_in
from ui.pages.playground.by_window import BY_WINDOW
from ui.plans import curves as module
from ui.plans.curves import AXES, curves
from ui.session import keys, workspace
from ui.settings.chunk_list import from_texts
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

pytestmark = pytest.mark.slow

SMALL = {"chunks": SAMPLES[0].chunks[:6], "context_window": 400, "num_output": 60}


class ByWindow(Playground):
    """What the view says, without marks, and the curves behind it."""

    def __init__(self, axis="window", **settings):
        self.axis = axis
        super().__init__(**settings)

    def load(self, **params):
        super().load(**params)
        self.at.session_state[keys.PLAN_VIEW] = BY_WINDOW
        self.at.session_state["axis"] = self.axis

    @property
    def curves(self):
        """Every curve that is remembered."""
        kinds = [kind for kind in self.space.results if kind.startswith("curves")]
        return [curve for kind in kinds for curve in self.space.results[kind].values()]


@pytest.mark.parametrize("axis", list(AXES))
def test_the_cliffs_are_those_of_the_plans(axis, monkeypatch):
    monkeypatch.setattr(module, "_SECONDS", 60)  # also where other work keeps the machine busy
    chunks = from_texts(SAMPLES[0].chunks[:4], "test")
    request = Request.of(DEFAULT.with_(SMALL | {"chunks": chunks, "num_output": 90}))
    span = AXES[axis].span(request, len(chunks))
    curve = curves(AXES[axis], span, {"compact": request})["compact"]
    assert curve.cliffs
    for cliff in (one for one in curve.cliffs if min(one.before, one.after) >= 0):
        for x, calls in ((cliff.x - 1, cliff.before), (cliff.x, cliff.after)):
            changed = AXES[axis].request_at(request, x)
            plan = changed.synthesizer().plan(
                changed.query_str, changed.text_chunks, changed.num_output
            )
            assert plan.call_count == calls


@pytest.mark.parametrize(
    ("settings", "axis", "text"),
    [
        ({"chunks": ("One chunk.",)}, "chunks", "There is 1 chunk"),
        ({"chunks": ()}, "chunks", "There are no chunks"),
        ({"context_window": 20}, "chunks", "This can't run."),
        ({"context_window": 128_000}, "window", "compact at 128,000 tokens: 1 call"),
        ({"behaviour": "llama_index"}, "chunks", "compact with 12 chunks: 5 calls"),
        ({"selection": "top", "similarity_top_k": 3}, "chunks", "compact with 3 chunks: 1 call"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_whatever_is_asked_the_page_says_what_comes_of_it(settings, axis, text):
    assert text in ByWindow(axis, **settings).said


def test_only_what_changes_a_plan_makes_one_and_a_template_those_that_use_it():
    page = ByWindow("chunks", **SMALL)
    before = list(map(id, page.curves))
    page.set(mode="refine", at_chunks=2, measures=["longest_chain"])
    page.set(model="human")
    assert list(map(id, page.curves)) == before
    page.set(model="endpoint", model_name="gpt-4.1-mini")  # another tokenizer
    assert len(page.curves) > len(before)
    page.set(model="offline")
    before = set(map(id, page.curves))
    page.put(**{"summary_template": "Sum it up: {context_str} {query_str}"})
    page.draw()
    assert [curve.mode for curve in page.curves if id(curve) not in before] == ["tree_summarize"]


def test_the_plan_follows_the_slider_and_the_slider_the_settings():
    page = ByWindow("chunks", selection="top", similarity_top_k=3)
    assert page.at.selectbox(key="axis").options[2] == "similarity_top_k"
    assert page.at.slider(key="at_chunks").max == 12
    assert "compact with 7 chunks" in page.enter("at_chunks", 7).said
    page.press("Use this value")
    assert page.settings.similarity_top_k == 7
    page.set(similarity_top_k=5)
    assert page.at.slider(key="at_chunks").value == 5


def test_it_is_a_view_of_a_plan_and_of_a_run_and_an_edit_there_is_followed():
    page = ByWindow(**SMALL)
    assert page.at.query_params["plan_view"] == BY_WINDOW
    page = Playground.of(page.space, plan_view=BY_WINDOW)
    assert "compact at 400 tokens" in page.said
    page.finish().set(view=BY_WINDOW)
    assert "compact at 400 tokens" in page.said
    page.enter("at_window", 600).press("Use this value")
    assert page.settings.context_window == 600
    assert page.at.query_params["view"] == BY_WINDOW


def test_a_custom_mode_has_a_curve(vote):
    [curve] = [curve for curve in ByWindow("chunks").curves if curve.mode == vote.__name__.lower()]
    assert len({point.calls for point in curve.points}) > 1


@pytest.mark.parametrize(
    ("script", "title"),
    [
        ("what_if", "Playground"),
        ("what-if", "Playground"),
        ("import", "Runs"),
        ("live", "Runs"),
        ("kept", "Playground"),
    ],
)
def test_an_address_of_before_leads_to_its_place_and_keeps_its_workspace(script, title):
    page = type("Old", (Page,), {"script": f"pages/{script}.py"})()
    page.put(query_str="Kept?")
    page.open(mode="refine")
    assert page.at.session_state[keys.PAGE] == title
    assert page.at.query_params["w"] == page.space.id
    if title == "Playground":
        assert page.settings.query_str == "Kept?"
    if script.startswith("what"):
        assert page.settings.mode == "refine"
        assert "refine at 1,024 tokens" in page.said
    page.open(open=links.pack('{"kind": "workspace", "version": 1, "values": {"seed": 7}}'))
    assert settings_in(workspace.registry().spaces[page.at.query_params["w"]]).seed == 7
