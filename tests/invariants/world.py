"""What the properties run on: a question, chunks, limits and templates of every kind."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st

from synth import BaseSynthesizer, PromptHelper, PromptTemplate, get_response_synthesizer
from synth.errors import SynthError
from synth.llms import FunctionLLM
from synth.quality.samples import SAMPLES
from synth.runs.events import Cap
from synth.runs.trace import Trace
from tests import plain

PACKING = ("refine", "compact", "tree_summarize", "accumulate", "compact_accumulate")
ASKING = (*PACKING, "simple_summarize")
ALL = (*ASKING, "generation", "no_text", "context_only")

MOST_CALLS = 3_000  # far more than any of these texts should cost

QUESTION = [
    "Read this:\n{context_str}\nQuestion: {query_str}\nAnswer: ",
    "{context_str}{query_str}",
    "{query_str} {tone}\n{context_str}\nAgain, in full:\n{context_str}\n",
    "{tone}在此：{context_str}。问：{query_str}",
]
REFINE = [
    "Question: {query_str}\nSo far: {existing_answer}\nRead this:\n{context_msg}\nBetter: ",
    "{existing_answer}{context_msg}{query_str}",
    "{query_str} {existing_answer}\n{context_msg}\n{tone} {existing_answer}",
    "{context_msg}\n{query_str}\n{existing_answer}\n{context_msg}",
]
QUERIES = [
    "Why?",
    "",
    "响应合成器的核心目标是什么？",
    "what happened then " * 50,
    "🚀 or <|endoftext|>?",
]
TONES = ["brief", "", "in the plain words of a harbour pilot " * 7]
CODE = "def area(width, height):\n    return width * height  # in metres\n\n\n"


def passage(kind: str, size: int, seed: int) -> str:
    dice = Random(seed)
    match kind:
        case "code":
            return (CODE * (size // len(CODE) + 1))[:size]
        case "unbroken":
            return "".join(dice.choices("abcdefghij", k=size))
        case "emoji":
            return "".join(dice.choices(["🚀", "👩‍👧 ", "é", " ok", "\n", "ﬁ"], k=size // 2))
        case "ragged":
            return "".join(dice.choices([*" \n\t\u3000字.", "word"], k=size // 2))
    whole = "\n\n".join(SAMPLES[kind == "chinese"].chunks)
    start = dice.randrange(len(whole))
    return (whole * (size // len(whole) + 2))[start : start + size]


CHUNK = (
    st.builds(
        passage,
        st.sampled_from(["english", "english", "chinese", "code", "unbroken", "emoji", "ragged"]),
        st.integers(1, 2_500),
        st.integers(0, 99),
    )
    | st.sampled_from(
        [
            *("", " \n ", "one", "  padded  ", "before\x00after", "half \ud800 and \udfff half"),
            *("👩‍👩‍👧‍👦🚀" * 50, "العربية עברית " * 40, "<|endoftext|><|fim_prefix|>" * 20),
            "{context_str} {{query_str}} {",
        ]
    )
    | st.text(max_size=30)
)


@dataclass(frozen=True)
class World:
    query: str
    chunks: tuple[str, ...]
    context_window: int
    num_output: int
    overlap: float
    chunk_size_limit: int | None
    padding: int | None
    encoding: str
    question: str
    refine: str
    tone: str
    wordiness: float

    def answer(self, prompt: str) -> str:
        """An answer of up to `wordiness` times num_output tokens, the same for a prompt."""
        dice = Random(hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).digest())
        size = dice.randint(0, int(self.wordiness * self.num_output))
        return " ".join(dice.choices(["river", "cold", "spring", "the"], k=size))

    def count(self, text: str) -> int:
        return plain.count(text, self.encoding)

    def synthesizer(
        self,
        mode: str,
        fn: Callable[[str], str] | None = None,
        most_calls: int = MOST_CALLS,
        **options: Any,
    ) -> BaseSynthesizer:
        """The synthesizer of a mode in this world; `fn` answers if given."""
        helper = PromptHelper(
            self.context_window, self.num_output, self.overlap, self.chunk_size_limit, self.encoding
        )
        llm = FunctionLLM(fn or self.answer, self.context_window, self.num_output, self.encoding)
        return get_response_synthesizer(
            mode,
            llm,
            helper,
            text_qa_template=PromptTemplate(self.question),
            summary_template=PromptTemplate(self.question),
            refine_template=PromptTemplate(self.refine),
            response_padding_size=self.padding,
            cap=Cap(calls=most_calls),
            **options,
        )

    def run(
        self, mode: str, fn: Callable[[str], str] | None = None, **options: Any
    ) -> tuple[Trace, SynthError | None]:
        """The trace of a run, and what ended it where it did not end well."""
        try:
            return self.synthesizer(mode, fn, **options).run(**self.asked), None
        except SynthError as problem:
            if not isinstance(problem.trace, Trace):
                raise
            return problem.trace, problem

    @property
    def asked(self) -> Mapping[str, Any]:
        return {"query_str": self.query, "text_chunks": self.chunks, "tone": self.tone}


def worlds(**fixed: st.SearchStrategy[Any]) -> st.SearchStrategy[World]:
    """Worlds; windows of 200 with long questions are among them, and mostly impossible."""
    fields = {
        "query": st.sampled_from(QUERIES),
        "chunks": st.lists(CHUNK, max_size=6).map(tuple),
        "context_window": st.sampled_from([200, 260, 400, 700, 1_200, 3_000]),
        "num_output": st.sampled_from([0, 8, 30, 60, 120]),
        "overlap": st.sampled_from([0.0, 0.1, 0.3, 0.5]),
        "chunk_size_limit": st.sampled_from([None, None, 30, 150]),
        "padding": st.sampled_from([None, 0, 0, 20]),
        "encoding": st.sampled_from(["cl100k_base", "o200k_base"]),
        "question": st.sampled_from(QUESTION),
        "refine": st.sampled_from(REFINE),
        "tone": st.sampled_from(TONES),
        "wordiness": st.sampled_from([0.5, 1.0, 4.0]),
    }
    return st.builds(World, **{**fields, **fixed})
