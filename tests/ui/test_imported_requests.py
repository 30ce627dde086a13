"""Recorded runs of the real llama-index-core as settings of the pages: these send the same."""

from dataclasses import replace
from itertools import product

import pytest
from llama_index.core.prompts import ChatPromptTemplate

from synth.export.recipe import template_of
from synth.llms import FunctionLLM
from synth.traces.imported_run import trace_of
from tests.traces.test_live import CALLING, CHAT, MODELS, OF_EACH, PLAIN, RENAMED, record, verdict
from ui.controls.handover import TRACE, settings_of
from ui.imported.as_request import (
    request_of,
    settings_beside,
    verify_settings,
    why_not_held,
)
from ui.settings.changes import changes
from ui.settings.schema import MOST_TOKENS


def check(run):
    """The pages hold the run: their prompts are those that were recorded, and their calls too."""
    assert run.verify().equal
    assert why_not_held(run) is None
    trace = trace_of(run)
    assert [call.prompt.text for call in trace.calls] == [call.prompt.text for call in run.calls]
    assert [call.answer for call in trace.calls] == [call.answer for call in run.calls]
    assert trace.response == run.response


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("mode", ["refine", "compact"])
def test_filtering(mode, model):
    run, _ = record(mode, verdict, structured_answer_filtering=True, **MODELS[model])
    check(run)


SINGLE = ChatPromptTemplate.from_messages([("user", "{context_str}\n{query_str}")])
APPLICATIONS = [
    *product(CALLING, [{}], [False, True]),
    *product(["refine", "compact"], [PLAIN, OF_EACH, CHAT, RENAMED], [False, True]),
    *product(["compact", "refine", "accumulate"], [{"text_qa_template": SINGLE}], [False]),
]
"""Modes with the templates that an application gives, and whether its model is one for chats."""


@pytest.mark.parametrize(("mode", "templates", "chat"), APPLICATIONS)
def test_every_mode_with_its_own_and_with_other_templates(mode, templates, chat):
    run, _ = record(mode, chat=chat, **templates)
    check(run)


def test_without_the_text_beside_the_chat_other_prompts_would_be_sent():
    run, _ = record("compact", chat=True)
    request = request_of(run)
    assert verify_settings(run, request).equal
    assert not verify_settings(run, replace(request, measured=())).equal


def test_the_text_by_which_a_template_is_compared_is_part_of_the_request():
    run, _ = record("compact", chat=True)
    request = request_of(run)
    settings = settings_of(request, TRACE) | settings_beside(run, request)
    [(name, text), _] = request.measured
    assert settings[f"{name}_measured"] == text
    assert template_of(dict(request.templates)[name], text).default_template.template == text
    assert changes(request, replace(request, measured=())) == [
        "the text by which text_qa_template is compared",
        "the text by which refine_template is compared",
    ]
    assert changes(request, replace(request, measured=(), mode="accumulate")) != []


def test_a_stream_whose_empty_answer_replaced_another_is_not_held():
    run, _ = record("refine", streaming=True)
    answers = iter(["One.", "", "Three.", "Four."])
    streamed = run.synthesizer(llm=FunctionLLM(lambda prompt: next(answers)))
    run = replace(run, calls=streamed.run(run.query, run.texts).calls)
    assert run.verify().equal
    assert "It was streamed, which the pages don't do." in why_not_held(run)
    assert [call.origins[-1].number for call in trace_of(run).calls] == [1, 2, 3, 4]


def test_limits_that_no_widget_takes_are_named():
    run, _ = record("compact", window=MOST_TOKENS + 1)
    assert "outside of what the pages hold" in why_not_held(run)


def test_values_that_came_with_a_template_are_in_its_text():
    run, _ = record("refine", **OF_EACH)
    texts = {name: dict(messages)["user"] for name, messages in request_of(run).templates}
    assert "in text words say" in texts["text_qa_template"]
    assert texts["refine_template"].endswith(", refi")
