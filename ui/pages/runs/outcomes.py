"""What came of a saved run, in a few words; the sentence above the list of all runs."""

from collections.abc import Sequence

from synth.quality.sending import find_stretches
from synth.quality.words import Words
from synth.text.wording import Bold, counted
from synth.words.plan_sentence import Headline
from ui.imported.list_rows import DIFFERENT, SAME, ListRow, RunOutcome, describe_failure
from ui.settings.expected import facts_of
from ui.store.tables import RunInfo, State

_STATES: dict[State, RunOutcome] = {
    "running": RunOutcome("running", "…"),
    "interrupted": RunOutcome("interrupted", "‖", True),
    "stopped": RunOutcome("stopped", "□", True),
    "incomplete": RunOutcome("incomplete", "…"),
}


def find_outcome(run: RunInfo) -> RunOutcome:
    """Say how a saved run ended: what failed, else the facts that its answer holds."""
    if run.state == "failed":
        return describe_failure(run.problem)
    if run.state != "done":
        return _STATES[run.state]
    if run.unpriced:  # a recording opens as a run only where all prompts are equal
        return RunOutcome("verified", SAME)
    facts, _ = facts_of(run.question)
    needed = [fact for fact in facts if fact.must] or facts
    if not needed:
        return RunOutcome()
    answer = Words(run.answer)
    count = sum(bool(find_stretches(fact, answer)) for fact in needed)
    return RunOutcome(f"{count} of {counted(len(needed), 'fact')}", needs_look=count < len(needed))


def say_headline(rows: Sequence[ListRow], count: int) -> Headline:
    """Say how many recorded runs are the same here, if all rows are known, and count all runs."""
    signs = [row.outcome.sign for row in rows if row.kind != "made here"]
    verified, differing = signs.count(SAME), signs.count(DIFFERENT)
    if not verified or len(rows) < count:
        return Headline([Bold(counted(count, "run"))], [])
    are = "is" if verified == 1 else "are"
    line = f"{counted(count, 'run')} in all."
    if differing:
        line = f"{differing:,} {'differs' if differing == 1 else 'differ'}. {line}"
    words = f"{counted(verified, 'recorded run')} {are} the same here, prompt for prompt."
    return Headline([Bold(words)], [line])
