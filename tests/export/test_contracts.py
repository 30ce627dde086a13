"""Exported contracts, run by pytest with the real llama-index-core in a process of its own."""

import re
import subprocess
import sys

import pytest
from llama_index.core.prompts.default_prompts import (
    DEFAULT_REFINE_PROMPT_TMPL,
    DEFAULT_TEXT_QA_PROMPT_TMPL,
)

from synth.export.programs import Contract, llama_index_script
from synth.modes.registry import ResponseMode
from tests.export.recipes import chats, recipe, recorded

CALLING = [mode.value for mode in ResponseMode if mode not in ("no_text", "context_only")]


def contract_of(made):
    return Contract(made, recorded(made)[1].log())


def ran(folder, files):
    """What pytest says of these contracts, by their names; "" where all tests pass."""
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text, "utf-8")
    options = ["-q", "-rf", "--noconftest", "-p", "no:cacheprovider", "-c", "/dev/null"]
    command = [sys.executable, "-m", "pytest", *options, f"--rootdir={folder}", str(folder)]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout
    assert " passed" in said, said
    lines = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    found = {name: [line for line in lines if f"test_{name}.py" in line] for name in files}
    return {name: "\n".join(lines) for name, lines in found.items()}, said


def contracts():
    """Contracts that hold, by their names."""
    made = {mode: contract_of(recipe(mode, context_window=1_300)) for mode in CALLING}
    made |= {f"{mode}_small": contract_of(recipe(mode, context_window=800)) for mode in CALLING}
    made |= {f"{mode}_planned": Contract(recipe(mode), {}) for mode in CALLING}
    made |= {f"{mode}_chat": contract_of(chats(recipe(mode))) for mode in CALLING}
    made |= {
        f"{mode}_filtering": contract_of(recipe(mode, structured_answer_filtering=True))
        for mode in ("refine", "compact")
    }
    escaped = ('She said "it\'s C:\\logs".\n', "It's the pump's \\ seal.")
    made["escaped"] = contract_of(recipe("simple_summarize", text_chunks=escaped))
    texts = {
        "text_qa_template": DEFAULT_TEXT_QA_PROMPT_TMPL,
        "refine_template": DEFAULT_REFINE_PROMPT_TMPL,
    }
    templates = tuple((name, (("user", text),)) for name, text in texts.items())
    made["defaults"] = contract_of(recipe("compact", templates=templates))
    return made


def changed():
    """Contracts that don't hold, by what is changed in them."""
    contract = contract_of(recipe("compact"))
    text = contract.text()
    changes = {
        "word": ("Answer from these sources alone", "Answer from these sources only"),
        "fewer": ("MOST_CALLS = ", "MOST_CALLS = 1  # "),
        "tokens": ("MOST_PROMPT_TOKENS = ", "MOST_PROMPT_TOKENS = 99  # "),
    }
    files = {name: text.replace(*change, 1) for name, change in changes.items()}
    assert all(changed != text for changed in files.values())
    chunks = tuple(f"Fact {number}. " * 40 for number in range(1, 7))
    whole = contract_of(recipe("simple_summarize", context_window=3_000, text_chunks=chunks))
    files["cut"] = whole.text().replace("CONTEXT_WINDOW = 3000", "CONTEXT_WINDOW = 600", 1)
    return files


@pytest.mark.slow
def test_contracts_hold_with_the_real_package_and_what_changes_fails_and_says_where(tmp_path):
    made = contracts()
    holding = {name: contract.text() for name, contract in made.items()}
    given = "        **{name: template(name, messages) for name, messages in TEMPLATES.items()},\n"
    assert given in holding["defaults"]
    holding["defaults"] = holding["defaults"].replace(given, "")  # selectors are LlamaIndex's own
    found, said = ran(tmp_path, holding | changed())
    assert not any(found[name] for name in made), said
    assert made["compact"].size
    assert made["compact"].whole
    assert made["tree_summarize"].whole
    assert not made["simple_summarize_small"].whole
    assert made["escaped"].whole
    assert "the_prompts_are_those_of_the_contract" in found["word"]
    assert "Call 1 of " in said
    assert "its prompt differs from character " in said
    assert "sources alone, not from" in said
    assert "sources only, not from" in said
    assert "a_run_makes_no_more_calls_and_tokens" in found["fewer"]
    assert "a_run_makes_no_more_calls_and_tokens" in found["tokens"]
    assert "no_chunk_text_is_lost" in found["cut"]
    assert " of 6: '" in said


def test_only_what_holds_is_held():
    contract = contract_of(recipe("simple_summarize", context_window=700))
    assert not contract.whole
    assert "no_chunk_text_is_lost" not in contract.text()


def test_a_tree_that_need_not_end_has_no_bound_but_its_prompts_can_be_held():
    made = recipe("tree_summarize", context_window=300, num_output=120)
    contract = contract_of(made)
    assert contract.size is None
    assert contract.prompts
    assert "MOST_CALLS" not in contract.text()


def test_each_program_names_the_version_alone_whose_prompts_it_holds():
    older = recipe("compact", "llama_index_before_0.14.22")
    script = llama_index_script(older, recorded(older)[1])
    for program, version in ((contract_of(older).text(), "0.14.25"), (script, "0.14.21")):
        assert set(re.findall(r"llama-index-core[= ]+([\d.]*\d)", program)) == {version}
        assert "<release>" not in program
