"""Each setting: the widget that changes it, and the names that it had."""

import pytest

from synth.modes.registry import MODES
from synth.prompts.defaults import DEFAULTS
from tests.ui.page import Playground
from ui.settings.paths import renamed
from ui.settings.schema import TEMPLATES, Settings

WITHOUT_A_FIELD_OF_ITS_OWN = {
    "mode": "each mode has a card",
    "chunks": "the table and its editor change one chunk at a time",
    "variables": "each has a field of its own once a template has it",
    "prices": "two fields and a choice, for the model that is chosen",
    "served": "what a server says of itself; the button Test asks it",
    "recorded_model": "comes with the trace whose answers are taken",
    **dict.fromkeys(
        (f"{name}_measured" for name in DEFAULTS), "comes with a trace; a button takes it back"
    ),
}


@pytest.mark.slow
def test_every_setting_has_a_field():
    page = Playground(model="endpoint", base_url="http://127.0.0.1:1/v1")
    keys = set()
    for one in ("model", "cap_dollars"):
        page.reach(one)
        keys.update(page.keys)
    for mode in MODES:
        names = MODES[mode].templates
        for name in names:
            page = Playground(mode=mode, selection="top", **{f"{name}_chat": True})
            for one in ("similarity_top_k", "context_window", name):
                page.reach(one)
                keys.update(page.keys)
            page.set(**{f"template of {', '.join(dict.fromkeys((*names, *TEMPLATES)))}": name})
            keys.update(page.keys)
    assert Settings.model_fields.keys() - keys == WITHOUT_A_FIELD_OF_ITS_OWN.keys()


def test_a_template_had_dotted_names_and_names_with_spaces():
    for name, (text, chat, system, measured) in TEMPLATES.items():
        for before, part in ((text, "text"), (chat, "chat"), (system, "system")):
            assert renamed(f"templates.{name}.{part}") == before
        assert renamed(name) == text
        assert renamed(f"{name} measured") == measured
    assert renamed("variable tone") == renamed("variables.tone") == "variables.tone"
