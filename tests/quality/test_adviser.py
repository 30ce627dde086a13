"""What a plan speaks for: no advice that another mode beats in every figure that it names."""

from hypothesis import given
from hypothesis import strategies as st

from synth import PromptHelper, get_response_synthesizer
from synth.errors import SynthError
from synth.modes.adviser import Advice, PlanFigures, advise
from synth.modes.registry import MODES
from synth.runs.prices import Price
from synth.words.plan_words import advice_words
from tests.examples import examples

PRICES = [None, Price(0.25, 2.0), Price(5.0, 5.0), Price(0.0, 0.0)]


def plans_of(chunks, window, num_output):
    """The plans of all modes that have one."""
    plans = {}
    for mode in MODES:
        try:
            helper = PromptHelper(window, num_output)
            plans[mode] = get_response_synthesizer(mode, prompt_helper=helper).plan("Why?", chunks)
        except SynthError:
            continue
    return plans


@examples(500)
@given(
    st.lists(st.integers(1, 400), min_size=1, max_size=12),
    st.integers(120, 4_000),
    st.integers(1, 300),
    st.sampled_from(PRICES),
    st.sampled_from([*MODES]),
)
def test_no_mode_beats_the_advised_one_in_every_figure_it_names(
    words, window, num_output, price, chosen
):
    plans = plans_of(["word " * count for count in words], window, num_output)
    advice = advise(plans, chosen, price)
    if advice is None:
        assert chosen not in plans or plans[chosen].problem or not plans[chosen].calls
        return
    figures = {mode: PlanFigures.of(plan, price) for mode, plan in plans.items()}
    assert (advice.figures, advice.chosen) == (figures[advice.mode], figures[chosen])
    assert advice.figures.rank <= advice.chosen.rank
    rivals = set(plans) - {"generation", "no_text", "context_only"}
    for mode in rivals if chosen in rivals else ():
        same_kind = ("accumulate" in mode) == ("accumulate" in chosen)
        if same_kind and not plans[mode].problem:
            pairs = zip(figures[mode], advice.figures, strict=True)
            assert not all(rival < advised for rival, advised in pairs)
            assert figures[mode].lost >= advice.figures.lost
            is_tied = figures[mode].rank == advice.figures.rank
            assert is_tied == (mode in (advice.mode, *advice.ties))
    said = advice_words(advice, price is not None)
    assert bool(said) == (advice.mode != chosen or bool(advice.ties))


def test_the_words_have_both_figures_where_they_differ():
    better, worse = PlanFigures(0, 0.0014, 2, 5), PlanFigures(12, 0.0016, 6, 5)
    said = advice_words(Advice("refine", "tree_summarize", better, worse), True)
    assert said == (
        "tree_summarize instead: 0 tokens cut off, now 12; $0.0014, now $0.0016; 2 calls in turn,"
        " now 6."
    )
    tied = advice_words(Advice("compact", "compact", better, better, ("refine",)), False)
    assert tied == "As many calls, at about the same cost: refine."


def test_a_mode_that_loses_text_is_not_advised():
    plans = plans_of(["word " * 500] * 6, 600, 64)
    assert plans["simple_summarize"].lost_tokens
    advice = advise(plans, "simple_summarize", None)
    assert advice is not None
    assert advice.mode != "simple_summarize"
    assert advice.figures.lost == 0
