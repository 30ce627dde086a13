"""Where the numbers of the pages come from: counted anew, from settings and a trace alone."""

from collections.abc import Sequence
from functools import cached_property

from synth.errors import SynthError
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, mode_facts
from synth.quality import Fact, Follower
from synth.runs.trace import Trace
from synth.text.words import count_words
from synth.words.provenance import matches, quoted_words
from tests.ui.sentences.entered import unsent
from tests.ui.sentences.planned import Planned
from ui.settings.expected import facts_of
from ui.settings.schema import FIRST_MODES, MOST_COLUMNS


class Source(Planned):
    """All quantities: those of plans, of bounds, and of the run if there was one."""

    # What Compare has not run yet: its columns, but those that send the prompts of another.

    def still_runs(self) -> int:
        return len(self._still)

    def still_unplanned(self) -> int:
        return len([mode for mode in self._still if not self._has_plan(mode)])

    def still(self, name: str, end: str) -> float:
        ranges = [getattr(self.bounds(mode), name) for mode in self._still if self._has_plan(mode)]
        together = max if name == "longest_chain" else sum
        found: float = together(getattr(one, end) for one in ranges)
        return found

    @cached_property
    def _still(self) -> list[str]:
        columns = dict.fromkeys((self.settings.mode, *FIRST_MODES))
        found: dict[object, str] = {}
        for mode in [*columns][:MOST_COLUMNS]:
            try:
                prompts = [
                    tuple(call.prompt.text for call in self.plan(mode, how).calls)
                    for how in ("short", "long")
                ]
            except SynthError:
                continue
            shared = self.settings.behaviour == "documented" and prompts[0]
            one_answer = mode_facts(mode).response_source == "last_answer"
            found.setdefault(tuple(prompts) if shared and one_answer else mode, mode)
        taken = self.trace is not None and self.trace.response is not None
        return [mode for mode in found.values() if not (taken and mode == self.settings.mode)]

    def _has_plan(self, mode: str) -> bool:
        return MODES[mode].steps is not BaseSynthesizer.steps

    # The least and the most, whatever the answers say; tests of `synth` hold these to runs.

    def least_calls(self, mode: str) -> float:
        return self.bounds(mode).calls.low

    def least_prompt_tokens(self, mode: str) -> float:
        return self.bounds(mode).prompt_tokens.low

    def most_calls(self, mode: str) -> float:
        return self.bounds(mode).calls.high

    def most_prompt_tokens(self, mode: str) -> float:
        return self.bounds(mode).prompt_tokens.high

    def most_output_tokens(self, mode: str) -> float:
        return self.bounds(mode).output_tokens.high

    def most_tokens(self, mode: str) -> float:
        return self.most_prompt_tokens(mode) + self.most_output_tokens(mode)

    # What happened.

    def made(self) -> int:
        return len([call for call in self.ended.calls if call.answer is not None])

    def read(self) -> int:
        return sum(self._weighs(call.prompt) for call in self.ended.calls)

    def written(self) -> int:
        return sum(self._count(call.answer or "") for call in self.ended.calls)

    def unsent(self) -> int:
        return sum(map(self._count, unsent(self.ended)))

    def facts(self) -> int:
        return len(self._facts)

    def held(self) -> int:
        return self._arrived(self._facts)

    def needed(self) -> int:
        return len([fact for fact in self._facts if fact.must])

    def needed_held(self) -> int:
        return self._arrived([fact for fact in self._facts if fact.must])

    def not_listed(self) -> int:
        return len(self.ended.calls) - 60

    def words(self) -> int:
        return count_words(self.answer)

    def quoted_words(self) -> int:
        return sum(self._quoted.values())

    def quoted(self) -> int:
        return len(self._quoted)

    def words_of_chunk(self, number: int) -> int:
        return self._quoted.get(number, 0)

    def not_quoted(self, number: int) -> int:
        return 0 if number in self._quoted else number

    def place_in_list(self, number: int) -> int:
        return self.request(self.settings.mode).positions[number - 1] + 1

    def of_call(self, call: int, number: int) -> int:
        """The number, if it is that of the call, or of a chunk or an answer in its prompt."""
        origins = {origin.number for origin in self.ended.calls[call - 1].origins}
        return number if number in {call, *origins} else 0

    def answer_tokens(self, call: int) -> int:
        return self._count(self.ended.calls[call - 1].answer or "")

    @property
    def answer(self) -> str:
        return self.ended.response or ""

    @cached_property
    def _facts(self) -> Sequence[Fact]:
        return facts_of(self.settings.query_str)[0]

    def _arrived(self, facts: Sequence[Fact]) -> int:
        follower = Follower(self.ended, [chunk.text for chunk in self.settings.chunks])
        return [follower.path(fact).stage for fact in facts].count("answered")

    @cached_property
    def _quoted(self) -> dict[int, int]:
        return quoted_words(self.answer, matches(self.answer, self.ended.setup.chunks))

    @property
    def ended(self) -> Trace:
        assert self.trace is not None
        return self.trace
