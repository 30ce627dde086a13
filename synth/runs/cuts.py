"""Whether a server read less of a prompt than it was sent, without a word: decided by counts.

The rules by which servers cut are theirs. Ollama drops whole messages from the front (never system
messages nor the last one); if the rest is too long, its first `num_keep` tokens stay (4, if
nobody sets it), and then the last ones: up to version 0.29 as many as the window holds, since then
about half as many (server/prompt.go, runner/ollamarunner/runner.go, llm/llama_server.go of
ollama/ollama, read in November 2026). llama.cpp and vLLM refuse such a prompt instead.

So all prompts that are cut have one length, the `kept`, and are the longest of their run. That
is what is looked for. What could be taken for it:

- Another tokenizer counts fewer tokens or more (half, or 2.3 times as many), but hardly ever the
  same number for several texts. Where our count is no more than an estimate, a common number must
  therefore be that of a window, or of three prompts that we count differently; and the other
  calls must not speak against it.
- A server that leaves out what it had cached reports fewer tokens, but not one number.
- A server that always says the same number says it of short prompts too.

tests/test_cuts.py has a grid of five tokenizers, four kinds of text, three windows and the rules
above. Neither a sure count nor an estimate raises a false alarm there in 60 runs. A sure count
misses none of 204 cuts; an estimate misses four, all of mixed text. An estimate can raise a false
alarm: for a prompt that has as many tokens as a window by chance.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from synth.prompts.prompt import Prompt, Span
from synth.text.spans import Text
from synth.text.tokenizer import Tokenizer

SMALLEST = 256
"""Tokens below which no window is believed in: such a count is none."""

_UNIT = 1_024  # windows are multiples of it, or one of the smallest
_SMALL = (SMALLEST, 512)
_HEADS = (0, 1, 4, 5, 24, 25)  # tokens that Ollama keeps at the start: num_keep, and a BOS
_CLOSE = 0.02, 16  # how far a sure count may be off without a cut: as a share, and in tokens
_NEAR = 0.95  # times the window, that a prompt which was cut should have by the other calls
_CLEARLY = 0.8  # of a sure count, at most, is a cut of one prompt to a number that is no window
_MOST = 2.4  # times our estimate, that another tokenizer may count
_LIKELY = 1.6  # times our estimate, that it counts of ordinary text
_AROUND = 100  # tokens of a chat template, at most
_MANY, _SPREAD, _LONG = 3, 0.03, 1_000
"""Prompts whose common length need be no window; by what share our counts of them differ; how many
tokens that length must be, since short texts have equal counts more often."""


class CallCounts(NamedTuple):
    """The two counts of a call's prompt, in tokens; `prompt` is equal where its text is."""

    number: int
    ours: int
    theirs: int
    prompt: Hashable


class Cut(NamedTuple):
    """What a server did to the prompts of these `calls`, by their numbers.

    It read `kept` tokens of each; its `window` is as far as counts can tell. `sent` are about as
    many tokens as each of them has by its own tokenizer, in the order of `calls`.
    """

    kept: int
    window: int
    calls: tuple[int, ...]
    sent: tuple[int, ...]

    @property
    def shares(self) -> dict[int, float]:
        """The share of each of these prompts that was cut off, by the number of its call."""
        return {
            number: 1 - self.kept / sent for number, sent in zip(self.calls, self.sent, strict=True)
        }


def find_cut(calls: Sequence[CallCounts], sure: bool, planned: int) -> Cut | None:
    """The cut that these counts speak for, or None.

    `sure` is whether our count should be the server's own; `planned` the window of the plan.
    """
    if sure:
        return _sure(calls, planned)
    lengths = sorted({call.theirs for call in calls if call.theirs >= SMALLEST}, reverse=True)
    found = (
        cut
        for kept in lengths
        for window in _windows(kept, planned) or (0,)
        if (window or kept) >= lengths[0]  # else a longer prompt was read whole
        and (cut := _estimated(calls, kept, window)) is not None
    )
    return next(found, None)


def _windows(kept: int, planned: int) -> list[int]:
    """The windows of which a server would keep so many tokens of a prompt that is too long."""
    if _is_window(kept, planned):
        return [kept]
    halved = (2 * kept - head - head % 2 for head in _HEADS)
    return sorted({window for window in halved if _is_window(window, planned)})


def _is_window(tokens: int, planned: int) -> bool:
    return tokens in (planned, *_SMALL) or (tokens > 0 and tokens % _UNIT == 0)


def _sure(calls: Sequence[CallCounts], planned: int) -> Cut | None:
    """All that is clearly short has one length, and is longer than all that is not."""
    short = [call for call in calls if call.ours - call.theirs > _slack(call, planned)]
    lengths = {call.theirs for call in short}
    if len(lengths) != 1 or min(lengths) < SMALLEST:
        return None
    [kept] = lengths
    window = next(iter(_windows(kept, planned)), 0)
    cut = [call for call in calls if call.theirs == kept < call.ours]
    rest = [call for call in calls if not call.theirs == kept < call.ours]
    least = min(call.ours for call in cut)
    if least < window or any(call.ours > least or call.theirs == kept > call.ours for call in rest):
        return None
    clear = _prompts(cut) > 1 or window or kept <= _CLEARLY * least
    return _cut(kept, window, cut, {call.number: call.ours for call in cut}) if clear else None


def _slack(call: CallCounts, planned: int) -> float:
    """How much less the server may count of a prompt without having cut it."""
    share, least = _CLOSE
    return 0 if _is_window(call.theirs, planned) else max(share * call.ours, least)


def _prompts(calls: Sequence[CallCounts]) -> int:
    """How many different prompts these are."""
    return len({call.prompt for call in calls})


def _estimated(calls: Sequence[CallCounts], kept: int, window: int) -> Cut | None:
    """A cut to `kept` tokens, if nothing speaks against it; `window` is 0 where it is none."""
    cut = [call for call in calls if call.theirs == kept]
    whole = [call for call in calls if call.theirs != kept]
    limit = window or kept
    prompts = _prompts(cut)
    shortest = min(call.ours for call in cut)
    if any(call.ours > _LIKELY * shortest for call in whole):
        return None
    if shortest * _MOST + _AROUND < limit:  # so short a prompt can't have been cut
        return None
    alike = shortest > (1 - _SPREAD) * max(call.ours for call in cut)
    if not window and (prompts < _MANY or alike or kept < _LONG):
        return None
    rate = sum(call.theirs for call in whole) / (sum(call.ours for call in whole) or 1)
    expected = {call.number: round(call.ours * rate) for call in cut}
    if whole and min(expected.values()) < _NEAR * limit:
        return None
    if not whole and prompts < 2 and shortest * _LIKELY < limit:
        return None
    sent = expected if whole else {call.number: call.ours for call in cut}
    return _cut(kept, window, cut, sent)


def _cut(kept: int, window: int, cut: Sequence[CallCounts], sent: dict[int, int]) -> Cut:
    least = max(kept, window) + 1  # else the server had no reason to cut
    numbers = tuple(call.number for call in cut)
    return Cut(kept, window or kept, numbers, tuple(max(sent[number], least) for number in numbers))


def unread_spans(prompt: Prompt, share: float, tokenizer: Tokenizer) -> Iterator[Span]:
    """The spans that have this share of the prompt's tokens, counted from its start.

    The few tokens that Ollama keeps at the start are left aside: they are those of a
    chat template. By a tokenizer that is not the server's own, the place is about right.
    """
    spans = prompt.read_by(tokenizer)
    counts = [tokenizer.count(str(span.text)) for span in spans]
    left = share * sum(counts)
    for span, tokens in zip(spans, counts, strict=True):
        if left <= 0:
            return
        end = len(span.text) if tokens <= left else _end(span.text, round(left), tokenizer)
        yield replace(span, text=span.text.slice(0, end))
        left -= tokens


def _end(text: Text, tokens: int, tokenizer: Tokenizer) -> int:
    """The character at which about so many tokens of a text have ended."""
    return len(text) * tokens // max(1, tokenizer.count(str(text)))
