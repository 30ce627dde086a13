"""Hypothesis profiles: the same examples every time, and no deadline, since nothing is timed."""

import os

import pytest
from hypothesis import HealthCheck, settings

from synth.tokens import Tokenizer, get_tokenizer

COMMON = {
    "deadline": None,
    "derandomize": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("default", settings(**COMMON), max_examples=150)
settings.register_profile("long", settings(**COMMON), max_examples=3_000, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def cl100k() -> Tokenizer:
    """The default tokenizer."""
    return get_tokenizer("cl100k_base")
