"""Figures as Plotly's own checker reads them: the page sends them unchecked."""

import json
from functools import wraps

import plotly.graph_objects as go

from synth.html.markup import PALETTE
from ui.look.elements import resolve_variables


def light(name):
    return PALETTE[name][0]


def checked(make):
    """The same function, its figure an object in light colours.

    A name or value that Plotly corrects is an error.
    """

    @wraps(make)
    def made(*arguments, **options):
        figure = resolve_variables(make(*arguments, **options), dark=False)
        known = go.Figure(figure)
        read = json.loads(known.to_json())
        read["layout"].pop("template")
        sent = json.loads(json.dumps(figure))
        # It leaves out empty lists of shapes and annotations.
        sent["layout"] = {name: value for name, value in sent["layout"].items() if value != []}
        assert read == sent
        return known

    return made
