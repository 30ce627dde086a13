"""Context windows and prices of models by name, from the genai-prices package.

The data come with that package; nothing is fetched. An unknown price is None here and
"unknown" on the page, never $0.
"""

from functools import lru_cache
from typing import NamedTuple

from synth.errors import extra
from synth.runs.prices import Price

_SAMPLE = 1_000  # tokens; few enough for the lowest tier where prices have tiers


class ModelFacts(NamedTuple):
    """A model's context window in tokens, and its price."""

    context_window: int | None
    price: Price | None


@lru_cache(maxsize=256)
def model_facts(model: str) -> ModelFacts:
    """The window and the price of the model of that name, as far as they are known."""
    # The data of a thousand models, which a run without an endpoint never asks for.
    with extra("openai"):
        from genai_prices import Usage, calc_price, data_snapshot  # noqa: PLC0415

    try:
        provider_model = data_snapshot.get_snapshot().find_provider_model(model, None, None, None)
        usage = Usage(input_tokens=_SAMPLE, output_tokens=_SAMPLE)
        cost = calc_price(usage, model_ref=model)
    except LookupError:
        return ModelFacts(None, None)
    scale = 1_000_000 / _SAMPLE
    price = Price(float(cost.input_price) * scale, float(cost.output_price) * scale)
    return ModelFacts(provider_model[1].context_window, price)
