"""What the evidence of a comparison says, in at most three sentences, and whom to take for it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from statistics import fmean

from synth.modes.advice.choice import Prospects, able
from synth.modes.facts import Goal
from synth.quality.verdicts import EQUAL, question_means
from synth.text.wording import Bold, Tag, agreeing, counted, listed, percent
from ui.pages.compare.analysis.evidence import Evidence, deciding
from ui.pages.compare.analysis.judged_runs import JudgedRun, chance_words
from ui.pages.compare.cells import Cell
from ui.pages.compare.comparison import Comparison

_SAID = {
    "passed": ("passes", "pass", "question"),
    "facts": ("holds", "hold", "fact"),
    "needed": ("holds", "hold", "fact"),
}
_UNKNOWN = {
    "passed": "What {} would pass",
    "needed": "What {} would hold",
    "facts": "Which facts {} would hold",
}
_FRACTIONS = {1 / 2: "half", 1 / 3: "a third", 2 / 3: "two thirds", 1 / 4: "a quarter"}
_MANY = 4  # columns that are not named one by one
_NEAR = 0.005  # of a share: so near to a fraction is that fraction

Tags = list[Tag]


@dataclass(frozen=True)
class Told:
    """The headline: its sentences, what is advised and not known, its tags, and who is advised."""

    sentences: Sequence[str]
    below: str
    tags: Tags
    advised: Sequence[str]


def told(
    comparison: Comparison,
    found: Sequence[Evidence],
    goal: Goal,
    prospects: Prospects,
    planned: Sequence[str],
    otherwise: str,
) -> Told:
    """What the evidence says of a judged comparison.

    `prospects` are of the columns, by name; `planned` names those that the plans alone advise.
    `otherwise` is said where none of those that ran suits the goal.
    """
    decider = deciding(found)
    shown = [decider] if decider is found[0] or decider.few else [found[0], decider]
    counts = [
        _counts(comparison, one) + (_apart(one) if decider.tells or one is shown[-1] else "") + "."
        for one in shown
    ]
    suited = [name for name in able(goal, prospects) if name in decider.scores]
    advice, advised = otherwise, ""
    if len(decider.scores) == 1:
        advice = "Run another column to compare it with."
    elif suited:
        advice, advised = _advice(comparison, decider, goal, suited, prospects)
    tags: Tags = [(_basis(comparison, decider), "exact"), *_test(comparison, decider)]
    if changed := [name for name in decider.scores if comparison.stale(name)]:
        tags.append((f"from before the settings of {listed(changed)} were changed", "estimate"))
    if advised and planned and advised not in planned:
        tags.append(changed_by_runs(planned))
    return Told(
        [Bold(" ".join(filter(None, [*counts, _price(comparison, decider)])))],
        " ".join(filter(None, [advice, *_unknown(comparison, found[0])])),
        tags,
        [advised] if advised else [],
    )


def changed_by_runs(planned: Sequence[str]) -> Tag:
    """That the plans alone advised others."""
    return f"changed by the runs: the plans alone said {' or '.join(planned)}", "estimate"


def _counts(comparison: Comparison, one: Evidence) -> str:
    """What each column has, the best first."""
    singular, plural, noun = _SAID[one.kind]
    if one.kind == "needed" and comparison.asked[0].checks:
        singular, plural, noun = "passes", "pass", "check"
    sums = {name: one.sums(name) for name in one.means}
    clauses = []
    for number, ((got, total), group) in enumerate(groupby(sums, key=sums.__getitem__)):
        names = list(group)
        amount = f"{round(got, 1):,g}" if got else "none"
        if not number:
            verb = singular if len(names) == 1 else plural
            needed = _needed(comparison) if one.kind == "needed" else ""
            every = "All " * (len(names) == len(sums))
            subject = listed(names) if len(names) < _MANY else f"{every}{len(names)} columns"
            clauses.append(f"{subject} {verb} {amount} of {counted(total, noun)}{needed}")
        else:
            # A column that was not run for all questions has another number of them.
            of = "" if total == one.sums(one.best)[1] else f" of {total:,}"
            clauses.append(f"{listed(names)} {amount}{of}")
    return ", ".join(clauses)


def _needed(comparison: Comparison) -> str:
    """Which of the facts and checks of the only question are meant, where some are not needed."""
    all_needed = all(one.needed for one in comparison.asked[0].expectations)
    return "" if all_needed else " that must arrive"


def _apart(one: Evidence) -> str:
    """Whether the columns can be told apart: the interval and the sign test agree that they do."""
    if not one.verdicts:
        return ""
    if one.few:
        return f"; {counted(one.questions, 'question')} can't tell them apart"
    told_from = [name for name, verdict in one.verdicts.items() if verdict.differs]
    others = [name for name in one.verdicts if name not in told_from]
    if not told_from:
        return "; they can't be told apart"
    if others:
        return f"; {one.best} can be told from {listed(told_from)}, not from {listed(others)}"
    every = "they can be told apart" if len(told_from) == 1 else f"{one.best} can be told from all"
    return f"; {every}"


def _price(comparison: Comparison, one: Evidence) -> str:
    """Which column costs least, beside the one with the best answers."""
    names, verb, noun = list(one.scores), "costs", ""
    amounts = _amounts(comparison, names, _cost)
    if not any(amounts.values()):
        amounts, verb, noun = _amounts(comparison, names, _tokens), "takes", "the tokens of "
    if len(amounts) < 2:
        return ""
    least = min(amounts, key=amounts.__getitem__)
    if amounts[one.best] <= amounts[least] + EQUAL:
        others = [amount for name, amount in amounts.items() if name != one.best]
        cheapest = "costs least" if verb == "costs" else "takes the fewest tokens"
        return f"{one.best} {cheapest}." if min(others) > amounts[one.best] else ""
    return f"{least} {verb} {_fraction(amounts[least] / amounts[one.best])} of {noun}{one.best}."


def _fraction(share: float) -> str:
    near = [words for value, words in _FRACTIONS.items() if abs(share - value) <= _NEAR]
    return near[0] if near else percent(share, 1)


def _amounts(
    comparison: Comparison, names: Sequence[str], of: Callable[[Cell, JudgedRun], float | None]
) -> dict[str, float]:
    """The mean of an amount over the questions for which each of these columns has one."""
    scores = comparison.scores(of)
    shared = [
        at
        for at in range(len(comparison.asked))
        if all(any(one is not None for one in scores[name][at]) for name in names)
    ]
    if not shared:
        return {}
    return {name: fmean(question_means([scores[name][at] for at in shared])) for name in names}


def _cost(cell: Cell, run: JudgedRun) -> float | None:
    return cell.cost(run.trace)


def _tokens(_: Cell, run: JudgedRun) -> float:
    return run.trace.prompt_tokens + run.trace.output_tokens


def _advice(
    comparison: Comparison,
    one: Evidence,
    goal: Goal,
    suited: Sequence[str],
    prospects: Prospects,
) -> tuple[str, str]:
    """Whom to take of those that suit the goal, in a sentence, and its name.

    Of columns that can't be told apart it is one that sends all the text and takes least.
    """
    leader = next(name for name in one.means if name in suited)
    alike = [leader]
    for name, verdict in one.beside(leader).items():
        few = one.few and one.means[leader] - one.means[name] > EQUAL
        if name in suited and not (verdict.differs or few):
            alike.append(name)
    taken = min(alike, key=partial(_rank, prospects, _expense(comparison, goal, alike)))
    if one.few:
        return f"Take {taken}, as far as {counted(one.questions, 'question')} can tell.", taken
    if len(alike) == 1:
        return f"Take {taken} where answers must be right.", taken
    return f"Take {taken}: nothing shows that another one answers better.", taken


def _expense(comparison: Comparison, goal: Goal, names: Sequence[str]) -> dict[str, float]:
    """What is to be small: the longest chain for the shortest wait, else cost, else tokens."""
    if goal == "fastest":
        return _amounts(comparison, names, lambda _, run: run.trace.longest_chain)
    costs = _amounts(comparison, names, _cost)
    return costs if any(costs.values()) else _amounts(comparison, names, _tokens)


def _rank(prospects: Prospects, expense: Mapping[str, float], name: str) -> tuple[bool, float]:
    return bool(prospects[name].high.lost_tokens), expense.get(name, 0.0)


def _unknown(comparison: Comparison, one: Evidence) -> Iterator[str]:
    """The columns of which nothing is known, and why."""
    row = comparison.row(0)
    without = [cell for cell in row if cell.name not in one.scores]
    idle = [cell.name for cell in without if not comparison.ran(cell.slot.column)]
    what = _UNKNOWN.get(one.kind, "How good the answers of {} are")
    if idle:
        subject = "it" if len(idle) == 1 else "they"
        have = agreeing("have", len(idle))
        yield f"{what.format(listed(idle))} is not known: {subject} {have} not run."
    ended = [cell.name for cell in without if cell.name not in idle]
    if ended:
        yield f"{what.format(listed(ended))} can't be said of the runs that ended."


def _basis(comparison: Comparison, one: Evidence) -> str:
    """The runs that the evidence rests on, their questions and their columns."""
    columns = one.scores.values()
    runs = sum(score is not None for scores in columns for repeats in scores for score in repeats)
    scored = [
        any(score is not None for scores in columns for score in scores[at])
        for at in range(len(comparison.asked))
    ]
    questions = counted(sum(scored), "question")
    return f"rests on {counted(runs, 'run')}: {questions} in {listed(list(one.scores))}"


def _test(comparison: Comparison, one: Evidence) -> Tags:
    """The best column beside the first that is told from it, else beside the next."""
    if one.few:
        return []
    told_from = (item for item in one.verdicts.items() if item[1].differs)
    rival, verdict = next(told_from, next(iter(one.verdicts.items())))
    if not verdict.wins + verdict.losses:
        return [(f"no question came out differently in {one.best} and {rival}", "exact")]
    wins, losses = (f"{count:,}" if count else "none" for count in (verdict.wins, verdict.losses))
    lead = f"{one.best} ahead in {wins}, {rival} in {losses}"
    pairs = len(one.verdicts)
    if one.kind == "passed" and comparison.repeats == 1:
        lead = f"{wins} passed by {one.best} alone, {losses} by {rival} alone"
        if pairs > 1:
            lead = f"{wins} passed by {one.best} and not {rival}, {losses} the other way round"
    among = f" among {pairs:,} pairs" if pairs > 1 else ""
    return [(f"{lead}: by chance {chance_words(verdict.probability)}{among}", "exact")]
