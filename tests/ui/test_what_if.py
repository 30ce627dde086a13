"""The page "What if": what its sentences say, and what its controls do."""

import re
from dataclasses import replace
from html import unescape

import pytest

from synth.modes.advice.choice import SHORT
from synth.quality.samples import SAMPLES
from tests.ui.page import Page, Playground
from ui.plans.axes import AXES, AxisSpan
from ui.plans.curves import curves
from ui.plans.findings import crossings, one_call_window, planned_closely
from ui.session.apart import TookTooMuch
from ui.settings.chunk_list import from_texts
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

pytestmark = pytest.mark.slow

POLICY = SAMPLES[1]
SMALL = {"chunks": SAMPLES[0].chunks[:6], "context_window": 400, "num_output": 60}
SMALLEST = SMALL | {"chunks": SAMPLES[0].chunks[:2]}
CHINESE = {
    "chunks": POLICY.chunks,
    "query_str": POLICY.question,
    "context_window": 900,
    "num_output": 160,
}


class WhatIf(Page):
    """What its page says, without marks, and the curves behind it."""

    script = "pages/what_if.py"

    def __init__(self, axis="window", **settings):
        self.axis = axis
        super().__init__(**settings)

    def load(self, **params):
        super().load(**params)
        if "axis" not in params:
            self.at.session_state["axis"] = self.axis

    @property
    def curves(self):
        """Every curve that is remembered."""
        kinds = [kind for kind in self.space.results if kind.startswith("curves")]
        return [curve for kind in kinds for curve in self.space.results[kind].values()]


def headline(page):
    [found] = re.findall('<div class="lede num">(.+)</div>', page.text)
    return unescape(re.sub("<[^>]+>", "", found))


def advised(page):
    """The adviser's headline."""
    [found] = re.findall('<div class="headline num">(.+)</div>', page.text)
    return unescape(re.sub("<[^>]+>", "", found))


def chips(page):
    """The places at which the mode in focus begins to make other calls, with these calls."""
    return dict(re.findall("<dt>([^<]+)</dt><dd[^>]*>([^<]+)</dd>", page.text))


def planned_calls(request, window):
    changed = replace(request, context_window=window)
    return changed.synthesizer().plan(changed.query_str, changed.text_chunks).call_count


def test_a_window_of_one_call_that_is_not_known_is_not_told(monkeypatch):
    assert "One call carries" not in WhatIf(chunks=()).said

    def too_long(*others):
        return others[3](TookTooMuch("took too long"))

    monkeypatch.setattr("ui.plans.findings.remembered_in_time", too_long)
    small = SMALLEST | {"chunks": SAMPLES[0].chunks[:1]}
    assert "One call carries" not in WhatIf("window", **small).said


def test_the_window_of_one_call_and_an_island_are_the_same_in_headline_figure_and_chips():
    small = SMALL | {"context_window": 450}
    page = WhatIf(**small)
    request = Request.of(page.settings)
    window = one_call_window(request)
    assert window > 2 * page.settings.context_window
    assert f"; compact from {window:,} on; refine and accumulate at no window." in page.said
    assert f"From {window:,} on it makes 1." in headline(page)
    assert page.at.slider(key="at_window").max >= window
    assert [planned_calls(request, one) == 1 for one in (window - 1, window)] == [False, True]
    assert f"A window of {window:,} is enough for 1 call." in Playground(**small).text
    # An island is no threshold.
    calls = [planned_calls(request, window) for window in range(475, 495)]
    assert calls == [*[4] * 4, 3, 3, 4, 3, 3, *[4] * 4, *[3] * 7]
    assert (
        "compact makes 3 to 4 calls. From 488 on it makes 3, and from 479 to 480 and from 482 to"
        " 483. From 545 on it makes 2."
    ) in headline(page)
    assert chips(page)["from 488 on"].endswith("and from 479 to 480 and from 482 to 483")
    figure = page.at.get("plotly_chart")[0].proto.spec
    assert "3 calls from 488 on, and" in figure
    assert "calls from 479 on" not in figure
    page.set(at_window=480)
    assert " At 481 it makes 4. From 488 on" in headline(page)


def test_first_load_names_cliffs_a_crossing_the_rest_and_what_is_wrong():
    page = WhatIf()
    assert re.fullmatch(
        r"At 1,024 tokens compact makes 2 calls\. From 1,\d+ on it makes 1\."
        r" Just below ([\d,]+) it makes 3\. From \1 to 1,\d+ compact makes fewer calls than"
        r" tree_summarize\. tree_summarize never ends below \d+\.",
        headline(page),
    )
    assert "Calls of compact, by the context window" in page.said
    assert (
        "One call carries all chunks: tree_summarize, simple_summarize and compact_accumulate from"
        " 1,466 on; compact from 1,699 on; refine and accumulate at no window."
    ) in page.said
    changes = chips(page)
    assert list(changes.items())[-1] == ("from 1,699 on", "2 → 1")
    assert len(changes) == 12
    assert (
        "generation, no_text and context_only send no chunks, so they are not drawn." in page.said
    )
    assert f"bands reach down to answers of {SHORT} tokens" in page.said
    frame = page.at.dataframe[0].value
    assert {"window", "mode", "calls, least", "calls, most", "problem"} <= set(frame)
    assert frame["mode"].nunique() == 9
    tree = frame[frame["mode"] == "tree_summarize"].set_index("window")
    [end] = [cliff.x for curve in page.curves for cliff in curve.ends if cliff.before < -1]
    assert "never end" in tree.loc[end - 1, "problem"]
    assert tree.loc[end - 1 : end, "calls, most"].isna().tolist() == [True, False]


@pytest.mark.parametrize("axis", list(AXES))
def test_the_cliffs_are_those_of_the_plans(axis):
    chunks = from_texts(SAMPLES[0].chunks[:4], "test")
    request = Request.of(DEFAULT.with_(SMALL | {"chunks": chunks, "num_output": 90}))
    span = AXES[axis].span(request, len(chunks))
    curve = curves(AXES[axis], span, {"compact": request}, lambda _: None)["compact"]
    assert curve.cliffs
    for cliff in (one for one in curve.cliffs if min(one.before, one.after) >= 0):
        for x, calls in ((cliff.x - 1, cliff.before), (cliff.x, cliff.after)):
            changed = AXES[axis].request_at(request, x)
            tokens = AXES[axis].answer_tokens(x) or changed.num_output
            plan = changed.synthesizer().plan(changed.query_str, changed.text_chunks, tokens)
            assert plan.call_count == calls


@pytest.mark.parametrize(
    ("settings", "axis", "text"),
    [
        (
            CHINESE,
            "chunks",
            "With 8 chunks compact makes about 3 calls (3 to 6, whatever the model answers)",
        ),
        ({"chunks": ("One chunk.",)}, "window", "At 1,024 tokens compact makes 1 call."),
        ({"chunks": ("One chunk.",)}, "chunks", "There is 1 chunk"),
        ({"chunks": ()}, "window", "At 1,024 tokens compact makes no call."),
        ({"context_window": 20}, "chunks", "compact has no plan."),
        ({"context_window": 1, "num_output": 1}, "answers", "The length of answers can only be 1."),
        ({"chunk_overlap_ratio": 1.0}, "overlap", "An overlap of 1 repeats all of every chunk"),
        (
            {"context_window": 128_000},
            "window",
            "At 128,000 tokens compact makes 1 call. Just below 1,",
        ),
        ({"behaviour": "llama_index"}, "chunks", "With 12 chunks compact makes 5 calls"),
        (
            {"selection": "top", "similarity_top_k": 3},
            "chunks",
            "With 3 chunks compact makes 1 call.",
        ),
        ({"mode": "no_text"}, "chunks", "With 12 chunks no_text makes no call."),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_whatever_is_asked_the_page_says_what_comes_of_it(settings, axis, text):
    assert text in WhatIf(axis, **settings).said


def test_nothing_is_planned_again_for_another_focus_place_or_measure():
    page = WhatIf("chunks", **SMALL)
    before = list(map(id, page.curves))
    page.set(focus="refine", at_chunks=2, measures=["longest_chain"])
    page.set(model="human")
    assert list(map(id, page.curves)) == before
    page.set(model="endpoint", model_name="gpt-4.1-mini")  # another tokenizer
    assert len(page.curves) > len(before)


def test_another_template_plans_only_the_modes_that_use_it():
    page = WhatIf("chunks", **SMALL)
    before = set(map(id, page.curves))
    page.put(**{"templates.summary_template.text": "Sum it up: {context_str} {query_str}"})
    page.draw()
    assert [curve.mode for curve in page.curves if id(curve) not in before] == ["tree_summarize"]


def test_the_address_has_codes_and_a_link_sets_what_they_stand_for():
    page = WhatIf("chunks", **SMALL)
    page.set(measures=["longest_chain"], goal="summary")
    address = {name: page.at.query_params[name] for name in ("axis", "measures", "goal")}
    assert address == {"axis": "chunks", "measures": "longest_chain", "goal": "summary"}
    page.open(axis="overlap", measures="calls,none such", goal="A summary")
    assert page.at.query_params["measures"] == "calls"
    assert "goal" not in page.at.query_params
    assert headline(page).startswith("At an overlap of 0.10 compact makes")
    assert len(page.at.get("plotly_chart")) == 2  # the curve at two widths


def test_cost_is_drawn_only_where_a_price_is_known():
    page = WhatIf("chunks", **SMALL).set(measures=["cost"])
    assert "There is no curve of the cost: no price is known of this model." in page.said
    assert "$0" not in page.said
    page.set(model="endpoint", model_name="gpt-4.1-mini")
    assert "There is no curve" not in page.said
    assert len(page.at.get("plotly_chart")) == 2  # the curve at two widths


def test_the_plan_follows_the_slider_and_the_slider_the_settings():
    page = WhatIf("chunks", selection="top", similarity_top_k=3)
    assert page.at.selectbox(key="axis").options[4] == "similarity_top_k"
    assert page.at.slider(key="at_chunks").max == 12
    assert "compact with 7 chunks" in page.enter("at_chunks", 7).said
    assert headline(page).startswith("With 7 chunks compact makes ")
    page.press("Use this number")
    assert page.settings.similarity_top_k == 7
    page.set(similarity_top_k=5)
    assert page.at.slider(key="at_chunks").value == 5


def test_a_mode_is_advised_with_its_numbers_and_one_click_takes_it():
    page = WhatIf("chunks").set(focus="refine", goal="summary")
    assert advised(page).startswith("With 12 chunks take tree_summarize: ")
    page.at.session_state["why"] = True
    assert "prompt tokens" in page.draw().text.split("<li>tree_summarize makes ")[1]
    page.press("Put it in focus")
    assert page.at.session_state["focus"] == "tree_summarize"
    page.press("Use this mode")
    assert page.settings.mode == "tree_summarize"


def test_a_custom_mode_has_a_curve_and_is_advised(vote, monkeypatch):
    monkeypatch.setattr(vote, "facts", replace(vote.facts, goals={"detail": 0}))
    page = WhatIf("chunks")
    [curve] = [curve for curve in page.curves if curve.mode == "vote"]
    assert len({point.calls for point in curve.points}) > 1
    assert "take vote: " in advised(page)
    page.at.session_state["why"] = True
    assert vote.facts.approach in page.draw().said
    page.press("Use this mode")
    assert page.settings.mode == "vote"


def test_the_advice_is_for_the_value_chosen_and_only_what_it_needs_is_planned():
    page = WhatIf(focus="compact", **SMALLEST)
    planned = {request.mode for request, _, _ in page.space.results["plan range"]}
    assert planned == {"compact", "simple_summarize"}  # where ranks decide
    page.set(goal="summary", at_window=200)
    assert "tree_summarize may stop early." in advised(page)
    refused = WhatIf("chunks", context_window=20)
    assert advised(refused).startswith("None of these can be advised.")


def test_where_nothing_can_be_varied_there_is_advice_all_the_same():
    assert advised(WhatIf("chunks", chunks=("One chunk.",))).startswith(
        "With 1 chunk take compact: 1 call, and every chunk is sent."
    )


def test_where_fewer_calls_follow_more_after_a_short_tie_both_ends_are_planned():
    claims = next(sample for sample in SAMPLES if sample.question.startswith("车辆在暴雨中"))
    first, last = (
        next(chunk for chunk in claims.chunks if chunk.startswith(name))
        for name in ("第一条", "第八条")
    )
    settings = DEFAULT.with_(
        {
            "query_str": claims.question,
            "chunks": from_texts([first, last], "test"),
            "behaviour": "llama_index",
            "num_output": 124,
            "chunk_overlap_ratio": 0.5,
        }
    )
    modes = ("accumulate", "compact_accumulate")
    requests = {mode: Request.of(settings.with_({"mode": mode})) for mode in modes}
    found = curves(AXES["window"], AxisSpan(300, 900, 330), requests, lambda _: None)
    near = planned_closely(AXES["window"], requests, found, "accumulate", 330, ())
    said = crossings(AXES["window"], 330, near["accumulate"], [near["compact_accumulate"]])
    assert said[0] == "From 324 to 336 accumulate makes more calls than compact_accumulate."
