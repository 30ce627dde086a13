"""The options of a synthesizer, which are checked when it is made."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    InstanceOf,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    with_config,
)
from pydantic_core import ErrorDetails
from typing_extensions import TypedDict

from synth.elsewhere import INSTEAD
from synth.errors import BudgetError, SynthError, describe
from synth.modes.inputs import as_template
from synth.prompts.templates import ChatPromptTemplate
from synth.prompts.window import PromptHelper
from synth.runs.answer_cache import AnswerCache
from synth.runs.events import Cap
from synth.text.sizes import whole


def _template(value: Any, field: ValidationInfo) -> ChatPromptTemplate | None:
    return None if value is None else as_template(str(field.field_name), value)


def _size(least: int, error: type[SynthError] = SynthError) -> PlainValidator:
    def check(value: Any, field: ValidationInfo) -> int:
        return whole(str(field.field_name), value, least, error=error)

    return PlainValidator(check)


Template = Annotated[ChatPromptTemplate | None, PlainValidator(_template)]


class Options(TypedDict, total=False):
    """The options of a synthesizer beside its model, its prompt helper and `streaming`.

    Unused templates, `verbose` and `callback_manager` have no effect. No run crosses `cap`; what
    `cache` has of the same model is not sent again. `service_context` may bring the model.
    """

    text_qa_template: Template
    refine_template: Template
    summary_template: Template
    simple_template: Template
    structured_answer_filtering: bool
    output_cls: type[BaseModel] | None
    use_async: bool
    max_concurrency: Annotated[int, _size(1)]
    response_padding_size: Annotated[int, _size(0, BudgetError)] | None
    empty_response: str | None
    cap: InstanceOf[Cap] | None
    cache: InstanceOf[AnswerCache] | None
    verbose: Any
    callback_manager: Any
    service_context: Any  # model_of checks it


@with_config(ConfigDict(extra="forbid", strict=True))
class _Given(Options, total=False):
    streaming: bool
    prompt_helper: InstanceOf[PromptHelper] | None


_GIVEN = TypeAdapter(_Given)
_OF_THE_FACTORY = ("response_mode", "behaviour")
_INSTEAD = INSTEAD["get_response_synthesizer"] | dict.fromkeys(
    _OF_THE_FACTORY, "it is an option of get_response_synthesizer"
)


def check_options(options: Mapping[str, Any]) -> Options:
    """Return the options; SynthError for the first unknown one, or a value of the wrong type."""
    try:
        return _GIVEN.validate_python(dict(options))
    except ValidationError as problem:
        raise SynthError(_explain(problem.errors()[0])) from None


def _explain(error: ErrorDetails) -> str:
    name = str(error["loc"][0])
    if error["type"] != "extra_forbidden":
        wanted = error["msg"].removeprefix("Input should be ").replace("valid ", "")
        return f"{name} is {describe(error['input'])}: give {wanted}."
    if name in _INSTEAD:
        return f"There is no option {name}: {_INSTEAD[name]}."
    known = ["llm", *_OF_THE_FACTORY, *_Given.__annotations__]
    nearest = get_close_matches(name, known, 1)
    hint = f"do you mean {nearest[0]}?" if nearest else f"the options are {', '.join(known)}."
    return f"There is no option {name}: {hint}"
