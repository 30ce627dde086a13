"""ExtractiveLLM: answers with sentences from the prompt, offline and always the same."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil

from pydantic import BaseModel

from synth.llms.sentence_ranking import SentenceMatch, rank_sentences, wants_summary
from synth.prompts.prompt import Prompt, SpanKind
from synth.prompts.prompt_helper import CONTEXT_WINDOW, NUM_OUTPUT, LLMMetadata
from synth.runs.llm import LLM, Completion
from synth.text.model_tokenizers import DEFAULT_ENCODING, get_tokenizer
from synth.text.tokenizer import Encode, Tokenizer
from synth.text.wording import make_utf8
from synth.text.words_and_sentences import join_sentences, paragraphs

NO_CHUNKS = "I answer only with sentences from the chunks, and this prompt holds none."
_SENTENCES = 4  # at most, in one answer


class ExtractiveLLM(LLM):
    """Quotes the sentences of the context that answer the query best; sizes are in tokens.

    It looks for words and understands nothing (`sentence_ranking` has the rules), and it reads the
    labels of the prompt's spans, not the instructions around them. The sentences of an existing
    answer stay where they still match and there is room. Where nothing matches, or the query only
    asks for a summary, it quotes the sentences that begin the paragraphs. With a schema it gives
    JSON of its fields of text; `query_satisfied`, if asked for, is whether any sentence of the new
    context matched.
    """

    def __init__(
        self,
        context_window: int = CONTEXT_WINDOW,
        num_output: int = NUM_OUTPUT,
        tokenizer: str | Encode | Tokenizer = DEFAULT_ENCODING,
    ) -> None:
        self.metadata = LLMMetadata(context_window, num_output, "extractive", tokenizer)
        self._tokenizer = get_tokenizer(tokenizer)

    def complete(self, prompt: Prompt | str, schema: type[BaseModel] | None = None) -> Completion:
        """Quote the context and the existing answer; as JSON if there is a schema."""
        text, is_satisfied = self._reply(Prompt.of(prompt))
        text = self._cut(text, self.metadata.num_output)
        if schema is not None:
            text = self._as_json(text, is_satisfied, schema)
        return Completion(text, finish_reason="stop")

    def stream(
        self, prompt: Prompt, schema: type[BaseModel] | None = None
    ) -> Iterator[str | Completion]:
        """Yield the same word by word, and then the whole completion."""
        completion = self.complete(prompt, schema)
        yield from re.findall(r"\s*\S+\s*|\s+", completion.text)
        yield completion

    def _reply(self, prompt: Prompt) -> tuple[str, bool]:
        """Return the answer, and whether the new context says anything of the query."""
        query, context, existing = (
            _text(prompt, kind) for kind in (SpanKind.QUERY, SpanKind.CONTEXT, SpanKind.ANSWER)
        )
        if not context.strip():
            return existing or NO_CHUNKS, False
        if wants_summary(query):
            return _beginnings(existing, context), True
        old, new = (dict.fromkeys(chain(*paragraphs(text))) for text in (existing, context))
        sentences = list(old | new)
        best, matching = rank_sentences(query, sentences, len(old), _SENTENCES)
        chosen = self._choose(sentences, best)
        is_changed = not old.keys() >= {*chosen}
        text = join_sentences(chosen) if chosen and is_changed else _beginnings(existing, context)
        return text, any(sentences[at] in new for at in matching)

    def _choose(self, sentences: Sequence[str], matches: Sequence[SentenceMatch]) -> list[str]:
        """Return the best few sentences that fit in an answer together, in its order."""
        chosen: list[SentenceMatch] = []
        for match in matches:
            longer = sorted([*chosen, match], key=lambda match: match.place)
            texts = [sentences[each.sentence] for each in longer]
            is_new = len({*texts}) == len(texts) <= _SENTENCES
            tokens = self._tokenizer.count(join_sentences(texts)) if is_new and chosen else 0
            if is_new and tokens <= self.metadata.num_output:
                chosen = longer
        return [sentences[match.sentence] for match in chosen]

    def _cut(self, text: str, room: int) -> str:
        tokens = self._tokenizer.count(text)
        while tokens > room:
            text = text[: len(text) * room // tokens]
            tokens = self._tokenizer.count(text)
        return text

    def _as_json(self, text: str, is_satisfied: bool, schema: type[BaseModel]) -> str:
        """Shorten the text until the JSON with it has num_output tokens."""
        known = {}
        text = make_utf8(text)  # JSON holds no lone surrogates
        if {"query_satisfied", "answer"} <= schema.model_fields.keys():
            known = {"query_satisfied": is_satisfied}
            text = text if is_satisfied else ""
        filled = fill_json(schema, text, **known)
        while text and (over := self._tokenizer.count(filled) - self.metadata.num_output) > 0:
            text = self._cut(text, max(0, self._tokenizer.count(text) - over))
            filled = fill_json(schema, text, **known)
        return filled


def _text(prompt: Prompt, kind: SpanKind) -> str:
    return "\n\n".join(dict.fromkeys(str(s.text) for s in prompt.spans if s.kind == kind))


def _beginnings(existing: str, context: str) -> str:
    """Return the existing answer as it is, or beginnings of paragraphs spread over the text."""
    if existing.strip():
        return existing
    parts = paragraphs(context)
    if len(parts) == 1:
        return join_sentences(parts[0][:2])
    return join_sentences([part[0] for part in parts[:: ceil(len(parts) / _SENTENCES)]])


def fill_json(model: type[BaseModel], text: str, **known: bool) -> str:
    """Write JSON of a model: `text` in its fields of text, `known` values, and no others."""
    fields = model.model_fields.items()
    texts = {name: text for name, field in fields if field.annotation is str}
    return json.dumps({**known, **texts}, ensure_ascii=False)
