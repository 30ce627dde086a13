"""What the operator of a server sets in its environment: read once, and checked in words.

A public server is one for strangers. It sends to the endpoints that its operator lists, which
visitors choose by name, and to no other. docs/hosting.md has the table of all variables.
"""

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from synth.errors import SynthError

_Name = Annotated[str, Field(min_length=1, max_length=60)]
_Address = Annotated[str, Field(min_length=1, max_length=2_000)]


def _endpoints(text: object) -> object:
    """The addresses by name in "Office=https://llm.example.org/v1, Class=http://10.0.0.5:8000/v1"."""
    if not isinstance(text, str):
        return text
    from synth.llms.endpoint import origin  # noqa: PLC0415  httpx2 is slow to import

    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    named = {name.strip(): address.strip() for name, _, address in pairs}
    if len(named) < len(pairs) or not all(map(all, pairs)):
        raise ValueError("it needs pairs such as Office=https://llm.example.org/v1, Other=...")
    for address in named.values():
        origin(address)  # SynthError for what is no web address
    return named


_Switch = Annotated[bool, BeforeValidator(lambda given: given == "1")]
"""What gives somebody a right is on by "1" alone."""


class Host(BaseModel):
    """The settings of a server; only a public one has `endpoints`.

    What nobody changed for `keep_days` is deleted when it starts, None is never.
    """

    model_config = ConfigDict(frozen=True)

    public: bool = Field(False, alias="SYNTH_PUBLIC")
    own_machine: _Switch = Field(False, alias="SYNTH_OWN_MACHINE")
    endpoints: Annotated[dict[_Name, _Address], BeforeValidator(_endpoints)] = Field(
        {}, alias="SYNTH_ENDPOINTS", max_length=50
    )
    keep_days: int | None = Field(None, alias="SYNTH_KEEP_DAYS", ge=1, le=36_500)

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self:
        """Read the settings in an environment, where "" is nothing; SynthError if one is wrong."""
        try:
            return cls.model_validate({name: text for name, text in environment.items() if text})
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            names = ".".join(map(str, wrong["loc"][:1]))
            said = wrong["msg"].removeprefix("Value error, ")
            raise SynthError(
                f"{names}: {said}. docs/hosting.md says what holds.".lstrip(": ")
            ) from None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.public and self.own_machine:
            raise ValueError("SYNTH_PUBLIC and SYNTH_OWN_MACHINE exclude each other")
        if self.endpoints and not self.public:
            raise ValueError("SYNTH_ENDPOINTS is for a server with SYNTH_PUBLIC=1")
        return self

    @property
    def listed(self) -> Mapping[str, str] | None:
        """The names of the endpoints by their addresses; None where any address may be named."""
        if not self.public:
            return None
        return {address: name for name, address in self.endpoints.items()}

    @property
    def offline(self) -> bool:
        """Whether no endpoint can be asked at all."""
        return self.listed == {}


_VARIABLES = tuple(str(field.alias) for field in Host.model_fields.values())


def host() -> Host:
    """Read the settings of this server, where requests go; SynthError if they are wrong."""
    return _checked(tuple(os.environ.get(name, "").strip() for name in _VARIABLES))


@lru_cache(maxsize=1)
def _checked(values: tuple[str, ...]) -> Host:
    found = Host.of(dict(zip(_VARIABLES, values, strict=True)))
    if found.listed is not None:
        from synth.llms.endpoint import restrict  # noqa: PLC0415  httpx2 is slow to import

        restrict(found.listed)
    return found
