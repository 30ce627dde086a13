"""What the page says of prompts that a provider has read a moment ago."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from synth import OpenAILLM, PromptTemplate, get_response_synthesizer
from synth.llms.model_prices import model_facts
from synth.runs.prefixes import plan_in_order
from synth.text.wording import dollars
from tests.ui.page import Playground

LONG = [f"Report {number}. " + "The pool was set to eight. " * 150 for number in range(6)]


def told(page):
    """The tokens that the headline calls cached, and for how many minutes."""
    return re.findall(
        r"Likely cached: ([\d,]+) prompt tokens(?:, for (\d) more minutes?)?", page.text
    )


def test_the_run_before_warms_the_cache_for_the_minutes_of_its_provider():
    page = Playground(chunks=LONG, query_str="Which pool?", context_window=8_192, mode="compact")
    page.enter("price_as", "gpt-5-mini")
    assert not told(page)
    page.finish()
    page.enter("query_str", "Who set it?")
    [(tokens, minutes)] = told(page)
    assert int(tokens.replace(",", "")) >= 1_024
    assert minutes == "5"
    assert "k-cached" in page.text
    job = page.job
    job.info = replace(job.info, ended=datetime.now(UTC) - timedelta(minutes=6))
    assert not told(page.draw())


def test_a_model_without_a_rule_has_no_cache():
    page = Playground(chunks=LONG, context_window=8_192).enter("price_as", "gpt-4-turbo")
    page.finish()
    assert not told(page.enter("query_str", "Who set it?"))


def test_an_answer_without_text_is_foreseen_where_reasoning_took_its_room():
    page = Playground(chunks=LONG, context_window=8_192, num_output=100).finish()
    job = page.job
    job._finished = replace(
        job.trace, calls=tuple(replace(call, reasoning_tokens=100) for call in job.trace.calls)
    )
    page.enter("query_str", "Who set it?")
    assert "reasoned with 100 tokens in a call, and a reply has 100" in page.text
    assert "No text may come." not in page.enter("num_output", 200).text


def test_reasoning_of_the_run_before_is_in_all_figures_of_its_line():
    page = Playground(chunks=LONG, context_window=1_024, num_output=64, mode="refine")
    page.enter("price_as", "gpt-4-turbo").finish()
    job = page.job
    job._finished = replace(
        job.trace, calls=tuple(replace(call, reasoning_tokens=40) for call in job.trace.calls)
    )
    page.enter("query_str", "Who set it?")
    assert "Reasoning in the run before: 40 tokens a call." in page.text
    high = re.search(r"likely \$[\d.]+ to (\$[\d.]+)", page.text)[1]
    assert re.search(rf"instead: .*now {re.escape(high)}[;.]", page.text)


QUESTION_FIRST = "Question: {query_str}\nSources:\n{context_str}\nAnswer: "


def test_a_template_says_what_its_order_costs_another_question():
    page = Playground(
        chunks=LONG, context_window=8_192, mode="compact", text_qa_template=QUESTION_FIRST
    )
    page.reach("text_qa_template")
    assert "stands before" not in page.text  # a model without a price
    page.enter("price_as", "gpt-5-mini").reach("text_qa_template")  # its panel was looked for
    [(now, then, more)] = re.findall(
        r"{query_str} stands before {context_str}, so none of it is cached for another question:"
        r" that would likely cost (\$[\d.]+), with the chunks first (\$[\d.]+), ([\d,]+) tokens",
        page.text,
    )
    llm = OpenAILLM(
        "gpt-5-mini", "a key", context_window=8_192, num_output=page.settings.num_output
    )
    costs = []
    for text in (QUESTION_FIRST, "Question: {context_str}\nSources:\n{query_str}\nAnswer: "):
        made = get_response_synthesizer("compact", llm, text_qa_template=PromptTemplate(text))
        questions = [f"{start}{page.settings.query_str}" for start in ("", "And ")]
        plans = [made.plan(question, LONG) for question in questions]
        last = plan_in_order(plans, model_facts("gpt-5-mini").cache)[-1]
        costs.append((dollars(last.cost.likely), last.cached_tokens))
    (first, none), (second, cached) = costs
    assert [now, then] == [first, second]
    assert (none, f"{cached:,}") == (0, more)
    page.set(text_qa_template="{context_str}\n{query_str}")
    assert "stands before" not in page.text
