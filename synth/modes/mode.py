"""Mode: what a mode says of itself, and what its algorithm is written with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from pydantic import BaseModel, Field, create_model

from synth.errors import SynthError, TemplateError
from synth.lazy import defer
from synth.llms.default import ServiceContext, model_of
from synth.modes.facts import ModeFacts
from synth.modes.inputs import as_templates
from synth.modes.options import Options, check_options
from synth.prompts.defaults import DEFAULTS
from synth.prompts.packing import Filled, Packer
from synth.prompts.prompt import Prompt
from synth.prompts.templates import ChatPromptTemplate
from synth.prompts.window import PromptHelper
from synth.runs.bounds import Bounds
from synth.runs.steps import Call, Done, Reader, Steps, advance
from synth.text.spans import Text

if TYPE_CHECKING:
    from synth.runs.llm import LLM


class Mode:
    """What is true of a mode, its options, and what its `steps` are written with."""

    mode: ClassVar[str] = "custom"  # the name under which it is registered
    summary: ClassVar[str] = "A custom synthesizer."
    """What it does, in one sentence that begins with its verb, for the list of modes."""
    templates: ClassVar[tuple[str, ...]] = ()  # the names of the templates that it fills
    filters: ClassVar[bool] = False  # whether it reads `structured_answer_filtering`
    makes_objects: ClassVar[bool] = True  # whether `output_cls` makes its response one object
    needs_nodes: ClassVar[bool] = True  # whether no nodes give the empty response without a call
    facts: ClassVar[ModeFacts] = ModeFacts()
    """What else is true of its `steps`; who overrides these says it anew, or says nothing."""

    behaviour: ClassVar[str] = "documented"
    packs_with: ClassVar[type[Packer]] = Packer
    tolerates: tuple[type[Exception], ...] = ()
    reader: Reader | None = None
    empty_response: str = "Empty Response"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if unknown := [name for name in cls.templates if name not in DEFAULTS]:
            raise SynthError(
                f"{cls.__name__} names a template {unknown[0]}, and there are only"
                f" {', '.join(DEFAULTS)}: name the one whose variables are those of yours, and give"
                " your text for it, or fill a template of your own in get_response."
            )

    def __init__(
        self,
        llm: LLM | ServiceContext | None = None,
        streaming: bool = False,
        prompt_helper: PromptHelper | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._llm = model_of(options.get("service_context") if llm is None else llm)
        # Subclasses that are written as the documents print them read these two attributes.
        self._service_context = ServiceContext(self._llm)
        self._callback_manager = options.get("callback_manager")
        self._streaming = streaming
        self.configure(prompt_helper, **options)

    def configure(self, prompt_helper: PromptHelper | None, **options: Unpack[Options]) -> None:
        """Replace all options; SynthError for an unknown one, or one of the wrong type."""
        given: dict[str, Any] = {"prompt_helper": prompt_helper, **options}
        self.options = check_options(given | {"streaming": self._streaming})
        self.output_cls = self.options.get("output_cls")
        self.filtering = self.options.get("structured_answer_filtering", False)
        empty = self.options.get("empty_response")
        self.empty_response = type(self).empty_response if empty is None else empty
        if self.filtering and not self.filters:
            raise SynthError(
                f"structured_answer_filtering has no meaning in {type(self).__name__}: its calls"
                " carry no answer from one to the next. Switch it off, or take another mode."
            )
        self.max_concurrency = self.options.get("max_concurrency", 8)
        helper = prompt_helper or PromptHelper.from_llm_metadata(self._llm.metadata)
        self.packer = self.packs_with(helper, self.options.get("response_padding_size"))
        self._prompts = {name: given.get(name) or DEFAULTS[name] for name in self.templates}

    @property
    def llm(self) -> LLM:
        """Return the model; where none was given, the one that Settings had."""
        return self._llm

    @property
    def streaming(self) -> bool:
        """Return whether the response comes piece by piece."""
        return self._streaming

    @property
    def streams(self) -> bool:
        """Return whether a response from nodes comes piece by piece."""
        return self.streaming

    @property
    def prompt_helper(self) -> PromptHelper:
        """Return the helper whose window and tokenizer the runs keep to."""
        return self.packer.helper

    def get_prompts(self) -> dict[str, ChatPromptTemplate]:
        """Return the templates in use, by name."""
        return dict(self._get_prompts())

    def update_prompts(self, prompts: Mapping[str, ChatPromptTemplate]) -> None:
        """Replace templates by name; TemplateError for a name that this mode does not have."""
        known = self._get_prompts()
        for name in as_templates(prompts):
            if name not in known:
                has = ", ".join(known) or "none"
                raise TemplateError(f"{type(self).__name__} has no {name}; its templates: {has}.")
        self._update_prompts(prompts)

    def _get_prompts(self) -> Mapping[str, ChatPromptTemplate]:
        return self._prompts

    def _update_prompts(self, prompts: Mapping[str, ChatPromptTemplate]) -> None:
        self._prompts.update(prompts)

    def steps(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Steps:
        """Yield batches of calls, and return the response: the algorithm (synth/runs/steps.py)."""
        raise SynthError(
            f"{type(self).__name__} has no steps: it implements get_response alone, so it can"
            " be called but not planned, streamed or replayed."
        )

    def bound(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """Bound `steps` with the same arguments: the first batch, unless a mode says more."""
        first = self.bound_first(query_str, texts, **variables)
        return first.or_more() if first.calls.low else first

    def bound_first(self, query_str: str, texts: Sequence[Text], **variables: Any) -> Bounds:
        """Bound the first batch, which is all there is where no call reads an answer."""
        calls = advance(self.steps(query_str, texts, **variables), None)
        return self.bound_batch([] if isinstance(calls, Done) else [one.prompt for one in calls])

    def bound_batch(self, prompts: Iterable[Prompt]) -> Bounds:
        """Bound one batch of calls with these prompts."""
        helper = self.prompt_helper
        tokens = [prompt.tokens(helper.tokenizer) for prompt in prompts]
        return Bounds.batch(tokens, helper.most_output)

    def ending(self, text: str) -> str:
        """Return the response, given the text that the last call or all of them made."""
        return text or self.empty_response

    def filled(self, name: str, /, **values: Any) -> Filled:
        """Fill the template of that name with these values."""
        template = self._prompts[name].partial_format(**values)
        return Filled(name, template, template)

    def call(
        self,
        filled: Filled,
        text: Text | str | None = None,
        *,
        final: bool = False,
        verbatim: bool = True,
        padding: int | None = None,
    ) -> Call:
        """Make the call that sends the template with this chunk text; with None, without any."""
        return Call(
            template=filled.name,
            prompt=filled.prompt(text),
            final=final,
            verbatim=final and verbatim and self._schema is None,
            padding=self.packer.margin if padding is None else padding,
            schema=self._schema,
            filtered=self.filtering,
            takes_cut=self.filtering and self.output_cls is None,
            notes=filled.notes,
            tolerates=self.tolerates,
            reader=self.reader,
        )

    @property
    def _answer_form(self) -> type:
        return self.output_cls or str

    @defer
    def _schema(self) -> type[BaseModel] | None:
        if not self.filtering:
            return self.output_cls
        return create_model(
            "FilteredAnswer",
            query_satisfied=(bool, Field(description="Whether the context answers the query.")),
            answer=(self._answer_form, Field(description="The answer, from the context.")),
        )
