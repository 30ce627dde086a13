"""What a run may spend at most, as the settings have it."""

from __future__ import annotations

from typing import NamedTuple

from ui.settings.names import Lookup


class CapLimits(NamedTuple):
    """Calls, tokens of prompts and answers, and US dollars; None where there is no cap."""

    calls: int | None
    tokens: int | None
    dollars: float | None


def cap_limits(settings: Lookup) -> CapLimits:
    """The cap that these settings set."""
    return CapLimits(settings("cap_calls"), settings("cap_tokens"), settings("cap_dollars"))
