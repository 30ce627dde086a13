"""Plans and runs of a few chunks, and what stands in their scenes."""

from synth import PromptHelper, get_response_synthesizer
from synth.llms import ExtractiveLLM
from synth.pictures.scene import Band, Box
from ui.controls.modes import CARD_MODES

MODES = CARD_MODES
QUESTION = "What held the pool?"
CHUNKS = tuple(
    f"Part {number}. The pool of part {number} held {number * 7} links. " + "More of it. " * 20
    for number in range(1, 7)
)


def _synthesizer(mode, window, num_output, **more):
    helper = PromptHelper(context_window=window, num_output=num_output)
    return get_response_synthesizer(mode, prompt_helper=helper, **more)


def planned(mode, window, num_output=60, chunks=CHUNKS):
    """The plan of a mode over these chunks."""
    return _synthesizer(mode, window, num_output).plan(QUESTION, list(chunks))


def ran(mode, window, num_output=60, chunks=CHUNKS):
    """The trace of a run with the offline model."""
    llm = ExtractiveLLM(window, num_output)
    return _synthesizer(mode, window, num_output, llm=llm).run(QUESTION, list(chunks))


def boxes(scene, kind=None):
    """The boxes of a scene, of one kind or of all."""
    every = [shape for shape in scene.shapes if isinstance(shape, Box)]
    return [box for box in every if kind is None or box.kind == kind]


def bands(scene, kind=None):
    """The bands of a scene, of one kind or of all."""
    every = [shape for shape in scene.shapes if isinstance(shape, Band)]
    return [band for band in every if kind is None or band.kind == kind]
