"""The settings of the model: its name, its list price, the cap of a run.

`settings` looks a setting up by its name, on the page or in a column of Compare.
"""

from __future__ import annotations

import ipaddress
import re
from socket import inet_aton
from typing import NamedTuple
from urllib.parse import urlsplit

from synth.models import Price, model_facts
from ui.settings import hosts
from ui.settings.names import Lookup

_USER = re.compile(r"//[^/]*@")
_AFTER_PATH = re.compile(r"[?#].*", re.DOTALL)


def name(settings: Lookup) -> str:
    """The name of an endpoint's model."""
    return str(settings("model_name")).strip()


def without_secrets(address: str) -> str:
    """An address without the user, the password and the query, any of which may be a secret."""
    return _AFTER_PATH.sub("", _USER.sub("//", address))


def price(settings: Lookup) -> Price | None:
    """The list price, if it is known; a model in the local network has none."""
    if settings("model") != "endpoint" or _is_local(str(settings("base_url"))):
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


def has_key(settings: Lookup) -> bool:
    """Whether a key that was typed would go with a request."""
    return settings("model") == "endpoint" and bool(hosts.key(hosts.address(settings)))


class CapLimits(NamedTuple):
    """The cap in calls, in tokens of prompts and answers, and in US dollars; None means no cap."""

    calls: int | None
    tokens: int | None
    dollars: float | None


def cap_limits(settings: Lookup) -> CapLimits:
    """The cap of a run with these settings."""
    return CapLimits(settings("cap_calls"), settings("cap_tokens"), settings("cap_dollars"))
