"""compact: refine, with the chunks packed into as few texts as fit. The default mode."""

from collections.abc import Sequence

from synth.modes.facts import ModeFacts
from synth.modes.refine import Refine
from synth.prompts.packing import Filled
from synth.prompts.window import PARAGRAPH
from synth.text.spans import Text


class CompactAndRefine(Refine):
    """As few calls as the chunks fit into, one after the other."""

    mode = "compact"
    summary = "Packs the chunks into as few calls as fit; each later call refines the answer."
    facts = ModeFacts(
        goals={"detail": 1, "summary": 2, "cheapest": 1, "fastest": 1},
        approach="It fills each call with as much text as fits, and a later call improves the"
        " answer of the one before.",
        response_source="last_answer",
        chunk_separator=PARAGRAPH,
    )

    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        """All chunks together, cut at what fits the larger of the two templates."""
        template = self.packs_by(question, refine)
        return self.packer.repack(template, texts, self.packer.padding)
