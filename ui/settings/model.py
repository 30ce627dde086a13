"""What follows from the settings of the model: its name, its list price, the cap of a run."""

import ipaddress
from socket import inet_aton
from typing import NamedTuple
from urllib.parse import urlsplit

from synth.llms.models import model_facts
from synth.runs.prices import Price
from ui.settings.schema import Settings


def name(settings: Settings) -> str:
    """The name of an endpoint's model."""
    return settings.model_name.strip()


def price(settings: Settings) -> Price | None:
    """The list price, if it is known; a model in the local network has none."""
    if settings.model != "endpoint" or _is_local(settings.base_url):
        return None
    return model_facts(name(settings)).price


def _is_local(address: str) -> bool:
    """Whether a server stands in the local network, where a model's name implies no price."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:  # not an address; a run reports this
        return False
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        pass
    try:  # as resolvers read it: 127.1 is 127.0.0.1
        return ipaddress.ip_address(inet_aton(host)).is_private
    except (OSError, ValueError):
        return bool(address) and "." not in host.removesuffix(".")


class CapLimits(NamedTuple):
    """The cap in calls, in tokens of prompts and answers, and in US dollars; None means no cap."""

    calls: int | None
    tokens: int | None
    dollars: float | None


def cap_limits(settings: Settings) -> CapLimits:
    """The cap of a run with these settings."""
    return CapLimits(settings.cap_calls, settings.cap_tokens, settings.cap_dollars)
