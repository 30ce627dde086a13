"""tree_summarize: summarize the chunks, then the summaries, until everything fits one call."""

from collections.abc import Sequence
from typing import Any

from synth.errors import NotShrinking
from synth.modes.base import BaseSynthesizer, ModeFacts
from synth.runs.bounds import Bounds, bound_tree
from synth.runs.steps import Steps
from synth.text.spans import Text


class TreeSummarize(BaseSynthesizer):
    """A tree of calls: those of one level go out together, the next level reads their answers."""

    mode = "tree_summarize"
    summary = "Summarizes the chunks, then the summaries, level by level, until one is left."
    templates = ("summary_template",)
    facts = ModeFacts(response_source="last_answer", may_never_end=True)

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Pack, ask, and begin again with the answers."""
        template = self.filled("summary_template", query_str=query_str, **variables)
        levels: list[list[Text]] = []
        while packed := self.packer.repack(template, texts):
            self.require_shrinking([*levels, packed])
            levels.append(packed)
            only = len(packed) == 1
            answers = yield [self.call(template, text, final=only) for text in packed]
            if only:
                return self.ending(answers[0].text)
            texts = [answer.as_text() for answer in answers]
        return self.empty_response

    def bound(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """Return the first level is known; the others read its answers."""
        template = self.filled("summary_template", query_str=query_str, **variables)
        packed = self.packer.repack(template, texts)
        first = self.bound_batch(map(template.prompt, packed))
        return Bounds.in_turn([first, bound_tree(self.packer, template, len(packed))])

    def require_shrinking(self, levels: Sequence[Sequence[Text]]) -> None:
        """Raise NotShrinking where the last level has neither fewer texts nor fewer tokens."""
        if len(levels) < 2:
            return
        below, level = levels[-2:]
        if len(level) < len(below):
            return
        count = self.prompt_helper.tokenizer.count
        before, after = (sum(count(str(text)) for text in texts) for texts in (below, level))
        if after >= before:
            raise NotShrinking(
                f"Level {len(levels) - 1} has {len(level):,} texts of {after:,} tokens, level"
                f" {len(levels) - 2} had {len(below):,} of {before:,}: the answers are as long as"
                " what they summarize, so this would never end. Raise the window or the chunk"
                " size limit, lower the overlap, or ask for shorter answers (num_output"
                f" {self.prompt_helper.num_output:,})."
            )
