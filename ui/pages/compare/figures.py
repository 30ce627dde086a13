"""The line of figures above a comparison, and the one test of whether these tell columns apart."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from synth.quality import Scores, Verdict, pass_rate, verdicts
from synth.quality.verdicts import LEAST_QUESTIONS, question_means
from synth.text.wording import Bold, listed
from ui.pages.compare.cells import Cell, any_ended
from ui.pages.compare.judged_runs import rate_words
from ui.pages.compare.measures import CUT_OFF, measure_rows

_BETWEEN, _ALIKE = " · ", "can't be told apart"


class Figures(NamedTuple):
    """The line, as parts for `synth.html.escape.sentence_html`, and the test behind it, if any."""

    line: list[str]
    test: str = ""


def passed_figures(scores: Mapping[str, Scores]) -> Figures | None:
    """Write how many questions each column passed; None where nothing passed or failed."""
    known = {name: one for name, one in scores.items() if question_means(one)}
    if not known:
        return None
    rates = {name: pass_rate(one) for name, one in known.items()}
    line = [f"{name} {rate_words(rate)[0]} of {rate.questions:,}" for name, rate in rates.items()]
    if len(known) == 1:
        return Figures([Bold(_BETWEEN.join(line))])
    figures = Bold(f"{_BETWEEN.join(line)};")
    best, found = beside_best(known)
    if max(one.questions for one in found.values()) < LEAST_QUESTIONS:
        return Figures([figures, f" {_ALIKE} with fewer than {LEAST_QUESTIONS} questions"])
    differ = [name for name, one in found.items() if one.differs]
    told = f"{best} can be told from {listed(differ)}" if differ else _ALIKE
    return Figures([figures, f" {told}"], _test_words(best, found))


def beside_best(scores: Mapping[str, Scores]) -> tuple[str, dict[str, Verdict]]:
    """Test the column with the highest mean beside each other one, by its name."""
    means = {name: fmean(question_means(one)) for name, one in scores.items()}
    best = max(means, key=means.__getitem__)
    others = {name: one for name, one in scores.items() if name != best}
    return best, dict(zip(others, verdicts(scores[best], [*others.values()]), strict=True))


def _test_words(best: str, found: Mapping[str, Verdict]) -> str:
    """Write the sign test of each pair; "" where no question came out differently."""
    pairs = [
        f"{best} ahead of {name} in {one.wins:,}, behind in {one.losses:,}, p {one.probability:.2g}"
        for name, one in found.items()
        if one.wins or one.losses
    ]
    if not pairs:
        return ""
    corrected = f" Each p is corrected for {len(found):,} pairs (Holm)." if len(found) > 1 else ""
    return f"Sign test over questions: {'; '.join(pairs)}.{corrected}"


def call_figures(columns: Sequence[Sequence[Cell]]) -> Figures:
    """Write what each column makes or made, where nothing passed or failed yet."""
    rows = {row.name: row.values for row in measure_rows(columns)}
    line = []
    for cells, calls, cut_off in zip(columns, rows["calls"], rows[CUT_OFF], strict=True):
        words = f"{cells[0].slot.column} {calls.text}"
        if calls.amount is not None:
            words += " call" if calls.text == "1" else " calls"
        if cut_off.amount:
            words += f", {cut_off.text} tokens cut off"
        line.append(words)
    ended = any(any_ended(cells) for cells in columns)
    if not ended:
        return Figures([Bold(_BETWEEN.join(line))])
    return Figures([Bold(f"{_BETWEEN.join(line)};"), " nothing is expected of the answers"])
