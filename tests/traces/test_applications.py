"""Applications of the real llama-index-core, each in another set-up, recorded live.

Every synthesis is found, and each is verified or has the reason that is the truth: the one that
the application was made with. Of random runs every prompt is ours.
"""

from random import Random

import pytest
from llama_index.core import Settings
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.indices.prompt_helper import PromptHelper
from llama_index.core.output_parsers import PydanticOutputParser
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate, RichPromptTemplate
from llama_index.core.response_synthesizers import (
    BaseSynthesizer,
    CompactAndRefine,
    ResponseMode,
    get_response_synthesizer,
)
from pydantic import BaseModel

from synth.errors import ImportedRunError
from synth.traces import IMPORTED, ImportedRun, fits, read
from synth.traces.fitting import lost_templates
from synth.traces.notes import NOTES
from tests.examples import share
from tests.parity import rules, texts
from tests.parity.package import tokenizer
from tests.traces import application
from tests.traces.application import Application, nodes, recording
from tests.traces.applications import APPS, CHINESE, App, app, ask, found, model, query
from tests.traces.test_live import CALLING

pytestmark = pytest.mark.slow


class Overriding(Application):
    """A model whose methods call those of its base, as OpenAILike's do: each call has two spans."""

    def chat(self, messages, **kwargs):
        return super().chat(messages, **kwargs)

    def stream_chat(self, messages, **kwargs):
        return super().stream_chat(messages, **kwargs)


@app(runs=2)
def model_that_calls_its_base():
    model(chat=True, kind=Overriding)
    ask("refine")
    "".join(ask(streaming=True).response_gen)


def as_tags(messages):
    lines = "".join(f"<|{one.role.value}|>\n{one.content}</s>\n" for one in messages)
    return f"{lines}<|assistant|>\n"


@app()
def chat_templates_that_a_text_model_writes_as_tags():
    model(messages_to_prompt=as_tags)
    messages = [("system", "Be brief."), ("user", "{context_str}\n{query_str}")]
    ask(text_qa_template=ChatPromptTemplate.from_messages(messages))


@app(truth="tokens, counted though no call used it")
def filtering_whose_replies_cannot_be_read():
    model()
    ask("compact", structured_answer_filtering=True)


@app(truth="padding 50")
def synthesizer_with_another_padding():
    model()
    synthesizer = CompactAndRefine()
    synthesizer._response_padding_size = 50
    query(synthesizer)


@app(truth="context window 900 in the prompt helper (the model's is 1,400)")
def global_prompt_helper_with_another_window():
    model()
    Settings.prompt_helper = PromptHelper(900, 64)
    ask("compact_accumulate")


@app(truth="850 apart in the prompt helper, such as 900 and 50 (the model's are 1,400 and 64)")
def global_limits_of_two_kinds():
    model()
    Settings.context_window = 900
    Settings.num_output = 50
    ask()


@app(truth="tokenizer o200k_base in the prompt helper alone")
def chinese_messages_and_a_helper_with_a_tokenizer_of_its_own():
    model(chat=True)
    messages = [("system", "请只根据资料回答。" * 12), ("user", "{context_str}\n{query_str}")]
    helper = PromptHelper(1_400, 64, tokenizer=tokenizer("o200k_base"))
    template = ChatPromptTemplate.from_messages(messages)
    ask("tree_summarize", CHINESE, prompt_helper=helper, summary_template=template)


class River(BaseModel):
    """What is asked for."""

    name: str
    length: int


@app(runs=3)
def objects_are_asked_for():
    """Each later prompt has the object before it, written as LlamaIndex does it."""
    for chat in (False, True):
        model(lambda prompt, number: '{"name": "Rhine", "length": 1233}', chat=chat)
        ask("compact", output_cls=River)
    ask("tree_summarize", output_cls=River)


@app(truth="no mode")
def synthesizer_of_its_own():
    class Vote(BaseSynthesizer):
        def _get_prompts(self):
            return {}

        def _update_prompts(self, prompts):
            pass

        def get_response(self, query_str, text_chunks, **_):
            ask_about = PromptTemplate("{text}? {query}")
            votes = [
                self._llm.predict(ask_about, text=text, query=query_str) for text in text_chunks
            ]
            return max(votes, key=votes.count)

        async def aget_response(self, query_str, text_chunks, **_):
            return self.get_response(query_str, text_chunks)

    model()
    query(Vote())


@app(truth="lost template")
def templates_with_functions():
    model()
    template = PromptTemplate(
        "{context_str}\n{query_str}",
        function_mappings={"context_str": lambda **values: values["context_str"].upper()},
    )
    ask("accumulate", text_qa_template=template)


@app()
def templates_of_jinja():
    model(chat=True)
    system = "{% chat role='system' %}Be brief.{% endchat %}"
    text = f"{system}{{% chat role='user' %}}{{{{context_str}}}} {{{{query_str}}}}{{% endchat %}}"
    ask("tree_summarize", summary_template=RichPromptTemplate(text))


@app()
def instructions_of_an_output_parser():
    model()
    template = PromptTemplate(
        "{context_str}\n{query_str}", output_parser=PydanticOutputParser(River)
    )
    ask("tree_summarize", summary_template=template)


def syntheses(made: App) -> list[ImportedRun]:
    """The syntheses of an application; calls that stand alone, as of an index, are none."""
    with recording() as lines:
        made.start()
    return [run for run in read(lines.getvalue()) if NOTES["no synthesis"] not in run.notes]


def told(run: ImportedRun) -> str:
    """What is said of a run: that it is verified, or why not."""
    if run.mode == IMPORTED:
        return "no mode"
    if run.verify().equal:
        return "verified"
    if lost_templates(run):
        return "lost template"
    reasons = [", ".join(fit.changes) for fit in fits(run) if fit.is_likely]
    return " or ".join(reasons) or f"unexplained: {run.verify()}"[:200]


def test_the_most_likely_setting_is_named_first():
    [run] = syntheses(APPS["global limits of two kinds"])
    first, second, *others = [fit.changes[0] for fit in fits(run) if fit.is_likely]
    assert first == "num_output 550 in the prompt helper (the model's is 64)"
    assert "such as 900 and 50" in second
    assert [each.split()[0] for each in others] == ["chunk", "padding"]


def test_a_stream_that_was_not_read_is_said_to_be_the_likely_reason():
    for mode, calls in (("tree_summarize", 0), ("refine", 1)):
        with recording() as lines:
            model()
            made = get_response_synthesizer(response_mode=ResponseMode(mode), streaming=True)
            stream = made.synthesize("Why?", found()[:2])
            next(stream.response_gen)
        if calls:
            [run] = read(lines.getvalue())
            assert run.notes[:2] == (NOTES["no synthesis"], NOTES["unended"])
        else:
            with pytest.raises(ImportedRunError, match="not read to its end"):
                read(lines.getvalue())


@pytest.mark.parametrize("name", APPS)
def test_every_run_is_verified_or_has_its_true_reason(name):
    made = APPS[name]
    said = [told(run) for run in syntheses(made)]
    assert len(said) == made.runs
    assert all(made.truth in each for each in said), said


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
            application.ask(llm, mode, query, found, prompt_helper=helper, **way, **given)
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


@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
def test_random_runs(first):
    for number in range(first, first + AT_ONCE):
        check(Random(f"recorded {number}"))
