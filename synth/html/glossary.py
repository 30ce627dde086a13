"""The terms in what we say and draw, each with one sentence that explains it."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from synth.html.markup import Html, escape, tag, together


class Term(NamedTuple):
    """The sentence that explains a term, and its name in LlamaIndex, if it has one there."""

    meaning: str
    api_name: str = ""


TERMS: Mapping[str, Term] = {
    "chunk": Term("A piece of a document, as a search returned it.", "Node"),
    "call": Term("One request to the model: a prompt goes out, an answer comes back."),
    "query": Term("Your question, as it stands in a prompt.", "query_str"),
    "chat template": Term(
        "What a server puts around the messages before the model reads them: who speaks, and"
        " where each message ends."
    ),
    "template": Term(
        "The fixed text of a prompt; its variables are filled in for each call.",
        "PromptTemplate",
    ),
    "answer": Term("What an earlier call answered, sent again in the prompt of a later one."),
    "context window": Term(
        "The most tokens of one call, its prompt and its answer together.", "context_window"
    ),
    "answer length": Term("The most tokens that the model may answer in a call.", "num_output"),
    "room for the answer": Term(
        "Tokens of the window that every call leaves to its answer: the answer length."
    ),
    "safety margin": Term(
        "Tokens that are left empty when prompts are filled with chunks: LlamaIndex keeps some for"
        " the answer so far.",
        "padding",
    ),
    "free": Term("Tokens of the window that nothing fills."),
    "overlap": Term(
        "The share of a chunk's size that two neighbouring pieces repeat where a text is cut.",
        "chunk_overlap_ratio",
    ),
    "chunk size limit": Term("The most tokens of chunk text in a prompt.", "chunk_size_limit"),
    "tokenizer": Term("The rule by which a family of models cuts text into tokens."),
    "prompt token": Term(
        "A token of what is sent to the model; an English word has one token or two."
    ),
    "output token": Term("A token of what the model answers; it often costs more."),
    "cut off": Term("Text of the chunks that goes into no call, so that no model reads it."),
    "cut by the server": Term(
        "Text that was sent, and that the server threw away without a word before the model"
        " read the rest, since it was longer than the server's own window."
    ),
    "sent twice": Term("Text of the chunks that goes into more than one call."),
    "longest chain": Term("The most calls that wait for one another's answers, in a row."),
    "level": Term("Calls of a tree that can be made at once; the next level reads their answers."),
    "documented": Term("Does what LlamaIndex's documents promise."),
    "llama_index": Term("Does what llama-index-core 0.14.25 does, prompt for prompt."),
}
"""Every term of the vocabulary, in the singular."""

# Single words would be underlined in every sentence; only a level is rare enough.
_IN_SENTENCES = sorted((name for name in TERMS if " " in name or name == "level"), key=len)
_FOUND = re.compile(rf"\b({'|'.join(reversed(_IN_SENTENCES))})(s?)\b")


def help_of(name: str) -> str:
    """Return the explanation of a term as Markdown, for the `help` of a widget."""
    meaning, api_name = TERMS[name]
    return f"{meaning} In LlamaIndex: `{api_name}`." if api_name else meaning


def term_html(word: str) -> Html:
    """Return a word of ours as HTML, explained on hover and on keyboard focus if it is a term."""
    name = word if word in TERMS else word.removesuffix("s")
    return _explained(name, word) if name in TERMS else escape(word)


def with_terms(text: str, explained: set[str]) -> Html:
    """Return the text as HTML, with each term in it explained where it stands first.

    The terms that are found are added to `explained`; those in it are left as they are.
    """
    parts, end = [], 0
    for match in _FOUND.finditer(text):
        if (name := match[1]) not in explained:
            explained.add(name)
            parts += [text[end : match.start()], _explained(name, match[0])]
            end = match.end()
    return together([*parts, text[end:]])


def _explained(name: str, word: str) -> Html:
    meaning, api_name = TERMS[name]
    text = f"{meaning} In LlamaIndex: {api_name}." if api_name else meaning
    return tag("dfn", word, tabindex="0", aria_description=text)
