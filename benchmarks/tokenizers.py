"""What plans cost with the tokenizer of a family of models, beside those with cl100k_base.

    python -m benchmarks.tokenizers

Plans in all nine modes at a window of 4,096, with 32 and with 500 chunks of 200 tokens: seconds of
processor time, as a ratio to those of cl100k_base just before. In each round both tokenizers are
made anew, so that nothing has been counted; the table has the median. The files of the families
come with packages and by scripts/tokenizers.sh. Writes docs/speed.md.
"""

import gc
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.asked import ENCODING
from benchmarks.texts import english
from synth import PromptHelper, get_response_synthesizer
from synth.modes.registry import MODES
from synth.text import encodings
from synth.text.tokenizer import Tokenizer
from synth.text.vocabulary import of_encoding
from tests.tables import table, write
from tests.text.families import FAMILIES, Family, forget_vocabularies

SIZES = (32, 500)  # chunks
CHUNK = 200  # tokens
ROUNDS = 3
MOST = 2.0  # times as long as with cl100k_base
BY_TIKTOKEN = "Qwen 3.5 and 3.6"  # whose file gigatoken refuses
PAGE = Path(__file__).parents[1] / "docs" / "speed.md"
HEAD = ("family", "its file", *(f"{size} chunks" for size in SIZES), f"at most {MOST:g}")


def cut() -> list[str]:
    """Technical English, cut every 200 tokens."""
    encoding = encodings.load(ENCODING)
    tokens = encoding.encode(english(1_000_000), disallowed_special=())[: SIZES[-1] * CHUNK]
    return [encoding.decode(tokens[at : at + CHUNK]) for at in range(0, len(tokens), CHUNK)]


def seconds(tokenizer: Tokenizer, chunks: Sequence[str]) -> float:
    """What a plan in each mode takes."""
    began = time.process_time()
    for mode in MODES:
        helper = PromptHelper(4_096, 256, tokenizer=tokenizer)
        get_response_synthesizer(mode, prompt_helper=helper).plan("What happened, and why?", chunks)
    return time.process_time() - began


def ratios(family: Family, chunks: Sequence[str]) -> list[float]:
    """Those of both sizes, with nothing counted before."""
    forget_vocabularies()
    usual, own = of_encoding("cl100k_base"), family.ours()
    for one in (usual, own):
        seconds(one, ["It has to be loaded."])
    gc.collect()
    gc.freeze()  # a collector's pass over what is loaded is nobody's plan
    found = []
    for size in SIZES:
        beside = seconds(usual, chunks[-size:])
        found.append(seconds(own, chunks[-size:]) / beside)
    return found


def main() -> int:
    rows, slowest, chunks = [], 0.0, cut()
    for family in FAMILIES:
        rounds = [ratios(family, chunks) for _ in range(ROUNDS)]
        times = [median(of_size) for of_size in zip(*rounds, strict=True)]
        verdict = "yes" if max(times) <= MOST else "no"
        if family.name == BY_TIKTOKEN:
            verdict = "no bar: read by tiktoken"
        else:
            slowest = max(slowest, *times)
        rows.append((family.name, family.source, *(f"{ratio:.1f}" for ratio in times), verdict))
        print(*rows[-1], flush=True)
    write("bench-tokenizers", table(HEAD, rows), PAGE)
    return int(slowest > MOST)


if __name__ == "__main__":
    sys.exit(main())
