"""The settings that are records, as a person edits them: a template, and the price of a model."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from synth.export.recipe import Messages
from synth.prompts.defaults import CHAT_DEFAULTS, DEFAULTS
from synth.text.kept_files import DIGEST
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


def _ours(name: str, text: str) -> Template:
    return Template(text=text, system=dict(CHAT_DEFAULTS[name].message_templates).get("system", ""))


OURS = {name: _ours(name, template.template) for name, template in DEFAULTS.items()}
"""The templates as nobody has edited them, by name."""
