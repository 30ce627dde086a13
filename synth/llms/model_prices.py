"""Context windows and prices of models by name, from the genai-prices package.

The data come with that package; nothing is fetched. An unknown price is None here and
"unknown" on the page, never $0.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from importlib.metadata import version
from typing import NamedTuple

from synth.errors import extra
from synth.llms.local_hosts import is_local
from synth.runs.prices import CACHE_RULES, CacheRule, LongPrice, Price

_MAKERS = ("openai", "anthropic", "google", "mistral", "deepseek", "x-ai")
_SAMPLE = 1_000  # tokens; few enough for the lowest tier where prices have tiers
_LONGEST = 10_000_000  # tokens; more than any window, for the highest one

_HOSTED = re.compile(r"chatgpt|gpt-(?!oss)|o\d|claude|gemini")
"""The names of models that nobody can run at home, so that a server there is a proxy."""


class ModelFacts(NamedTuple):
    """A model's context window in tokens, its price, and the rule of its provider's cache.

    The price has that of cached tokens where such a rule is known.
    """

    context_window: int | None = None
    price: Price | None = None
    cache: CacheRule | None = None


@lru_cache(maxsize=256)
def model_facts(model: str, marked: bool = False) -> ModelFacts:
    """Look up the window and the price of a model by its name, as far as they are known.

    A proxy may have the name of a provider before it: openai/gpt-4o-mini. A cache of what requests
    mark is left out, as ours mark nothing, but where they are `marked`.
    """
    # The data of a thousand models, which a run without an endpoint never asks for.
    with extra("openai"):
        from genai_prices import Usage, calc_price, data_snapshot  # noqa: PLC0415

    try:
        provider_model = data_snapshot.get_snapshot().find_provider_model(model, None, None, None)

        def price_at(tokens: int, **kinds: int) -> tuple[float, float]:
            """Price a million prompt and a million output tokens of a call with such a prompt."""
            usage = Usage(input_tokens=tokens, output_tokens=_SAMPLE, **kinds)
            at = calc_price(usage, model_ref=model)
            amounts = float(at.input_price) / tokens, float(at.output_price) / _SAMPLE
            return round(1_000_000 * amounts[0], 6), round(1_000_000 * amounts[1], 6)

        prompt, output = price_at(_SAMPLE)
        cached, _ = price_at(_SAMPLE, cache_read_tokens=_SAMPLE)
        written, _ = price_at(_SAMPLE, cache_write_tokens=_SAMPLE)
        price = Price(prompt, output, long=_find_long(price_at))
    except LookupError:
        _, provider, own = model.partition("/")
        return model_facts(own, marked) if provider else ModelFacts()
    maker, known = provider_model
    rule = _find_rule(maker.id, known.id, is_written=written > prompt)
    if rule is None or cached >= prompt or (rule.is_marked and not marked):
        return ModelFacts(known.context_window, price)
    price = replace(price, cached=cached, written=written if rule.writes else None)
    return ModelFacts(known.context_window, price, rule)


def _find_long(price_at: Callable[[int], tuple[float, float]]) -> LongPrice | None:
    """Find from where on a prompt costs more, by halves."""
    low, high = _SAMPLE, _LONGEST
    base, most = price_at(low), price_at(high)
    if most <= base:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if price_at(middle) == base else (low, middle)
    return LongPrice(low, *most)


def _find_rule(provider: str, model: str, is_written: bool) -> CacheRule | None:
    """Find the rule by the provider and the generation of the model."""
    if provider == "openai":
        return CACHE_RULES["openai, from gpt-5.6" if is_written else "openai"]
    if provider == "google":
        older = re.search(r"gemini-(1|2\.0|exp|pro|flash)", model)
        return None if older else CACHE_RULES["gemini-2.5" if "2.5" in model else "gemini"]
    if provider == "anthropic" and re.search(r"haiku-4|opus-4-[5-9]", model):
        return replace(CACHE_RULES[provider], least=4_096)
    return CACHE_RULES.get(provider)


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
