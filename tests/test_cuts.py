"""Both counts of a prompt: what servers cut is found by them, and not taken for a tokenizer."""

import random
import re
from functools import cache

import pytest

from synth.quality.samples import SAMPLES
from synth.runs.coverage import CallCounts, find_cut
from synth.text.model_tokenizers import get_tokenizer

FRAMES = (0, 4, 9, 30)
CL100K = get_tokenizer("cl100k_base").count
TOKENIZERS = {
    "cl100k": CL100K,
    "o200k": get_tokenizer("o200k_base").count,
    "digit by digit": lambda text: CL100K(re.sub(r"(\d)", r" \1 ", text)),
    "words": lambda text: len(re.findall(r"\w{1,5}|[^\w\s]", text)),
    "bytes": lambda text: len(text.encode()) // 3,
}


def ollama_to_0_29(tokens, window):
    return min(tokens, window)


def ollama_from_0_30(tokens, window, keep=4):
    return tokens if tokens < window else window - max((window - keep) // 2, 1)


RULES = (ollama_to_0_29, ollama_from_0_30)


@cache
def pages(kind):
    """Paragraphs of one kind of text, about 200 tokens each."""
    rng = random.Random(kind)
    if kind == "table":
        rows = [", ".join(f"{rng.uniform(0, 9999):.2f}" for _ in range(6)) for _ in range(900)]
        return ["\n".join(rows[at : at + 9]) for at in range(0, 900, 9)]
    name = {"english": "post_mortem", "chinese": "policy"}[kind]
    text = "\n".join(next(sample.chunks for sample in SAMPLES if sample.name == name))
    size = 800 if kind == "english" else 250
    starts = [rng.randrange(max(1, len(text) - size)) for _ in range(100)]
    return [text[start : start + size] for start in starts]


@cache
def prompts(kind, shape):
    """The prompts of a run: one chunk a call, or several."""
    rng = random.Random(kind + shape)
    paragraphs = list(pages(kind))
    rng.shuffle(paragraphs)
    if shape == "refine":
        return [f"{text} {'and so on ' * rng.randrange(30)}" for text in paragraphs[:12]]
    sizes = (3, 9, 14, 20, 26)
    return ["\n".join(paragraphs[at : at + size]) for at, size in enumerate(sizes)]


@cache
def tokens(name, text):
    return TOKENIZERS[name](text)


def runs():
    """Every tokenizer with every kind of text: our estimates, the server's counts, the texts."""
    rng = random.Random(0)
    for name in TOKENIZERS:
        for kind in ("english", "chinese", "table"):
            for shape in ("refine", "varied"):
                texts = prompts(kind, shape)
                frame = rng.choice(FRAMES)
                theirs = [tokens(name, text) + frame for text in texts]
                yield [tokens("cl100k", text) for text in texts], theirs, texts


def calls(ours, theirs, _):
    rows = zip(ours, theirs, strict=True)
    return [CallCounts(number, *row) for number, row in enumerate(rows, 1)]


def cut_runs():
    for ours, whole, texts in runs():
        for window in (1_024, 2_048, 4_096):
            for rule in RULES:
                theirs = [rule(tokens, window) for tokens in whole]
                if theirs != whole and window not in whole:
                    yield ours, whole, theirs, texts, window


def expected(whole, theirs):
    """The numbers of the calls that were cut."""
    pairs = zip(whole, theirs, strict=True)
    return tuple(number for number, (was, told) in enumerate(pairs, 1) if was != told)


@pytest.mark.slow
@pytest.mark.parametrize("planned", [1_000, 4_096])
def test_a_cut_is_found_without_a_miss_where_our_count_is_sure(planned):
    alarms = [find_cut(calls(whole, whole, texts), True, planned) for _, whole, texts in runs()]
    assert not any(alarms)
    for _, whole, theirs, texts, window in cut_runs():
        cut = find_cut(calls(whole, theirs, texts), True, planned)
        assert (cut.calls, cut.window) == (expected(whole, theirs), window)
        assert cut.sent_tokens == tuple(whole[number - 1] for number in cut.calls)


@pytest.mark.slow
@pytest.mark.parametrize("planned", [1_000, 4_096])
def test_an_estimate_is_hardly_ever_taken_for_a_cut_and_hides_few(planned):
    alarms = [find_cut(calls(*run), False, planned) for run in runs()]
    assert sum(alarm is not None for alarm in alarms) == 0
    found = [
        (find_cut(calls(ours, theirs, texts), False, planned), expected(whole, theirs), window)
        for ours, whole, theirs, texts, window in cut_runs()
    ]
    missed = sum(
        cut is None or (cut.calls, cut.window) != (numbers, window)
        for cut, numbers, window in found
    )
    assert len(found) > 50
    assert missed <= 0.03 * len(found)


@pytest.mark.parametrize(
    "pairs",
    [
        pytest.param([(900, 11), (4_000, 11), (6_000, 11)], id="a number that is no count"),
        pytest.param([(100, 4_096), (900, 4_096), (6_000, 4_096)], id="always the same number"),
        pytest.param([(900, 700), (4_000, 1_100), (6_000, 2_300)], id="without what was cached"),
        pytest.param([(900, 900), (4_000, 3_990), (6_000, 6_010)], id="close enough"),
        pytest.param([(900, 1_100), (4_000, 4_900), (6_000, 7_300)], id="more than sent"),
        pytest.param([], id="nothing counted"),
    ],
)
@pytest.mark.parametrize("sure", [True, False], ids=["sure", "estimated"])
def test_what_is_no_cut(pairs, sure):
    calls = [CallCounts(at, ours, theirs) for at, (ours, theirs) in enumerate(pairs)]
    assert find_cut(calls, sure, 8_192) is None


def test_one_prompt_of_a_window_that_is_known_needs_no_other():
    [call] = [CallCounts(1, 7_932, 4_096)]
    assert find_cut([call], False, 8_192) == (4_096, 4_096, (1,), (7_932,))
    assert find_cut([call._replace(server_tokens=2_050)], False, 8_192)[:2] == (2_050, 4_096)
    assert find_cut([call._replace(server_tokens=5_003)], False, 8_192) is None
    assert find_cut([call._replace(server_tokens=5_003)], True, 8_192)[:2] == (5_003, 5_003)
