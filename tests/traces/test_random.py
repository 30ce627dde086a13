"""Random runs of the real package: recorded, read, and every prompt is ours."""

from random import Random

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.indices.prompt_helper import PromptHelper
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate

from synth.traces import fits, read
from tests.examples import share
from tests.parity import rules, texts
from tests.parity.package import tokenizer
from tests.traces.application import Application, ask, nodes, recording
from tests.traces.test_live import CALLING

CASES, AT_ONCE = share(60), 10
ANSWERS = ["hash", "echo:20", "echo:80", "empty", "odd"]
MAPPINGS = {"query_str": "asked", "context_str": "found"}


def template(dice, text):
    """The template as text or as a chat, sometimes with other names, sometimes with a value."""
    mappings = None
    if dice.random() < 0.3:
        mappings = MAPPINGS
        for name, own in MAPPINGS.items():
            text = text.replace(f"{{{name}}}", f"{{{own}}}")
    made = PromptTemplate(text, template_var_mappings=mappings)
    if dice.random() < 0.3:
        messages = [
            ChatMessage(role="system", content='Answer in 中文, "{lang}", it\'s brief.'),
            ChatMessage(role="user", content=text),
        ]
        made = ChatPromptTemplate(messages, template_var_mappings=mappings)
    return made.partial_format(tone_name="plain") if dice.random() < 0.3 else made


def check(dice):
    mode, chat = dice.choice(CALLING), dice.random() < 0.5
    window, num_output = dice.choice([1000, 1500, 3000]), dice.choice([20, 100])
    sizes = {"context_window": window, "num_output": num_output, "is_chat_model": chat}
    rule = dice.choice(ANSWERS)
    system = dice.choice([None, None, "Be terse and kind. " * 4])
    llm = Application(lambda prompt, number: rules.answer(rule, prompt), system, **sizes)
    given = {}
    if dice.random() < 0.7:
        given = {
            "text_qa_template": template(dice, dice.choice(texts.QUESTION_TEMPLATES)),
            "refine_template": template(dice, dice.choice(texts.REFINE_TEMPLATES)),
            "summary_template": template(dice, dice.choice(texts.QUESTION_TEMPLATES)),
            "simple_template": PromptTemplate(dice.choice(texts.SIMPLE_TEMPLATES)),
        }
    chunks = [chunk for chunk in texts.chunks(dice, 300) if chunk.strip()] or ["one"]
    query = dice.choice(["who is Paul Graham?", "问题？", "what", "a {lang} b"])
    helper = PromptHelper(window, num_output, tokenizer=tokenizer("cl100k_base"))
    way = {
        "entry": dice.choice(["query", "aquery"]),
        "streaming": "accumulate" not in mode and dice.random() < 0.3,
    }
    problem = None
    with recording() as lines:
        try:
            found = nodes(chunks, dice.random() < 0.5)
            ask(llm, mode, query, found, prompt_helper=helper, **way, **given)
        except ValueError as error:  # no room for a chunk
            problem = error
    if not llm.prompts:
        assert problem
        return
    [run] = read(lines.getvalue())
    verification = run.verify()
    about = (mode, chat, window, query, way, given, rule, verification, run.notes)
    if any(note.startswith("No call used refine_template") for note in run.notes):
        assert fits(run), about  # it is counted, and not in the trace
        return
    assert verification.calls == len(llm.prompts), about
    assert verification.equal or "leaves" in verification.problem, about


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
def test_random_runs(first):
    for number in range(first, first + AT_ONCE):
        check(Random(f"recorded {number}"))
