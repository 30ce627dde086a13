"""Every setting of the pages, described once: its default, bounds and words, where it is kept.

A new setting is one field here, and its place on a page. A setting has the name of its field; a
custom variable, which people name, is "variables.tone". No field holds a key: keys belong to
origins (`ui/settings/hosts.py`).
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer

from synth.documents.decoding import MOST_CHUNKS, MOST_TEXT
from synth.export.recipe import Messages
from synth.llms.on_this_machine import model_file
from synth.modes.registry import MODES, Behaviour
from synth.prompts.prompt_helper import CHUNK_OVERLAP_RATIO
from synth.prompts.templates import CHAT_DEFAULTS, DEFAULTS
from synth.quality.samples import SAMPLES
from synth.text.encodings import RECIPES
from synth.text.model_tokenizers import MODEL, get_tokenizer, read_name

MOST_COLUMNS = 4  # of Compare that stand side by side
MOST_TOKENS = 10_000_000  # the largest limit that can be set
MOST_PRICES = 100  # models for which a price is kept
_WHOLE = 2**53 - 1  # the largest whole number that a browser holds
_FIRST = SAMPLES[0]

_USER = re.compile(r"//[^/]*@")
_AFTER_PATH = re.compile(r"[?#].*", re.DOTALL)


Name = Annotated[str, Field(max_length=2_000)]
_Dollars = Annotated[float | None, Field(ge=0.0, le=1e6)]


class Frozen(BaseModel):
    """What is checked where it comes in, and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Pricing(Frozen):
    """What a person chose as the price of a model, in dollars for a million tokens.

    `like` is the model that it costs as; what was typed precedes that.
    """

    like: Name = ""
    prompt: _Dollars = None
    output: _Dollars = None

    @property
    def typed(self) -> bool:
        """Whether a part of it was typed."""
        return self.prompt is not None or self.output is not None


def _not_too_long(text: str) -> str:
    if len(text) > MOST_TEXT:
        raise ValueError(f"it has {len(text):,} characters, and {MOST_TEXT:,} is the limit")
    return text


# pydantic's own bound refuses half a character
Text = Annotated[str, AfterValidator(_not_too_long)]


class Chunk(NamedTuple):
    """A text, where it came from, and whether it is switched on."""

    text: Text
    source: str
    on: bool = True


Chunks = tuple[Chunk, ...]


def from_texts(texts: Iterable[str], source: str) -> Chunks:
    """Return the texts as chunks of one source."""
    return tuple(Chunk(text, source) for text in texts)


@dataclass(frozen=True)
class ModelKind:
    """A kind of model; `value` is saved, `label` is its name for people.

    One that is not free may cost something. One that `has_server` gets settings with each call, and
    its tokens are the server's.
    """

    value: str
    label: str
    is_free: bool = True
    needs_key: bool = False
    needs_address: bool = False
    has_server: bool = False


def label_local_model() -> str:
    """Return the model on this machine as one that is chosen: "SmolLM2, 135M, on this machine"."""
    file = model_file()
    return "A model on this machine" if file is None else f"{file.choice}, on this machine"


OFFLINE = ModelKind("offline", "Offline, no language model")
ON_THIS_MACHINE = ModelKind("on_this_machine", label_local_model(), has_server=True)
ENDPOINT = ModelKind(
    "endpoint",
    "OpenAI-compatible endpoint",
    is_free=False,
    needs_key=True,
    needs_address=True,
    has_server=True,
)
HUMAN = ModelKind("human", "You are the LLM")
RECORDED = ModelKind("recorded", "Recorded, else offline")
"""The model that answers as the trace says, and offline where the trace has no such prompt."""

KINDS = {kind.value: kind for kind in (OFFLINE, ON_THIS_MACHINE, ENDPOINT, HUMAN, RECORDED)}


def kind_of(value: str) -> ModelKind:
    """Find the kind that is saved so; one that no setting chooses has this as its name, too."""
    return KINDS.get(value, ModelKind(value, value))


TOKENIZERS = {"": "the model's own", **{name: name for name in RECIPES}}
"""Those to choose from, and how each is shown."""

_LONGEST_SPEC = 300  # characters


def check_tokenizer(spec: str) -> str:
    """Return one of the choices, or a model that a trace names; ValueError for any other."""
    if spec in TOKENIZERS or (len(spec) <= _LONGEST_SPEC and read_name(spec)[0] == MODEL):
        return spec
    raise ValueError(f"there is no {spec[:_LONGEST_SPEC]}")


@dataclass(frozen=True)
class FieldSpec:
    """What people see of a setting.

    `words` name it in sentences; without them the label does, in small letters. `empty` is what its
    widget says while it is None, `form` a value in a sentence. `labels` name the values that it may
    have; where these need no other name, they are `choices`. A column of Compare may have its own
    where `column` says of which kind it is. With `sent`, an endpoint gets it with each call, under
    its name. An edit with `whole_page` draws all parts.
    """

    label: str
    words: str | None = None
    step: float = 8
    empty: str = "none"
    form: str = "{:,}"
    labels: Mapping[str, str] | None = None
    choices: Collection[str] = ()
    column: Literal["", "mode", "model", "endpoint", "limits"] = ""
    sent: bool = False
    whole_page: bool = False


_limit = partial(FieldSpec, column="limits")
_for_runs = partial(FieldSpec, step=1, whole_page=True)
_sent_as = partial(FieldSpec, column="endpoint", sent=True, whole_page=True)


def without_secrets(address: str) -> str:
    """Cut user, password and query from an address, any of which may be a secret."""
    return _AFTER_PATH.sub("", _USER.sub("//", address))


def _one_of(choices: Collection[str]) -> AfterValidator:
    def check(code: str) -> str:
        if code not in choices:
            raise ValueError(f"there is no {code}")
        return code

    return AfterValidator(check)


_MODELS = {value: kind.label for value, kind in KINDS.items()}
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
_REASONING = {"": "not sent"} | dict(zip(_EFFORTS, _EFFORTS, strict=True))
_SELECTIONS = {"all": "All, in order", "top": "Best for the question"}
_TOKENS = Field(ge=1, le=MOST_TOKENS)


VARIABLE = "variables."
"""What the names of custom variables begin with."""


def _system_of(template: str) -> str:
    return dict(CHAT_DEFAULTS[template].message_templates).get("system", "")


class Settings(Frozen):
    """The settings of a page or of a column of Compare."""

    mode: Annotated[
        str,
        _one_of(MODES),
        FieldSpec("Mode", form="{}", choices=MODES, column="mode"),
    ] = "compact"
    behaviour: Annotated[
        Behaviour,
        _limit("Behaviour", form="{}", choices=get_args(Behaviour)),
    ] = "documented"
    context_window: Annotated[int, _TOKENS, _limit("Context window", "window")] = _FIRST.window
    num_output: Annotated[int, _TOKENS, _limit("Answer length (num_output)", "answer length")] = (
        _FIRST.num_output
    )
    reasoning_output: Annotated[
        int | None,
        Field(ge=0, le=MOST_TOKENS),
        _limit("Room for reasoning", empty="by the effort"),
    ] = None
    chunk_overlap_ratio: Annotated[
        float,
        Field(ge=0.0, le=1.0),
        _limit("Overlap", step=0.05, form="{:g}"),
    ] = CHUNK_OVERLAP_RATIO
    chunk_size_limit: Annotated[int | None, _TOKENS, _limit("Chunk size limit")] = None
    response_padding_size: Annotated[
        int | None,
        Field(ge=0, le=MOST_TOKENS),
        _limit("Safety margin (padding)", "safety margin", empty="automatic"),
    ] = None
    tokenizer: Annotated[
        str,
        AfterValidator(check_tokenizer),
        _limit("Tokenizer", form="{}", labels=TOKENIZERS),
    ] = ""
    count_factor: Annotated[
        float,
        Field(ge=0.1, le=10.0),
        _limit("Count, times", "counts times", 0.01, form="{:g}"),
    ] = 1.0
    structured_answer_filtering: Annotated[bool, _limit("Structured answer filtering")] = False
    selection: Annotated[
        Literal["all", "top"],
        FieldSpec("Selection", labels=_SELECTIONS),
    ] = "all"
    similarity_top_k: Annotated[int, Field(ge=1, le=10_000), FieldSpec("Best chunks", step=1)] = 4
    model: Annotated[
        Literal["offline", "on_this_machine", "endpoint", "human", "recorded"],
        FieldSpec("Model", labels=_MODELS, column="model", whole_page=True),
    ] = "offline"
    # An endpoint in a link could send the key of whoever opens the link to any server: `may_share`
    # of `ui/workspaces/files.py` keeps it out of what is shared.
    base_url: Annotated[
        Name,
        PlainSerializer(without_secrets),
        FieldSpec("Base URL", "at", form="{}", column="endpoint", whole_page=True),
    ] = ""
    model_name: Annotated[
        Name, FieldSpec("Model name", "", form="{}", column="endpoint", whole_page=True)
    ] = ""
    recorded_model: Name = ""
    prices: Annotated[Mapping[Name, Pricing], Field(max_length=MOST_PRICES)] = {}
    temperature: Annotated[
        float | None,
        Field(ge=0.0, le=2.0),
        _sent_as("Temperature", step=0.1, empty="default", form="{:g}"),
    ] = None
    seed: Annotated[
        int | None, Field(ge=-_WHOLE, le=_WHOLE), _sent_as("Seed", step=1, form="{}")
    ] = None
    reasoning_effort: Annotated[
        str,
        _one_of(_REASONING),
        _sent_as("Reasoning effort", labels=_REASONING),
    ] = ""
    concurrency: Annotated[int, Field(ge=1, le=64), _for_runs("Calls at once")] = 8
    timeout: Annotated[int, Field(ge=1, le=3600), _for_runs("Timeout, s")] = 60
    cap_calls: Annotated[
        int | None, Field(ge=0, le=_WHOLE), _for_runs("Calls", "cap", form="{:,} calls")
    ] = None
    cap_tokens: Annotated[
        int | None,
        Field(ge=0, le=_WHOLE),
        _for_runs("Tokens", "cap", step=1_000, form="{:,} tokens"),
    ] = None
    cap_dollars: Annotated[
        float | None,
        Field(ge=0.0, le=1e9),
        _for_runs("Dollars", "cap", step=0.01, form="${:.4g}"),
    ] = None
    query_str: Annotated[Text, FieldSpec("Question", form="{}")] = _FIRST.question
    chunks: Annotated[tuple[Chunk, ...], Field(max_length=MOST_CHUNKS)] = from_texts(
        _FIRST.chunks, "sample"
    )
    # A template that is a chat has a system message before its text. LlamaIndex may compare it by
    # another text than is sent, which is `measured` then.
    text_qa_template: Text = DEFAULTS["text_qa_template"].template
    text_qa_template_chat: bool = False
    text_qa_template_system: Text = _system_of("text_qa_template")
    text_qa_template_measured: Text = ""
    refine_template: Text = DEFAULTS["refine_template"].template
    refine_template_chat: bool = False
    refine_template_system: Text = _system_of("refine_template")
    refine_template_measured: Text = ""
    summary_template: Text = DEFAULTS["summary_template"].template
    summary_template_chat: bool = False
    summary_template_system: Text = _system_of("summary_template")
    summary_template_measured: Text = ""
    simple_template: Text = DEFAULTS["simple_template"].template
    simple_template_chat: bool = False
    simple_template_system: Text = _system_of("simple_template")
    simple_template_measured: Text = ""
    variables: Mapping[str, Text] = {}

    def value(self, name: str) -> Any:
        """Return the value of this name; that of a variable which nobody has set is ""."""
        if name.startswith(VARIABLE):
            return self.variables.get(name.removeprefix(VARIABLE), "")
        return getattr(self, name)

    def with_(self, changes: Mapping[str, Any]) -> Self:
        """These settings with other values, by name; values are checked where they come in."""
        fields = {name: one for name, one in changes.items() if not name.startswith(VARIABLE)}
        variables = {
            name.removeprefix(VARIABLE): text
            for name, text in changes.items()
            if name.startswith(VARIABLE)
        }
        return self.model_copy(update={"variables": {**self.variables, **variables}, **fields})

    @property
    def changed(self) -> dict[str, Any]:
        """The values by name that are not the defaults; a variable is "" by default."""
        names = [*PLAIN, *(f"{VARIABLE}{name}" for name in self.variables)]
        values = {name: self.value(name) for name in names}
        return {name: value for name, value in values.items() if value != DEFAULT.value(name)}

    def messages(self, template: str) -> Messages:
        """Return the messages of a template, as they are sent."""
        user, system = ("user", self.value(template)), self.value(f"{template}_system")
        is_chat = self.value(f"{template}_chat") and system.strip()
        return (("system", system), user) if is_chat else (user,)

    @property
    def sent(self) -> dict[str, Any]:
        """What a server gets with each call, by name, without what is left to it."""
        given = {name: getattr(self, name) for name in SENT}
        return {name: value for name, value in given.items() if value != SENT[name]}

    @property
    def model_kind(self) -> ModelKind:
        """What kind of model answers."""
        return kind_of(self.model)


DEFAULT = Settings()
OPENING = DEFAULT.with_({"mode": "simple_summarize"})
"""The settings of the Playground until somebody sets one: the cause of the sample is cut off."""
PLAIN = tuple(name for name in Settings.model_fields if name != "variables")
"""The names of all settings but the variables."""
TEMPLATES = {name: tuple(one for one in PLAIN if one.startswith(name)) for name in DEFAULTS}
"""The settings of each template."""


def template_settings(name: str, messages: Messages = (), measured: str = "") -> dict[str, Any]:
    """Return the settings that give a template these messages; without any, those of the default.

    A system message makes it a chat.
    """
    settings = {field: DEFAULT.value(field) for field in TEMPLATES[name]}
    if texts := dict(messages):
        chat = {f"{name}_chat": "system" in texts, f"{name}_measured": measured}
        settings |= {name: texts["user"], **chat}
        settings[f"{name}_system"] = texts.get("system", settings[f"{name}_system"])
    return settings


SHOWN = {
    name: one
    for name, field in Settings.model_fields.items()
    for one in field.metadata
    if isinstance(one, FieldSpec)
}
SENT = {name: DEFAULT.value(name) for name, shown in SHOWN.items() if shown.sent}
"""The settings that a server gets with each call, by the value that leaves them to it."""


def is_setting(name: str) -> bool:
    """Return whether there is a setting of this name, or may be a variable."""
    return name in PLAIN or bool(name.startswith(VARIABLE) and name.removeprefix(VARIABLE))


def may_differ(name: str) -> bool:
    """Return whether a column of Compare may have its own value of this name."""
    if name in SHOWN:
        return bool(SHOWN[name].column)
    return name.startswith(VARIABLE) or is_of_template(name)


def is_of_template(name: str) -> bool:
    """Return whether this names a setting of a template."""
    return any(name in names for names in TEMPLATES.values())


def read(name: str, data: Any, text: bool = False) -> Any:
    """Read a value from JSON, or from typed `text`; ValueError for what does not belong there."""
    check = Settings.model_validate_strings if text else Settings.model_validate
    field, _, variable = name.partition(".")
    value = getattr(check({field: {variable: data} if variable else data}), field)
    return value[variable] if variable else value


def to_json(name: str, value: Any) -> Any:
    """Return the value of this name as JSON; of an address what holds no secret."""
    return DEFAULT.with_({name: value}).model_dump(include={name})[name] if name in PLAIN else value


def say_name(name: str) -> str:
    """Say the name of a setting as in sentences; any other name as it is."""
    spec = SHOWN.get(name, FieldSpec(name))
    return spec.label.lower() if spec.words is None else spec.words


def say_value(name: str, value: Any) -> str:
    """Say a value of a setting as in sentences."""
    spec = SHOWN.get(name, FieldSpec(name, empty="not set", form="{}"))
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return spec.empty
    if name == "tokenizer" and value not in (spec.labels or ()):
        return get_tokenizer(value).counting
    if spec.labels:
        return spec.labels[value]
    return spec.form.format(value)


def say_all(values: Mapping[str, Any]) -> dict[str, str]:
    """Say values of settings, by the names of the settings, both as in sentences."""
    return {say_name(name): say_value(name, value) for name, value in values.items()}


def say(name: str, value: Any) -> str:
    """Say a setting with its value, such as "window 512"."""
    return f"{say_name(name)} {say_value(name, value)}".strip()
