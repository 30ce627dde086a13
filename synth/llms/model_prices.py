"""Context windows and prices of models by name, from the genai-prices package.

The data come with that package; nothing is fetched. An unknown price is None here and
"unknown" on the page, never $0.
"""

import re
from functools import cache, lru_cache
from importlib.metadata import version
from typing import NamedTuple

from synth.errors import extra
from synth.llms.hosts import is_local
from synth.runs.prices import Price

_MAKERS = ("openai", "anthropic", "google", "mistral", "deepseek", "x-ai")
_SAMPLE = 1_000  # tokens; few enough for the lowest tier where prices have tiers

_HOSTED = re.compile(r"chatgpt|gpt-(?!oss)|o\d|claude|gemini")
"""The names of models that nobody can run at home, so that a server there is a proxy."""


class ModelFacts(NamedTuple):
    """A model's context window in tokens, and its price."""

    context_window: int | None
    price: Price | None


@lru_cache(maxsize=256)
def model_facts(model: str) -> ModelFacts:
    """Look up the window and the price of a model by its name, as far as they are known.

    A proxy may have the name of a provider before it: openai/gpt-4o-mini.
    """
    # The data of a thousand models, which a run without an endpoint never asks for.
    with extra("openai"):
        from genai_prices import Usage, calc_price, data_snapshot  # noqa: PLC0415

    try:
        provider_model = data_snapshot.get_snapshot().find_provider_model(model, None, None, None)
        usage = Usage(input_tokens=_SAMPLE, output_tokens=_SAMPLE)
        cost = calc_price(usage, model_ref=model)
    except LookupError:
        _, provider, own = model.partition("/")
        return model_facts(own) if provider else ModelFacts(None, None)
    scale = 1_000_000 / _SAMPLE
    price = Price(float(cost.input_price) * scale, float(cost.output_price) * scale)
    return ModelFacts(provider_model[1].context_window, price)


def list_price(model: str, address: str) -> Price | None:
    """Return the price of a model at this address ("" is its maker's); None for an unknown one."""
    if is_local(address) and not _HOSTED.match(model.rpartition("/")[2]):
        return None
    return model_facts(model).price


@cache
def priced_models() -> tuple[str, ...]:
    """List the models whose makers charge for each token, each maker's in order."""
    with extra("openai"):
        from genai_prices import data_snapshot  # noqa: PLC0415  as above

    providers = {one.id: one.models for one in data_snapshot.get_snapshot().providers}
    names = (model.id for maker in _MAKERS for model in providers[maker] if not model.deprecated)
    return tuple(name for name in names if (price := model_facts(name).price) and price.output)


def price_source() -> str:
    """Name the package that the prices come from, with its version, which dates them."""
    return f"genai-prices {version('genai-prices')}"
