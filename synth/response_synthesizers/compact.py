"""compact: refine, with the chunks packed into as few texts as fit. The default mode."""

from __future__ import annotations

from collections.abc import Sequence

from synth.packing import Filled
from synth.response_synthesizers.refine import Refine
from synth.spans import Text


class CompactAndRefine(Refine):
    """As few calls as the chunks fit into, one after the other."""

    mode = "compact"
    summary = "Packs the chunks into as few calls as fit; each later call refines the answer."

    def pack(self, question: Filled, refine: Filled, texts: Sequence[Text]) -> list[Text]:
        """All chunks together, cut at what fits the larger of the two templates."""
        template = self.packs_by(question, refine)
        return self.packer.repack(template, texts, self.packer.padding)
