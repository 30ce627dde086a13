"""What checks are given as their values, as types that pydantic reads."""

import csv
import math
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

MOST_TEXTS = 100
"""Texts in the list of one check."""


def write_plain(value: object) -> object:
    """Write a number, true or false as JavaScript does, which is what promptfoo compares."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else value


def _split_texts(value: object) -> object:
    """Split a text at its commas, but for those between quotes."""
    if not isinstance(value, str):
        return value
    try:
        rows = list(csv.reader([value], skipinitialspace=True, strict=True))
    except csv.Error as problem:
        raise ValueError(f"its list can't be read: {problem}") from problem
    return [cell for row in rows for each in row if (cell := each.strip())]


def _split_numbers(value: object) -> object:
    if value is None or value == "":
        return ()
    return value if isinstance(value, list | tuple) else str(value).split(",")


def _require_value(value: object) -> object:
    if value is None:
        raise ValueError("give the text that the answer must equal")
    return write_plain(value)


def _refuse_truth(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("give a number")  # pydantic tells of no TypeError
    return value


Text = Annotated[str, BeforeValidator(write_plain), Field(min_length=1)]
Texts = Annotated[
    tuple[Text, ...], BeforeValidator(_split_texts), Field(min_length=1, max_length=MOST_TEXTS)
]
Same = Annotated[Any, AfterValidator(_require_value)]
"""What an answer must equal: a text, or an object or a list that its JSON must be."""
Number = Annotated[float, BeforeValidator(_refuse_truth), Field(ge=0, allow_inf_nan=False)]
ChunkNumbers = Annotated[
    tuple[Annotated[int, Field(ge=1, lt=10**9)], ...], BeforeValidator(_split_numbers)
]
"""The numbers of chunks that must be cited; none where any sent chunk will do."""


class NumberLimits(BaseModel):
    """The least and the most that a number may be; a number alone is wanted exactly."""

    model_config = ConfigDict(extra="forbid")
    least: Number = Field(0.0, alias="min")
    most: Number = Field(math.inf, alias="max")

    @model_validator(mode="before")
    @classmethod
    def _read_exact(cls, value: object) -> object:
        return value if isinstance(value, Mapping) else {"min": value, "max": value}

    @model_validator(mode="after")
    def _require_order(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("give min, max or both")
        if self.least > self.most:
            raise ValueError(f"its min {self.least:g} is over its max {self.most:g}")
        return self
