"""Totals equal those of plans, and changes are found at their very place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import (
    BaseSynthesizer,
    ChatPromptTemplate,
    PromptHelper,
    PromptTemplate,
    get_response_synthesizer,
)
from synth.errors import SynthError
from synth.modes.advice.what_if import Cliff, Planner, Totals, cliffs
from synth.quality.samples import SAMPLES
from tests.examples import examples
from tests.invariants.world import ALL, CHUNK, QUERIES, QUESTION, REFINE, TONES

WINDOWS = [120, 200, 260, 400, 700, 1_200, 3_000]


@dataclass(frozen=True)
class Setting:
    """One place on the axes."""

    mode: str
    behaviour: str
    window: int
    num_output: int
    overlap: float
    limit: int | None
    padding: int | None
    answer_tokens: int | None
    first: int | None


@dataclass(frozen=True)
class Asked:
    """What a planner is given, and the templates."""

    query: str
    chunks: list[str]
    variables: Mapping[str, Any]
    question: ChatPromptTemplate
    refine: ChatPromptTemplate
    encoding: str
    streaming: bool

    def synthesizer(self, at: Setting) -> BaseSynthesizer:
        return get_response_synthesizer(
            at.mode,
            None,
            PromptHelper(at.window, at.num_output, at.overlap, at.limit, self.encoding),
            at.behaviour,  # type: ignore[arg-type]
            text_qa_template=self.question,
            summary_template=self.question,
            refine_template=self.refine,
            response_padding_size=at.padding,
            streaming=self.streaming,
        )

    def planned(self, at: Setting) -> Totals:
        """The totals by way of a plan."""
        try:
            plan = self.synthesizer(at).plan(
                self.query, self.chunks[: at.first], at.answer_tokens, **self.variables
            )
        except SynthError as refusal:
            return Totals(0, 0, 0, 0, str(refusal))
        return Totals(
            len(plan.calls),
            sum(
                self.synthesizer(at).prompt_helper.tokenizer.count(c.prompt.text)
                for c in plan.calls
            ),
            sum(call.output_tokens for call in plan.calls),
            plan.longest_chain,
            plan.problem,
        )


def templates(texts: list[str], context: str) -> st.SearchStrategy[ChatPromptTemplate]:
    """Plain, chat, mapped and computed templates; the last ones lose the chunk text."""
    kinds = st.sampled_from(["plain", "plain", "plain", "chat", "mapped", "computed", "broken"])
    return st.builds(
        lambda kind, text: template(kind, text, context), kinds, st.sampled_from(texts)
    )


def template(kind: str, text: str, context: str) -> ChatPromptTemplate:
    match kind:
        case "chat":
            return ChatPromptTemplate.from_messages([("system", "Be {tone}."), ("user", text)])
        case "mapped":
            mapped = text.replace(context, "passage")
            return PromptTemplate(mapped, template_var_mappings={context: "passage"})
        case "computed":
            return PromptTemplate(text, function_mappings={context: _doubled(context)})
        case "broken":
            return PromptTemplate(text.replace(context, "other"))
    return PromptTemplate(text)


def _doubled(context: str):
    return lambda **values: f"{values[context]} {values[context]}"


SETTINGS = st.builds(
    Setting,
    st.sampled_from([*ALL, "refine", "refine", "accumulate", "accumulate"]),
    st.sampled_from(["documented", "llama_index"]),
    st.sampled_from(WINDOWS) | st.integers(120, 1_500),
    st.sampled_from([0, 8, 30, 60]),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.sampled_from([None, None, 30, 150]),
    st.sampled_from([None, 0, 20]),
    st.sampled_from([None, 0, 1, 8, 60, 200]),
    st.sampled_from([None, None, 0, 1, 2, 4]),
)
SMALL = st.sampled_from(["one", "two three", "", " \n", "  padded ", "安静的港口。", "x" * 300])
ASKED = st.builds(
    Asked,
    st.sampled_from(QUERIES),
    st.lists(SMALL, max_size=8) | st.lists(CHUNK | SMALL, max_size=5),
    st.fixed_dictionaries(
        {"tone": st.sampled_from(TONES)},
        optional={name: st.just("\n") for name in ("separator", "context_msg", "name", "texts")},
    ),
    templates(QUESTION, "context_str"),
    templates(REFINE, "context_msg"),
    st.sampled_from(["cl100k_base", "o200k_base"]),
    st.sampled_from([False, False, False, True]),
)


@examples(150)
@given(ASKED, st.lists(SETTINGS, min_size=1, max_size=5))
def test_totals_are_those_of_a_plan(asked: Asked, places: list[Setting]):
    check(asked, places)


def check(asked: Asked, places: list[Setting]) -> None:
    planner = Planner(asked.query, asked.chunks, asked.variables)
    for at in places:
        totals = planner.totals(asked.synthesizer(at), at.answer_tokens, at.first)
        assert totals == asked.planned(at), at


ONE_BY_ONE = st.builds(
    replace,
    SETTINGS,
    mode=st.sampled_from(["refine", "accumulate"]),
    window=st.integers(150, 600),
    padding=st.sampled_from([0, 20]),
    answer_tokens=st.sampled_from([None, 8, 60]),
    first=st.sampled_from([None, None, 3]),
)
PLAIN_ASKED = st.builds(
    replace,
    ASKED,
    query=st.just("Why?"),
    chunks=st.lists(SMALL | st.integers(20, 400).map("word ".__mul__), min_size=2, max_size=6),
    variables=st.just({"tone": "brief"}),
    question=st.sampled_from(QUESTION).map(PromptTemplate),
    refine=st.sampled_from(REFINE).map(PromptTemplate),
    streaming=st.just(False),
)


@examples(150)
@given(PLAIN_ASKED, st.lists(ONE_BY_ONE, min_size=1, max_size=5))
def test_totals_of_chunks_sent_one_by_one_are_those_of_a_plan(asked: Asked, places: list[Setting]):
    check(asked, places)


@pytest.mark.slow
def test_a_chunk_within_the_room_is_cut_where_its_prompt_is_over_the_limit():
    question, refine = PromptTemplate("{context_str}"), PromptTemplate("Q{context_msg}" * 10)
    asked = Asked("", ["7 words " * 9], {}, question, refine, "cl100k_base", streaming=False)
    at = Setting("refine", "documented", 0, 8, 0.0, None, 0, None, None)
    places = [replace(at, window=window) for window in range(150, 400)]
    assert {asked.planned(place).calls for place in places} > {1, 2}
    check(asked, places)


def stairs(*edges: int):
    """A count that rises by one at each edge."""
    return lambda x: sum(x >= edge for edge in edges)


@given(st.lists(st.integers(1, 999), unique=True).map(sorted))
def test_a_change_between_two_samples_is_found_at_its_place(edges: list[int]):
    xs = sorted({0, *(edge for edge in edges), *(edge - 1 for edge in edges), 1_000})
    found = cliffs(stairs(*edges), xs)
    assert [cliff.x for cliff in found] == edges
    assert [(cliff.before, cliff.after) for cliff in found] == list(pairwise(range(len(edges) + 1)))


@given(st.sets(st.integers(1, 999)))
def test_of_several_changes_in_a_gap_one_is_found_with_its_own_sides(edges: set[int]):
    at = stairs(*edges)
    for cliff in cliffs(at, [0, 1_000]):
        assert (at(cliff.x - 1), at(cliff.x)) == (cliff.before, cliff.after)
        assert cliff.x in edges


def test_falling_counts_have_cliffs_too():
    assert cliffs(lambda x: -int(x >= 37), [0, 50, 100]) == (Cliff(37, 0, -1),)


def test_nothing_changes_where_there_is_nothing_to_compare():
    assert cliffs(stairs(5), []) == cliffs(stairs(5), [5]) == cliffs(stairs(5), [5, 9]) == ()


@examples(20)
@given(
    st.integers(130, 900),
    st.integers(1, 4),
    st.sampled_from((0.0, 0.1, 0.5)),
    st.sampled_from(("documented", "llama_index")),
)
def test_a_tree_is_seen_to_end_where_its_whole_plan_ends(window, count, overlap, behaviour):
    chunks = SAMPLES[1].chunks[:count]
    helper = PromptHelper(
        context_window=window, num_output=118, chunk_overlap_ratio=overlap, chunk_size_limit=294
    )
    tree = get_response_synthesizer("tree_summarize", prompt_helper=helper, behaviour=behaviour)
    try:
        whole = Totals.of(tree.plan("How much?", chunks, max_calls=1_000))
    except SynthError as refusal:
        whole = Totals.refused(str(refusal))
    seen = Planner("How much?", chunks).totals(tree)
    assert seen == whole or None not in (seen.problem, whole.problem)
