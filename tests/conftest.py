"""Hypothesis: the same examples every time, and the profiles for other ones.

`--hypothesis-profile=check` tries a share of them, `--hypothesis-profile=fresh` new ones.
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from synth.tokens import Tokenizer, get_tokenizer
from tests.examples import ALL

COMMON: dict[str, Any] = {
    "deadline": None,
    "derandomize": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("default", settings(**COMMON), max_examples=ALL)
settings.register_profile("fresh", settings(**{**COMMON, "derandomize": False}), max_examples=ALL)
settings.register_profile("check", settings(**COMMON), max_examples=ALL // 10)
settings.load_profile("default")


@pytest.fixture
def cl100k() -> Tokenizer:
    """The default tokenizer."""
    return get_tokenizer("cl100k_base")
