from hypothesis import example, given
from hypothesis import strategies as st

from synth import PromptTemplate, get_response_synthesizer
from synth.llms import FunctionLLM
from synth.prompts.kinds import VALUES

TEMPLATES = {
    "text_qa_template": PromptTemplate("In {tone}: {context_str}\n{query_str}"),
    "refine_template": PromptTemplate("{query_str}\n{existing_answer}\n{context_msg} {tone}"),
}


BARE = {
    "text_qa_template": PromptTemplate("{context_str}{query_str}"),
    "refine_template": PromptTemplate("{existing_answer}{context_msg}{query_str}"),
}


def budgets(mode, query, chunks, window=300, templates=TEMPLATES, **options):
    llm = FunctionLLM(lambda prompt: "an answer of six tokens", window, 20)
    synthesizer = get_response_synthesizer(mode, llm, **templates, **options)
    trace = synthesizer.run(query, chunks, tone="a calm voice")
    return [trace.budget(call) for call in trace.calls], trace


def test_the_parts_of_a_call():
    chunks = ["one two", "three four five"]
    [first, second], _ = budgets("refine", "why is it so", chunks, response_padding_size=37)
    assert [first.parts[kind] for kind in VALUES] == [4, 3, 2, 0]
    assert (second.parts["context"], second.parts["answer"]) == (3, 5)
    assert first.reserved == 20
    assert first.padding == second.padding == 37
    [first, second], _ = budgets("refine", "why is it so", chunks)
    assert first.padding == second.padding == 0


WORDS = st.text(max_size=40) | st.sampled_from(["", "ing", "zation", "2", "\n", "s it?", "🚀"])


@given(
    WORDS, st.lists(st.text(max_size=200) | WORDS, max_size=4), st.sampled_from([TEMPLATES, BARE])
)
@example("ing", ["work"], BARE)
@example("", ["s are here", "1"], BARE)
def test_parts_and_what_is_left_are_the_window(query, chunks, templates):
    found, trace = budgets("refine", query, chunks, templates=templates)
    for part, call in zip(found, trace.calls, strict=True):
        assert part.prompt == call.prompt_tokens
        assert min(part.parts.values()) >= 0
        assert part.prompt + part.reserved + part.padding + part.free == part.window == 300
        assert part.over == 0


def test_a_prompt_over_the_window_says_by_how_much():
    options = {"behaviour": "llama_index", "response_padding_size": 0}
    [part], trace = budgets("refine", "why " * 280, ["one"], **options)
    over = trace.calls[0].prompt_tokens + 20 - 300
    assert part.over == over > 0
    assert part.free == part.padding == 0
