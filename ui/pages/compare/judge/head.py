"""What the judge would be asked and what that costs, its button, and how far it has come."""

import streamlit as st

from synth.html.escape import sentence_html
from synth.text.wording import Bold, agreeing, counted
from ui.look.elements import beside, box, error_box, small, stop_button
from ui.pages.compare import editors
from ui.pages.compare.analysis.judgements import KINDS, answered
from ui.pages.compare.columns import ColumnPlace
from ui.pages.compare.comparison import INPUTS, Comparison
from ui.pages.compare.judge import rounds, setup
from ui.pages.compare.judge.setup import JudgePlan
from ui.plans.cost import cost_at_most, crossing
from ui.runs.progress import left_words
from ui.session import keys, workspace
from ui.settings import hosts, state
from ui.settings.model import cap_limits
from ui.settings.schema import SHOWN

_LOOK_EVERY = 0.5  # seconds


def draw(comparison: Comparison, planned: JudgePlan) -> None:
    """What the judge would be asked and at what cost, its button, and how far it has come."""
    with st.container(horizontal=True, vertical_alignment="center", key="judge_head"):
        st.html(sentence_html(_plan_words(comparison, planned)), width="stretch")
        _button(planned)
    if planned.judge.model.name:
        hosts.ask([setup.settings()], "judge")
    bounds, cap = planned.bounds, cap_limits(state.current())
    if problem := planned.plan.problem or crossing(bounds, cap, planned.judge.model):
        small(problem)
    if not planned.judge.model.name:
        box(
            "There is no judge yet.",
            "The offline model understands nothing, so it can't judge. Name a model behind an"
            " endpoint above, or judge yourself below, blind.",
        )
    elif (name := planned.judge.model.name).casefold() in setup.models_of(comparison):
        box(
            "The judge answers too.",
            f"{name} is the model of a column, and models prefer their own style. Take another.",
        )
    refused = [each.refused for each in planned.asked if each.refused]
    if refused:
        error_box(f"{counted(len(refused), 'judgement')} can't be asked.", refused[0])
    if rounds.current().running:
        st.fragment(_progress, run_every=_LOOK_EVERY)()
    else:
        _problems(planned)


def _plan_words(comparison: Comparison, planned: JudgePlan) -> list[str]:
    firsts = (cell for cell in comparison.cells.values() if not cell.slot.repeat)
    count = sum(answered(cell) is not None for cell in firsts)
    if not count:
        return [Bold("There is no answer to judge yet."), " Run all first."]
    if not planned.plan.calls:
        return [Bold("Nothing is asked of the judge."), " Choose what it judges."]
    bounds = planned.bounds
    calls = counted(bounds.calls.low, "call")
    so_far = rounds.counts(planned)
    known = 0 if so_far.complete else so_far.readable
    return [
        Bold(f"Judging {counted(count, 'answer')} takes {calls}"),
        f": {bounds.prompt_tokens.low:,} prompt tokens, at most"
        f" {counted(int(bounds.output_tokens.high), 'output token')}"
        f"{cost_at_most([(planned.judge.model, bounds)])}.",
        f" Reused, and not sent again: {known:,}." if known else "",
    ]


def _button(planned: JudgePlan) -> None:
    latest = rounds.current()
    if latest.running:
        stop_button(latest.stop, key="stop_judge")
        return
    so_far = rounds.counts(planned)
    complete = so_far.complete
    rest = f"Ask the other {so_far.wanted - so_far.readable:,}"
    said_again = st.session_state.get(keys.JUDGES_AGAIN)
    st.session_state[keys.JUDGES_AGAIN] = complete
    pressed = st.button(
        "Judge again" if complete else rest if so_far.replied else "Judge",
        key="judge_button",
        icon=":material/gavel:",
        type="secondary" if complete else "primary",
        help="Sends every prompt anew."
        if complete
        else "Sends only prompts without a reply that can be read.",
        disabled=not planned.prompts
        or bool(planned.plan.problem or hosts.why_not(setup.settings())),
    )
    if pressed and (said_again or not complete):  # else another tab has had all of it judged
        if state.may_start((*INPUTS, *setup.INPUTS)):
            rounds.start(planned)
        st.rerun()


def _progress() -> None:
    """The calls that are answered; when the last repeat has ended, the whole page is drawn."""
    workspace.enter()
    latest = rounds.current()
    if not latest.running:
        st.rerun()
    answered = sum(len(job.answered) for job in latest.jobs)
    wanted = len(latest.prompts) * len(latest.jobs)
    words = f"{answered:,} of {counted(wanted, 'call')} answered{left_words(latest.jobs)}"
    st.progress(answered / wanted if wanted else 0.0, words)


def _problems(planned: JudgePlan) -> None:
    """Why the latest round did not come to its end."""
    latest = rounds.current()
    if latest.problem:
        error_box("The judge can't start.", latest.problem)
    reasons = dict.fromkeys(
        reason for job in latest.jobs if (reason := job.problem or (job.trace and job.trace.error))
    )
    for reason in reasons:
        error_box("The judge ended early.", f"{reason} The replies that came are kept.")
    so_far = rounds.counts(planned)
    if so_far.readable < so_far.replied:
        box(
            f"{so_far.replied - so_far.readable:,} of {so_far.replied:,} replies can't be read.",
            "The form is not the one that was asked for: look at the replies below, take another"
            " model, or ask anew.",
        )
    replied = [call for job in latest.jobs for call in job.answered]
    for note in dict.fromkeys(note for call in replied for note in call.all_notes):
        small(note)
    if cut := sum(call.finish_reason == "length" for call in replied):
        were = agreeing("were", cut)
        small(f"{cut:,} of the replies {were} cut off: raise the answer length, and judge again.")
    if latest.judge is not None and latest.judge != planned.judge:
        small("The latest judgements are another judge's, or have other limits.")


_JUDGE = ColumnPlace(setup.NO_JUDGE.name, setup.column, setup.put)


def draw_editor(comparison: Comparison) -> None:
    """All fields."""
    fields = [path for path, shown in SHOWN.items() if shown.judge]
    fields.sort(key=lambda path: SHOWN[path].column != "endpoint")
    with st.container(border=True, key="judge_fields"):
        containers = beside("judge", *[1] * (len(fields) + 1))
        for path, container in zip(fields, containers, strict=False):
            with container:
                state.field(path, _JUDGE)
        with containers[-1]:
            _key(comparison)
        _what()


def _key(comparison: Comparison) -> None:
    """The key of the judge's address, where neither the sidebar nor a column asks for it."""
    address = hosts.address(setup.settings())
    if asked := editors.asks_for_key(comparison, address):
        small(f"The key is {asked}. Empty fields: as in the sidebar.")
    else:
        hosts.draw_key("API key of this address", address)


def _what() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.pills(
            "What it judges",
            list(KINDS),
            selection_mode="multi",
            wrap=True,
            format_func=KINDS.__getitem__,
            **state.kept(keys.JUDGE_KINDS, list(KINDS)),
        )
        st.number_input(
            "Repeats",
            1,
            setup.MOST_REPEATS,
            width=110,
            help="How often each prompt is asked, to see whether the judge agrees with itself.",
            **state.kept(keys.JUDGE_REPEATS, 1),
        )
    small("At temperature 0. Where a column is run several times, its first answer is judged.")
