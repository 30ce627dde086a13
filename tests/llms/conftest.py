"""Nothing from outside reaches a model, and no proxy stands before the loopback interface."""

import pytest


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "*")
