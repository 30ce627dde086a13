"""The settings that are records, a template and a price; which tokenizer a setting may name."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from synth.errors import SynthError
from synth.export.recipe import Messages
from synth.prompts.defaults import CHAT_DEFAULTS, DEFAULTS
from synth.text.encodings import RECIPES
from synth.text.kept_files import DIGEST
from synth.text.specs import MODEL, SERVER, Spec
from synth.text.tokens import get_tokenizer
from ui.settings.chunk_list import Text

Name = Annotated[str, Field(max_length=2_000)]
Digest = Annotated[str, Field(pattern=rf"^{DIGEST}$")]
_Dollars = Annotated[float | None, Field(ge=0.0, le=1e6)]


class Frozen(BaseModel):
    """What is checked where it comes in, and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Template(Frozen):
    """A template as a person edits it; a chat has a system message before its text.

    `measured` is the text by which LlamaIndex compares it; "" if that is the text that is sent.
    """

    text: Text = ""
    chat: bool = False
    system: Text = ""
    measured: Text = ""

    @property
    def messages(self) -> Messages:
        """The messages that are sent."""
        user = ("user", self.text)
        return (("system", self.system), user) if self.chat and self.system.strip() else (user,)


class Pricing(Frozen):
    """What a person chose as the price of a model, in dollars for a million tokens.

    `like` is the model that it costs as; what was typed, on the day `since`, precedes that.
    """

    like: Name = ""
    prompt: _Dollars = None
    output: _Dollars = None
    since: str = Field(default="", max_length=10)

    @property
    def typed(self) -> bool:
        """Whether a part of it was typed."""
        return self.prompt is not None or self.output is not None


OURS = {
    name: Template(
        text=template.template,
        system=dict(CHAT_DEFAULTS[name].message_templates).get("system", ""),
    )
    for name, template in DEFAULTS.items()
}
"""The templates as nobody has edited them, by name."""


TOKENIZERS = {"": "the model's own", **{name: name for name in RECIPES}}
"""Those to choose from, and how each is shown."""

_LONGEST_SPEC = 300  # characters


def checked_tokenizer(spec: str) -> str:
    """One of the choices, what a run measured, or what gives the counts of an imported run.

    It comes with links too, so it never leads to a server: that follows from the endpoint.
    ValueError for any other.
    """
    if spec in TOKENIZERS:
        return spec
    _, kind, correction, packs = Spec.of(spec[:_LONGEST_SPEC])
    of_a_run = kind != SERVER and (correction is not None or kind == MODEL or bool(packs))
    try:
        if len(spec) <= _LONGEST_SPEC and of_a_run:
            get_tokenizer(spec)
            return spec
    except SynthError as problem:
        raise ValueError(str(problem)) from None
    raise ValueError(f"there is no {spec[:_LONGEST_SPEC]}")
