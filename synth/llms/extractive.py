"""ExtractiveLLM: answers with sentences from the prompt, offline and always the same."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from math import ceil
from typing import Any, NamedTuple

from pydantic import BaseModel

from synth.llms.questions import wants_summary
from synth.llms.relevance import SENTENCES, Candidates, Match, relevance
from synth.llms.sentences import join_sentences, paragraphs
from synth.prompts.kinds import SpanKind
from synth.prompts.prompt import Prompt
from synth.prompts.window import LLMMetadata
from synth.runs.llm import LLM
from synth.runs.steps import Completion
from synth.text.sizes import CONTEXT_WINDOW, NUM_OUTPUT
from synth.text.tokenizer import Encode, Tokenizer
from synth.text.tokens import DEFAULT_ENCODING, get_tokenizer
from synth.text.wording import encodable

NO_CHUNKS = "I answer only with sentences from the chunks, and this prompt holds none."


class _Reply(NamedTuple):
    text: str
    satisfied: bool


class ExtractiveLLM(LLM):
    """Quotes the sentences of the context that answer the query best; sizes are in tokens.

    It is no language model: it looks for words and understands nothing. It reads the labels of
    the prompt's spans, not the instructions around them. Of each part of the question it quotes
    the best sentence first, then others that are nearly as good; `relevance` has the rules. The
    sentences of an existing answer stay where they still match and there is room, unless the new
    context rejects them. Where nothing matches, or the query only asks for a summary, it quotes
    the sentences that begin the paragraphs. With a schema it gives JSON; `query_satisfied`, if
    asked for, is whether any sentence of the new context matched.
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
        """Sentences of the context and of the existing answer; JSON if there is a schema."""
        reply = self._reply(Prompt.of(prompt))
        text = reply.text if schema is None else self._as_json(reply, schema)
        return Completion(text, finish_reason="stop")

    def stream(
        self, prompt: Prompt, schema: type[BaseModel] | None = None
    ) -> Iterator[str | Completion]:
        """The same, word by word, and then the whole completion."""
        completion = self.complete(prompt, schema)
        yield from re.findall(r"\s*\S+\s*|\s+", completion.text)
        yield completion

    def _reply(self, prompt: Prompt) -> _Reply:
        room = self.metadata.num_output
        query, context, existing = (
            _text(prompt, kind) for kind in (SpanKind.QUERY, SpanKind.CONTEXT, SpanKind.ANSWER)
        )
        if not context.strip():
            return _Reply(self._cut(existing or NO_CHUNKS, room), satisfied=False)
        if wants_summary(query):
            return _Reply(self._cut(self._unmatched(existing, context), room), satisfied=True)
        candidates = _candidates(existing, context)
        kept = candidates.kept
        found = relevance(query, candidates)
        chosen = self._that_fit(candidates, found.best(kept))
        changed = any(at >= kept for at in chosen) or any(at < kept for at in found.rejected)
        if chosen and changed:
            text = join_sentences([candidates.sentences[at] for at in chosen])
        else:
            text = self._unmatched(existing, context)
        satisfied = any(candidates.sentences[at] in candidates.context for at in found.matching)
        return _Reply(self._cut(text, room), satisfied)

    def _that_fit(self, candidates: Candidates, matches: list[Match]) -> list[int]:
        """The numbers of the best few candidates that fit in an answer together, in its order."""
        chosen: list[Match] = []
        for match in matches:
            known = {other.sentence for other in chosen}
            if match.sentence not in known and len(chosen) < SENTENCES:
                longer = sorted([*chosen, match], key=lambda match: match.place)
                text = join_sentences([candidates.sentences[other.sentence] for other in longer])
                if not chosen or self._tokenizer.count(text) <= self.metadata.num_output:
                    chosen = longer
        return [match.sentence for match in chosen]

    def _unmatched(self, existing: str, context: str) -> str:
        """The existing answer as it is, or the sentences with which paragraphs begin.

        These are spread evenly over the text; of a single paragraph there are two.
        """
        if existing.strip():
            return existing
        found = paragraphs(context)
        if len(found) == 1:
            return join_sentences(found[0][:2])
        return join_sentences([part[0] for part in found[:: ceil(len(found) / SENTENCES)]])

    def _cut(self, text: str, room: int) -> str:
        """As much of the text as has at most `room` tokens."""
        tokens = self._tokenizer.count(text)
        while tokens > room:
            text = text[: len(text) * room // tokens]
            tokens = self._tokenizer.count(text)
        return text

    def _as_json(self, reply: _Reply, schema: type[BaseModel]) -> str:
        """The reply in the fields of the schema, shortened until the JSON has num_output tokens."""
        room, known = self.metadata.num_output, {}
        text = encodable(reply.text)  # JSON holds no lone surrogates
        if {"query_satisfied", "answer"} <= schema.model_fields.keys():
            known = {"query_satisfied": reply.satisfied}
            text = text if reply.satisfied else ""
        filled = filled_json(schema, text, **known)
        while text and (over := self._tokenizer.count(filled) - room) > 0:
            text = self._cut(text, max(0, self._tokenizer.count(text) - over))
            filled = filled_json(schema, text, **known)
        return filled


def _text(prompt: Prompt, kind: SpanKind) -> str:
    """The distinct spans of a kind: a template may hold the same text twice."""
    return "\n\n".join(dict.fromkeys(str(s.text) for s in prompt.spans if s.kind == kind))


def _candidates(existing: str, context: str) -> Candidates:
    """The sentences of the existing answer, and then those of the context."""
    before, parts = paragraphs(existing), paragraphs(context)
    kept = dict.fromkeys(chain.from_iterable(before))
    sentences = dict.fromkeys(chain(kept, *parts))
    leads = frozenset(part[0] for part in chain(before, parts))
    return Candidates(tuple(sentences), len(kept), frozenset(chain.from_iterable(parts)), leads)


Schema = Mapping[str, Any]

_OF_FORMAT = {
    "date": "1970-01-01",
    "date-time": "1970-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT0S",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uri": "https://example.com/",
    "email": "nobody@example.com",
}


def filled_json(model: type[BaseModel], text: str, **known: bool) -> str:
    """JSON of the model: `text` in every free string field, `known` values by field name.

    Other required fields get the simplest value that their type allows, optional ones none.
    """
    schema = model.model_json_schema()
    value = {**_value(schema, schema.get("$defs", {}), text), **known}
    return json.dumps(value, ensure_ascii=False)


def _value(schema: Schema, definitions: Schema, text: str) -> Any:
    value: Any = None
    match schema:
        case {"$ref": reference}:
            value = _value(definitions[reference.rsplit("/", 1)[-1]], definitions, text)
        case {"allOf": [first, *_]} | {"anyOf": [first, *_]} | {"oneOf": [first, *_]}:
            value = _value(first, definitions, text)
        case {"const": value} | {"enum": [value, *_]}:
            pass
        case {"type": "string"}:
            value = _OF_FORMAT.get(schema.get("format", ""), text[: schema.get("maxLength")])
        case {"type": "integer" | "number"}:
            value = _number(schema)
        case {"type": "boolean"}:
            value = False
        case {"type": "array"}:
            least = [schema.get("items", {})] * schema.get("minItems", 0)
            items = schema.get("prefixItems", least)
            value = [_value(item, definitions, text) for item in items]
        case {"type": "object"}:
            value = {
                name: _value(field, definitions, text)
                for name, field in schema.get("properties", {}).items()
                if name in schema.get("required", ()) or _is_text(field)
            }
    return value


def _is_text(field: Schema) -> bool:
    first = field.get("anyOf", [field])[0]
    return bool(first.get("type") == "string" and not first.keys() & {"enum", "const"})


def _number(schema: Schema) -> float:
    """The number nearest to 0 that the bounds allow."""
    lowest: float = max(schema.get("minimum", 0), schema.get("exclusiveMinimum", -1) + 1)
    highest: float = min(
        schema.get("maximum", lowest), schema.get("exclusiveMaximum", lowest + 1) - 1
    )
    return min(lowest, highest)
