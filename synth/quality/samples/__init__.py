"""Our own example texts, each with the limits at which there is something to see."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """A question, the chunks to answer it from, limits in tokens, and what there is to see."""

    name: str
    title: str
    question: str
    chunks: tuple[str, ...]
    window: int
    num_output: int
    note: str


def _chunks(name: str) -> tuple[str, ...]:
    """The chunks of a text file beside this one, which a blank line separates."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return tuple(text.strip().split("\n\n"))


SAMPLES = (
    Sample(
        name="post_mortem",
        title="Incident post-mortem",
        question="What caused the outage and how was it fixed?",
        chunks=_chunks("post_mortem.txt"),
        window=1024,
        num_output=128,
        note="The first chunks blame DNS; the cause stands in chunk 9 and the fix in chunk 10.",
    ),
    Sample(
        name="policy",
        title="保险条款 (an insurance policy, in Chinese)",
        question="车辆在暴雨中被淹后，哪些损失可以理赔，需要在多长时间内报案？",
        chunks=_chunks("policy.txt"),
        window=900,
        num_output=160,
        note="Chinese and emoji: no spaces to cut at, and often more tokens than characters.",
    ),
)
