"""The default texts of the templates, in our own words.

Variables and roles are llama-index-core's: the chunk text is `context_str`, but
`context_msg` in refine_template.
"""

from collections.abc import Mapping

from synth.prompts.templates import ChatPromptTemplate, PromptTemplate

DEFAULTS: Mapping[str, PromptTemplate] = {
    "text_qa_template": PromptTemplate(
        "Here is what our sources say:\n"
        "---------------------\n"
        "{context_str}\n"
        "---------------------\n"
        "Answer from these sources alone, not from other knowledge.\n"
        "Question: {query_str}\n"
        "Answer: "
    ),
    "refine_template": PromptTemplate(
        "Question: {query_str}\n"
        "Our answer so far: {existing_answer}\n"
        "One more source has turned up:\n"
        "---------------------\n"
        "{context_msg}\n"
        "---------------------\n"
        "If this source helps, write a better answer that keeps what was right. If it adds"
        " nothing, give the answer so far again, word for word.\n"
        "Answer: "
    ),
    "summary_template": PromptTemplate(
        "Below are notes from several sources.\n"
        "---------------------\n"
        "{context_str}\n"
        "---------------------\n"
        "Use these notes and nothing else to answer the question.\n"
        "Question: {query_str}\n"
        "Answer: "
    ),
    "simple_template": PromptTemplate("{query_str}"),
}

_RULES = (
    "You answer questions from sources that are given to you. Use nothing else. Answer"
    " directly: do not speak of the sources, the notes or the context."
)

CHAT_DEFAULTS: Mapping[str, ChatPromptTemplate] = {
    name: template
    if name == "simple_template"
    else ChatPromptTemplate([("system", _RULES), ("user", template.template)])
    for name, template in DEFAULTS.items()
}
