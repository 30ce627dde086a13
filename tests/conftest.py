"""Hypothesis: the same examples every time, or new ones with HYPOTHESIS_PROFILE=fresh."""

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from synth.tokens import Tokenizer, get_tokenizer

COMMON: dict[str, Any] = {
    "deadline": None,
    "derandomize": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("default", settings(**COMMON), max_examples=150)
settings.register_profile("fresh", settings(**{**COMMON, "derandomize": False}), max_examples=150)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def cl100k() -> Tokenizer:
    """The default tokenizer."""
    return get_tokenizer("cl100k_base")
