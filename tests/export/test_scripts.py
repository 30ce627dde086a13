"""Exported scripts, run with the real llama-index-core and with this package."""

from dataclasses import replace

import pytest

from synth.errors import SynthError
from synth.export.contract import Contract
from synth.export.script import llama_index_script, planned_script, synth_script
from synth.response_synthesizers.factory import ResponseMode
from tests.export.programs import outputs
from tests.export.recipes import Interrupted, chats, recipe, recorded

MODES = tuple(map(str, ResponseMode))
CALLING = tuple(mode for mode in MODES if mode not in ("no_text", "context_only"))
RUNS = {
    **{mode: recorded(recipe(mode)) for mode in MODES},
    **{f"{mode}, chat": recorded(chats(recipe(mode))) for mode in CALLING},
    **{
        f"{mode}, filtering": recorded(recipe(mode, filtering=True, window=800))
        for mode in ("refine", "compact")
    },
    "filtering, chat": recorded(chats(recipe("refine", filtering=True))),
    "limits": recorded(
        recipe("refine", chunk_limit=70, padding=33, overlap=0.4, encoding="o200k_base")
    ),
    "a tree of levels": recorded(recipe("tree_summarize", window=500)),
    "no chunks": recorded(recipe("refine", chunks=())),
    "a question alone": recorded(recipe("generation", query="'''\"\"\"\\")),
    "interrupted": recorded(recipe("refine"), Interrupted(4)),
    "a failure that counts as no answer": recorded(
        recipe("refine"), lambda prompt: (_ for _ in ()).throw(ValueError("broken"))
    ),
    "the text by which templates are compared": recorded(
        replace(chats(recipe("compact")), measured=(("text_qa_template", "{context_str} " * 90),))
    ),
    "accumulate in a small window": recorded(recipe("accumulate", window=400)),
}
DOCUMENTED = {
    f"{mode}, documented": recorded(recipe(mode, "documented"), reasons=("It packs otherwise.",))
    for mode in MODES
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What each script printed."""
    both = {**RUNS, **DOCUMENTED}
    programs = {(name, "LlamaIndex"): llama_index_script(run) for name, run in both.items()}
    programs |= {(name, "synth"): synth_script(run) for name, run in both.items()}
    return outputs(tmp_path_factory.mktemp("scripts"), programs)


@pytest.mark.parametrize("package", ["LlamaIndex", "synth"])
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.slow
def test_a_script_sends_the_recorded_prompts(said, name, package):
    code, text = said[name, package]
    trace = RUNS[name].trace
    sent = len(trace.log()) + (trace.response is None)
    assert f"All {sent} prompts of {package} are equal" in text
    assert code == 0


@pytest.mark.parametrize("name", DOCUMENTED)
@pytest.mark.slow
def test_a_script_of_documented_behaviour_is_the_run_itself_with_synth(said, name):
    code, text = said[name, "synth"]
    assert f"All {DOCUMENTED[name].trace.call_count} prompts of synth are equal" in text
    assert code == 0


@pytest.mark.slow
def test_what_llama_index_does_otherwise_is_shown_and_explained(said):
    code, text = said["compact, documented", "LlamaIndex"]
    assert code == 0
    assert "prompts differ: 1" in text
    assert "Call 1 differs:" in text
    assert "Why: It packs otherwise." in text


@pytest.mark.slow
def test_a_changed_template_fails_and_says_where(tmp_path):
    script = llama_index_script(recorded(recipe("compact")))
    changed = script.replace("Answer from these sources alone", "Answer from these sources only", 1)
    assert changed != script
    [(code, text)] = outputs(tmp_path, {"changed": changed}).values()
    assert code == 1
    assert "-Answer from these sources alone" in text
    assert "+Answer from these sources only" in text


@pytest.mark.slow
def test_ones_own_model_is_asked_instead(tmp_path):
    run = recorded(recipe("compact"))
    line = "OWN_LLM = None"
    own = {
        "LlamaIndex": (llama_index_script(run), "MockLLM(max_tokens=3)", "llama_index.core.llms"),
        "synth": (synth_script(run), "FunctionLLM(lambda prompt: 'mine')", "synth"),
    }
    programs = {
        name: script.replace(line, f"from {module} import *\nOWN_LLM = {model}", 1)
        for name, (script, model, module) in own.items()
    }
    said = outputs(tmp_path, programs)
    assert said["synth"] == [0, "mine\n"]
    assert said["LlamaIndex"][0] == 0
    assert len(said["LlamaIndex"][1].split()) == 3


def test_a_mode_of_ones_own_has_no_script_with_llama_index(vote):
    made = recipe("vote", "documented")
    with pytest.raises(SynthError, match="vote is a mode of your own"):
        llama_index_script(recorded(made))
    assert "MODE = 'vote'" in synth_script(recorded(made))


@pytest.mark.slow
def test_the_script_of_a_plan_prints_the_prompts_that_llama_index_sends(tmp_path):
    plans = {mode: recipe(mode) for mode in CALLING}
    plans |= {"chat": chats(recipe("compact")), "filtering": recipe("refine", filtering=True)}
    said = outputs(tmp_path, {name: planned_script(made) for name, made in plans.items()})
    for name, made in plans.items():
        code, text = said[name]
        prompts = Contract(made, {}).prompts
        assert code is None
        for number, prompt in enumerate(prompts, 1):
            assert f"Call {number} of {len(prompts)}, " in text
            assert prompt.encode("utf-8", "backslashreplace").decode() in text
