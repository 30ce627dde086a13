"""Texts cut at every seam: parts that are read alike wherever they stand.

Few of them differ, so a server that is asked for each different one once need not be asked
again for any text that is made of them.
"""

import re

import numpy as np

from synth.text.seams import SEAMS, points_of

# What may be a special token, which is read as one before anything is cut: <|im_end|>, [INST].
_SPECIAL = re.compile(r"<[^\s<>]{1,60}>|\[[^\s\[\]]{1,60}\]")


def atom_bounds(text: str) -> list[int]:
    """The offsets at which a text can be cut so that the counts of its parts add up."""
    seams = SEAMS.at(points_of(text))
    for special in _SPECIAL.finditer(text):
        seams[special.start() + 1 : special.end()] = False
    bounds: list[int] = np.flatnonzero(seams).tolist()
    return bounds
