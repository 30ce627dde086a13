"""`synth check`: whether recorded answers hold what a set of questions expects of them."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.etree.ElementTree import Element, ElementTree, SubElement

from synth.errors import SynthError
from synth.quality import Fact, Follower, Outcome, Question, do_all_pass, read_questions
from synth.quality.checks import Expectation, judge, list_expectations
from synth.quality.questions import MOST_BYTES
from synth.runs.trace import Trace
from synth.terminal.streams import (
    QUESTION,
    REASON,
    format_foreign,
    read_bytes,
    read_runs,
    show_results,
)
from synth.text.wording import listed, reveal
from synth.traces import ImportedRun, trace_of
from synth.words.fact_words import fact_headline

State = Literal["passed", "failed", "not judged", "not recorded"]


@dataclass(frozen=True)
class CheckResult:
    """What came of an answer, as `--json` has it: how many of the `needed` passed, and why not."""

    question: str
    state: State
    mode: str = ""
    passed: int = 0
    needed: int = 0
    reasons: Sequence[str] = ()
    answer: str | None = None
    seconds: float = 0.0


def run(arguments: Namespace) -> int:
    """Print a line for each answer, write JUnit's XML; 1 where one fails, or none has passed."""
    path = arguments.questions
    runs = read_runs(arguments.file, arguments.project)
    results = []
    for question in read_questions(path, read_bytes(path, MOST_BYTES)):
        of_question = [each for each in runs if each.query.split() == question.query.split()]
        results += [_check(question, recorded) for recorded in of_question] or [
            CheckResult(question.query, "not recorded")
        ]
    if arguments.junit:
        _write_junit(arguments.junit, path, results)
    rows = [["question", "mode", "state", "passed", "reason"], *map(_list_cells, results)]
    show_results(results, rows, arguments.json)
    states = {each.state for each in results}
    return int("failed" in states or "passed" not in states)


def _check(question: Question, recorded: ImportedRun) -> CheckResult:
    expectations = list_expectations(question.facts, question.checks)
    trace = _trace_of(recorded)
    outcomes = judge(trace, expectations)
    pairs = zip(expectations, outcomes, strict=True)
    needed = [(each, outcome) for each, outcome in pairs if each.needed]
    passed = [outcome.state == "pass" for _, outcome in needed]
    score = do_all_pass(outcome for _, outcome in needed)
    reasons = [
        _say_reason(each, outcome, trace) for each, outcome in needed if outcome.state != "pass"
    ]
    if question.left_out:
        reasons.append(f"Not computed here: {listed(list(dict.fromkeys(question.left_out)))}.")
    if not needed:
        reasons.append("Nothing is expected of it.")
    if trace.response is None or recorded.failure is not None:
        score = None if recorded.is_incomplete else False
        reasons = [recorded.failure or "The recording has no answer."]
    return CheckResult(
        question.query,
        "not judged" if score is None else "passed" if score else "failed",
        recorded.mode,
        sum(passed),
        len(passed),
        reasons,
        trace.response,
        recorded.seconds,
    )


def _trace_of(recorded: ImportedRun) -> Trace:
    """Return the calls, with the chunks that they carry where the run is verified."""
    try:
        return trace_of(recorded) if recorded.verify().equal else recorded.trace()
    except SynthError:  # its mode is not known here
        return recorded.trace()


def _say_reason(expectation: Expectation, outcome: Outcome, trace: Trace) -> str:
    """Say why it did not pass; where the run knows its chunks, also where a fact was lost."""
    expected = expectation.expected
    if not isinstance(expected, Fact) or not any(call.origins for call in trace.calls):
        return f"{expectation.name}: {outcome.reason}"
    return "".join(fact_headline(Follower(trace).path(expected), trace).sentence)


def _list_cells(each: CheckResult) -> list[str]:
    return [
        format_foreign(each.question, QUESTION),
        each.mode or "-",
        each.state,
        f"{each.passed} of {each.needed}" if each.needed else "-",
        format_foreign(" ".join(each.reasons), REASON),
    ]


def _write_junit(path: str, name: str, results: Sequence[CheckResult]) -> None:
    """Write a case for each answer; SynthError where the file can't be written."""
    suite = Element("testsuite", name=name)
    for each in results:
        named = {"classname": reveal(each.mode or each.state), "name": reveal(each.question)}
        case = SubElement(suite, "testcase", named, time=f"{each.seconds:.3f}")
        words = reveal("\n".join(each.reasons)) or each.state
        if each.state == "failed":
            SubElement(case, "failure", message=words).text = reveal(each.answer or "")
        elif each.state != "passed":
            SubElement(case, "skipped", message=words)
    try:
        ElementTree(suite).write(path, "utf-8", xml_declaration=True)
    except OSError as problem:
        raise SynthError(f"{path} can't be written ({problem.strerror}).") from problem
